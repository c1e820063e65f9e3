public import Query

/// The result of a request, and each new result from then on, as an asynchronous sequence.
///
/// ```swift
/// for try await heavy in pokedex.filter({ $0.weight > 90 }).changes() {
///   print(heavy.map(\.name))
/// }
/// ```
///
/// The first result is available immediately, the others whenever a write by any task or program has changed it. A slow
/// consumer gets the latest result next, not each one in between. The sequence ends when its task is cancelled, or with an
/// error.
public struct Changes<Element: Storable>: AsyncSequence, Sendable {
  /// The error with which the sequence ends, unless its task is cancelled first.
  public typealias Failure = RepositoryError

  /// A result, with the rows by which it is compared to the one before.
  package typealias Snapshot = (elements: [Element], rows: [[Value]])

  /// A function that waits until there may be a new result, and fetches it; the first call fetches immediately. `nil` if the
  /// task is cancelled. After an error the next call fetches immediately.
  package typealias Look = () async throws(RepositoryError) -> Snapshot?

  /// The function that starts to observe.
  private let begin: @Sendable () -> Look

  /// Makes the results of a request.
  ///
  /// - Parameters:
  ///   - signal: the signal of possible changes.
  ///   - fetch: fetches the current result, with the tables on which it depends.
  package init(
    _ signal: ChangeSignal,
    fetch: @escaping @Sendable () async throws(RepositoryError) -> (Snapshot, of: TableSet)
  ) {
    self.init(looking: {
      let observer = StoreObserver(of: signal)
      return { () async throws(RepositoryError) -> Snapshot? in try await observer.next(fetch) }
    })
  }

  /// Makes a sequence that fails immediately, for repositories that can't observe changes.
  init() {
    self.init(looking: {
      { () async throws(RepositoryError) -> Snapshot? in
        throw RepositoryError(
          .unsupported, "this repository can't observe changes",
          suggestion: "repeat the request at intervals")
      }
    })
  }

  /// Makes a sequence of results that are delivered, rather than fetched after a signal.
  ///
  /// - Parameter begin: starts to observe, and returns the function that waits for the next result.
  package init(looking begin: @escaping @Sendable () -> Look) {
    self.begin = begin
  }

  /// Returns a sequence that asks a closure what to do if a fetch fails.
  ///
  /// - Parameter answer: returns another sequence to continue with, or `nil` to fetch again; throws to let an error pass.
  func answering(
    _ answer: @escaping @Sendable (FailedOperation) async throws(RepositoryError) -> Changes?
  ) -> Changes {
    Changes(looking: { [begin] in
      var look = begin()
      var isReplaced = false
      return { () async throws(RepositoryError) -> Snapshot? in
        var count = 0
        while true {
          do throws(RepositoryError) {
            return try await look()
          } catch {
            if isReplaced || error.code == .cancelled { throw error }
            count += 1
            let failure = FailedOperation(error, in: .changes, of: Element.self, count: count)
            guard let other = try await answer(failure) else { continue }
            look = other.begin()
            isReplaced = true
          }
        }
      }
    })
  }

  /// Starts to observe, and returns an iterator over the results.
  public func makeAsyncIterator() -> Iterator { Iterator(look: begin()) }

  /// An iterator over the results.
  public struct Iterator: AsyncIteratorProtocol {
    private let look: Look
    private var rows: [[Value]]?
    private var isOver = false

    fileprivate init(look: @escaping Look) {
      self.look = look
    }

    /// Waits for the next distinct result; `nil` if the task is cancelled.
    public mutating func next() async throws(RepositoryError) -> [Element]? {
      do throws(RepositoryError) {
        while !isOver, !Task.isCancelled {
          guard let (elements, rows) = try await look() else { break }
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

extension Repository {
  /// Returns a sequence that fails immediately, by default. A repository that can observe changes implements this method.
  public func changes(_ request: FetchRequest) -> Changes<Element> { Changes() }
}
