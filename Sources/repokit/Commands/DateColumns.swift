import Query
import SQLInspection

/// The columns that hold dates as numbers, which are compared with dates and shown as such.
struct DateColumns {
  let forms: [(column: String, type: DateForm)]

  /// Reads `--dates`.
  init(_ arguments: Arguments) throws(Failure) {
    forms = try ColumnTypes.read(.dates, of: arguments, called: "form of dates", such: "day=unix")
  }

  /// How a column holds dates; `nil` where it holds none as numbers.
  func form(of column: String?) -> DateForm? {
    guard let column else { return nil }
    return forms.first { Name($0.column) == Name(column) }?.type
  }

  /// Refuses functions of dates that would be null of such a column.
  func check(_ expressions: some Sequence<AnyExpression>) throws(Failure) {
    if forms.isEmpty { return }
    for expression in expressions {
      guard let (function, column) = dateFunction(in: expression) else { continue }
      throw Failure(
        "\(expression): \(column) holds dates as numbers, and \(function.rawValue) is of dates as texts",
        details: ["\(OptionDescription.dates.name) shows \(column) as dates, and compares it with them"],
        status: .usageError)
    }
  }

  private func dateFunction(in expression: AnyExpression) -> (ExpressionFunction, String)? {
    guard case .function(let function, let arguments) = expression.form else { return nil }
    let ofDates: [ExpressionFunction] = [
      .year, .month, .day, .hour, .minute, .second, .weekday, .date, .yearMonth,
    ]
    if ofDates.contains(function), let column = arguments.first?.plainKey, form(of: column) != nil {
      return (function, column)
    }
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
