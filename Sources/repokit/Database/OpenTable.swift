import Query
import Repository
import SQLInspection
import SQLStore
import SQLiteStore

/// A table whose rows can be read.
struct OpenTable {
  let table: QueriedTable
  let store: SQLDatabase
  private let rows: any RowSource
  var schema: TableSchema { table.schema }

  /// Opens a table of a database, and for the engine in memory, copies it there.
  ///
  /// - Parameter mark: adds the known dates and decimals of the columns.
  init(
    _ name: String, in store: SQLDatabase, engine: Engine, _ mark: (TableSchema) -> TableSchema = { $0 }
  ) throws(RepositoryError) {
    self.store = store
    let queried = try store.queriedTable(name)
    table = QueriedTable(schema: mark(queried.schema), shown: queried.shown)
    switch engine {
    case .database: rows = try store.blocking.repository(Schema(table.schema))
    case .memory: rows = try CopiedRows(of: table.schema, in: store)
    }
  }

  func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] { try rows.aggregate(request) }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    do throws(RepositoryError) {
      return try rows.count(query)
    } catch {
      // All rows are counted by an index, which SQLite can't open without its collation.
      guard query == .true, error.isOfMissingCollation else { throw error }
      return try store.rowCount(ofTable: schema.name)
    }
  }

  /// Counts the rows of a projection.
  func countRows(_ request: ProjectionRequest) throws(RepositoryError) -> Int { try rows.countRows(request) }

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
    try rows.forEachRow(request, isSorted: isSorted, body)
  }

  /// Reports what the author of a query may not expect of its answer.
  ///
  /// - Parameters:
  ///   - keys: the columns by which rows are sorted or grouped.
  ///   - isEmpty: whether the query finds nothing although it is to find something.
  func reportNotes(on query: AnyQuery, keys: [String] = [], isEmpty: Bool = false, _ console: Console) {
    let source: EmptyResultHints.ColumnSource = { column, body in
      let request = ProjectionRequest([.key(schema.columns[column].name)])
      try rows.forEachRow(request, isSorted: false) { row in body(row[0]) }
    }
    let hints = isEmpty ? EmptyResultHints(of: schema, source).hints(for: query) : []
    for hint in hints { console.say("hint: \(hint)") }
    // One piece of advice is given once.
    func advice(_ text: String) -> Substring? { text.ranges(of: "; ").last.map { text[$0.upperBound...] } }
    let given = Set(hints.compactMap(advice))
    for note in ComparisonNotes(of: schema, source).notes(for: query, keys: keys) {
      if advice(note).map(given.contains) != true { console.say("note: \(note)") }
    }
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
    console.say(
      "note: the database computes \(names), so the statements omit "
        + "\(computed.count == 1 ? "this column" : "these columns")")
    return shown
  }
}
