import Query

extension Repository {
  /// Inserts one element.
  ///
  /// - Returns: the element, with the key that the store has generated, if any.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` if its key exists, and as ``save(_:)``
  ///   does.
  @discardableResult
  public func insert(_ element: Element) async throws(RepositoryError) -> Element {
    try await insert([element]).first ?? element
  }

  /// Saves one element; if its key exists, it replaces the existing element.
  ///
  /// The element is not read back: ``upsert(_:by:)`` returns it with its generated key.
  ///
  /// - Throws: as ``save(_:)`` does.
  public func save(_ element: Element) async throws(RepositoryError) {
    try await save([element])
  }

  /// Deletes the element with a key.
  ///
  /// - Returns: the number of elements that existed: 1 or 0.
  /// - Throws: as ``delete(_:)`` does.
  @discardableResult
  public func delete(_ id: Element.ID) async throws(RepositoryError) -> Int {
    try await delete([id])
  }

  /// Inserts the elements of any sequence in the order in which they arrive, in constant memory, all or none.
  ///
  /// - Parameters:
  ///   - elements: the elements, which are pulled while they are written.
  ///   - progress: called after every thousand elements and at the end.
  /// - Returns: the number of inserted elements.
  /// - Throws: as ``write(_:from:progress:)`` does.
  @discardableResult
  public func insert(
    contentsOf elements: some Sequence<Element>, progress: (@Sendable (WorkProgress) -> Void)? = nil
  ) async throws(RepositoryError) -> Int {
    // The source is not used again here, nor elsewhere during the call.
    nonisolated(unsafe) let source = ElementSource(elements, of: #isolation)
    return try await write(.insert, from: source, progress: progress)
  }

  /// Saves the elements of any sequence in the order in which they arrive, in constant memory, all or none.
  ///
  /// ```swift
  /// let many = (1...5_000).lazy.map { Note(id: nil, pokemon: 7, text: "\($0)") }
  /// try await notes.save(contentsOf: many) { progress in print(progress.done) }
  /// ```
  ///
  /// - Parameters:
  ///   - elements: the elements, which are pulled while they are written.
  ///   - progress: called after every thousand elements and at the end.
  /// - Returns: the number of saved elements.
  /// - Throws: as ``write(_:from:progress:)`` does.
  @discardableResult
  public func save(
    contentsOf elements: some Sequence<Element>, progress: (@Sendable (WorkProgress) -> Void)? = nil
  ) async throws(RepositoryError) -> Int {
    // The source is not used again here, nor elsewhere during the call.
    nonisolated(unsafe) let source = ElementSource(elements, of: #isolation)
    return try await write(.save, from: source, progress: progress)
  }

  /// Inserts the elements of an asynchronous sequence in the order in which they arrive, in constant memory, all or none.
  ///
  /// No other writes to the store are possible until the sequence ends.
  ///
  /// - Throws: as ``write(_:from:progress:)`` does; if the sequence fails, with its error as `underlying`.
  @discardableResult
  public func insert<Elements: AsyncSequence>(
    contentsOf elements: sending Elements, progress: (@Sendable (WorkProgress) -> Void)? = nil
  ) async throws(RepositoryError) -> Int where Elements.Element == Element {
    try await write(.insert, from: ElementSource(elements), progress: progress)
  }

  /// Saves the elements of an asynchronous sequence in the order in which they arrive, in constant memory, all or none.
  ///
  /// No other writes to the store are possible until the sequence ends.
  ///
  /// - Throws: as ``write(_:from:progress:)`` does; if the sequence fails, with its error as `underlying`.
  @discardableResult
  public func save<Elements: AsyncSequence>(
    contentsOf elements: sending Elements, progress: (@Sendable (WorkProgress) -> Void)? = nil
  ) async throws(RepositoryError) -> Int where Elements.Element == Element {
    try await write(.save, from: ElementSource(elements), progress: progress)
  }
}

extension Repository where Element: Entity {
  /// Saves the properties of an element that differ from how it was found: all other columns keep their values, including
  /// columns that other writes have changed in the meantime.
  ///
  /// ```swift
  /// var user = try await users.get(1)
  /// let old = user
  /// user.name = "Ann"
  /// try await users.save(user, changedFrom: old)
  /// ```
  ///
  /// - Parameters:
  ///   - element: the element with its new values.
  ///   - old: the element in its earlier state.
  /// - Returns: whether the element still existed.
  /// - Throws: as `update(where:set:)` does, and ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery`` if
  ///   both have different keys.
  @discardableResult
  public func save(_ element: Element, changedFrom old: Element) async throws(RepositoryError) -> Bool {
    let schema = Element.schema
    let table = try schema.table()
    let (before, after) = (try schema.row(from: old, in: table), try schema.row(from: element, in: table))
    let key = table.primaryKey.map { before[$0] }
    if key != table.primaryKey.map({ after[$0] }) {
      throw RepositoryError(
        .invalidQuery, "can't change the key of an element of \(table.name)",
        suggestion: "insert the element with the new key, and delete the element with the old key")
    }
    let changed = table.columns.indices.filter { !before[$0].isIdentical(to: after[$0]) }
    let query = AnyQuery.all(of: zip(table.primaryKeyColumns, key).map { .equal(key: $0.name, value: $1) })
    if changed.isEmpty { return try await filter(query).exists() }
    return try await update(where: query, set: changed.map { Assignment(table.columns[$0].name, after[$0]) }) > 0
  }
}
