public import Query

/// A view of a repository in memory whose calls block the thread, for scripts, and for other code that can't suspend.
///
/// It has the requirements of a repository, with the results and the errors of ``MemoryRepository``. A write blocks its thread
/// during a transaction of another task, and a loop of calls does not let other tasks run.
public struct BlockingMemoryRepository<Element: Storable>: Sendable {
  fileprivate let repository: MemoryRepository<Element>
}

extension MemoryRepository {
  /// The view of the repository whose calls block the thread.
  public var blocking: BlockingMemoryRepository<Element> { BlockingMemoryRepository(repository: self) }
}

extension BlockingMemoryRepository {
  // MARK: Reads

  /// Finds the element with a key, in constant time.
  public func find(_ id: Element.ID) throws(RepositoryError) -> Element? { try repository.element(id) }

  /// Finds all elements that match a request, in its order.
  public func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] {
    try repository.elements(try repository.rows(request))
  }

  /// Finds all elements that match a request and can be read, and lists the rows that can't.
  public func findAllReadable(_ request: FetchRequest) throws(RepositoryError) -> PartialResult<Element> {
    try repository.readable(request)
  }

  /// Counts the elements that match a query.
  public func count(_ query: AnyQuery) throws(RepositoryError) -> Int { try repository.rowCount(query) }

  /// Finds the columns of a projection.
  public func findRows(_ request: ProjectionRequest) throws(RepositoryError) -> [[Value]] {
    try repository.rows(request)
  }

  /// Computes aggregates of the elements that match a query.
  public func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] {
    try repository.aggregates(request)
  }

  // MARK: Writes

  /// Saves elements, all or none.
  public func save(_ elements: [Element]) throws(RepositoryError) {
    let rows = try repository.rows(saving: elements)
    try repository.store.writeBlocking(in: repository.transaction) { tables throws(RepositoryError) in
      try tables.upsert(rows, of: repository.columns, into: repository.stored)
    }
  }

  /// Inserts elements, all or none, and returns them as they are stored.
  @discardableResult
  public func insert(_ elements: [Element]) throws(RepositoryError) -> [Element] {
    try repository.inserted(elements, as: try write(repository.inserting(elements)))
  }

  /// Inserts elements, all or none, and applies a rule to elements that conflict with existing rows.
  @discardableResult
  public func insert(_ elements: [Element], onConflict rule: ConflictRule) throws(RepositoryError) -> [Element] {
    try repository.elements(try write(repository.inserting(elements, onConflict: rule)))
  }

  /// Updates columns of all elements that match a query, all or none.
  @discardableResult
  public func update(where query: AnyQuery, set assignments: [Assignment]) throws(RepositoryError) -> Int {
    try write(repository.updating(query, assignments))
  }

  /// Updates columns of all elements that match a query, all or none, and returns these elements.
  @discardableResult
  public func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) throws(RepositoryError) -> [Element] {
    try repository.elements(try write(repository.updatingRows(query, assignments)))
  }

  /// Deletes the elements with the given keys, all or none.
  @discardableResult
  public func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int { try write(repository.deleting(ids)) }

  /// Deletes all elements that match a query, all or none.
  @discardableResult
  public func delete(where query: AnyQuery) throws(RepositoryError) -> Int { try write(repository.deleting(query)) }

  /// Deletes all elements that match a query, all or none, and returns them.
  @discardableResult
  public func deleteReturning(where query: AnyQuery) throws(RepositoryError) -> [Element] {
    try repository.elements(try write(repository.deletingRows(query)))
  }

  private func write<Result: Sendable>(
    _ change: MemoryRepository<Element>.Change<Result>
  ) throws(RepositoryError) -> Result {
    try repository.store.writeBlocking(in: repository.transaction, change)
  }
}
