public import Query
public import Repository
import SQL

/// A repository of elements in a table of a SQL database.
///
/// Finding by key takes microseconds, so it runs where it is called; calls that may take longer leave the caller's executor, and
/// are interrupted when their task is cancelled. A call that has to wait, for other tasks or for locks of other programs, is
/// suspended for up to the store's timeout. ``blocking`` has the requirements of a repository for code that can't suspend.
///
/// Model types make their elements while the connection is checked out. A blocking call to the store from there reuses the same
/// connection.
public struct SQLRepository<Element: Storable>: Repository {
  let table: SQLTable
  let elementTable: ElementTable<Element>

  init(_ schema: Schema<Element>, _ table: SQLTable) {
    self.table = table
    elementTable = ElementTable(schema, table)
  }

  /// Finds the element with a key, on the caller's executor.
  public func find(_ id: Element.ID) async throws(RepositoryError) -> Element? {
    let statement = try table.statement(forKey: try table.schema.key(id))
    var element: Element?
    if let pipeline = table.pipeline {
      let isRead = try await table.readPipelined(statement, by: pipeline) { row throws(RepositoryError) in
        element = try elementTable.element(from: row)
      }
      if isRead { return element }
    }
    try await table.run(.read, isLong: false) { connection throws(RepositoryError) in
      try elementTable.read(statement, with: connection, into: &element)
    }
    return element
  }

  /// Finds all elements that match a request, in its order, away from the caller's executor.
  @concurrent
  public func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    let selection = try table.selection(of: request)
    var elements: [Element] = []
    try await table.run(.read) { connection throws(RepositoryError) in
      try elementTable.read(request, by: selection, with: connection, into: &elements)
    }
    return elements
  }

  /// Finds all elements that match a request and can be read, and lists the rows that can't, away from the caller's
  /// executor.
  @concurrent
  public func findAllReadable(_ request: FetchRequest) async throws(RepositoryError) -> PartialResult<Element> {
    let selection = try table.selection(of: request)
    return try await table.result(.read) { connection throws(RepositoryError) in
      try elementTable.readable(request, by: selection, with: connection)
    }
  }

  /// Observes the elements that match a request: their current state, and each new one.
  ///
  /// Commits of this store are detected immediately, those of other connections and of other programs within 50 ms. In a
  /// server's database, only those of programs whose stores notify are detected.
  public func changes(_ request: FetchRequest) -> Changes<Element> {
    Changes(table.signal) { () throws(RepositoryError) in
      if table.isInTransaction { throw .changesInsideTransaction }
      let rows = try await table.rows(request)
      var elements: [Element] = []
      elements.reserveCapacity(rows.count)
      do throws(RepositoryError) {
        for (position, row) in rows.enumerated() {
          elements.append(try elementTable.schema.element(from: row, in: table.schema, at: position + 1))
        }
      } catch {
        throw error.suggestingConversion(in: table.schema, table.driver)
      }
      return ((elements, rows.map { row in row.values.map { $0 ?? .null } }), try await table.sources)
    }
  }

  /// Counts the elements that match a query, away from the caller's executor.
  @concurrent
  public func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    try await table.result(.read, table.counting(query))
  }

  /// Finds the columns of a projection; only these are read. A row that is found by its key is read on the caller's executor,
  /// other rows away from it.
  public func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    guard request.isByKey(of: table.schema) else { return try await findManyRows(request) }
    let work = try table.finding(request)
    var rows: [[Value]] = []
    try await table.run(.read, isLong: false) { connection throws(RepositoryError) in rows = try work(connection) }
    return rows
  }

  @concurrent
  private func findManyRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    try await table.result(.read, table.finding(request))
  }

  /// Computes aggregates of the elements that match a query, away from the caller's executor.
  @concurrent
  public func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    try await table.result(.read, table.aggregating(request))
  }

  /// Saves elements, all or none, away from the caller's executor.
  @concurrent
  public func save(_ elements: [Element]) async throws(RepositoryError) {
    if elements.isEmpty { return try table.checkMayWrite() }
    try await table.run(.write) { connection throws(RepositoryError) in
      try elementTable.write(.save, elements, with: connection)
    }
  }

  /// Deletes the elements with the given keys, all or none, away from the caller's executor.
  @discardableResult
  @concurrent
  public func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int {
    try await table.result(.write, table.deleting(elementTable.keys(ids)))
  }

  /// Inserts elements, all or none, away from the caller's executor.
  @discardableResult
  @concurrent
  public func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    if elements.isEmpty {
      try table.checkMayWrite()
      return []
    }
    var rows = try elementTable.rowsToComplete(elements)
    try await table.run(.write) { connection throws(RepositoryError) in
      try elementTable.insert(elements, as: &rows, with: connection)
    }
    return if let rows { try elementTable.elements(rows) } else { elements }
  }

  /// Updates columns of all elements that match a query, all or none, in one statement, away from the caller's executor.
  @discardableResult
  @concurrent
  public func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    try await table.result(.write, table.updating(query, elementTable.schema.timestamped(assignments)))
  }

  /// Deletes all elements that match a query, all or none, in one statement, away from the caller's executor.
  @discardableResult
  @concurrent
  public func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await table.result(.write, table.deleting(query))
  }

  /// Writes elements in the order in which they arrive in one transaction, away from the caller's executor.
  ///
  /// Elements may be made from the content of the store, as the transaction sees it: each is written before the next one is
  /// pulled. An asynchronous source can use the connection between two elements, a synchronous one shares it with the writer.
  @discardableResult
  @concurrent
  public func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>,
    progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    try await table.transaction { transaction async throws(RepositoryError) in
      var meter = ProgressMeter(total: elements.total, progress)
      var isComplete = false
      while !isComplete {
        if elements.isSynchronous {
          try await table.write(in: transaction) { connection throws(RepositoryError) in
            isComplete = try elementTable.write(mode, batchFrom: elements, with: connection, &meter)
          }
        } else {
          let batch = try await elements.nextBatch()
          isComplete = batch.isEmpty
          if isComplete { break }
          try await table.write(in: transaction) { connection throws(RepositoryError) in
            try elementTable.write(mode, nextOf: batch, with: connection)
          }
          for _ in batch { try meter.advance() }
        }
      }
      meter.finish()
      return meter.done
    }
  }
}
