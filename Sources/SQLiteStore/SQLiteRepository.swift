public import Query
public import Repository
import SQL

/// Elements in a table of an SQLite database.
///
/// What a repository has to do (finding by key or request, counting, figures, and writing several elements) can be called
/// with and without suspending; the shorter forms that come with every repository are to be awaited. Finding by key takes microseconds, so it runs where it is
/// called; what may take longer leaves the caller's executor when it is awaited, and is stopped when its task is cancelled.
/// What has to wait, for other tasks or for locks of other programs, is suspended, or blocks its thread where it was called
/// without `await`, for as long as the store's timeout says.
public struct SQLiteRepository<Element: Storable>: Repository {
  private let store: SQLiteStore
  /// The transaction that opened the repository, if any.
  private let transaction: SQLiteTransaction?
  private let schema: Schema<Element>
  private let table: TableSchema
  /// The table as the database keeps it, where that is less strict than the schema.
  private let looseTable: TableSchema?
  private let insert: String
  private let upsert: String

  init(
    store: SQLiteStore, transaction: SQLiteTransaction?, schema: Schema<Element>, table: TableSchema,
    looseTable: TableSchema?
  ) {
    self.store = store
    self.transaction = transaction
    self.schema = schema
    self.table = table
    self.looseTable = looseTable
    insert = SQLiteStore.compiler.insert(into: table)
    upsert = SQLiteStore.compiler.upsert(into: table)
  }

  /// Finds the element with a key.
  public func find(_ id: Element.ID) throws(RepositoryError) -> Element? {
    let request = try resolve(key: id)
    let fetch = fetching(request)
    return try elements(try store.runBlocking(.read, in: transaction, fetch), request).first
  }

  /// Finds the element with a key, on the caller's executor.
  public func find(_ id: Element.ID) async throws(RepositoryError) -> Element? {
    let request = try resolve(key: id)
    let fetch = fetching(request)
    return try elements(try await store.run(.read, in: transaction, isLong: false, fetch), request).first
  }

