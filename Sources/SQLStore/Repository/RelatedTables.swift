package import Query
package import Repository
import SQL
import Synchronization

/// A cache of the other tables that requests lead to, as the database had them on first use.
final class RelatedTables: Sendable {
  private let tables = Mutex<[Name: TableSchema?]>([:])
  private let database: SQLDatabase?

  /// - Parameter database: the database whose repositories declare tables; `nil` if none of them counts.
  init(of database: SQLDatabase? = nil) { self.database = database }

  /// The names of the tables.
  var names: [String] { tables.withLock { $0.keys.map(\.text) } }

  /// The tables that were found for one request.
  struct Found {
    fileprivate var tables: [Name: TableSchema?]
  }

  /// A request's search for tables among the cached ones.
  private final class Search {
    let found: Found
    var missing: String?

    init(_ found: Found) {
      self.found = found
    }

    func table(_ name: String) -> TableSchema? {
      if let known = found.tables[Name(name)] { return known }
      missing = missing ?? name
      return nil
    }
  }

  private var known: Found { Found(tables: tables.withLock { $0 }) }

  /// Applies a closure to a request, with the tables that it leads to.
  ///
  /// - Parameter find: looks up a table that is not cached.
  func make<Result>(
    _ body: (@escaping TableLookup) throws(QueryError) -> Result,
    find: (_ name: String, _ found: inout Found) throws(RepositoryError) -> Void
  ) throws(RepositoryError) -> Result {
    var found = known
    while true {
      switch try attempt(found, body) {
      case .made(let result): return result
      case .needs(let name): try find(name, &found)
      }
    }
  }

  /// Applies a closure to a request, suspended during lookups of tables.
  func make<Result>(
    _ body: (@escaping TableLookup) throws(QueryError) -> Result,
    find: (_ name: String, _ found: inout Found) async throws(RepositoryError) -> Void
  ) async throws(RepositoryError) -> Result {
    var found = known
    while true {
      switch try attempt(found, body) {
      case .made(let result): return result
      case .needs(let name): try await find(name, &found)
      }
    }
  }

  /// The result of an attempt, or the name of a table that has to be looked up first.
  private enum Attempt<Result> {
    case made(Result)
    case needs(String)
  }

  private func attempt<Result>(
    _ found: Found, _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) throws(RepositoryError) -> Attempt<Result> {
    let search = Search(found)
    do throws(QueryError) {
      return .made(try body { name in search.table(name) })
    } catch {
      guard let name = search.missing else { throw RepositoryError(error) }
      return .needs(name)
    }
  }

  /// Looks up a table.
  func find(_ name: String, on connection: Connection, for found: inout Found) throws(RepositoryError) {
    var table = try connection.catalog.schema(ofTable: name)
    // A reference may spell the table's name in another case, if the database is case-insensitive.
    if table == nil,
      let same = try connection.catalog.tableNames().first(foldedNamed: name)
    {
      table = try connection.catalog.schema(ofTable: same)
    }
    // A table that a repository declares has the columns of JSON that it declares, as in memory.
    if let declared = database?.declaredTable(name) { table = table?.holdingJSON(asIn: declared) }
    found.tables[Name(name)] = .some(table)
    // A missing table is not cached: it may be created later.
    if let table { tables.withLock { $0[Name(name)] = table } }
  }
}

extension Connection {
  /// Resolves a query of a table, with the other tables that it leads to.
  package func resolve(_ query: AnyQuery, in table: TableSchema) throws(RepositoryError) -> ResolvedQuery {
    try relating(by: RelatedTables()) { tables throws(QueryError) in
      try query.resolved(in: table, with: tables)
    }
  }

  /// Resolves a request of a table, with the other tables that it leads to.
  package func resolve(_ request: FetchRequest, in table: TableSchema) throws(RepositoryError) -> ResolvedRequest {
    try relating(by: RelatedTables()) { tables throws(QueryError) in
      try request.resolved(in: table, with: tables)
    }
  }

  /// Resolves assignments, optionally to columns of the primary key.
  package func resolve(
    _ assignments: [Assignment], in table: TableSchema, keysMayChange: Bool
  ) throws(RepositoryError) -> ResolvedAssignments {
    try relating(by: RelatedTables()) { tables throws(QueryError) in
      try ResolvedAssignments(assignments, in: table, keysMayChange: keysMayChange, with: tables)
    }
  }

  /// Applies a closure to a request, with the other tables that it leads to.
  fileprivate func relating<Result>(
    by related: RelatedTables, _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) throws(RepositoryError) -> Result {
    try related.make(body) { name, found throws(RepositoryError) in try related.find(name, on: self, for: &found) }
  }
}

extension SQLTable {
  /// Applies a closure to a request, with the other tables that it leads to.
  func relating<Result>(
    _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) throws(RepositoryError) -> Result {
    try related.make(body) { name, found throws(RepositoryError) in
      try runBlocking(.read) { connection throws(RepositoryError) in
        try related.find(name, on: connection, for: &found)
      }
    }
  }

  /// Applies a closure to a request, suspended while it waits for a connection.
  func relating<Result>(
    _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) async throws(RepositoryError) -> Result {
    try await related.make(body) { name, found async throws(RepositoryError) in
      try await run(.read, isLong: false) { connection throws(RepositoryError) in
        try related.find(name, on: connection, for: &found)
      }
    }
  }

  /// Applies a closure to a request with a connection that is checked out.
  func relating<Result>(
    on connection: Connection, _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) throws(RepositoryError) -> Result {
    try connection.relating(by: related, body)
  }
}
