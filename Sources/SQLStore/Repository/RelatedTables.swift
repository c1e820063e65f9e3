package import Query
package import Repository
import SQL
import Synchronization

/// A cache of the other tables that requests lead to, as the database had them on first use.
final class RelatedTables: Sendable {
  private struct Cache {
    /// The revision of the declarations by which the tables are described.
    var revision = 0
    var tables: [Name: TableSchema?] = [:]
    var names: Set<String> = []
  }

  private let cache = Mutex(Cache())
  private let declarations: TableDeclarations?

  /// - Parameter declarations: the tables as repositories declare them; `nil` if none of them counts.
  init(of declarations: TableDeclarations? = nil) { self.declarations = declarations }

  /// The names of the tables.
  var names: [String] { cache.withLock { Array($0.names) } }

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

  /// The tables that are cached, unless another declaration may describe them in another way.
  private var known: Found {
    let revision = declarations?.revision ?? 0
    return cache.withLock { Found(tables: $0.revision == revision ? $0.tables : [:]) }
  }

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
    // A table that a repository declares has the texts that it declares, as in memory.
    let declared = declarations?.current
    if let columns = declared?.columns[Name(table?.name ?? name)] { table = table?.holdingTexts(asIn: columns) }
    found.tables[Name(name)] = .some(table)
    // A missing table is not cached: it may be created later.
    guard let table else { return }
    let revision = declared?.revision ?? 0
    cache.withLock { cache in
      if cache.revision != revision { (cache.revision, cache.tables) = (revision, [:]) }
      cache.tables[Name(name)] = table
      cache.names.insert(name)
    }
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