  /// Finds all elements that a request means, in its order.
  public func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] {
    let request = try resolve(request)
    return try elements(try store.runBlocking(.read, in: transaction, fetching(request)), request)
  }

  /// Finds all elements that a request means, in its order, away from the caller's executor.
  @concurrent
  public func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    let request = try resolve(request)
    return try elements(try await store.run(.read, in: transaction, fetching(request)), request)
  }

  /// Observes the elements that a request means: their current state, and each new one.
  ///
  /// Commits of this store are noticed at once, those of other connections and of other programs within 50 ms.
  public func changes(_ request: FetchRequest) -> Changes<Element> {
    Changes(store.signal) { () throws(RepositoryError) in
      if store.transaction(boundTo: transaction) != nil { throw .changesInsideTransaction }
      let resolved = try resolve(request)
      let rows = try await store.run(.read, in: transaction, fetching(resolved))
      let elements = try elements(rows, resolved)
      return (elements, rows.map { row in row.values.map { $0 ?? .null } })
    }
  }

  /// Counts the elements that a query means.
  public func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    try store.runBlocking(.read, in: transaction, counting(query))
  }

  /// Counts the elements that a query means, away from the caller's executor.
  @concurrent
  public func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    try await store.run(.read, in: transaction, counting(query))
  }

  /// Works out figures of the elements that a query means.
  public func figures(_ request: FigureRequest) throws(RepositoryError) -> [FigureRow] {
    let figures = try resolve(request)
    return try rows(try store.runBlocking(.read, in: transaction, workingOut(figures)), figures)
  }

  /// Works out figures of the elements that a query means, away from the caller's executor.
  @concurrent
  public func figures(_ request: FigureRequest) async throws(RepositoryError) -> [FigureRow] {
    let figures = try resolve(request)
    return try rows(try await store.run(.read, in: transaction, workingOut(figures)), figures)
  }

  /// Saves elements, all or none.
  public func save(_ elements: [Element]) throws(RepositoryError) {
    if let save = try saving(elements) { try store.runBlocking(.write, in: transaction, save) }
  }

  /// Saves elements, all or none, away from the caller's executor.
  @concurrent
  public func save(_ elements: [Element]) async throws(RepositoryError) {
    if let save = try saving(elements) { try await store.run(.write, in: transaction, save) }
  }

  /// Deletes the elements with the given keys, all or none.
  @discardableResult
  public func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int {
    try store.runBlocking(.write, in: transaction, deleting(ids))
  }

  /// Deletes the elements with the given keys, all or none, away from the caller's executor.
  @discardableResult
  @concurrent
  public func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int {
    try await store.run(.write, in: transaction, deleting(ids))
  }

  /// Inserts elements, all or none.
  @discardableResult
  public func insert(_ elements: [Element]) throws(RepositoryError) -> [Element] {
    guard let insert = try inserting(elements) else { return [] }
    return try inserted(elements, as: try store.runBlocking(.write, in: transaction, insert))
  }

  /// Inserts elements, all or none, away from the caller's executor.
  @discardableResult
  @concurrent
  public func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    guard let insert = try inserting(elements) else { return [] }
    return try inserted(elements, as: try await store.run(.write, in: transaction, insert))
  }

  /// Sets columns of all elements that a query means, all or none, in one statement.
  @discardableResult
  public func update(where query: AnyQuery, set assignments: [Assignment]) throws(RepositoryError) -> Int {
    try store.runBlocking(.write, in: transaction, updating(query, assignments))
  }

  /// Sets columns of all elements that a query means, all or none, in one statement, away from the caller's executor.
  @discardableResult
  @concurrent
  public func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    try await store.run(.write, in: transaction, updating(query, assignments))
  }

  /// Deletes all elements that a query means, all or none, in one statement.
  @discardableResult
  public func delete(where query: AnyQuery) throws(RepositoryError) -> Int {
    try store.runBlocking(.write, in: transaction, deleting(query))
  }

  /// Deletes all elements that a query means, all or none, in one statement, away from the caller's executor.
  @discardableResult
  @concurrent
  public func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await store.run(.write, in: transaction, deleting(query))
  }

  /// Writes elements as they come in one transaction, away from the caller's executor.
  ///
  /// Elements may be made from what the store holds: while one is asked for, nobody has the connection.
  @discardableResult
  @concurrent
  public func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>,
    progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    try await store.transaction(in: transaction) { transaction async throws(RepositoryError) in
      let sql = mode == .insert ? insert : upsert
      var meter = ProgressMeter(total: elements.total, progress)
      while let element = try await elements.next() {
        let row = try schema.row(from: element, in: table)
        try await transaction.perform(.write, isLong: false) { connection throws(RepositoryError) in
          _ = try connection.write(row, by: sql, to: table)
        }
        try meter.advance()
      }
      meter.finish()
      return meter.done
    }
  }
}

// Each operation in two parts: what is made ready on the way to the connection, and what is done with it.
extension SQLiteRepository {
  private typealias Work<Result> = (Connection) throws(RepositoryError) -> Result

  private func resolve(key id: Element.ID) throws(RepositoryError) -> ResolvedRequest {
    try resolve(FetchRequest(table.query(forKey: try table.key(id)), limit: 1))
  }

  private func resolve(_ request: FetchRequest) throws(RepositoryError) -> ResolvedRequest {
    let resolved = try table.resolve(request)
    guard let looseTable else { return resolved }
    return try looseTable.resolve(request)
  }

  private func resolve(_ query: AnyQuery) throws(RepositoryError) -> ResolvedQuery {
    let resolved = try table.resolve(query)
    guard let looseTable else { return resolved }
    return try looseTable.resolve(query)
  }

  private func fetching(_ request: ResolvedRequest) -> Work<[FetchedRow]> {
    let statement = SQLiteStore.compiler.select(request)
    return { [count = table.columns.count] connection throws(RepositoryError) in
      var rows: [FetchedRow] = []
      try connection.query(statement) { row in rows.append(row.fetched(count)) }
      return rows
    }
  }

  /// Reads elements once the connection is given back: a model type's initialiser may do what it likes, also ask the store.
  private func elements(_ rows: [FetchedRow], _ request: ResolvedRequest) throws(RepositoryError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(rows.count)
    for (position, row) in request.inOrder(rows).enumerated() {
      elements.append(try schema.element(from: row, in: table, at: position + 1))
    }
    return elements
  }

  private func resolve(_ request: FigureRequest) throws(RepositoryError) -> ResolvedFigures {
    let resolved = try table.resolve(request)
    guard let looseTable else { return resolved }
    return resolved.asking(try looseTable.resolve(request.query))
  }

