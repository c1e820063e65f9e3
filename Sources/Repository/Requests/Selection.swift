public import Query

/// Some elements of a repository, in an order: a value to compose, to pass on and to ask.
///
/// ```swift
/// let heavy = pokedex.filter { $0.weight > 90 }.sorted { $0.weight.descending }
/// let heaviest = try await heavy.prefix(10).all()
/// let count = try await heavy.count()
/// try await heavy.filter { $0.type == .fire }.update { $0.text = "hot" }
/// ```
///
/// Nothing runs until an asynchronous method is called, so that a function can take a selection and return a smaller one:
///
/// ```swift
/// extension Selection<Pokemon> {
///   func ofType(_ type: PokemonType) -> Selection { filter { $0.type == type || $0.secondType == type } }
/// }
/// ```
///
/// The ``request`` alone, without the repository, is `Hashable`, and has a text and a JSON form.
public struct Selection<Element: Storable>: Sendable {
  /// The query, the order and the range, without the repository.
  public private(set) var request: FetchRequest
  let repository: AnyRepository<Element>

  init(_ request: FetchRequest, of repository: some Repository<Element>) {
    self.request = request
    self.repository = AnyRepository(repository)
  }

  func with(_ change: (inout FetchRequest) -> Void) -> Selection {
    var copy = self
    change(&copy.request)
    return copy
  }

  // MARK: Composition

  // The overloads of `filter` for values are disfavoured, so that the compiler explains a wrong closure by the overload for
  // closures: without the attribute it fails to produce a diagnostic, as the compile tests show.

  /// Returns the elements that match a query, too.
  ///
  /// Texts, JSON and predicates enter here: `filter(try AnyQuery(parsing: text))`, `filter(try AnyQuery(#Predicate { … }))`.
  /// A filter applies before the range, whichever is written first.
  @_disfavoredOverload
  public func filter(_ query: AnyQuery) -> Selection {
    with { $0.query = $0.query == .true ? query : $0.query && query }
  }

  /// Returns the first elements; of several prefixes the shortest applies.
  ///
  /// A selection has one condition, one order and one range, whatever the order of the calls: a later `filter` or `sorted`
  /// applies before the range.
  ///
  /// - Parameter count: the maximum number of elements.
  public func prefix(_ count: Int) -> Selection { with { $0.limit = min($0.limit ?? count, count) } }

  /// Returns a selection that skips the first elements.
  ///
  /// - Parameter count: the number of elements to skip. The store reads them all; ``page(size:after:before:)`` does not.
  public func dropFirst(_ count: Int = 1) -> Selection {
    with {
      $0.offset += count
      $0.limit = $0.limit.map { max(0, $0 - count) }
    }
  }

  // MARK: Reads

  /// Finds all elements of the selection, in its order.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery`` before anything runs, if the request
  ///   names an unknown key or compares a key with a value that its column can't store; other codes if the store fails.
  public func all() async throws(RepositoryError) -> [Element] { try await repository.findAll(request) }

  /// Finds the first element.
  ///
  /// - Returns: the element, or `nil` if the selection is empty.
  /// - Throws: as ``all()`` does.
  public func first() async throws(RepositoryError) -> Element? { try await prefix(1).all().first }

  /// Counts the elements.
  ///
  /// - Throws: as ``all()`` does.
  public func count() async throws(RepositoryError) -> Int {
    if request.after != nil || request.before != nil { return try await all().count }
    if let limit = request.limit, limit < 0 || request.offset < 0 { return try await all().count }
    let count = max(0, try await repository.count(request.query) - request.offset)
    return min(count, request.limit ?? count)
  }

  /// Returns whether there are any elements. Unlike a count, this ends with the first one.
  ///
  /// - Throws: as ``all()`` does.
  public func exists() async throws(RepositoryError) -> Bool { try await !prefix(1).all().isEmpty }

  /// Finds the elements that can be read, and lists the rows that can't.
  ///
  /// ```swift
  /// for row in try await pokedex.selection().readable().unreadable { print(row) }
  /// ```
  ///
  /// - Throws: as ``all()`` does, except for rows that can't be read.
  public func readable() async throws(RepositoryError) -> PartialResult<Element> {
    try await repository.findAllReadable(request)
  }

  /// Observes the elements: their current state, and each new state.
  ///
  /// ```swift
  /// for try await heavy in pokedex.filter({ $0.weight > 90 }).changes() { print(heavy.map(\.name)) }
  /// ```
  ///
  /// Not available inside a transaction: the sequence fails immediately there.
  public func changes() -> Changes<Element> { repository.changes(request) }

