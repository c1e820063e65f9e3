import Query
import Repository
import SQLInspection
import SQLStore
import SQLiteStore

/// A table whose rows can be read, whatever evaluates the query.
struct OpenTable {
  private enum Rows {
    case inDatabase(SQLRepository<Record>)
    /// The rows as the database finds them.
    case inMemory([[Value]])
  }

  let table: QueriedTable
  let store: SQLDatabase
  private let rows: Rows
  var schema: TableSchema { table.schema }

  /// Opens a table of a database, and for the engine in memory, copies it there.
  ///
  /// - Parameter mark: adds the known dates and decimals of the columns.
  init(
    _ name: String, in store: SQLDatabase, engine: Engine, _ mark: (TableSchema) -> TableSchema = { $0 }
  ) throws(RepositoryError) {
    self.store = store
    let queried = try store.queriedTable(name)
    table = QueriedTable(schema: mark(queried.schema), leftOut: queried.leftOut)
    rows =
      switch engine {
      case .database: .inDatabase(try store.repository(for: Schema(table.schema)))
      case .memory: .inMemory(try store.rows(of: table.schema))
      }
  }

  func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] {
    switch rows {
    case .inDatabase(let repository):
      return try repository.blocking.aggregate(request)
    case .inMemory(let copy):
      let tables = OtherTables(of: store)
      let resolved = try RepositoryError.translating { () throws(QueryError) in
        try request.resolved(in: schema, with: tables.find)
      }
      let source = try tables.rows()
      let found = Self.matching(resolved.query, in: copy, beside: source)
      do throws(AggregateError) {
        return try resolved.rows(ofMatching: found, source)
      } catch {
        throw RepositoryError(error)
      }
    }
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    switch rows {
    case .inDatabase(let repository):
      do throws(RepositoryError) {
        return try repository.blocking.count(query)
      } catch {
        // All rows are counted by an index, which SQLite can't open without its collation.
        guard query == .true, error.isOfMissingCollation else { throw error }
        return try store.rowCount(ofTable: schema.name)
      }
    case .inMemory(let copy): return try find(FetchRequest(query), isSorted: false, in: copy).count
    }
  }

  /// The headings of the columns of a projection.
  func headings(of request: ProjectionRequest) throws(RepositoryError) -> [ColumnHeading] {
    try request.headings(in: schema, with: OtherTables(of: store))
  }

  /// Passes the rows of a projection to a closure one at a time: from the database, as they are read.
  ///
  /// - Parameters:
  ///   - isSorted: whether rows come in the order of the sort, rather than in the one in which they were added.
  ///   - body: takes a row's values in the order of the request's columns, and returns whether to continue.
  func forEachRow(
    _ request: ProjectionRequest, isSorted: Bool = true, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    switch rows {
    case .inDatabase(let repository):
      try repository.blocking.forEachRow(request, isSorted: isSorted, body)
    case .inMemory(let copy):
      for row in try find(request, isSorted: isSorted, in: copy) where !body(row) { return }
    }
  }

  private func resolve(
    _ request: ProjectionRequest, with tables: OtherTables
  ) throws(RepositoryError) -> ResolvedProjection {
    try RepositoryError.translating { () throws(QueryError) in try request.resolved(in: schema, with: tables.find) }
  }

  /// Passes the values of one column to a closure, in no order.
  func forEachValue(of column: Int, _ body: (Value) -> Bool) throws(RepositoryError) {
    switch rows {
    case .inDatabase(let repository):
      let request = ProjectionRequest([.key(schema.columns[column].name)])
      try repository.blocking.forEachRow(request, isSorted: false) { row in body(row[0]) }
    case .inMemory(let copy):
      for row in copy where !body(row[column]) { return }
    }
  }

  /// Hints for a query that finds nothing.
  func hints(for query: AnyQuery) -> [String] {
    EmptyResultHints(of: schema) { column, body in try forEachValue(of: column, body) }.hints(for: query)
  }

  /// Notes on a query that finds rows, and on the columns by which they are sorted or grouped.
  func notes(for query: AnyQuery, keys: [String] = []) -> [String] {
    ComparisonNotes(of: schema) { column, body in try forEachValue(of: column, body) }.notes(for: query, keys: keys)
  }

  /// Counts the rows of a projection.
  func countRows(_ request: ProjectionRequest) throws(RepositoryError) -> Int {
    switch rows {
    case .inDatabase(let repository): try repository.blocking.countRows(request)
    case .inMemory(let copy): try find(request, isSorted: true, in: copy).count
    }
  }
}

