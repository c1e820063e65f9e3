public import Query

// The overloads for existing queries are disfavoured where the overload for closures takes another type of sort. The compiler
// then explains a wrong closure by the overload for closures; otherwise it gives no explanation.
extension Repository {
  /// Returns the element with a key.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/notFound`` if no element has that key, and as
  ///   `find(_:)` does.
  public func get(_ id: Element.ID) async throws(RepositoryError) -> Element {
    guard let element = try await find(id) else { throw .notFound(Element.self) }
    return element
  }

  /// Finds all elements that match a query.
  ///
  /// - Parameters:
  ///   - query: the query that the elements match; every element by default.
  ///   - sort: the order of the elements; by primary key by default.
  ///   - limit: the maximum number of elements; all by default.
  ///   - offset: the number of elements to skip at the start.
  /// - Throws: as `findAll(_:)` does.
  @_disfavoredOverload
  public func findAll(
    where query: AnyQuery = .true, sortedBy sort: AnySort = .primaryKey, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(FetchRequest(query, sortedBy: sort, limit: limit, offset: offset))
  }

  /// Finds the first element that matches a query.
  ///
  /// - Returns: the element, or `nil` if none matches.
  /// - Throws: as `findAll(_:)` does.
  @_disfavoredOverload
  public func first(
    where query: AnyQuery = .true, sortedBy sort: AnySort = .primaryKey
  ) async throws(RepositoryError) -> Element? {
    try await findAll(FetchRequest(query, sortedBy: sort, limit: 1)).first
  }

  /// Counts all elements.
  public func count() async throws(RepositoryError) -> Int {
    try await count(.true)
  }

  /// Counts the elements that match a query.
  public func count(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await count(query)
  }
}

extension Repository where Element: Entity {
  /// Finds all elements that match a query closure: `findAll(where: { $0.weight > 90 }, sortedBy: .descending(\.weight))`.
  ///
  /// - Parameters:
  ///   - query: the condition on the properties of the model type.
  ///   - sort: the order of the elements; by primary key by default.
  ///   - limit: the maximum number of elements; all by default.
  ///   - offset: the number of elements to skip at the start.
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey, limit: Int? = nil,
    offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(.typed(query, sort, limit: limit, offset: offset))
  }

  /// Finds all elements that match a query closure, in ascending order of a property.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    where query: (Fields<Element>) -> AnyQuery, sortedBy path: any KeyPath<Element, some ValueConvertible> & Sendable,
    limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(.typed(query, .ascending(path), limit: limit, offset: offset))
  }

  /// Finds all elements that match a query, in the order of properties.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    where query: AnyQuery = .true, sortedBy sort: Sort<Element>, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(.typed({ _ in query }, sort, limit: limit, offset: offset))
  }

  /// Finds all elements that match a query, in ascending order of a property: `findAll(sortedBy: \.name)`.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    where query: AnyQuery = .true, sortedBy path: any KeyPath<Element, some ValueConvertible> & Sendable,
    limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(.typed({ _ in query }, .ascending(path), limit: limit, offset: offset))
  }

  /// Finds the first element that matches a query closure.
  ///
  /// - Returns: the element, or `nil` if there is none.
  /// - Throws: as ``findAll(_:)`` does.
  public func first(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> Element? {
    try await findAll(.typed(query, sort, limit: 1)).first
  }

  /// Finds the element with the smallest value of a property among those that match a query closure.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func first(
    where query: (Fields<Element>) -> AnyQuery, sortedBy path: any KeyPath<Element, some ValueConvertible> & Sendable
  ) async throws(RepositoryError) -> Element? {
    try await findAll(.typed(query, .ascending(path), limit: 1)).first
  }

  /// Finds the first element that matches a query, in the order of properties.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func first(
    where query: AnyQuery = .true, sortedBy sort: Sort<Element>
  ) async throws(RepositoryError) -> Element? {
    try await findAll(.typed({ _ in query }, sort, limit: 1)).first
  }

  /// Finds the element with the smallest value of a property among those that match a query.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func first(
    where query: AnyQuery = .true, sortedBy path: any KeyPath<Element, some ValueConvertible> & Sendable
  ) async throws(RepositoryError) -> Element? {
    try await findAll(.typed({ _ in query }, .ascending(path), limit: 1)).first
  }

  /// Counts the elements that match a query closure.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func count(where query: (Fields<Element>) -> AnyQuery) async throws(RepositoryError) -> Int {
    try await count(query(Fields(Element.schema)))
  }
}

extension FetchRequest {
  /// Returns the request with the keys of a model type's schema.
  static func typed<Element: Entity>(
    _ query: (Fields<Element>) -> AnyQuery, _ sort: Sort<Element>, limit: Int? = nil, offset: Int = 0
  ) -> FetchRequest {
    let schema = Element.schema
    return FetchRequest(query(Fields(schema)), sortedBy: sort.erased(by: schema), limit: limit, offset: offset)
  }
}

extension AnyQuery {
  /// Makes a query from the properties of a model type: `AnyQuery(Pokemon.self) { $0.weight > 90 }`.
  public init<Element: Entity>(_ type: Element.Type, _ query: (Fields<Element>) -> AnyQuery) {
    self = query(Fields(type.schema))
  }
}
