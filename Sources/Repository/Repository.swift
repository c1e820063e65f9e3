// One import gives what a program needs that finds and saves: `import Repository`, or a store's module.
@_exported public import Query

/// Finds and saves elements of one type, wherever they are kept.
///
/// Five requirements have to be met, so that one can be written by hand, over a web API for instance; everything else comes
/// with them. What is met by default can be met better by a store that can do it in one step.
/// A requirement that a type meets with a synchronous method is called without a suspension. The meaning of a query is not
/// up to a repository: `RepositoryTesting` checks in one call that it keeps to the contract.
public protocol Repository<Element>: Sendable {
  /// The type of the elements.
  associatedtype Element: Storable

  /// Finds the element with a key.
  ///
  /// - Returns: the element, or `nil` where no element has that key.
  /// - Throws: ``RepositoryError`` where the store fails or holds something that can't be read.
  func find(_ id: Element.ID) async throws(RepositoryError) -> Element?

  /// Finds all elements that match a request, in its order.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery`` before anything runs, where the
  ///   request names an unknown key or compares a key with what it can't hold; others where the store fails.
  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element]

  /// Finds all elements that match a request and can be read, and lists the rows that can't.
  ///
  /// By default, a row that can't be read is an error, as it is in ``findAll(_:)``.
  ///
  /// - Throws: as ``findAll(_:)`` does, but for rows that can't be read.
  func findAllReadable(_ request: FetchRequest) async throws(RepositoryError) -> PartialResult<Element>

  /// Counts the elements that match a query.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int

  /// Computes aggregates of the elements that match a query: their number, the minimum, the maximum, the sum or the
  /// average of a property, of all of them or in groups.
  ///
  /// The default fetches the elements and works the aggregates out here, with the code of the store in memory; a database
  /// does better. It is for model types, an ``Entity``, since it needs their schema.
  ///
  /// - Returns: the groups, in the order that is asked for; without group keys exactly one.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/overflow`` where a sum of integers is none that can
  ///   be stored, ``RepositoryError/Code/notANumber`` where both infinities are added; else as ``findAll(_:)`` does.
  func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow]

  /// Finds some columns of the elements that match a request, and what is computed of each, rather than whole elements.
  ///
  /// The default fetches the elements and takes the columns from them; a database reads nothing else. As
  /// ``aggregate(_:)``, it is for model types.
  ///
  /// - Returns: the rows, each with its values in the order of ``/Query/ProjectionRequest/columns``.
  /// - Throws: as ``findAll(_:)`` does.
  func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]]

  /// Saves elements, all or none; one whose key exists takes the place of the element that has it.
  ///
  /// An element whose key is `nil` until the store generates it is inserted; `insert` gives the key back.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` where another element has the same
  ///   value in a unique column, ``RepositoryError/Code/invalidValue`` where a property can't be stored,
  ///   ``RepositoryError/Code/constraint`` where a check is broken, ``RepositoryError/Code/foreignKeyViolation`` where an
  ///   element refers to one that does not exist; others where the store fails. Nothing is saved then.
  func save(_ elements: [Element]) async throws(RepositoryError)

  /// Deletes the elements with the given keys, one after another, all or none.
  ///
  /// - Returns: how many there were; what was deleted because it referred to them is not counted.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/restrictViolation`` where others refer to one of
  ///   them; others where the store fails. Nothing is deleted then.
  @discardableResult
  func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int

  /// Observes the elements that match a request: their current state, and each new one.
  ///
  /// Not available inside a transaction: the sequence fails at once there.
  ///
  /// A repository that can't tell when its elements change need not offer this; the sequence then fails at once, with the
  /// code ``RepositoryError/Code/unsupported``.
  func changes(_ request: FetchRequest) -> Changes<Element>

  /// Inserts elements, all or none; one whose key exists is a conflict.
  ///
  /// By default, keys are looked up first and elements saved then, so that other writes may come in between; keys that
  /// are `nil` are left to what `save` does with them.
  ///
  /// - Returns: the elements, with the keys that the store has generated.
  /// - Throws: as `save` does. Nothing is inserted then.
  @discardableResult
  func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element]

  /// Sets columns of all elements that match a query, all or none.
  ///
  /// By default, elements are found, changed and saved, so that other writes may come in between. That takes a schema,
  /// and is refused with ``RepositoryError/Code/unsupported`` where the element is no ``Entity``.
  ///
  /// - Parameters:
  ///   - query: which elements.
  ///   - assignments: the columns, and their values or what is worked out of each row as it was before.
  /// - Returns: how many elements match.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery`` where a key is unknown, is
  ///   set twice or is part of the primary key, ``RepositoryError/Code/invalidValue`` where a column can't hold its
  ///   value, and as `save` does for a rule that is broken. Nothing is changed then.
  @discardableResult
  func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int

  /// Deletes all elements that match a query, all or none.
  ///
  /// By default, elements are found and deleted by their keys, so that other writes may come in between.
  ///
  /// - Returns: how many match.
  /// - Throws: as `delete` does. Nothing is deleted then.
  @discardableResult
  func delete(where query: AnyQuery) async throws(RepositoryError) -> Int

  /// Writes elements as they come, in constant memory, all or none.
  ///
  /// By default, they are written in batches, of which each alone is all or none.
  ///
  /// - Parameters:
  ///   - mode: what is done with an element whose key exists.
  ///   - elements: the elements. Each is asked for when the one before has been written.
  ///   - progress: is called after every thousand elements and at the end.
  /// - Returns: how many were written.
  /// - Throws: as `save` does, and ``RepositoryError/Code/cancelled`` where the task is cancelled, also
  ///   between two elements.
  @discardableResult
  func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>,
    progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int
}

