public import Query
public import Repository

/// A view of a repository in a SQL database whose calls block the thread, for scripts, and for other code that can't suspend.
///
/// It has the requirements of a repository, with the results and the errors of ``SQLRepository``. A call that has to wait, for
/// tasks or for locks of other programs, blocks its thread for up to the store's timeout, and is not interrupted when its task is
/// cancelled.
public struct BlockingRepository<Element: Storable>: Sendable {
  let table: SQLTable
  fileprivate let elementTable: ElementTable<Element>
}

extension SQLRepository {
  /// The view of the repository whose calls block the thread.
  public var blocking: BlockingRepository<Element> { BlockingRepository(table: table, elementTable: elementTable) }
}

extension BlockingRepository {
  // MARK: Reads

  /// Finds the element with a key.
  public func find(_ id: Element.ID) throws(RepositoryError) -> Element? {
    let statement = try table.statement(forKey: try table.schema.key(id))
    var element: Element?
    try table.runBlocking(.read) { connection throws(RepositoryError) in
      try elementTable.read(statement, with: connection, into: &element)
    }
    return element
  }

  /// Finds all elements that match a request, in its order.
  public func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] {
    let selection = try table.selection(of: request)
    var elements: [Element] = []
    try table.runBlocking(.read) { connection throws(RepositoryError) in
      try elementTable.read(request, by: selection, with: connection, into: &elements)
    }
    return elements
  }

  /// Finds all elements that match a request and can be read, and lists the rows that can't.
  public func findAllReadable(_ request: FetchRequest) throws(RepositoryError) -> PartialResult<Element> {
    let selection = try table.selection(of: request)
    return try table.resultBlocking(.read) { connection throws(RepositoryError) in
      try elementTable.readable(request, by: selection, with: connection)
    }
  }

  /// Counts the elements that match a query.
  public func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    try table.resultBlocking(.read, table.counting(query))
  }

  /// Finds the columns of a projection; only these are read.
  public func findRows(_ request: ProjectionRequest) throws(RepositoryError) -> [[Value]] {
    try table.resultBlocking(.read, table.finding(request))
  }

  /// Computes aggregates of the elements that match a query.
  public func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] {
    try table.resultBlocking(.read, table.aggregating(request))
  }

  // MARK: Writes

  /// Saves elements, all or none.
  public func save(_ elements: [Element]) throws(RepositoryError) {
    if elements.isEmpty { return try table.checkMayWrite() }
    try table.runBlocking(.write) { connection throws(RepositoryError) in
      try elementTable.write(.save, elements, with: connection)
    }
  }

  /// Inserts elements, all or none, and returns them as they are stored.
  @discardableResult
  public func insert(_ elements: [Element]) throws(RepositoryError) -> [Element] {
    if elements.isEmpty {
      try table.checkMayWrite()
      return []
    }
    var rows = try elementTable.rowsToComplete(elements)
    try table.runBlocking(.write) { connection throws(RepositoryError) in
      try elementTable.insert(elements, as: &rows, with: connection)
    }
    return if let rows { try elementTable.elements(rows) } else { elements }
  }

  /// Inserts elements, all or none, and applies a rule to those that conflict with existing rows.
  @discardableResult
  public func insert(_ elements: [Element], onConflict rule: ConflictRule) throws(RepositoryError) -> [Element] {
    if elements.isEmpty {
      try table.checkMayWrite()
      return []
    }
    let work = try table.inserting(onConflict: rule) { () throws(RepositoryError) in try elementTable.rows(elements) }
    return try elementTable.elements(try table.resultBlocking(.write, work))
  }

  /// Updates columns of all elements that match a query, all or none, in one statement.
  @discardableResult
  public func update(where query: AnyQuery, set assignments: [Assignment]) throws(RepositoryError) -> Int {
    try table.resultBlocking(.write, table.updating(query, elementTable.schema.timestamped(assignments)))
  }

  /// Updates columns of all elements that match a query, all or none, and returns these elements.
  @discardableResult
  public func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) throws(RepositoryError) -> [Element] {
    try elementTable.elements(
      try table.resultBlocking(.write, table.updatingRows(query, elementTable.schema.timestamped(assignments))))
  }

  /// Deletes the elements with the given keys, all or none.
  @discardableResult
  public func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int {
    try table.resultBlocking(.write, table.deleting(elementTable.keys(ids)))
  }

  /// Deletes all elements that match a query, all or none, in one statement.
  @discardableResult
  public func delete(where query: AnyQuery) throws(RepositoryError) -> Int {
    try table.resultBlocking(.write, table.deleting(query))
  }

  /// Deletes all elements that match a query, all or none, and returns them.
  @discardableResult
  public func deleteReturning(where query: AnyQuery) throws(RepositoryError) -> [Element] {
    try elementTable.elements(try table.resultBlocking(.write, table.deletingRows(query)))
  }
}

// MARK: - Opening

extension BlockingStore where Base: SQLDatabase {
  /// Opens a repository of a model type; missing tables are created.
  ///
  /// - Throws: as ``SQLDatabase/repository(_:)`` does.
  public func repository<Element: Entity>(
    of type: Element.Type
  ) throws(RepositoryError) -> BlockingRepository<Element> {
    try base.sqlRepository(type.schema).blocking
  }

  /// Opens a repository over any table; missing tables are created.
  ///
  /// - Throws: as ``SQLDatabase/repository(_:)`` does.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> BlockingRepository<Element> {
    try base.sqlRepository(schema).blocking
  }
}

extension BlockingStore<SQLTransaction> {
  /// Opens a repository of a model type that works within the transaction.
  ///
  /// - Throws: as ``SQLDatabase/repository(_:)`` does.
  public func repository<Element: Entity>(
    of type: Element.Type
  ) throws(RepositoryError) -> BlockingRepository<Element> {
    try base.sqlRepository(type.schema).blocking
  }

  /// Opens a repository over any table that works within the transaction.
  ///
  /// - Throws: as ``SQLDatabase/repository(_:)`` does.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> BlockingRepository<Element> {
    try base.sqlRepository(schema).blocking
  }
}
