public import Query

/// A repository that forwards all calls to another repository, except for the methods that it implements.
///
/// ```swift
/// struct Trimmed<Base: Repository<Note>>: RepositoryDecorator {
///   let base: Base
///
///   func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Note] {
///     var found = try await base.findAll(request)
///     for index in found.indices { found[index].text = String(found[index].text.prefix(80)) }
///     return found
///   }
/// }
/// ```
///
/// A type that conforms to ``Repository`` directly, with the five required methods, loses what the base does better than their
/// defaults: live results, updates and deletions in one step, writes in one transaction. A decorator forwards these
/// requirements, so it keeps the improvements.
///
/// Finding and saving by closures, pages and relations are built on the requirements, so that they call the decorator's own
/// methods, too.
public protocol RepositoryDecorator<Element>: Repository where Element == Base.Element {
  /// The type of the other repository.
  associatedtype Base: Repository

  /// The other repository, to which calls are forwarded.
  var base: Base { get }
}

extension RepositoryDecorator {
  /// Finds the element with a key, in the base.
  public func find(_ id: Element.ID) async throws(RepositoryError) -> Element? { try await base.find(id) }

  /// Finds all elements that match a request, in the base.
  public func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    try await base.findAll(request)
  }

  /// Finds the elements that can be read and lists the rows that can't, in the base.
  public func findAllReadable(_ request: FetchRequest) async throws(RepositoryError) -> PartialResult<Element> {
    try await base.findAllReadable(request)
  }

  /// Counts the elements that match a query, in the base.
  public func count(_ query: AnyQuery) async throws(RepositoryError) -> Int { try await base.count(query) }

  /// Computes aggregates, in the base.
  public func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    try await base.aggregate(request)
  }

  /// Finds the columns of a projection, in the base.
  public func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    try await base.findRows(request)
  }

  /// Saves elements, in the base.
  public func save(_ elements: [Element]) async throws(RepositoryError) { try await base.save(elements) }

  /// Deletes the elements with the given keys, in the base.
  @discardableResult
  public func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int { try await base.delete(ids) }

  /// Observes the elements that match a request, in the base.
  public func changes(_ request: FetchRequest) -> Changes<Element> { base.changes(request) }

  /// Inserts elements, in the base.
  @discardableResult
  public func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    try await base.insert(elements)
  }

  /// Updates columns of all elements that match a query, in the base.
  @discardableResult
  public func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    try await base.update(where: query, set: assignments)
  }

  /// Deletes all elements that match a query, in the base.
  @discardableResult
  public func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await base.delete(where: query)
  }

  /// Inserts elements with a conflict rule, in the base.
  @discardableResult
  public func insert(_ elements: [Element], onConflict rule: ConflictRule) async throws(RepositoryError) -> [Element] {
    try await base.insert(elements, onConflict: rule)
  }

  /// Updates columns of all elements that match a query, and returns these elements, from the base.
  @discardableResult
  public func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) async throws(RepositoryError) -> [Element] {
    try await base.updateReturning(where: query, set: assignments)
  }

  /// Deletes all elements that match a query, and returns them, from the base.
  @discardableResult
  public func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Element] {
    try await base.deleteReturning(where: query)
  }

  /// Writes elements in the order in which they arrive, to the base.
  @discardableResult
  public func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>,
    progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    try await base.write(mode, from: elements, progress: progress)
  }
}
