import PostgresStore
import Query
import SQLStore

/// The columns that hold dates as numbers, which are compared with dates and shown as such.
struct DateColumns {
  let forms: [(column: String, type: NumericDateForm)]

  /// Reads `--dates`.
  init(_ arguments: Arguments) throws(Failure) {
    forms = try ColumnTypes.read(.dates, of: arguments, called: "form of dates", such: "day=unix")
  }

  /// How a column holds dates; `nil` where it holds none as numbers.
  func form(of column: String?) -> NumericDateForm? {
    guard let column else { return nil }
    return forms.first { Name($0.column) == Name(column) }?.type
  }

  /// A table whose columns are known to hold dates as numbers, so that functions of dates read them.
  ///
  /// A server, whose expressions have one type each, refuses such a function of a number.
  func marking(_ table: TableSchema, in store: SQLDatabase) -> TableSchema {
    store is PostgresStore ? table : table.holdingDates(forms)
  }

  /// Refuses functions of dates in the condition of a change, where they would be null of such a column.
  func check(_ query: AnyQuery) throws(Failure) {
    if forms.isEmpty { return }
    switch query.form {
    case .condition(let condition):
      try check(condition.key)
      for operand in condition.operands { if case .key(let key) = operand { try check(key) } }
    case .not(let inner): try check(inner)
    case .and(let lhs, let rhs), .or(let lhs, let rhs):
      try check(lhs)
      try check(rhs)
    }
  }

  /// Refuses functions of dates of such a column in what a change writes.
  func check(_ expression: AnyExpression?) throws(Failure) {
    guard let expression, let (function, column) = dateFunction(in: expression) else { return }
    throw Failure(
      "\(expression): \(column) holds dates as numbers, and a change takes \(function.rawValue) of dates as texts",
      details: ["compare \(column) with dates, as in \(column) >= '2024-01-01' and \(column) < '2025-01-01'"],
      status: .usageError)
  }

  private func dateFunction(in expression: AnyExpression) -> (ExpressionFunction, String)? {
    guard case .function(let function, let arguments) = expression.form else { return nil }
    if function.isOfDates, let column = arguments.first?.plainKey, form(of: column) != nil { return (function, column) }
    return arguments.lazy.compactMap(dateFunction).first
  }

  /// Makes what writes the dates of rows as texts.
  ///
  /// - Parameter columns: the table's columns of which the result's are made; `nil` for what is worked out.
  func formatter(of columns: [String?]) -> ([Value]) -> [Value] {
    let forms = columns.map(form)
    if forms.allSatisfy({ $0 == nil }) { return { $0 } }
    return { row in zip(row, forms).map { value, form in form?.text(of: value) ?? value } }
  }
}
