public import Query

extension Repository {
  /// Gets the element with a key.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/notFound`` where no element has that key, and as
  ///   ``find(_:)`` does.
  public func get(_ id: Element.ID) async throws(RepositoryError) -> Element {
    guard let element = try await find(id) else { throw .notFound(Element.self) }
    return element
  }

  /// Finds all elements that a query means.
  ///
  /// - Parameters:
  ///   - query: what to find; everything by default.
  ///   - sort: in which order; by primary key by default.
  ///   - limit: at most how many; all by default.
  ///   - offset: how many to leave out at the start.
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    where query: AnyQuery = .true, sortedBy sort: AnySort = .primaryKey, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(FetchRequest(query, sortedBy: sort, limit: limit, offset: offset))
  }

  /// Finds the first element that a query means.
  ///
  /// - Returns: the element, or `nil` where the query means none.
  /// - Throws: as ``findAll(_:)`` does.
  public func first(
    where query: AnyQuery = .true, sortedBy sort: AnySort = .primaryKey
  ) async throws(RepositoryError) -> Element? {
    try await findAll(FetchRequest(query, sortedBy: sort, limit: 1)).first
  }

  /// Counts all elements.
  public func count() async throws(RepositoryError) -> Int {
    try await count(.true)
  }

  /// Counts the elements that a query means.
  public func count(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await count(query)
  }

  /// Saves one element; if its key exists, it takes the place of the element that has it.
  ///
  /// - Throws: as ``save(_:)`` does.
  public func save(_ element: Element) async throws(RepositoryError) {
    try await save([element])
  }

  /// Deletes the element with a key.
  ///
  /// - Returns: whether there was one.
  /// - Throws: as ``delete(_:)`` does.
  @discardableResult
  public func delete(_ id: Element.ID) async throws(RepositoryError) -> Bool {
    try await delete([id]) > 0
  }
}
