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
    guard values.allSatisfy({ $0.kind == .number }) else { return nil }
    // Any small number is one of the first nanoseconds.
    let isSmall = values.contains { if case .integer(let integer) = $0 { integer.magnitude < 1 << 50 } else { true } }
    let likely = NumericDateForm.allCases.filter { $0 != .coreDataNanoseconds || !isSmall }
    let forms = likely.filter { form in values.allSatisfy(form.isLikely) }.map { "\(name)=\($0.rawValue)" }
    let advice =
      forms.isEmpty
      ? "" : "; \(OptionDescription.dates.name) \(forms.joined(separator: " or ")) reads the numbers as dates"
    return "\(call.function.rawValue) is null for numbers such as \(example) in \(name)\(advice)"
  }
}
