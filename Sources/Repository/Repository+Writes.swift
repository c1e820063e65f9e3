public import Query

extension Repository {
  /// Inserts one element.
  ///
  /// - Returns: the element, with the key that the store has generated, if it has.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` where its key exists, and as
  ///   ``save(_:)`` does.
  @discardableResult
  public func insert(_ element: Element) async throws(RepositoryError) -> Element {
    try await insert([element]).first ?? element
  }

  /// Inserts the elements of any sequence as they come, in constant memory, all or none.
  ///
  /// - Parameters:
  ///   - elements: the elements. Each is asked for when the one before has been written.
  ///   - progress: is told after every thousand elements and at the end.
  /// - Returns: how many were inserted.
  /// - Throws: as ``write(_:from:progress:)`` does.
  @discardableResult
  public func insert(
    contentsOf elements: sending some Sequence<Element>, progress: (@Sendable (WorkProgress) -> Void)? = nil
  ) async throws(RepositoryError) -> Int {
    try await write(.insert, from: ElementSource(elements), progress: progress)
  }

  /// Saves the elements of any sequence as they come, in constant memory, all or none.
  ///
  /// ```swift
  /// let many = (1...5_000).lazy.map { Note(id: nil, pokemon: 7, text: "\($0)") }
  /// try await notes.save(contentsOf: many) { progress in print(progress.done) }
  /// ```
  ///
  /// - Parameters:
  ///   - elements: the elements. Each is asked for when the one before has been written.
  ///   - progress: is told after every thousand elements and at the end.
  /// - Returns: how many were saved.
  /// - Throws: as ``write(_:from:progress:)`` does.
  @discardableResult
  public func save(
    contentsOf elements: sending some Sequence<Element>, progress: (@Sendable (WorkProgress) -> Void)? = nil
  ) async throws(RepositoryError) -> Int {
    try await write(.save, from: ElementSource(elements), progress: progress)
  }

  /// Inserts the elements of an asynchronous sequence as they come, in constant memory, all or none.
  ///
  /// The store can't be written by others until the sequence ends.
  ///
  /// - Throws: as ``write(_:from:progress:)`` does; where the sequence fails, with its error as `underlying`.
  @discardableResult
  public func insert<Elements: AsyncSequence>(
    contentsOf elements: sending Elements, progress: (@Sendable (WorkProgress) -> Void)? = nil
  ) async throws(RepositoryError) -> Int where Elements.Element == Element {
    try await write(.insert, from: ElementSource(elements), progress: progress)
  }

  /// Saves the elements of an asynchronous sequence as they come, in constant memory, all or none.
  ///
  /// The store can't be written by others until the sequence ends.
  ///
  /// - Throws: as ``write(_:from:progress:)`` does; where the sequence fails, with its error as `underlying`.
  @discardableResult
  public func save<Elements: AsyncSequence>(
    contentsOf elements: sending Elements, progress: (@Sendable (WorkProgress) -> Void)? = nil
  ) async throws(RepositoryError) -> Int where Elements.Element == Element {
    try await write(.save, from: ElementSource(elements), progress: progress)
  }
}

extension Repository where Element: Entity {
  /// Sets properties of all elements that a closure describes, all or none.
  ///
  /// ```swift
  /// try await pokedex.update(where: { $0.type == .fire }, set: { $0.weight = 90; $0.secondType = nil })
  /// ```
  ///
  /// - Parameters:
  ///   - query: which elements.
  ///   - set: sets the properties.
  /// - Returns: how many elements the closure describes.
  /// - Throws: as ``update(where:set:)`` of queries does.
  @discardableResult
  public func update(
    where query: (Fields<Element>) -> AnyQuery, set: (inout Assignments<Element>) -> Void
  ) async throws(RepositoryError) -> Int {
    var assignments = Assignments(Element.schema)
    set(&assignments)
    return try await update(where: query(Fields(Element.schema)), set: assignments.list)
  }

  /// Deletes all elements that a closure describes, all or none: `delete(where: { $0.weight < 1 })`.
  ///
  /// - Returns: how many the closure describes.
  /// - Throws: as `delete` of queries does.
  @discardableResult
  public func delete(where query: (Fields<Element>) -> AnyQuery) async throws(RepositoryError) -> Int {
    try await delete(where: query(Fields(Element.schema)))
  }
}
