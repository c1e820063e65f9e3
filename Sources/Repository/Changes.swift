public import Query

/// The result of a request, and each new one from then on.
///
/// ```swift
/// for try await heavy in pokedex.changes(where: { $0.weight > 90 }) {
///   print(heavy.map(\.name))
/// }
/// ```
///
/// The first result comes at once, the others whenever a write by any task or program has changed it. A slow consumer gets
/// the latest result next, not each one in between. It ends when its task is cancelled, or with an error.
public struct Changes<Element: Storable>: AsyncSequence, Sendable {
  /// The error with which it ends, if it does so before its task is cancelled.
  public typealias Failure = RepositoryError

  /// A result, and the rows by which it is compared with the one before.
  package typealias Snapshot = (elements: [Element], rows: [[Value]])

  /// Waits until there may be a new result, and looks; the first time it looks at once. `nil` where the task is
  /// cancelled. After an error the next call looks again at once.
  package typealias Look = () async throws(RepositoryError) -> Snapshot?

  /// Begins to observe.
  private let begin: @Sendable () -> Look

  /// Makes the results of a request.
  ///
  /// - Parameters:
  ///   - signal: tells when there may be a new one.
  ///   - fetch: finds the current one, and tells of which tables a change may change it.
  package init(
    _ signal: ChangeSignal,
    fetch: @escaping @Sendable () async throws(RepositoryError) -> (Snapshot, of: TableSet)
  ) {
    self.init(looking: {
      let observer = StoreObserver(of: signal)
      return { () async throws(RepositoryError) -> Snapshot? in try await observer.next(fetch) }
    })
  }

  /// Makes a sequence that fails at once, for repositories that can't tell when they change.
  init() {
    self.init(looking: {
      { () async throws(RepositoryError) -> Snapshot? in
        throw RepositoryError(
          .unsupported, "this repository can't tell when its elements change",
          suggestion: "ask it again from time to time")
      }
    })
  }

  /// Makes the results that are told to the sequence, rather than looked for after a signal.
  ///
  /// - Parameter begin: begins to observe, and gives what waits for the next result.
  package init(looking begin: @escaping @Sendable () -> Look) {
    self.begin = begin
  }

  /// Asks what is done where a look fails.
  ///
  /// - Parameter answer: gives another sequence to go on with, or nil to look again; throws to let an error pass.
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

  /// Begins to observe.
  public func makeAsyncIterator() -> Iterator { Iterator(look: begin()) }

  /// Gives one result after another.
  public struct Iterator: AsyncIteratorProtocol {
    private let look: Look
    private var rows: [[Value]]?
    private var isOver = false

    fileprivate init(look: @escaping Look) {
      self.look = look
    }

    /// Waits for the next result that differs; `nil` where the task is cancelled.
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
  /// Observes the elements that match a query.
  ///
  /// - Parameters:
  ///   - query: what to find; everything by default.
  ///   - sort: in which order; by primary key by default.
  ///   - limit: at most how many; all by default.
  @_disfavoredOverload
  public func changes(
    where query: AnyQuery = .true, sortedBy sort: AnySort = .primaryKey, limit: Int? = nil
  ) -> Changes<Element> {
    changes(FetchRequest(query, sortedBy: sort, limit: limit))
  }
}

extension Repository where Element: Entity {
  /// Observes the elements that match a query closure.
  public func changes(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey, limit: Int? = nil
  ) -> Changes<Element> {
    changes(.typed(query, sort, limit: limit))
  }

  /// Observes the elements that match a query closure, from small to great by a property.
  public func changes(
    where query: (Fields<Element>) -> AnyQuery, sortedBy path: any KeyPath<Element, some ValueConvertible> & Sendable,
    limit: Int? = nil
  ) -> Changes<Element> {
    changes(.typed(query, .ascending(path), limit: limit))
  }

  /// Observes the elements that match a query, in the order of properties.
  public func changes(
    where query: AnyQuery = .true, sortedBy sort: Sort<Element>, limit: Int? = nil
  ) -> Changes<Element> {
    changes(.typed({ _ in query }, sort, limit: limit))
  }

  /// Observes the elements that match a query, from small to great by a property.
  public func changes(
    where query: AnyQuery = .true, sortedBy path: any KeyPath<Element, some ValueConvertible> & Sendable,
    limit: Int? = nil
  ) -> Changes<Element> {
    changes(.typed({ _ in query }, .ascending(path), limit: limit))
  }
}

extension Repository {
  /// Observes nothing: the sequence fails at once. A repository that can tell when its elements change says so itself.
  public func changes(_ request: FetchRequest) -> Changes<Element> { Changes() }
}