// MARK: - In memory

extension OpenTable {
  /// The rows of a projection, as computed by the toolkit's own evaluator.
  private func find(
    _ request: ProjectionRequest, isSorted: Bool, in copy: [[Value]]
  ) throws(RepositoryError) -> [[Value]] {
    let tables = OtherTables(of: store)
    let resolved = try resolve(request, with: tables)
    let source = try tables.rows()
    let found = Self.find(resolved.source, isSorted: isSorted || resolved.isDistinct, in: copy, beside: source)
    return resolved.rows(ofSorted: found, source) { row, values in row.withUnsafeBufferPointer(values) }
  }

  /// The rows of a request, as computed by the toolkit's own evaluator.
  private func find(
    _ request: FetchRequest, isSorted: Bool = true, in copy: [[Value]]
  ) throws(RepositoryError) -> [[Value]] {
    let tables = OtherTables(of: store)
    let resolved = try RepositoryError.translating { () throws(QueryError) in
      try request.resolved(in: schema, with: tables.find)
    }
    return Self.find(resolved, isSorted: isSorted, in: copy, beside: try tables.rows())
  }

  private static func find(
    _ resolved: ResolvedRequest, isSorted: Bool, in copy: [[Value]], beside source: TableRows
  ) -> [[Value]] {
    var found = matching(resolved.query, in: copy, beside: source)
    if isSorted {
      let keys = resolved.sort.terms.map { resolved.query.scope.makeEvaluator($0.column, source) }
      let order = resolved.sort.withTermsInPlace
      found = found.map { row in (row, row.withUnsafeBufferPointer { values in keys.map { $0(values) } }) }
        .sorted { order.areInIncreasingOrder($0.1, $1.1) }.map(\.0)
    }
    return Array(found.dropFirst(resolved.offset).prefix(resolved.limit ?? .max))
  }

  private static func matching(_ query: ResolvedQuery, in copy: [[Value]], beside tables: TableRows) -> [[Value]] {
    let holds = query.predicate.makePredicate(in: query.scope, tables)
    return copy.filter { $0.withUnsafeBufferPointer(holds) }
  }
}

extension ProjectionRequest {
  /// The headings of the columns.
  func headings(in table: TableSchema, with tables: OtherTables) throws(RepositoryError) -> [ColumnHeading] {
    let resolved = try RepositoryError.translating { () throws(QueryError) in
      try self.resolved(in: table, with: tables.find)
    }
    return zip(columns, resolved.columns).map { column, position in
      ColumnHeading(resolved.request.query.scope.column(position), as: column.name)
    }
  }
}

/// The evaluator of a query. Both return the same rows in the same order.
enum Engine: String, CaseIterable {
  /// The database itself.
  case database
  /// The toolkit's own evaluator, over all rows of the table.
  case memory
}

extension SQLDatabase {
  /// The columns of a table that a format shows: the chosen ones, or else `nil` for all.
  ///
  /// A statement can't insert values that the database computes; a note tells the user that they are left out.
  func columns(
    _ chosen: [String]?, of table: TableSchema, in format: FormatName, _ console: Console
  ) throws(Failure) -> [String]? {
    guard chosen == nil, format == .sql else { return chosen }
    let computed = try Failure.translating { try computedColumns(ofTable: table.name) }
    let shown = table.columns.map(\.name).filter { !computed.contains(named: $0) }
    if computed.isEmpty || shown.isEmpty { return nil }
    let names = computed.joined(separator: ", ")
    console.report(
      TerminalText.visible(
        "note: the database computes \(names), so the statements omit "
          + "\(computed.count == 1 ? "this column" : "these columns")"
      )
        + "\n")
    return shown
  }
}
