public import Query

/// A repository whose failures a policy answers: what all operators give.
///
/// What succeeds passes through as it is: no closure is made and nothing is looked at. Where the compiler sees the
/// whole chain, five operators cost next to nothing, which is why all of this is inlinable; behind an ``AnyRepository``
/// each costs about 30 ns, as much as any call that may suspend.
///
/// It is one type for all of them, so that this is the only place where the requirements of ``Repository`` are
/// forwarded, those with defaults too.
public struct HandlingRepository<Base: Repository, Policy: FailurePolicy<Base.Element>>: Repository {
  /// What is found and saved.
  public typealias Element = Base.Element

  @usableFromInline let base: Base
  @usableFromInline let policy: Policy

  init(_ base: Base, _ policy: Policy) {
    self.base = base
    self.policy = policy
  }

  /// Finds the element with a key.
  @inlinable
  public func find(_ id: Element.ID) async throws(RepositoryError) -> Element? {
    do {
      return try await base.find(id)
    } catch {
      return try await recover(.find, from: error) { other throws(RepositoryError) in try await other.find(id) }
    }
  }

  /// Finds all elements that a request means, in its order.
  @inlinable
  public func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    do {
      return try await base.findAll(request)
    } catch {
      return try await recover(.findAll, from: error) { other throws(RepositoryError) in
        try await other.findAll(request)
      }
    }
  }

  /// Counts the elements that a query means.
  @inlinable
  public func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    do {
      return try await base.count(query)
    } catch {
      return try await recover(.count, from: error) { other throws(RepositoryError) in try await other.count(query) }
    }
  }

  /// Works out aggregates of the elements that a query means.
  @inlinable
  public func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    do {
      return try await base.aggregate(request)
    } catch {
      return try await recover(.aggregates, from: error) { other throws(RepositoryError) in
        try await other.aggregate(request)
      }
    }
  }

  /// Saves elements, all or none.
  @inlinable
  public func save(_ elements: [Element]) async throws(RepositoryError) {
    do {
      try await base.save(elements)
    } catch {
      try await recover(.save, from: error) { other throws(RepositoryError) in try await other.save(elements) }
    }
  }

  /// Deletes the elements with the given keys, all or none.
  @discardableResult
  @inlinable
  public func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int {
    do {
      return try await base.delete(ids)
    } catch {
      return try await recover(.delete, from: error) { other throws(RepositoryError) in try await other.delete(ids) }
    }
  }

  /// Observes the elements that a request means. The policy answers looks that fail.
  public func changes(_ request: FetchRequest) -> Changes<Element> {
    base.changes(request).answering { [policy] failure throws(RepositoryError) in
      switch try await policy.answer(to: failure) {
      case .again: nil
      case .instead(let other): other.changes(request)
      }
    }
  }

  /// Inserts elements, all or none.
  @discardableResult
  @inlinable
  public func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    do {
      return try await base.insert(elements)
    } catch {
      return try await recover(.insert, from: error) { other throws(RepositoryError) in
        try await other.insert(elements)
      }
    }
  }

  /// Sets columns of all elements that a query means, all or none.
  @discardableResult
  @inlinable
  public func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    do {
      return try await base.update(where: query, set: assignments)
    } catch {
      return try await recover(.update, from: error) { other throws(RepositoryError) in
        try await other.update(where: query, set: assignments)
      }
    }
  }

  /// Deletes all elements that a query means, all or none.
  @discardableResult
  @inlinable
  public func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    do {
      return try await base.delete(where: query)
    } catch {
      return try await recover(.deleteByQuery, from: error) { other throws(RepositoryError) in
        try await other.delete(where: query)
      }
    }
  }

  /// Writes elements as they come. It is not done once more after one of them was taken.
  @discardableResult
  public func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>, progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    // Two repositories get it, one after the other: the first one has failed and does nothing with it any more.
    nonisolated(unsafe) let elements = elements
    do {
      return try await base.write(mode, from: elements, progress: progress)
    } catch {
      return try await recover(.write, from: error, isUntouched: { elements.isUntouched }) {
        other throws(RepositoryError) in
        try await other.write(mode, from: elements, progress: progress)
      }
    }
  }

  /// Asks the policy until an operation succeeds, or until an error passes. Apart from the others, so that those stay
  /// small.
  @usableFromInline
  func recover<Result>(
    _ operation: RepositoryOperation, from error: RepositoryError, isUntouched: () -> Bool = { true },
    _ perform: (any Repository<Element>) async throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    var error = error
    var count = 1
    while true {
      let failure = FailedOperation(
        error, in: operation, of: Element.self, count: count, isUntouched: isUntouched())
      let answer = try await policy.answer(to: failure)
      guard failure.isRepeatable else { throw error }
      switch answer {
      case .instead(let other): return try await perform(other)
      case .again:
        do {
          return try await perform(base)
        } catch let next {
          error = next
          count += 1
        }
      }
    }
  }
}
