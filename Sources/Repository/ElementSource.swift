/// Elements that are written one after another as they come, from any sequence.
///
/// It is what ``Repository/write(_:from:progress:)`` is given, so that a repository has one requirement for sequences
/// of both kinds. Each element is pulled when the one before has been written; only one is held at a time.
public struct ElementSource<Element: Storable> {
  /// How many elements there are, where that is known beforehand.
  public let total: Int?
  private let produce: () async throws -> Element?
  /// The same for a sequence that needs no waiting; `nil` for an asynchronous one.
  private let produceAtOnce: (() -> Element?)?
  /// Those that an actor makes together; `nil` where elements come one by one.
  private let produceBatch: (() async -> [Element])?
  private let use = Use()

  /// Whether the first element was pulled.
  private final class Use {
    var hasBegun = false
  }

  /// Whether no element was asked for yet, so that a write may begin anew.
  package var isUntouched: Bool { !use.hasBegun }

  /// Takes the elements of a sequence.
  public init(_ elements: some Sequence<Element>) {
    self.init(elements, of: nil)
  }

  /// Takes the elements of a sequence that may belong to an actor, such as a lazy one whose closure does: a store that writes
  /// elsewhere has it make them there, many at a time.
  init(_ elements: some Sequence<Element>, of actor: (any Actor)?) {
    // Other collections may have to walk through their elements to count them.
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

  /// Takes the elements of an asynchronous sequence.
  public init<Elements: AsyncSequence>(_ elements: Elements) where Elements.Element == Element {
    total = nil
    var iterator = elements.makeAsyncIterator()
    produce = { try await iterator.next(isolation: #isolation) }
    produceAtOnce = nil
    produceBatch = nil
  }

  /// Whether the elements come without suspending, by ``nextAtOnce()``.
  package var isSynchronous: Bool { produceAtOnce != nil }

  /// The next element of a synchronous sequence; `nil` after the last one.
  package func nextAtOnce() -> Element? {
    use.hasBegun = true
    return produceAtOnce?()
  }

  /// The next elements, as many as come together; none after the last one.
  ///
  /// - Throws: as ``next()`` does.
  package func nextBatch() async throws(RepositoryError) -> [Element] {
    guard let produceBatch else { return try await next().map { [$0] } ?? [] }
    use.hasBegun = true
    return await produceBatch()
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

/// The elements of an iterator that belongs to an actor, taken in batches, so that not every element waits for the actor.
///
/// Unchecked, because the iterator is used on its actor alone, and the batch by the one task that writes.
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
