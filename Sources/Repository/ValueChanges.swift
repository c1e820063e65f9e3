/// What is read of a store, and each new value from then on.
///
/// ```swift
/// let counts = store.changes { _ in
///   Counts(caught: try await caught.count(), heavy: try await pokedex.count(where: { $0.weight > 90 }))
/// }
/// for try await counts in counts { title = "\(counts.caught) caught, \(counts.heavy) heavy" }
/// ```
///
/// The first value comes at once, the others whenever a write by any task or program has changed it: all of it is read again, in
/// one snapshot, after a commit that changed one of the tables that it was read from. A slow consumer gets the latest value
/// next, not each one in between. It ends when its task is cancelled, or with an error.
public struct ValueChanges<Value: Sendable>: AsyncSequence, Sendable {
  /// The error with which it ends, if it does so before its task is cancelled.
  public typealias Failure = any Error
  /// Reads the current value, and tells of which tables a change may change it.
  package typealias Look = @Sendable () async throws -> (Value, of: TableSet)

  /// Tells when there may be a new value; `nil` where nothing does.
  private let signal: ChangeSignal?
  private let areEqual: @Sendable (Value, Value) -> Bool
  private let look: Look

  /// Makes the values of what is read of a store.
  package init(
    _ signal: ChangeSignal, comparedBy areEqual: @escaping @Sendable (Value, Value) -> Bool, look: @escaping Look
  ) {
    (self.signal, self.areEqual, self.look) = (signal, areEqual, look)
  }

  /// Makes a sequence that fails at once.
  init(failingWith error: RepositoryError) {
    signal = nil
    areEqual = { _, _ in false }
    look = { throw error }
  }

  /// Begins to observe.
  public func makeAsyncIterator() -> Iterator {
    Iterator(observer: StoreObserver(of: signal ?? ChangeSignal()), areEqual: areEqual, look: look)
  }

  /// Gives one value after another.
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

    /// Waits for the next value that differs; `nil` where the task is cancelled.
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
  /// Observes what is read of the store, from as many repositories as it takes: the current value, and each one that differs
  /// from the one before.
  ///
  /// ```swift
  /// for try await heavy in store.changes({ _ in try await pokedex.count(where: { $0.weight > 90 }) }) {
  ///   badge = heavy
  /// }
  /// ```
  ///
  /// - Parameter read: reads the value, in one snapshot, as in ``read(_:)``. It is called again after each commit that changed a
  ///   table which it has read from; it has to depend on nothing else.
  public func changes<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (Transaction) async throws -> Value
  ) -> ValueChanges<Value> {
    changes(comparedBy: { $0 == $1 }, read)
  }

  /// Observes nothing: the sequence fails at once. A store that can tell when it changes says so itself.
  public func changes<Value: Sendable>(
    comparedBy areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ read: @escaping @Sendable (Transaction) async throws -> Value
  ) -> ValueChanges<Value> {
    ValueChanges(
      failingWith: RepositoryError(
        .unsupported, "this store can't tell when it changes", suggestion: "read it again from time to time"))
  }
}