  private func workingOut(_ figures: ResolvedFigures) -> Work<[FetchedRow]> {
    let statement = SQLiteStore.compiler.select(figures)
    return { [count = figures.columnCount] connection throws(RepositoryError) in
      var rows: [FetchedRow] = []
      try connection.query(statement) { row in rows.append(row.fetched(count)) }
      return rows
    }
  }

  private func rows(_ found: [FetchedRow], _ figures: ResolvedFigures) throws(RepositoryError) -> [FigureRow] {
    var rows: [[Value]] = []
    rows.reserveCapacity(found.count)
    for row in found {
      var values: [Value] = []
      for position in 0..<figures.columnCount {
        do throws(ValueError) {
          values.append(try row.value(at: position))
        } catch {
          throw .unreadableFigure(error, figures.columnName(at: position), in: table)
        }
      }
      rows.append(values)
    }
    do throws(FigureError) {
      return try figures.rows(from: rows)
    } catch {
      throw RepositoryError(error)
    }
  }

  private func counting(_ query: AnyQuery) throws(RepositoryError) -> Work<Int> {
    let statement = SQLiteStore.compiler.count(try resolve(query))
    return { connection throws(RepositoryError) in try connection.integer(statement) }
  }

  /// `nil` where there is nothing to save.
  private func saving(_ elements: [Element]) throws(RepositoryError) -> Work<Void>? {
    guard let write = try writing(elements, by: upsert) else { return nil }
    return { connection throws(RepositoryError) in _ = try write(connection, false) }
  }

  /// What inserts, and results in the rows as they are kept; `nil` where there is nothing to insert.
  private func inserting(_ elements: [Element]) throws(RepositoryError) -> Work<[[Value]]>? {
    guard let write = try writing(elements, by: insert) else { return nil }
    return { [isGenerated = table.hasGeneratedKey] connection throws(RepositoryError) in
      try write(connection, isGenerated)
    }
  }

  /// Writes elements' rows, and keeps them if it is told to.
  private func writing(
    _ elements: [Element], by sql: String
  ) throws(RepositoryError) -> ((Connection, _ isKeeping: Bool) throws(RepositoryError) -> [[Value]])? {
    var rows: [[Value]] = []
    rows.reserveCapacity(elements.count)
    for element in elements { rows.append(try schema.row(from: element, in: table)) }
    if rows.isEmpty { return nil }
    return { [rows, table] connection, isKeeping throws(RepositoryError) in
      // A statement is a transaction of its own.
      if rows.count == 1 { return [try connection.write(rows[0], by: sql, to: table)] }
      return try connection.atomically { () throws(RepositoryError) in
        var written: [[Value]] = []
        for row in rows {
          let row = try connection.write(row, by: sql, to: table)
          if isKeeping { written.append(row) }
        }
        return written
      }
    }
  }

  private func inserted(_ elements: [Element], as rows: [[Value]]) throws(RepositoryError) -> [Element] {
    guard table.hasGeneratedKey else { return elements }
    var elements: [Element] = []
    elements.reserveCapacity(rows.count)
    for row in rows { elements.append(try schema.element(from: row, in: table)) }
    return elements
  }

  private func updating(_ query: AnyQuery, _ assignments: [Assignment]) throws(RepositoryError) -> Work<Int> {
    let (query, assignments) = (try resolve(query), try table.resolve(assignments))
    return { [table] connection throws(RepositoryError) in
      try connection.atomically { () throws(RepositoryError) in
        try connection.update(query, set: assignments, in: table)
      }
    }
  }

  private func deleting(_ query: AnyQuery) throws(RepositoryError) -> Work<Int> {
    let query = try resolve(query)
    return { [table] connection throws(RepositoryError) in
      try connection.atomically { () throws(RepositoryError) in try connection.delete(query, from: table) }
    }
  }

  private func deleting(_ ids: [Element.ID]) throws(RepositoryError) -> Work<Int> {
    var queries: [ResolvedQuery] = []
    queries.reserveCapacity(ids.count)
    for id in ids { queries.append(try resolve(table.query(forKey: try table.key(id)))) }
    return { [queries, table] connection throws(RepositoryError) in
      try connection.atomically { () throws(RepositoryError) in
        var deleted = 0
        for query in queries { deleted += try connection.delete(query, from: table) }
        return deleted
      }
    }
  }
}