  // MARK: Writes

  /// Deletes the elements, all or none.
  ///
  /// - Returns: the number of deleted elements, excluding elements that a cascade deletes.
  /// - Throws: as ``Repository/delete(where:)`` does, and ``RepositoryError`` with the code
  ///   ``RepositoryError/Code/invalidQuery`` if the selection has a range.
  @discardableResult
  public func delete() async throws(RepositoryError) -> Int {
    try await repository.delete(where: try query(of: "a deletion"))
  }

  /// Deletes the elements, all or none, and returns them in the order of their keys.
  ///
  /// - Throws: as ``delete()`` does. An element that can't be read is an error; it is deleted then.
  @discardableResult
  public func deleteReturning() async throws(RepositoryError) -> [Element] {
    try await repository.deleteReturning(where: try query(of: "a deletion"))
  }

  /// Returns the query for a write, which has no range.
  func query(of write: String) throws(RepositoryError) -> AnyQuery {
    if request.limit == nil, request.offset == 0, request.after == nil, request.before == nil { return request.query }
    throw RepositoryError(
      .invalidQuery, "\(write) can't use a selection with a range",
      reason: "only reads of elements have a range", suggestion: "find the elements, and filter by their keys")
  }
}

extension Selection where Element: Entity {
  // MARK: Composition by closures

  /// Returns the elements that match a query closure, too: `filter { $0.weight > 90 && $0.type != .water }`.
  ///
  /// A filter applies before the range, whichever is written first.
  public func filter(_ query: (Fields<Element>) -> AnyQuery) -> Selection {
    filter(query(Fields(Element.schema)))
  }

  /// Returns the elements in an order: `sorted { $0.weight.descending + $0.name.ascending }`, `sorted(by: \.name.ascending)`.
  ///
  /// The order replaces an earlier one. Without an order, elements are in the order of their primary key.
  public func sorted(by sort: (Fields<Element>) -> AnySort) -> Selection {
    with { $0.sort = sort(Fields(Element.schema)) }
  }

  // MARK: Writes by closures

  /// Updates properties of the elements, all or none.
  ///
  /// ```swift
  /// try await pokedex.filter { $0.type == .fire }.update { $0.weight = 90; $0.secondType = nil }
  /// ```
  ///
  /// - Parameter set: sets the properties to values, or to expressions of the old properties.
  /// - Returns: the number of elements.
  /// - Throws: as ``Repository/update(where:set:)`` does, and ``RepositoryError`` with the code
  ///   ``RepositoryError/Code/invalidQuery`` if the selection has a range.
  @discardableResult
  public func update(_ set: (inout Assignments<Element>) -> Void) async throws(RepositoryError) -> Int {
    try await repository.update(where: try query(of: "an update"), set: Assignments(Element.schema, set).list)
  }

  /// Updates properties of the elements, all or none, and returns the elements as they are afterwards, in the order of their
  /// keys.
  ///
  /// - Throws: as ``update(_:)`` does. An element that can't be read afterwards is an error; the update is done then.
  @discardableResult
  public func updateReturning(
    _ set: (inout Assignments<Element>) -> Void
  ) async throws(RepositoryError) -> [Element] {
    try await repository.updateReturning(
      where: try query(of: "an update"), set: Assignments(Element.schema, set).list)
  }
}

// Where a selection begins.
extension Repository {
  /// Returns a selection of all elements of the repository, or of the elements of a request, such as a request from a URL.
  ///
  /// ```swift
  /// let request = try FetchRequest(queryItems: items).restricted(to: ["name", "weight"])
  /// let page = try await pokedex.selection(request).page(size: 50)
  /// ```
  public func selection(_ request: FetchRequest = FetchRequest()) -> Selection<Element> {
    Selection(request, of: self)
  }

  /// Returns the elements that match a query; see ``Selection/filter(_:)-(AnyQuery)``.
  @_disfavoredOverload
  public func filter(_ query: AnyQuery) -> Selection<Element> { selection(FetchRequest(query)) }
}

extension Repository where Element: Entity {
  /// Returns the elements that match a query closure: `pokedex.filter { $0.weight > 90 }`.
  public func filter(_ query: (Fields<Element>) -> AnyQuery) -> Selection<Element> { selection().filter(query) }

  /// Returns all elements in an order: `pokedex.sorted { $0.weight.descending }`.
  public func sorted(by sort: (Fields<Element>) -> AnySort) -> Selection<Element> { selection().sorted(by: sort) }
}
