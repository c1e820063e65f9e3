import ErrorDetails
import Query
import SQLInspection

/// The notes on functions of dates that are null for a column, because the column has numbers or other texts.
struct DateFunctionNotes {
  let table: TableSchema
  let others: OtherTables
  /// The columns that are known to hold dates as numbers.
  let dates: DateColumns

  private static let sampleSize = 20
  /// The number of values of a column that are read to count those of which a function is null.
  private static let countedValues = 10_000

  func notes(on parts: QueryParts) -> [String] {
    let calls = parts.queries.flatMap(\.dateFunctionCalls) + parts.expressions.flatMap(\.dateFunctionCalls)
    // Rows of other tables have columns of their own.
    return calls.filter { $0.table.map { Name($0) == table.name } ?? true }.flatMap { call in
      call.argument.valueSources.compactMap(\.plainKey).compactMap { note(on: call, of: $0).map { "note: \($0)" } }
    }
  }

  private func note(on call: DateFunctionCall, of name: String) -> String? {
    guard let position = table.columns.firstIndex(named: name) else { return nil }
    if dates.form(of: name) != nil {
      if call.table == nil, call.argument.plainKey != nil { return nil }
      return "\(name) stores numbers, and \(call.function.rawValue) reads them as dates only for the column \(name) "
        + "itself, not for "
        + (call.table == nil ? "\(call.argument)" : "related rows")
    }
    let values = others.sample(of: position, in: table, limit: Self.sampleSize)
    guard let example = values.first else { return nil }
    let texts = values.compactMap { value in if case .text(let text) = value { text } else { nil } }
    if texts.count == values.count, !texts.contains(where: { DateParts($0) != nil }) {
      let text = VisibleText.excerpt(of: Array(texts[0].utf8)[...])
      return
        "\(call.function.rawValue) is null for text such as '\(text)' in \(name): \(call.function.rawValue) reads "
        + "dates such as '2024-01-31' and '2024-01-31 12:00:00', in UTC"
    }
    guard values.allSatisfy({ $0.kind == .number }) else { return countNote(on: call, position) }
    // Any small number is one of the first nanoseconds.
    let isSmall = values.contains { if case .integer(let integer) = $0 { integer.magnitude < 1 << 50 } else { true } }
    let likely = NumericDateForm.allCases.filter { $0 != .coreDataNanoseconds || !isSmall }
    let forms = likely.filter { form in values.allSatisfy(form.isLikely) }.map { "\(name)=\($0.rawValue)" }
    let advice =
      forms.isEmpty
      ? "" : "; \(OptionDescription.dates.name) \(forms.joined(separator: " or ")) reads the numbers as dates"
    return "\(call.function.rawValue) is null for numbers such as \(example) in \(name)\(advice)"
  }

  /// A note on the values that a function leaves out of a column whose other values are dates.
  private func countNote(on call: DateFunctionCall, _ position: Int) -> String? {
    var (count, leftOut, example) = (0, 0, Value?.none)
    try? others.forEachValue(of: position, in: table) { value in
      if value == .null { return true }
      count += 1
      if case .text(let text) = value, DateParts(text)?.value(of: call.function) ?? .null != .null {
        return count < Self.countedValues
      }
      leftOut += 1
      example = example ?? value
      return count < Self.countedValues
    }
    guard let example else { return nil }
    let spelled = if case .text(let text) = example { text } else { example.description }
    // A day without a time is a date, and has no hour.
    if DateParts(spelled) != nil { return nil }
    let text = VisibleText.excerpt(of: Array(spelled.utf8)[...])
    let values = count < Self.countedValues ? "\(count)" : "the first \(count)"
    return
      "\(call.function.rawValue) is null for \(leftOut) of \(values) values of \(table.columns[position].name), such as "
      + "'\(text)', which is not a date in the form '2024-01-31' or '2024-01-31 12:00:00'"
  }
}
