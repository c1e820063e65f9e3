import Query
import SQLInspection
import SQLStore

/// The columns that hold dates as numbers, which are compared with dates and shown as such.
struct DateColumns {
  let forms: [(column: String, type: NumericDateForm)]

  static let none = DateColumns()

  private init() { forms = [] }

  /// Reads `--dates`.
  init(_ arguments: Arguments) throws(Failure) {
    forms = try ColumnTypes.read(.dates, of: arguments, called: "form of dates", such: "day=unix")
  }

  /// Returns the form in which a column holds dates as numbers; `nil` where it holds none.
  func form(of column: String?) -> NumericDateForm? {
    guard let column else { return nil }
    return forms.first { Name($0.column) == Name(column) }?.type
  }

  /// A table whose columns are known to hold dates as numbers, so that functions of dates read them.
  ///
  /// A server, whose expressions have one type each, refuses such a function of a number.
  func marking(_ table: TableSchema, in store: SQLDatabase) -> TableSchema {
    store.driver.convertsValues ? table.holdingDates(forms) : table
  }

  /// Refuses functions of dates in the condition of a change, where they would be null of such a column.
  func check(_ query: AnyQuery) throws(Failure) {
    if forms.isEmpty { return }
    try check(query.dateFunctionCalls)
  }

  /// The same for an expression of a change.
  func check(_ expression: AnyExpression) throws(Failure) {
    if forms.isEmpty { return }
    try check(expression.dateFunctionCalls)
  }

  /// The same column may be asked of related rows, too, since rows may refer to rows of their own table.
  private func check(_ calls: [DateFunctionCall]) throws(Failure) {
    for call in calls {
      let names = call.argument.valueSources.map { source in
        if case .path(let steps) = source.form { steps.last } else { source.plainKey }
      }
      guard let column = names.lazy.compactMap({ $0 }).first(where: { form(of: $0) != nil }) else { continue }
      throw Failure(
        "\(call.function.rawValue)(\(call.argument)): \(column) stores dates as numbers, and a change can call "
          + "\(call.function.rawValue) only on text dates",
        details: ["compare \(column) with dates: \(column) >= '2024-01-01' and \(column) < '2025-01-01'"],
        status: .usageError)
    }
  }

  /// Makes what writes the dates of rows as texts.
  ///
  /// - Parameter columns: the table's columns of which the result's are made; `nil` for what is worked out.
  func formatter(of columns: [String?]) -> @Sendable ([Value]) -> [Value] {
    let forms = columns.map(form)
    if forms.allSatisfy({ $0 == nil }) { return { $0 } }
    return { row in zip(row, forms).map { value, form in form?.text(of: value) ?? value } }
  }
}
