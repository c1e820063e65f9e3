package import Query
package import Repository
import SQL
import Synchronization

/// The other tables that requests lead to, as the database had them when one first did.
final class RelatedTables: Sendable {
  private let tables = Mutex<[Name: TableSchema]>([:])

  /// What was found, for one request.
  struct Found {
    fileprivate var tables: [Name: TableSchema?]
  }

  /// A request's search for tables among those that are known.
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

  /// What is known before a request is looked at.
  var known: Found { Found(tables: tables.withLock { $0.mapValues(Optional.some) }) }

  /// Makes something of a request.
  ///
  /// - Parameter missing: the name of a table that has to be looked up first, where the result is `nil`.
  func make<Result>(
    _ found: Found, missing: inout String, _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) throws(RepositoryError) -> Result? {
    let search = Search(found)
    do throws(QueryError) {
      return try body { name in search.table(name) }
    } catch {
      guard let name = search.missing else { throw RepositoryError(error) }
      missing = name
      return nil
    }
  }

  /// Looks a table up.
  func find(_ name: String, on connection: Connection, for found: inout Found) throws(RepositoryError) {
    var table = try connection.catalog.schema(ofTable: name)
    // A reference may spell it in another case, where the database knows none.
    if table == nil,
      let same = try connection.catalog.tableNames().first(where: { Name($0).folded == Name(name).folded })
    {
      table = try connection.catalog.schema(ofTable: same)
    }
    found.tables[Name(name)] = .some(table)
    // One that is missing may be created later.
    if let table { tables.withLock { $0[Name(name)] = table } }
  }
}

extension Connection {
  /// Resolves a query of a table, with the other tables that it leads to.
  package func resolve(_ query: AnyQuery, in table: TableSchema) throws(RepositoryError) -> ResolvedQuery {
    try relating { tables throws(QueryError) in
      let resolved = try query.resolved(in: table, with: tables)
      try compiler.check(resolved.scope)
      return resolved
    }
  }

  /// The same of a request.
  package func resolve(_ request: FetchRequest, in table: TableSchema) throws(RepositoryError) -> ResolvedRequest {
    try relating { tables throws(QueryError) in
      let resolved = try request.resolved(in: table, with: tables)
      try compiler.check(resolved.query.scope)
      return resolved
    }
  }

  /// The same of assignments, optionally to columns of the primary key.
  package func resolve(
    _ assignments: [Assignment], in table: TableSchema, keysMayChange: Bool
  ) throws(RepositoryError) -> ResolvedAssignments {
    try relating { tables throws(QueryError) in
      let resolved = try ResolvedAssignments(assignments, in: table, keysMayChange: keysMayChange, with: tables)
      if let computed = resolved.computed { try compiler.check(computed.scope) }
      return resolved
    }
  }

  private func relating<Result>(
    _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) throws(RepositoryError) -> Result {
    let related = RelatedTables()
    var (found, missing) = (related.known, "")
    while true {
      if let result = try related.make(found, missing: &missing, body) { return result }
      try related.find(missing, on: self, for: &found)
    }
  }
}

extension SQLTable {
  /// Makes something of a request, with the other tables that it leads to.
  func relating<Result>(
    _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) throws(RepositoryError) -> Result {
    var (found, missing) = (related.known, "")
    while true {
      if let result = try related.make(found, missing: &missing, body) { return result }
      try runBlocking(.read) { connection throws(RepositoryError) in
        try related.find(missing, on: connection, for: &found)
      }
    }
  }

  /// The same, suspended while a connection is waited for.
  func relating<Result>(
    _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) async throws(RepositoryError) -> Result {
    var (found, missing) = (related.known, "")
    while true {
      if let result = try related.make(found, missing: &missing, body) { return result }
      try await run(.read, isLong: false) { connection throws(RepositoryError) in
        try related.find(missing, on: connection, for: &found)
      }
    }
  }

  /// The same with a connection that is checked out.
  func relating<Result>(
    on connection: Connection, _ body: (@escaping TableLookup) throws(QueryError) -> Result
  ) throws(RepositoryError) -> Result {
    var (found, missing) = (related.known, "")
    while true {
      if let result = try related.make(found, missing: &missing, body) { return result }
      try related.find(missing, on: connection, for: &found)
    }
  }
}
