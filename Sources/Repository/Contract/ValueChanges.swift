/// The value of a read from a store, and each new value from then on, as an asynchronous sequence.
///
/// ```swift
/// let counts = store.changes { _ in
///   Counts(caught: try await caught.count(), heavy: try await pokedex.count(where: { $0.weight > 90 }))
/// }
/// for try await counts in counts { title = "\(counts.caught) caught, \(counts.heavy) heavy" }
/// ```
///
/// The first value is available immediately, the others whenever a write by any task or program has changed it: the store
/// repeats the whole read, in one snapshot, after a commit that changed a table of the read. A slow consumer gets the latest
/// value next, not each one in between. The sequence ends when its task is cancelled, or with an error.
public struct ValueChanges<Value: Sendable>: AsyncSequence, Sendable {
  /// The error with which the sequence ends, unless its task is cancelled first.
  public typealias Failure = any Error
  /// A function that reads the current value, and returns it with the tables on which it depends.
  package typealias Look = @Sendable () async throws -> (Value, of: TableSet)

  /// The signal of possible changes; `nil` if there is none.
  private let signal: ChangeSignal?
  private let areEqual: @Sendable (Value, Value) -> Bool
  private let look: Look

  /// Makes the sequence of the values of a read.
  package init(
    _ signal: ChangeSignal, comparedBy areEqual: @escaping @Sendable (Value, Value) -> Bool, look: @escaping Look
  ) {
    (self.signal, self.areEqual, self.look) = (signal, areEqual, look)
  }

  /// Makes a sequence that fails immediately.
  init(failingWith error: RepositoryError) {
    signal = nil
    areEqual = { _, _ in false }
    look = { throw error }
  }

  /// Starts to observe, and returns an iterator over the values.
  public func makeAsyncIterator() -> Iterator {
    Iterator(observer: StoreObserver(of: signal ?? ChangeSignal()), areEqual: areEqual, look: look)
  }

  /// An iterator over the values.
  public struct Iterator: AsyncIteratorProtocol {
    private let observer: StoreObserver
    private let areEqual: @Sendable (Value, Value) -> Bool
    private let look: Look
    private var last: Value?
    private var isOver = false

    fileprivate init(
      observer: StoreObserver, areEqual: @escaping @Sendable (Value, Value) -> Bool, look: @escaping Look
    ) {
      (self.observer, self.areEqual, self.look) = (observer, areEqual, look)
    }

    /// Waits for the next distinct value; `nil` if the task is cancelled.
    public mutating func next() async throws -> Value? {
      do {
        while !isOver, !Task.isCancelled {
          guard let value = try await observer.next(look) else { break }
          if let last, areEqual(last, value) { continue }
          last = value
          return value
        }
      } catch {
        isOver = true
        if !Task.isCancelled { throw error }
      }
      isOver = true
      return nil
    }
  }
}

extension Store {
  /// Observes a read from the store, from any number of its repositories: the current value, and each value that differs from
  /// the previous value.
  ///
  /// ```swift
  /// for try await heavy in store.changes({ _ in try await pokedex.count(where: { $0.weight > 90 }) }) {
  ///   badge = heavy
  /// }
  /// ```
  ///
  /// - Parameter read: reads the value, in one snapshot, as in ``read(_:)``. It is called again after each commit that changed a
  ///   table that it has read from; it must not depend on anything else.
  public func changes<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (Transaction) async throws -> Value
  ) -> ValueChanges<Value> {
    changes(comparedBy: { $0 == $1 }, read)
  }

  /// Returns a sequence that fails immediately, by default. A store that can observe changes implements this method.
  public func changes<Value: Sendable>(
    comparedBy areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ read: @escaping @Sendable (Transaction) async throws -> Value
  ) -> ValueChanges<Value> {
    ValueChanges(
      failingWith: RepositoryError(
        .unsupported, "this store can't observe changes", suggestion: "repeat the read at intervals"))
  }
}
