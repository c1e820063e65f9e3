public import Query

/// A type-erased repository, with which a test can replace a database by memory.
///
/// ```swift
/// let pokedex = AnyRepository(try MemoryRepository([bulbasaur, charizard]))
/// let heavy = try await pokedex.findAll(where: { $0.weight > 90 })
/// ```
public struct AnyRepository<Element: Storable>: Repository {
  let base: any Repository<Element>

  /// Makes a type-erased repository; an `AnyRepository` is not wrapped again.
  public init(_ base: some Repository<Element>) {
    self.base = (base as? AnyRepository)?.base ?? base
  }

  /// Finds the element with a key.
  public func find(_ id: Element.ID) async throws(RepositoryError) -> Element? {
    try await base.find(id)
  }

  /// Finds all elements that match a request, in its order.
  public func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    try await base.findAll(request)
  }

  /// Finds all elements that match a request and can be read, and lists the rows that can't.
  public func findAllReadable(_ request: FetchRequest) async throws(RepositoryError) -> PartialResult<Element> {
    try await base.findAllReadable(request)
  }

  /// Counts the elements that match a query.
  public func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    try await base.count(query)
  }

  /// Computes aggregates of the elements that match a query.
  public func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    try await base.aggregate(request)
  }

  /// Finds the columns of a projection.
  public func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    try await base.findRows(request)
  }

  /// Saves elements, all or none.
  public func save(_ elements: [Element]) async throws(RepositoryError) {
    try await base.save(elements)
  }

  /// Deletes the elements with the given keys, all or none.
  @discardableResult
  public func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int {
    try await base.delete(ids)
  }

  /// Observes the elements that match a request.
  public func changes(_ request: FetchRequest) -> Changes<Element> { base.changes(request) }

  /// Inserts elements, all or none.
  @discardableResult
  public func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    try await base.insert(elements)
  }

  /// Updates columns of all elements that match a query, all or none.
  @discardableResult
  public func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    try await base.update(where: query, set: assignments)
  }

  /// Deletes all elements that match a query, all or none.
  @discardableResult
  public func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await base.delete(where: query)
  }

  /// Inserts elements, and applies a rule to elements that conflict with existing rows.
  @discardableResult
  public func insert(_ elements: [Element], onConflict rule: ConflictRule) async throws(RepositoryError) -> [Element] {
    try await base.insert(elements, onConflict: rule)
  }

  /// Updates columns of all elements that match a query, and returns these elements.
  @discardableResult
  public func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) async throws(RepositoryError) -> [Element] {
    try await base.updateReturning(where: query, set: assignments)
  }

  /// Deletes all elements that match a query, and returns them.
  @discardableResult
  public func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Element] {
    try await base.deleteReturning(where: query)
  }

  /// Writes elements in the order in which they arrive.
  @discardableResult
  public func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>,
    progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    try await base.write(mode, from: elements, progress: progress)
  }
}

/// A repository that passes the rows of a result to a closure as it reads them, so that only the closure's result is kept.
package protocol RowReading: Sendable {
  /// Reads some columns of the rows of a request, away from the caller's executor.
  ///
  /// - Parameters:
  ///   - request: the columns, and the rows.
  ///   - start: the result before the first row; a read that is retried starts again from it.
  ///   - add: adds a row, whose values are in the order of the columns.
  /// - Returns: the result for all rows; `nil` if rows of such a request are not passed one by one.
  /// - Throws: as `findRows(_:)` does.
  func readRows<Result: Sendable>(
    _ request: ProjectionRequest, startingWith start: Result, _ add: @Sendable (inout Result, [Value]) -> Void
  ) async throws(RepositoryError) -> Result?
}

extension AnyRepository {
  /// The base repository, if it passes rows one by one.
  package var rowReading: (any RowReading)? { base as? any RowReading }
}
