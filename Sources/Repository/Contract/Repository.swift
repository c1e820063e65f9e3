// One import provides everything to find and save: `import Repository`, or a store's module.
@_exported public import Query

/// A repository, which finds and saves elements of one type, wherever they are stored.
///
/// Only five requirements have no default, so that a repository can be written by hand, over a web API for instance. A store
/// overrides a default that it can implement in one step. A requirement that a type implements with a synchronous method is
/// called without a suspension. The semantics of a query are not up to a repository: `RepositoryTesting` checks in one call
/// that it follows the contract.
public protocol Repository<Element>: Sendable {
  /// The type of the elements.
  associatedtype Element: Storable

  /// Finds the element with a key.
  ///
  /// - Returns: the element, or `nil` if no element has that key.
  /// - Throws: ``RepositoryError`` if the store fails or holds a value that can't be read.
  func find(_ id: Element.ID) async throws(RepositoryError) -> Element?

  /// Finds all elements that match a request, in its order.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery`` before anything runs, if the request
  ///   names an unknown key or compares a key with a value that it can't hold; other codes if the store fails.
  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element]

  /// Finds all elements that match a request and can be read, and lists the rows that can't.
  ///
  /// By default, a row that can't be read is an error, as it is in ``findAll(_:)``.
  ///
  /// - Throws: as ``findAll(_:)`` does, except for rows that can't be read.
  func findAllReadable(_ request: FetchRequest) async throws(RepositoryError) -> PartialResult<Element>

  /// Counts the elements that match a query.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int

  /// Computes aggregates of the elements that match a query: their number, the minimum, the maximum, the sum or the
  /// average of a property, of all of them or in groups.
  ///
  /// The default fetches the elements and computes the aggregates here, with the code of the store in memory; a database
  /// computes them itself. It requires a model type, an ``Entity``, since it needs the schema.
  ///
  /// - Returns: the groups, in the requested order; without group keys exactly one.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/overflow`` if a sum of integers can't be stored,
  ///   ``RepositoryError/Code/notANumber`` if both infinities are added; otherwise as ``findAll(_:)`` does.
  func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow]

  /// Finds some columns of the elements that match a request, and computed expressions, rather than whole elements.
  ///
  /// The default fetches the elements and takes the columns from them; a database reads only these columns. Like
  /// ``aggregate(_:)``, it requires a model type.
  ///
  /// - Returns: the rows, each with its values in the order of ``/Query/ProjectionRequest/columns``.
  /// - Throws: as ``findAll(_:)`` does.
  func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]]

  /// Saves elements, all or none; an element whose key exists replaces the existing element.
  ///
  /// An element whose key is `nil` until the store generates it is inserted; `insert` returns the key.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` if another element has the same value in a
  ///   unique column, ``RepositoryError/Code/invalidValue`` if a property can't be stored, ``RepositoryError/Code/constraint``
  ///   if a check fails, ``RepositoryError/Code/foreignKeyViolation`` if an element refers to an element that does not exist;
  ///   other codes if the store fails. Nothing is saved then.
  func save(_ elements: [Element]) async throws(RepositoryError)

  /// Deletes the elements with the given keys, one after another, all or none.
  ///
  /// - Returns: the number of elements that existed; elements that were deleted by a cascade are not counted.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/restrictViolation`` if other elements refer to one of
  ///   them; other codes if the store fails. Nothing is deleted then.
  @discardableResult
  func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int

  /// Observes the elements that match a request: their current state, and each new state.
  ///
  /// Not available inside a transaction: the sequence fails immediately there.
  ///
  /// A repository that can't observe changes need not implement this method; the sequence then fails immediately, with the
  /// code ``RepositoryError/Code/unsupported``.
  func changes(_ request: FetchRequest) -> Changes<Element>

  /// Inserts elements, all or none; an element whose key exists is a conflict.
  ///
  /// By default, keys are looked up first and elements are saved then, so that other writes may come in between; an element
  /// whose key is `nil` is refused.
  ///
  /// - Returns: the elements, with the keys that the store has generated.
  /// - Throws: as `save` does. Nothing is inserted then.
  @discardableResult
  func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element]

  /// Updates columns of all elements that match a query, all or none.
  ///
  /// By default, elements are found, changed and saved, so that other writes may come in between. That requires a schema,
  /// and is refused with ``RepositoryError/Code/unsupported`` if the element is not an ``Entity``.
  ///
  /// - Parameters:
  ///   - query: the condition on elements.
  ///   - assignments: the columns, with their values or expressions of the row as it was before.
  /// - Returns: the number of matching elements.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery`` if a key is unknown, is set twice or
  ///   is part of the primary key, ``RepositoryError/Code/invalidValue`` if a column can't hold its value, and as `save`
  ///   does for a violated constraint. Nothing is changed then.
  @discardableResult
  func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int

  /// Inserts elements, all or none, and applies a rule to those that conflict with existing rows.
  ///
  /// ```swift
  /// let kept = try await users.insert([ann, ben], onConflict: .update(by: ["email"]))
  /// ```
  ///
  /// By default, elements are looked up and written one by one, so that other writes may come in between, and elements that
  /// were written before an error remain.
  ///
  /// - Returns: the elements as they are stored, in the given order: an element that has updated a row has that row's key, and
  ///   an element that was left out is missing.
  /// - Throws: as `insert` does, and ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery`` if the rule names
  ///   columns that are not unique.
  @discardableResult
  func insert(_ elements: [Element], onConflict rule: ConflictRule) async throws(RepositoryError) -> [Element]

  /// Updates columns of all elements that match a query, all or none, and returns these elements.
  ///
  /// By default, elements are found before and after, so that other writes may come in between.
  ///
  /// - Returns: the elements as they are afterwards, in the order of their keys.
  /// - Throws: as `update` does. An element that can't be read afterwards is an error; the update is done then.
  @discardableResult
  func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) async throws(RepositoryError) -> [Element]

  /// Deletes all elements that match a query, all or none, and returns them.
  ///
  /// By default, elements are found and deleted by their keys, so that other writes may come in between.
  ///
  /// - Returns: the elements as they were, in the order of their keys.
  /// - Throws: as `delete` does. An element that can't be read is an error; it is deleted then.
  @discardableResult
  func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Element]

  /// Deletes all elements that match a query, all or none.
  ///
  /// By default, elements are found and deleted by their keys, so that other writes may come in between.
  ///
  /// - Returns: the number of matching elements.
  /// - Throws: as `delete` does. Nothing is deleted then.
  @discardableResult
  func delete(where query: AnyQuery) async throws(RepositoryError) -> Int

  /// Writes elements in the order in which they arrive, in constant memory, all or none.
  ///
  /// By default, elements are written in batches, each of which is all or none.
  ///
  /// - Parameters:
  ///   - mode: the treatment of an element whose key exists.
  ///   - elements: the elements, which are pulled while they are written.
  ///   - progress: called after every thousand elements and at the end.
  /// - Returns: the number of written elements.
  /// - Throws: as `save` does, and ``RepositoryError/Code/cancelled`` if the task is cancelled, also between two elements.
  @discardableResult
  func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>,
    progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int
}

