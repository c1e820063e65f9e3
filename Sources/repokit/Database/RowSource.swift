import Query
import Repository
import SQLStore

/// The rows of a table, whatever evaluates a query.
protocol RowSource {
  /// Passes the rows of a projection to a closure one at a time.
  ///
  /// - Parameters:
  ///   - isSorted: whether rows come in the order of the sort, rather than in the one in which they were added.
  ///   - body: takes a row's values in the order of the request's columns, and returns whether to continue.
  func forEachRow(
    _ request: ProjectionRequest, isSorted: Bool, _ body: ([Value]) -> Bool
  ) throws(RepositoryError)

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int

  /// Counts the rows of a projection.
  func countRows(_ request: ProjectionRequest) throws(RepositoryError) -> Int

  func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow]
}

/// The rows in the database, which evaluates the query itself and passes the rows as they are read.
extension BlockingRepository<Record>: RowSource {
  func forEachRow(
    _ request: ProjectionRequest, isSorted: Bool, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    try forEachRow(request, isSorted: isSorted, checking: nil, body)
  }
}

/// The rows of a table and of those to which a query leads, all of them copied to memory, where the library evaluates the query.
struct CopiedRows: RowSource {
  private let schema: TableSchema
  private let store: SQLDatabase
  private var copy = CopiedTables()

  init(of schema: TableSchema, in store: SQLDatabase) throws(RepositoryError) {
    (self.schema, self.store) = (schema, store)
    copy.add(try store.rows(of: schema), of: schema)
  }

  func forEachRow(
    _ request: ProjectionRequest, isSorted: Bool, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    let others = OtherTables(of: store)
    let projection = try schema.resolve(request, with: others.find)
    for row in try copy(with: others).rows(projection, of: schema, isSorted: isSorted) where !body(row) { return }
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    let others = OtherTables(of: store)
    let query = try schema.resolve(query, with: others.find)
    return try copy(with: others).count(query, of: schema)
  }

  func countRows(_ request: ProjectionRequest) throws(RepositoryError) -> Int {
    var count = 0
    try forEachRow(request, isSorted: true) { _ in
      count += 1
      return true
    }
    return count
  }

  func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] {
    let others = OtherTables(of: store)
    let aggregates = try schema.resolve(request, with: others.find)
    return try copy(with: others).aggregate(aggregates, of: schema)
  }

  /// The copy, with the tables that resolving a query has found.
  private func copy(with others: OtherTables) throws(RepositoryError) -> CopiedTables {
    var copy = copy
    for table in others.found where !copy.contains(table.name) { copy.add(try store.rows(of: table), of: table) }
    return copy
  }
}

extension SQLDatabase {
  /// All rows of a table, in the order in which the database finds them.
  fileprivate func rows(of table: TableSchema) throws(RepositoryError) -> [[Value]] {
    var rows: [[Value]] = []
    let request = ProjectionRequest(table.columns.map { .key($0.name) })
    try blocking.repository(Schema(table)).forEachRow(request, isSorted: false) { row in
      rows.append(row)
      return true
    }
    return rows
  }
}
