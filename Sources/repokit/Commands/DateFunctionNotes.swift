import Query
import SQLInspection

/// Tells of functions of dates that make nothing of a column, because it holds numbers.
struct DateFunctionNotes {
  let table: TableSchema
  let others: OtherTables
  /// The columns that are known to hold dates as numbers.
  let dates: [(column: String, type: NumericDateForm)]

  private static let sampleSize = 20

  func tell(of query: AnyQuery) {
    switch query.form {
    case .condition(let condition):
      if let key = condition.key { tell(of: key) }
      for operand in condition.operands { if case .key(let key) = operand { tell(of: key) } }
    case .not(let inner): tell(of: inner)
    case .and(let lhs, let rhs), .or(let lhs, let rhs):
      tell(of: lhs)
      tell(of: rhs)
    }
  }

  func tell(of expression: AnyExpression) {
    guard case .function(let function, let arguments) = expression.form else { return }
    for argument in arguments {
      guard function.isOfDates, let name = argument.plainKey else {
        tell(of: argument)
        continue
      }
      if let note = note(on: function, of: name) { others.tellOnce("note: \(note)") }
    }
  }

  private func note(on function: ExpressionFunction, of name: String) -> String? {
    guard let position = table.columns.firstIndex(named: name), !dates.contains(where: { Name($0.column) == name })
    else {
      return nil
    }
    var values: [Value] = []
    var count = 0
    try? others.forEachValue(of: position, in: table) { value in
      count += 1
      if !value.isNull { values.append(value) }
      return values.count < Self.sampleSize && count < 1_000
    }
    guard let example = values.first, values.allSatisfy({ $0.kind == .number }) else { return nil }
    // Any small number is one of the first nanoseconds.
    let isSmall = values.contains { if case .integer(let integer) = $0 { integer.magnitude < 1 << 50 } else { true } }
    let likely = NumericDateForm.allCases.filter { $0 != .coreDataNanoseconds || !isSmall }
    let forms = likely.filter { form in values.allSatisfy(form.isLikely) }.map { "\(name)=\($0.rawValue)" }
    let advice =
      forms.isEmpty ? "" : "; \(OptionDescription.dates.name) \(forms.joined(separator: " or ")) reads them as dates"
    return "\(name) holds numbers such as \(example), of which \(function.rawValue) makes nothing\(advice)"
  }
}