// The defaults for a repository that is written by hand, with its five methods. They do not work in one step, so that other
// writes may come in between.
extension Repository {
  /// Looks the keys up, and saves the elements if none exists.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` if a key exists or is given twice, and
  ///   ``RepositoryError/Code/unsupported`` for an element whose key is `nil`: `save` does not return the generated key.
  @discardableResult
  public func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    // Keys are compared as values: to `String`, a composed and a decomposed "é" are one key, in a store they are two.
    var keys: Set<[Value]> = []
    for element in elements {
      if element.needsGeneratedKey {
        throw RepositoryError(
          .unsupported, "this repository of \(Element.self) can't insert an element without a key",
          reason: "`save` does not return the key that the store generates",
          suggestion: "implement insert(_:), or give the element a key")
      }
      if let key = try? element.id.keyValues(), !keys.insert(key).inserted { throw .keyExists(Element.self) }
      if try await find(element.id) != nil { throw .keyExists(Element.self) }
    }
    try await save(elements)
    return elements
  }

  /// Finds the elements, changes and saves them.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/unsupported`` if the element is not an ``Entity``.
  @discardableResult
  public func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    guard let type = Element.self as? any Entity.Type, let schema = Self.schema(of: type) else {
      throw RepositoryError(
        .unsupported, "this repository of \(Element.self) can't update by query",
        reason: "\(Element.self) is not an Entity with a schema", suggestion: "find, change and save the elements")
    }
    let table = try schema.table()
    let resolved = try table.resolve(assignments)
    let update = resolved.makeUpdate(nil)
    var changed: [Element] = []
    for element in try await findAll(FetchRequest(query)) {
      let row = update(try schema.row(from: element, in: table))
      // An expression without a result is null.
      if let column = zip(table.columns, row).first(where: { $1.isNull && !$0.isNullable })?.0 {
        throw .nullValue(of: column.name, in: table.name)
      }
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

  /// Writes the elements in batches, each of which is all or none.
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
  /// Whether the store has to generate the key.
  fileprivate var needsGeneratedKey: Bool { (try? id.keyValues())?.contains(where: \.isNull) ?? false }
}

extension RepositoryError {
  fileprivate static func keyExists<Element>(_ type: Element.Type) -> RepositoryError {
    RepositoryError(
      .conflict, "another \(type) has the same key", reason: "keys are unique",
      suggestion: "use `save`, which replaces the element with the same key")
  }
}

extension Repository {
  /// Fetches the elements that match the query and computes the aggregates.
  ///
  /// - Throws: as the requirement does, and ``RepositoryError`` with the code ``RepositoryError/Code/unsupported`` if the
  ///   elements are not a model type with a schema.
  public func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    // The type is tested at run time, so that this default also serves repositories that are generic over their elements.
    guard let type = Element.self as? any Entity.Type, let schema = Self.schema(of: type) else {
      throw RepositoryError(
        .unsupported, "this repository of \(Element.self) does not compute aggregates",
        suggestion: "implement aggregate(_:), or fetch the elements and compute them")
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
  /// - Throws: as the requirement does, and ``RepositoryError`` with the code ``RepositoryError/Code/unsupported`` if the
  ///   elements are not a model type with a schema.
  public func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    guard let type = Element.self as? any Entity.Type, let schema = Self.schema(of: type) else {
      throw RepositoryError(
        .unsupported, "this repository of \(Element.self) does not support projections",
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

  static func schema<Model: Entity>(of type: Model.Type) -> Schema<Element>? {
    Model.schema as? Schema<Element>
  }
}
