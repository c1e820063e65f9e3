public import Query

// Short forms of the reads that programs need most; ``Selection`` has all of them.
extension Repository {
  /// Returns the element with a key.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/notFound`` if no element has that key, and as
  ///   `find(_:)` does.
  public func get(_ id: Element.ID) async throws(RepositoryError) -> Element {
    guard let element = try await find(id) else { throw .notFound(Element.self) }
    return element
  }

  /// Finds all elements, in the order of their primary key.
  ///
  /// - Throws: as `findAll(_:)` does.
  public func findAll() async throws(RepositoryError) -> [Element] { try await findAll(FetchRequest()) }

  /// Counts all elements.
  ///
  /// - Throws: as `count(_:)` does.
  public func count() async throws(RepositoryError) -> Int { try await count(.true) }
}

extension Repository where Element: Entity {
  /// Finds the elements with some keys.
  ///
  /// - Parameter ids: any number of keys, which are looked up by 500 at a time.
  /// - Returns: the elements in the order of the keys; a key that no element has is left out.
  /// - Throws: as ``Repository/findAll(_:)`` does.
  public func find(_ ids: [Element.ID]) async throws(RepositoryError) -> [Element] {
    let table = try Element.schema.table()
    let column = table.primaryKey.count == 1 ? table.primaryKeyColumns.first?.name : nil
    // By values: to `String`, a composed and a decomposed "é" are one key, in a store they are two.
    var keys: [[Value]] = []
    for id in ids { keys.append(try table.key(id)) }
    var found: [[Value]: Element] = [:]
    for start in stride(from: 0, to: ids.count, by: 500) {
      let part = start..<min(start + 500, ids.count)
      let query: AnyQuery
      if let column {
        let values: [Value] = keys[part].compactMap(\.first)
        query = .in(.key(column), values: values)
      } else {
        query = .any(of: keys[part].map { key in table.query(forKey: key) })
      }
      for element in try await findAll(FetchRequest(query)) { found[try table.key(element.id)] = element }
    }
    return keys.compactMap { found[$0] }
  }

  /// Finds all elements that match a query closure.
  ///
  /// ```swift
  /// let heavy = try await pokedex.findAll(where: { $0.weight > 90 }, sortedBy: { $0.weight.descending }, limit: 10)
  /// ```
  ///
  /// The same as `filter`, `sorted`, `prefix` and `all` of a ``Selection``.
  ///
  /// - Parameters:
  ///   - query: the condition on the properties of the model type; every element by default.
  ///   - sort: the order of the elements; by primary key by default.
  ///   - limit: the maximum number of elements; all by default.
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    where query: (Fields<Element>) -> AnyQuery = { _ in .true },
    sortedBy sort: (Fields<Element>) -> AnySort = { _ in .primaryKey }, limit: Int? = nil
  ) async throws(RepositoryError) -> [Element] {
    let fields = Fields(Element.schema)
    return try await findAll(FetchRequest(query(fields), sortedBy: sort(fields), limit: limit))
  }

  /// Finds the first element that matches a query closure: `pokedex.first(where: { $0.name == "Pikachu" })`.
  ///
  /// - Parameters:
  ///   - query: the condition on the properties of the model type.
  ///   - sort: the order of the elements; by primary key by default.
  /// - Returns: the element, or `nil` if there is none.
  /// - Throws: as ``findAll(_:)`` does.
  public func first(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: (Fields<Element>) -> AnySort = { _ in .primaryKey }
  ) async throws(RepositoryError) -> Element? {
    try await findAll(where: query, sortedBy: sort, limit: 1).first
  }
}

extension AnyQuery {
  /// Makes a query from the properties of a model type: `AnyQuery(Pokemon.self) { $0.weight > 90 }`.
  public init<Element: Entity>(_ type: Element.Type, _ query: (Fields<Element>) -> AnyQuery) {
    self = query(Fields(type.schema))
  }
}

extension AnySort {
  /// Makes a sort by the properties of a model type: `AnySort(Pokemon.self) { $0.weight.descending }`.
  public init<Element: Entity>(_ type: Element.Type, _ sort: (Fields<Element>) -> AnySort) {
    self = sort(Fields(type.schema))
  }
}
