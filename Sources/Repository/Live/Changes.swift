import Query

/// The result of a request, and each new one from then on.
///
/// ```swift
/// for try await heavy in pokedex.changes(where: { $0.weight > 90 }) {
///   print(heavy.map(\.name))
/// }
/// ```
///
/// The first result comes at once, the others whenever a write, by whomever, has changed it. Whoever takes his time gets the
/// latest result next, not each one in between. It ends when its task is cancelled, or with an error.
public struct Changes<Element: Storable>: AsyncSequence, Sendable {
  /// Why it ends before its task is cancelled.
  public typealias Failure = RepositoryError

  /// A result, and the rows by which it is compared with the one before.
  package typealias Snapshot = (elements: [Element], rows: [[Value]])

  private let signal: ChangeSignal?
  private let fetch: @Sendable () async throws(RepositoryError) -> Snapshot

  /// Makes the results of a request.
  ///
  /// - Parameters:
  ///   - signal: tells when there may be a new one.
  ///   - fetch: finds the current one.
  package init(
    _ signal: ChangeSignal, fetch: @escaping @Sendable () async throws(RepositoryError) -> Snapshot
  ) {
    self.signal = signal
    self.fetch = fetch
  }

  /// Makes a sequence that fails at once, for repositories that can't tell when they change.
  init() {
    signal = nil
    fetch = { () throws(RepositoryError) in
      throw RepositoryError(
        .unsupported, "this repository can't tell when its elements change",
        suggestion: "ask it again from time to time")
    }
  }

  /// Begins to observe.
  public func makeAsyncIterator() -> Iterator { Iterator(signal: signal, fetch: fetch) }

  /// Gives one result after another.
  public struct Iterator: AsyncIteratorProtocol {
    private let observation: Observation?
    private let fetch: @Sendable () async throws(RepositoryError) -> Snapshot
    private var revision: Int?
    private var rows: [[Value]]?
    private var isOver = false

    init(signal: ChangeSignal?, fetch: @escaping @Sendable () async throws(RepositoryError) -> Snapshot) {
      observation = signal.map(Observation.init)
      self.fetch = fetch
    }

    /// Waits for the next result that differs; `nil` where the task is cancelled.
    public mutating func next() async throws(RepositoryError) -> [Element]? {
      do throws(RepositoryError) {
        while !isOver, !Task.isCancelled {
          if let revision { await observation?.signal.wait(beyond: revision) }
          if Task.isCancelled { break }
          // Before the look: what changes meanwhile is looked at once more.
          revision = observation?.signal.revision ?? 0
          let (elements, rows) = try await fetch()
          if rows != self.rows {
            self.rows = rows
            return elements
          }
        }
      } catch {
        isOver = true
        if error.code != .cancelled { throw error }
      }
      isOver = true
      return nil
    }
  }
}

/// Somebody who observes, for as long as it is held.
private final class Observation: Sendable {
  let signal: ChangeSignal

  init(of signal: ChangeSignal) {
    self.signal = signal
    signal.addObserver()
  }

  deinit {
    signal.removeObserver()
  }
}
