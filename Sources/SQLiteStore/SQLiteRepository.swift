public import Query
public import Repository
import SQL

/// Elements in a table of an SQLite database.
///
/// Each operation can be called with and without suspending. Finding by key takes microseconds, so it runs where it is
/// called; what may take longer leaves the caller's executor when it is awaited. All of them wait for their turn at the
/// store's one connection, and up to five seconds for locks of other processes.
public struct SQLiteRepository<Element: Storable>: Repository {
  private let store: SQLiteStore
  private let schema: Schema<Element>
  private let table: TableSchema
  /// The table as the database keeps it, where that is less strict than the schema.
  private let looseTable: TableSchema?
  private let upsert: String

  init(store: SQLiteStore, schema: Schema<Element>, table: TableSchema, looseTable: TableSchema?) {
    self.store = store
    self.schema = schema
    self.table = table
    self.looseTable = looseTable
    upsert = SQLiteStore.compiler.upsert(into: table)
  }

  /// Finds the element with a key.
  public func find(_ id: Element.ID) throws(RepositoryError) -> Element? {
    let query = table.query(forKey: try table.key(id))
    return try fetch(FetchRequest(query, limit: 1)).first
  }

  /// Finds all elements that a request means, in its order.
  public func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] {
    try fetch(request)
  }

  /// Finds all elements that a request means, in its order, away from the caller's executor.
  @concurrent
  public func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    try fetch(request)
  }

  /// Counts the elements that a query means.
  public func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    try fetchCount(query)
  }

  /// Counts the elements that a query means, away from the caller's executor.
  @concurrent
  public func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    try fetchCount(query)
  }

  /// Saves elements in one transaction.
  public func save(_ elements: [Element]) throws(RepositoryError) {
    try write(elements)
  }

  /// Saves elements in one transaction, away from the caller's executor.
  @concurrent
  public func save(_ elements: [Element]) async throws(RepositoryError) {
    try write(elements)
  }

  /// Deletes the elements with the given keys in one transaction.
  @discardableResult
  public func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int {
    try remove(ids)
  }

  /// Deletes the elements with the given keys in one transaction, away from the caller's executor.
  @discardableResult
  @concurrent
  public func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int {
    try remove(ids)
  }
}

extension SQLiteRepository {
  private func fetch(_ request: FetchRequest) throws(RepositoryError) -> [Element] {
    var resolved = try table.resolve(request)
    if let looseTable { resolved = try looseTable.resolve(request) }
    let statement = SQLiteStore.compiler.select(resolved)
    let rows = try store.withConnection { connection throws(RepositoryError) in
      var rows: [FetchedRow] = []
      try connection.query(statement) { row in rows.append(row.fetched(table.columns.count)) }
      return rows
    }
    // With the connection given back: a model type's initialiser may do what it likes, also ask the store.
    var elements: [Element] = []
    elements.reserveCapacity(rows.count)
    for row in resolved.inOrder(rows) { elements.append(try schema.element(from: row, in: table)) }
    return elements
  }

  private func resolve(_ query: AnyQuery) throws(RepositoryError) -> ResolvedQuery {
    let resolved = try table.resolve(query)
    guard let looseTable else { return resolved }
    return try looseTable.resolve(query)
  }

  private func fetchCount(_ query: AnyQuery) throws(RepositoryError) -> Int {
    let statement = SQLiteStore.compiler.count(try resolve(query))
    return try store.withConnection { connection throws(RepositoryError) in
      try connection.integer(statement)
    }
  }

  private func write(_ elements: [Element]) throws(RepositoryError) {
    var rows: [[Value]] = []
    rows.reserveCapacity(elements.count)
    for element in elements { rows.append(try schema.row(from: element, in: table)) }
    try store.withConnection { connection throws(RepositoryError) in
      // A statement is a transaction of its own.
      if rows.count == 1 {
        try connection.execute(upsert, rows[0])
      } else if rows.count > 1 {
        try connection.transaction { () throws(RepositoryError) in
          for row in rows { try connection.execute(upsert, row) }
        }
      }
    }
  }

  private func remove(_ ids: [Element.ID]) throws(RepositoryError) -> Int {
    var statements: [CompiledStatement] = []
    statements.reserveCapacity(ids.count)
    for id in ids {
      let query = try resolve(table.query(forKey: try table.key(id)))
      statements.append(SQLiteStore.compiler.delete(query))
    }
    return try store.withConnection { connection throws(RepositoryError) in
      try connection.transaction { () throws(RepositoryError) in
        var deleted = 0
        for statement in statements { deleted += try connection.execute(statement.sql, statement.bindings) }
        return deleted
      }
    }
  }
}
