public import Query

// What a repository does that is written by hand, with its five methods: not in one step, so others may come in between.
extension Repository {
  /// Looks the keys up, and saves the elements if none exists.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` where a key exists or stands twice.
  @discardableResult
  public func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    var ids: Set<Element.ID> = []
    for element in elements where !element.awaitsKey {
      if !ids.insert(element.id).inserted { throw .keyExists(Element.self) }
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
    guard let type = Element.self as? any Entity.Type, let schema = Self.schema(of: type) as? Schema<Element> else {
      throw RepositoryError(
        .unsupported, "this repository of \(Element.self) can't update by query",
        reason: "\(Element.self) has no schema by itself", suggestion: "find elements, change them and save them")
    }
    let table = try schema.table()
    let resolved = try table.resolve(assignments)
    var changed: [Element] = []
    for element in try await findAll(FetchRequest(query)) {
      let row = resolved.applied(to: try schema.row(from: element, in: table))
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

  private static func schema<Model: Entity>(of type: Model.Type) -> any Sendable { type.schema }
}

extension Storable {
  /// Whether the key is one that the store is to generate.
  fileprivate var awaitsKey: Bool { (try? id.keyValues())?.contains(where: \.isNull) ?? false }
}

extension RepositoryError {
  fileprivate static func keyExists<Element>(_ type: Element.Type) -> RepositoryError {
    RepositoryError(
      .conflict, "another \(type) has the same key", reason: "keys are unique",
      suggestion: "`save` puts an element in the place of the one that has its key")
  }
}