// What a repository does that is written by hand, with its five methods: not in one step, so others may come in between.
extension Repository {
  /// Looks the keys up, and saves the elements if none exists.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` where a key exists or is given twice.
  @discardableResult
  public func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    // By the values: to `String`, a composed and a decomposed "é" are one key, in a store they are two.
    var keys: Set<[Value]> = []
    for element in elements where !element.needsGeneratedKey {
      if let key = try? element.id.keyValues(), !keys.insert(key).inserted { throw .keyExists(Element.self) }
      if try await find(element.id) != nil { throw .keyExists(Element.self) }
    }
    try await save(elements)
    return elements
  }

  /// Finds the elements, changes and saves them.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/unsupported`` where the element is no ``Entity``.
  @discardableResult
  public func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    guard let type = Element.self as? any Entity.Type, let schema = Self.schema(of: type) else {
      throw RepositoryError(
        .unsupported, "this repository of \(Element.self) can't update by query",
        reason: "\(Element.self) has no schema by itself", suggestion: "find elements, change them and save them")
    }
    let table = try schema.table()
    let resolved = try table.resolve(assignments)
    let update = resolved.makeUpdate(nil)
    var changed: [Element] = []
    for element in try await findAll(FetchRequest(query)) {
      let row = update(try schema.row(from: element, in: table))
      changed.append(try schema.element(from: row, in: table))
    }
    try await save(changed)
    return changed.count
  }

  /// Finds the elements and deletes them by their keys.
  @discardableResult
  public func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await delete(try await findAll(FetchRequest(query)).map(\.id))
  }

  /// Writes the elements in batches, of which each alone is all or none.
  @discardableResult
  public func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>,
    progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    var meter = ProgressMeter(total: elements.total, progress)
    var batch: [Element] = []
    while true {
      let element = try await elements.next()
      if let element { batch.append(element) }
      if batch.count == ProgressMeter.interval || element == nil {
        switch mode {
        case .insert: _ = try await insert(batch)
        case .save: try await save(batch)
        }
        for _ in batch { try meter.advance() }
        batch = []
      }
      if element == nil { break }
    }
    meter.finish()
    return meter.done
  }

}

extension Storable {
  /// Whether the key is one that the store is to generate.
  fileprivate var needsGeneratedKey: Bool { (try? id.keyValues())?.contains(where: \.isNull) ?? false }
}

extension RepositoryError {
  fileprivate static func keyExists<Element>(_ type: Element.Type) -> RepositoryError {
    RepositoryError(
      .conflict, "another \(type) has the same key", reason: "keys are unique",
      suggestion: "`save` puts an element in the place of the one that has its key")
  }
}

extension Repository {
  /// Fetches the elements that match the query and computes the aggregates.
  ///
  /// - Throws: as the requirement does, and ``RepositoryError`` with the code ``RepositoryError/Code/unsupported`` where
  ///   the elements are no model type with a schema.
  public func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    // At run time, so that it serves repositories too that are generic over their elements.
    guard let type = Element.self as? any Entity.Type, let schema = Self.schema(of: type) else {
      throw RepositoryError(
        .unsupported, "this repository of \(Element.self) works out no aggregates",
        suggestion: "implement aggregates(_:), or fetch the elements and work them out")
    }
    let table = try schema.table()
    let aggregates = try table.resolve(request)
    var rows: [[Value]] = []
    for element in try await findAll(FetchRequest(request.query)) {
      rows.append(try schema.row(from: element, in: table))
    }
    do throws(AggregateError) {
      return try aggregates.rows(of: rows)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Fetches the elements that match the query and takes the columns from them.
  ///
  /// - Throws: as the requirement does, and ``RepositoryError`` with the code ``RepositoryError/Code/unsupported`` where
  ///   the elements are no model type with a schema.
  public func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    guard let type = Element.self as? any Entity.Type, let schema = Self.schema(of: type) else {
      throw RepositoryError(
        .unsupported, "this repository of \(Element.self) has no projections",
        suggestion: "implement findRows(_:), or fetch the elements")
    }
    let table = try schema.table()
    let projection = try table.resolve(request)
    var rows: [[Value]] = []
    for element in try await findAll(FetchRequest(request.rows.query)) {
      rows.append(try schema.row(from: element, in: table))
    }
    return projection.rows(of: rows)
  }

  private static func schema<Model: Entity>(of type: Model.Type) -> Schema<Element>? {
    Model.schema as? Schema<Element>
  }
}
