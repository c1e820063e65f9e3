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

  /// Applies a closure to a request, with the tables that it leads to; those that are not cached are looked up.
  func make<Result>(
    on connection: Connection, _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) throws(RepositoryError) -> Result {
    var found = known
    while true {
      let search = Search(found)
      do throws(QueryError) {
        return try body { name in search.table(name) }
      } catch {
        guard let name = search.missing else { throw RepositoryError(error) }
        try find(name, on: connection, for: &found)
      }
    }
  }

  /// Looks up a table.
  private func find(_ name: String, on connection: Connection, for found: inout Found) throws(RepositoryError) {
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
    try related.make(on: self, body)
  }
}

extension SQLTable {
  /// Applies a closure to a request with a connection that is checked out.
  func relating<Result>(
    on connection: Connection, _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) throws(RepositoryError) -> Result {
    try connection.relating(by: related, body)
  }
}
