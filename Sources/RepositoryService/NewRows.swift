import Query
import Repository

/// The rows of elements that one request writes.
///
/// What does not depend on the elements is found once, also for a body of millions of lines.
struct NewRows: Sendable {
  private let route: RouteHandler
  /// The row of which nothing is sent.
  private let defaults: [Value]
  private let filled: [(position: Int, value: Value)]
  /// The condition that rows have to match; `nil` if it can only be evaluated for rows that were written, as a condition on rows
  /// of other tables.
  private let condition: ResolvedQuery?
  private let isConditional: Bool

  init(for exchange: Exchange) {
    route = exchange.route
    filled = zip(route.fillings, exchange.filled).map { ($0.position, $1) }
    var defaults = route.defaults
    for (position, value) in filled { defaults[position] = value }
    self.defaults = defaults
    isConditional = exchange.condition != .true
    condition = isConditional ? try? exchange.condition.resolved(in: route.table) : nil
  }

  /// Whether rows are checked after they were written, see ``Exchange/checkWritten(_:_:)``.
  var areCheckedAfterwards: Bool { isConditional && condition == nil }

  /// Returns the complete row of a new element: a column that is not sent has the value that the server fills, or its default,
  /// or null.
  func row(of body: [Value?]) throws(Refusal) -> [Value] { try route.stored(body, over: defaults) }

  /// Returns the complete row of an element that exists: a column that is neither sent nor filled by the server keeps its value.
  func row(of body: [Value?], over old: [Value]) throws(Refusal) -> [Value] {
    var row = try route.stored(body, over: old)
    for (position, value) in filled { row[position] = value }
    return row
  }

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

  /// Throws for rows that would not exist for the request that writes them, as far as that is known before they are written.
  func check(_ rows: [[Value]]) throws(Refusal) {
    guard let condition else { return }
    if !rows.allSatisfy(condition.matches) { throw Self.outOfReach }
  }

  /// The refusal of a row that would not exist for the request that writes it.
  static var outOfReach: Refusal {
    Refusal(
      RepositoryError(
        .forbidden, "an element with these values may not be written",
        reason: "the server would not show the element to the client",
        suggestion: "set the values that select the client's own elements"))
  }
}

extension Exchange {
  /// Throws if the rows of the request are checked after they were written, and can't be.
  func requireChecks(_ newRows: NewRows) throws(Refusal) {
    if !newRows.areCheckedAfterwards { return }
    try requireKeys("write the elements on the server")
    if service.transactions == nil {
      throw Refusal(
        RepositoryError(
          .unsupported, "can't write elements of \(route.name)",
          reason: "the route's condition depends on other tables, and the service has no store with transactions"))
    }
  }

  /// Throws if rows that were written do not exist for the request, so that the transaction is rolled back.
  func checkWritten(_ rows: [[Value]], _ newRows: NewRows) async throws(Refusal) {
    if !newRows.areCheckedAfterwards { return }
    let keys = Array(Set(rows.map { row in route.table.primaryKey.map { row[$0] } }))
    var count = 0
    for query in route.table.queries(forKeys: keys) {
      count += try await translatingStoreErrors { () throws(RepositoryError) in
        try await route.rows.count(withCondition(query))
      }
    }
    if count < keys.count { throw NewRows.outOfReach }
  }
}

extension RouteHandler {
  /// Returns a row with the values that were sent.
  fileprivate func stored(_ body: [Value?], over old: [Value]) throws(Refusal) -> [Value] {
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
