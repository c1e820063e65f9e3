public import Query

/// Finds and saves elements of one type, wherever they are kept.
///
/// Five requirements have to be met, so that one can be written by hand, over a web API for instance; everything else comes
/// with them. What is met by default can be met better by a store that can do it in one step.
/// A requirement that a type meets with a synchronous method is called without a suspension. What a query means is not up
/// to a repository: `RepositoryTesting` checks in one call that it keeps to the contract.
public protocol Repository<Element>: Sendable {
  /// What is found and saved.
  associatedtype Element: Storable

  /// Finds the element with a key.
  ///
  /// - Returns: the element, or `nil` where no element has that key.
  /// - Throws: ``RepositoryError`` where the store fails or holds something that can't be read.
  func find(_ id: Element.ID) async throws(RepositoryError) -> Element?

  /// Finds all elements that a request means, in its order.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery`` before anything runs, where the
  ///   request names an unknown key or compares a key with what it can't hold; others where the store fails.
  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element]

  /// Counts the elements that a query means.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int

  /// Works out figures of the elements that a query means: how many there are, the least, the greatest, the sum or the
  /// average of a property, of all of them or in groups.
  ///
  /// The default fetches the elements and works the figures out here, with the code of the store in memory; a database
  /// does better. It is for model types, an ``Entity``, since it needs their schema.
  ///
  /// - Returns: the groups, in the order that is asked for; without group keys exactly one.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/overflow`` where a sum of integers is none that can
  ///   be stored, ``RepositoryError/Code/notANumber`` where both infinities are added; else as ``findAll(_:)`` does.
  func figures(_ request: FigureRequest) async throws(RepositoryError) -> [FigureRow]

  /// Saves elements, all or none; one whose key exists takes the place of the element that has it.
  ///
  /// An element whose key is `nil` until the store generates it is inserted; `insert` gives the key back.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` where another element has the same
  ///   value in a unique column, ``RepositoryError/Code/invalidValue`` where a property can't be stored,
  ///   ``RepositoryError/Code/constraint`` where a check is broken, ``RepositoryError/Code/missingReference`` where an
  ///   element refers to one that does not exist; others where the store fails. Nothing is saved then.
  func save(_ elements: [Element]) async throws(RepositoryError)

  /// Deletes the elements with the given keys, one after another, all or none.
  ///
  /// - Returns: how many there were; what was deleted because it referred to them is not counted.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/stillReferenced`` where others refer to one of
  ///   them; others where the store fails. Nothing is deleted then.
  @discardableResult
  func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int

  /// Observes the elements that a request means: their current state, and each new one.
  ///
  /// It is none of a transaction's business: within one, the sequence fails at once.
  ///
  /// A repository that can't tell when its elements change need not offer this; the sequence then fails at once, with the
  /// code ``RepositoryError/Code/unsupported``.
  func changes(_ request: FetchRequest) -> Changes<Element>

  /// Inserts elements, all or none; one whose key exists is a conflict.
  ///
  /// By default, keys are looked up first and elements saved then, which others may come in between; keys that are `nil`
  /// are left to what `save` does with them.
  ///
  /// - Returns: the elements, with the keys that the store has generated.
  /// - Throws: as `save` does. Nothing is inserted then.
  @discardableResult
  func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element]

  /// Sets columns of all elements that a query means, all or none.
  ///
  /// By default, elements are found, changed and saved, which others may come in between. That takes a schema, and is
  /// refused with ``RepositoryError/Code/unsupported`` where the element is no ``Entity``.
  ///
  /// - Parameters:
  ///   - query: which elements.
  ///   - assignments: the columns and their values.
  /// - Returns: how many elements the query means.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery`` where a key is unknown, stands
  ///   twice or is part of the primary key, ``RepositoryError/Code/invalidValue`` where a column can't hold its value, and
  ///   as `save` does for a rule that is broken. Nothing is changed then.
  @discardableResult
  func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int

  /// Deletes all elements that a query means, all or none.
  ///
  /// By default, elements are found and deleted by their keys, which others may come in between.
  ///
  /// - Returns: how many the query means.
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
  ///   - progress: is told after every thousand elements and at the end.
  /// - Returns: how many were written.
  /// - Throws: as `save` does, and ``RepositoryError/Code/cancelled`` where the task is cancelled, also
  ///   between two elements.
  @discardableResult
  func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>,
    progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int
}
