public import Query

// Of the overloads, those for queries that are at hand are disfavoured where a closure has another sort, so that the
// compiler explains a wrong closure by the overload for closures; it says nothing at all otherwise.
extension Repository {
  /// Gets the element with a key.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/notFound`` where no element has that key, and as
  ///   `find(_:)` does.
  public func get(_ id: Element.ID) async throws(RepositoryError) -> Element {
    guard let element = try await find(id) else { throw .notFound(Element.self) }
    return element
  }

  /// Finds all elements that match a query.
  ///
  /// - Parameters:
  ///   - query: what to find; everything by default.
  ///   - sort: in which order; by primary key by default.
  ///   - limit: at most how many; all by default.
  ///   - offset: how many to leave out at the start.
  /// - Throws: as `findAll(_:)` does.
  @_disfavoredOverload
  public func findAll(
    where query: AnyQuery = .true, sortedBy sort: AnySort = .primaryKey, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(FetchRequest(query, sortedBy: sort, limit: limit, offset: offset))
  }

  /// Finds the first element that matches a query.
  ///
  /// - Returns: the element, or `nil` where none matches.
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
  ///   - query: what to find, by the properties of the model type.
  ///   - sort: in which order; by primary key by default.
  ///   - limit: at most how many; all by default.
  ///   - offset: how many to leave out at the start.
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey, limit: Int? = nil,
    offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(.typed(query, sort, limit: limit, offset: offset))
  }

  /// Finds all elements that match a query closure, from small to great by a property.
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

  /// Finds all elements that match a query, from small to great by a property: `findAll(sortedBy: \.name)`.
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
  /// - Returns: the element, or `nil` where there is none.
  /// - Throws: as ``findAll(_:)`` does.
  public func first(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> Element? {
    try await findAll(.typed(query, sort, limit: 1)).first
  }

  /// Finds the element with the least value of a property among those that match a query closure.
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

  /// Finds the element with the least value of a property among those that match a query.
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
  /// The request by the keys of a model type's schema.
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
