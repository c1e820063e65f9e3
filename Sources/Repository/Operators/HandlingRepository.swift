public import Query

/// A repository whose failures a policy handles: the result of all operators.
///
/// A successful operation makes no closure and passes no check. If the compiler sees the whole chain, five operators cost
/// next to nothing, which is why all of this is inlinable; within an ``AnyRepository`` each costs about 30 ns, as much as
/// any call that may suspend.
///
/// One type serves all operators, so that the requirements of ``Repository`` are forwarded only here, including those with
/// defaults.
@usableFromInline
struct HandlingRepository<Base: Repository>: Repository {
  @usableFromInline typealias Element = Base.Element
  @usableFromInline let base: Base
  @usableFromInline let handler: FailureHandler<Element>

  @usableFromInline
  init(_ base: Base, _ handler: FailureHandler<Element>) {
    self.base = base
    self.handler = handler
  }

  @inlinable
  func find(_ id: Element.ID) async throws(RepositoryError) -> Element? {
    do {
      return try await base.find(id)
    } catch {
      return try await recover(.find, from: error) { other throws(RepositoryError) in try await other.find(id) }
    }
  }

  @inlinable
  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    do {
      return try await base.findAll(request)
    } catch {
      return try await recover(.findAll, from: error) { other throws(RepositoryError) in
        try await other.findAll(request)
      }
    }
  }

  @inlinable
  func findAllReadable(_ request: FetchRequest) async throws(RepositoryError) -> PartialResult<Element> {
    do {
      return try await base.findAllReadable(request)
    } catch {
      return try await recover(.findAll, from: error) { other throws(RepositoryError) in
        try await other.findAllReadable(request)
      }
    }
  }

  @inlinable
  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    do {
      return try await base.count(query)
    } catch {
      return try await recover(.count, from: error) { other throws(RepositoryError) in try await other.count(query) }
    }
  }

  @inlinable
  func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    do {
      return try await base.aggregate(request)
    } catch {
      return try await recover(.aggregates, from: error) { other throws(RepositoryError) in
        try await other.aggregate(request)
      }
    }
  }

  @inlinable
  func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    do {
      return try await base.findRows(request)
    } catch {
      return try await recover(.findRows, from: error) { other throws(RepositoryError) in
        try await other.findRows(request)
      }
    }
  }

  @inlinable
  func save(_ elements: [Element]) async throws(RepositoryError) {
    do {
      try await base.save(elements)
    } catch {
      try await recover(.save, from: error) { other throws(RepositoryError) in try await other.save(elements) }
    }
  }

  @inlinable
  func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int {
    do {
      return try await base.delete(ids)
    } catch {
      return try await recover(.delete, from: error) { other throws(RepositoryError) in try await other.delete(ids) }
    }
  }

  @usableFromInline
  func changes(_ request: FetchRequest) -> Changes<Element> {
    base.changes(request).answering { [handler] failure throws(RepositoryError) in
      switch try await handler.answer(failure) {
      case .retry: nil
      case .fallback(let other): other.changes(request)
      }
    }
  }

  @inlinable
  func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    do {
      return try await base.insert(elements)
    } catch {
      return try await recover(.insert, from: error) { other throws(RepositoryError) in
        try await other.insert(elements)
      }
    }
  }

  @inlinable
  func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    do {
      return try await base.update(where: query, set: assignments)
    } catch {
      return try await recover(.update, from: error) { other throws(RepositoryError) in
        try await other.update(where: query, set: assignments)
      }
    }
  }

  @inlinable
  func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    do {
      return try await base.delete(where: query)
    } catch {
      return try await recover(.deleteByQuery, from: error) { other throws(RepositoryError) in
        try await other.delete(where: query)
      }
    }
  }

  @inlinable
  func insert(_ elements: [Element], onConflict rule: ConflictRule) async throws(RepositoryError) -> [Element] {
    do {
      return try await base.insert(elements, onConflict: rule)
    } catch {
      return try await recover(.insert, from: error) { other throws(RepositoryError) in
        try await other.insert(elements, onConflict: rule)
      }
    }
  }

  @inlinable
  func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) async throws(RepositoryError) -> [Element] {
    do {
      return try await base.updateReturning(where: query, set: assignments)
    } catch {
      return try await recover(.update, from: error) { other throws(RepositoryError) in
        try await other.updateReturning(where: query, set: assignments)
      }
    }
  }

  @inlinable
  func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Element] {
    do {
      return try await base.deleteReturning(where: query)
    } catch {
      return try await recover(.deleteByQuery, from: error) { other throws(RepositoryError) in
        try await other.deleteReturning(where: query)
      }
    }
  }

  // A write of a sequence is not repeated after an element was pulled.
  @usableFromInline
  func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>, progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    // Two repositories get the source, one after the other: the first one has failed and no longer uses it.
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

  /// Asks the policy until an operation succeeds, or until an error passes. Not inlined, so that its callers stay small.
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
      let answer = try await handler.answer(failure)
      guard failure.isRepeatable else { throw error }
      switch answer {
      case .fallback(let other): return try await perform(other)
      case .retry:
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
