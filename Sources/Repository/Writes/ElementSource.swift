/// Elements that are written one after another as they come, from any sequence.
///
/// It is what ``Repository/write(_:from:progress:)`` is given, so that a repository has one place for sequences of
/// both kinds. Elements are asked for when the one before has been written; nobody holds more than one.
public struct ElementSource<Element: Storable> {
  /// How many elements there are, where that is known beforehand.
  public let total: Int?
  private let produce: () async throws -> Element?
  private let use = Use()

  /// Whether somebody has asked for the first element.
  private final class Use {
    var hasBegun = false
  }

  /// Whether no element was asked for yet, so that a write may begin anew.
  package var isUntouched: Bool { !use.hasBegun }

  /// Takes the elements of a sequence.
  public init(_ elements: some Sequence<Element>) {
    // Other collections may have to walk through their elements to count them.
    total = (elements as? any RandomAccessCollection)?.count
    var iterator = elements.makeIterator()
    produce = { iterator.next() }
  }

  /// Takes the elements of an asynchronous sequence.
  public init<Elements: AsyncSequence>(_ elements: Elements) where Elements.Element == Element {
    total = nil
    var iterator = elements.makeAsyncIterator()
    produce = { try await iterator.next(isolation: #isolation) }
  }

  /// The next element; `nil` after the last one.
  ///
  /// - Throws: ``RepositoryError``, whose `underlying` is the sequence's error where it failed.
  public func next() async throws(RepositoryError) -> Element? {
    use.hasBegun = true
    do {
      return try await produce()
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw RepositoryError(translating: error)
    }
  }
}
