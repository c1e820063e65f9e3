public import Query

extension Repository where Element: Entity {
  /// Finds all elements that a closure describes: `findAll(where: { $0.weight > 90 }, sortedBy: .descending(\.weight))`.
  ///
  /// - Parameters:
  ///   - query: what to find, by the properties of the model type.
  ///   - sort: in which order; by primary key by default.
  ///   - limit: at most how many; all by default.
  ///   - offset: how many to leave out at the start.
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey, limit: Int? = nil,
    offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(
      FetchRequest(
        query(Fields(Element.schema)), sortedBy: sort.erased(by: Element.schema), limit: limit, offset: offset))
  }

  /// Finds all elements in the order of properties.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    sortedBy sort: Sort<Element>, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(FetchRequest(sortedBy: sort.erased(by: Element.schema), limit: limit, offset: offset))
  }

  /// Finds the first element that a closure describes.
  ///
  /// - Returns: the element, or `nil` where there is none.
  /// - Throws: as ``findAll(_:)`` does.
  public func first(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> Element? {
    try await findAll(where: query, sortedBy: sort, limit: 1).first
  }

  /// Counts the elements that a closure describes.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func count(where query: (Fields<Element>) -> AnyQuery) async throws(RepositoryError) -> Int {
    try await count(query(Fields(Element.schema)))
  }
}

extension AnyQuery {
  /// Makes a query from the properties of a model type: `AnyQuery(Pokemon.self) { $0.weight > 90 }`.
  public init<Element: Entity>(_ type: Element.Type, _ query: (Fields<Element>) -> AnyQuery) {
    self = query(Fields(type.schema))
  }
}
