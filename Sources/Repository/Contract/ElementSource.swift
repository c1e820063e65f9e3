/// A source of elements that are written one after another, from any sequence.
///
/// It is the argument of ``Repository/write(_:from:progress:)``, so that a repository has one requirement for sequences of both
/// kinds. The store pulls each element after writing the previous element; elements of a sequence that belongs to an actor are
/// pulled in batches.
public struct ElementSource<Element: Storable> {
  /// The number of elements, if it is known beforehand.
  public let total: Int?
  private let produce: () async throws -> Element?
  /// Returns the next element of a synchronous sequence; `nil` for an asynchronous one.
  private let produceAtOnce: (() -> Element?)?
  /// Returns a batch of elements from an actor; `nil` if elements are pulled one by one.
  private let produceBatch: (() async -> [Element])?
  private let use = Use()

  /// Whether the first element was pulled.
  private final class Use {
    var hasBegun = false
  }

  /// Whether no element was pulled yet, so that a write may start again.
  package var isUntouched: Bool { !use.hasBegun }

  /// Makes a source from a sequence.
  public init(_ elements: some Sequence<Element>) {
    self.init(elements, of: nil)
  }

  /// Makes a source from a sequence that may belong to an actor, such as a lazy sequence whose closure does. A store, which
  /// writes outside of the actor, pulls the elements on the actor, in batches.
  init(_ elements: some Sequence<Element>, of actor: (any Actor)?) {
    // Other collections may have to iterate over their elements to count them.
    total = (elements as? any RandomAccessCollection)?.count
    var iterator = elements.makeIterator()
    if let actor, !(elements is [Element]) {
      let batches = ActorBatches(iterator)
      produce = { await batches.next(from: actor) }
      produceAtOnce = nil
      produceBatch = { await batches.nextBatch(from: actor) }
    } else {
      let next = { iterator.next() }
      produce = next
      produceAtOnce = next
      produceBatch = nil
    }
  }

  /// Makes a source from an asynchronous sequence.
  public init<Elements: AsyncSequence>(_ elements: Elements) where Elements.Element == Element {
    total = nil
    var iterator = elements.makeAsyncIterator()
    produce = { try await iterator.next(isolation: #isolation) }
    produceAtOnce = nil
    produceBatch = nil
  }

  /// Whether the elements are pulled without suspending, by ``nextAtOnce()``.
  package var isSynchronous: Bool { produceAtOnce != nil }

  /// Returns the next element of a synchronous sequence; `nil` after the last one.
  package func nextAtOnce() -> Element? {
    use.hasBegun = true
    return produceAtOnce?()
  }

  /// Returns the next batch of elements; empty after the last one.
  ///
  /// - Throws: as ``next()`` does.
  package func nextBatch() async throws(RepositoryError) -> [Element] {
    guard let produceBatch else { return try await next().map { [$0] } ?? [] }
    use.hasBegun = true
    return await produceBatch()
  }

  /// Returns the next element; `nil` after the last one.
  ///
  /// - Throws: ``RepositoryError``, whose `underlying` is the sequence's error if it failed.
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

/// The elements of an iterator that belongs to an actor, pulled in batches, so that not every element waits for the actor.
///
/// Unchecked, because the iterator is used only on its actor, and the batch only by the task that writes.
private final class ActorBatches<Iterator: IteratorProtocol>: @unchecked Sendable where Iterator.Element: Sendable {
  private var iterator: Iterator
  private var batch: [Iterator.Element] = []

  init(_ iterator: Iterator) {
    self.iterator = iterator
  }

  func next(from actor: any Actor) async -> Iterator.Element? {
    if batch.isEmpty { batch = await take(on: actor).reversed() }
    return batch.popLast()
  }

  func nextBatch(from actor: any Actor) async -> [Iterator.Element] {
    if batch.isEmpty { return await take(on: actor) }
    defer { batch = [] }
    return batch.reversed()
  }

  private func take(on actor: isolated any Actor) -> [Iterator.Element] {
    var taken: [Iterator.Element] = []
    while taken.count < 256, let element = iterator.next() { taken.append(element) }
    return taken
  }
}
