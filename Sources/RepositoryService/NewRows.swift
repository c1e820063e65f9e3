import Query
import Repository

/// The rows of elements that one request writes.
///
/// What does not depend on the elements is found once, also for a body of millions of lines.
struct NewRows: Sendable {
  private let route: RouteHandler
  /// The condition that rows have to match; `nil` if that can't be evaluated for a row that does not exist yet, as for a condition
  /// on rows of other tables.
  private let condition: ResolvedQuery?
  private let isConditional: Bool

  init(for exchange: Exchange) {
    route = exchange.route
    isConditional = exchange.condition != .true
    condition = isConditional ? try? exchange.condition.resolved(in: route.table) : nil
  }

  /// Returns the complete row of a new element: a column that is not sent has its default, or null.
  func row(of body: [Value?]) throws(Refusal) -> [Value] { try route.stored(body, over: route.defaults) }

  /// Returns the complete row of an element that is written as it is.
  func complete(_ body: [Value?]) throws(Refusal) -> [Value] {
    let row = try row(of: body)
    try check([row])
    return row
  }

  func complete(_ bodies: [[Value?]]) throws(Refusal) -> [[Value]] {
    var rows: [[Value]] = []
    for body in bodies { rows.append(try row(of: body)) }
    try check(rows)
    return rows
  }

  /// Throws for rows that would not exist for the request that writes them.
  func check(_ rows: [[Value]]) throws(Refusal) {
    if !isConditional { return }
    guard let condition, rows.allSatisfy(condition.matches) else {
      throw Refusal(
        RepositoryError(
          .forbidden, "an element with these values may not be written",
          reason: "the server would not show the element to the client",
          suggestion: "set the values that select the client's own elements"))
    }
  }
}

extension RouteHandler {
  /// Returns a row with the values that were sent.
  func stored(_ body: [Value?], over old: [Value]) throws(Refusal) -> [Value] {
    var row = old
    for (position, value) in zip(bodyPositions, body) {
      guard let value else { continue }
      // Whether a column may be null is checked by the repository: some are set when they are written.
      row[position] = value.isNull ? value : try stored(value, in: table.columns[position])
    }
    return row
  }

  private func stored(_ value: Value, in column: ColumnSchema) throws(Refusal) -> Value {
    do throws(QueryError) {
      return try column.stored(value)
    } catch {
      throw Refusal(
        RepositoryError(
          .invalidValue, "\(column.name) can't store the value", reason: error.summary, suggestion: error.suggestion))
    }
  }
}
