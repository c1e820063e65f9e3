public import Query

/// Finds and saves elements of one type, wherever they are kept.
///
/// Five requirements are enough, so that one can be written by hand, over a web API for instance; everything else comes with
/// them.
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
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` where another element has the same
  ///   value in a unique column, ``RepositoryError/Code/invalidValue`` where a property can't be stored; others where
  ///   the store fails. Nothing is saved then.
  func save(_ elements: [Element]) async throws(RepositoryError)

  /// Deletes the elements with the given keys, all or none.
  ///
  /// - Returns: how many there were.
  /// - Throws: ``RepositoryError`` where the store fails. Nothing is deleted then.
  @discardableResult
  func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int

  /// Observes the elements that a request means: their current state, and each new one.
  ///
  /// A repository that can't tell when its elements change need not offer this; the sequence then fails at once, with the
  /// code ``RepositoryError/Code/unsupported``.
  func changes(_ request: FetchRequest) -> Changes<Element>
}
