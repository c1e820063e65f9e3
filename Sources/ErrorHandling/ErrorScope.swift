import Synchronization

// Sections of code whose errors are thrown at the tree.
extension ErrorHandler {
  /// Runs a closure, and passes the error that it throws to this handler.
  ///
  /// ```swift
  /// let charizard = await screen.do { try await pokedex.get(6) }
  /// ```
  ///
  /// - Parameters:
  ///   - section: the closure, which runs as this handler's scope, see ``current``.
  ///   - finally: called once if the section has thrown, with whether a handler has consumed the error.
  /// - Returns: the result of the section, or `nil` if it has thrown.
  @discardableResult
  public func `do`<Result>(
    _ section: () async throws -> Result, finally: (_ isHandled: Bool) async -> Void = { _ in }
  ) async -> Result? {
    do {
      return try await asCurrent(section)
    } catch {
      await `throw`(error, finally: finally)
      return nil
    }
  }

  /// Runs a synchronous closure, and passes its error to this handler in a new task, for callers that can't wait.
  @discardableResult
  @_disfavoredOverload  // Where it is possible to wait, the form above is selected, even if a section does not suspend.
  public func `do`<Result>(
    _ section: () throws -> Result, finally: @escaping @Sendable (_ isHandled: Bool) async -> Void = { _ in }
  ) -> Result? {
    do {
      return try asCurrent(section)
    } catch {
      `throw`(error, finally: finally)
      return nil
    }
  }

  /// Throws an error from code that can't wait, such as a button's action, in a new task.
  ///
  /// Two errors that are thrown in this way are not ordered; if their order matters, await the asynchronous form.
  ///
  /// - Parameter finally: called once, with whether a handler has consumed the error.
  /// - Returns: the task, whose value is whether a handler has consumed the error.
  @discardableResult
  public func `throw`(
    _ error: any Error, finally: @escaping @Sendable (_ isHandled: Bool) async -> Void = { _ in }
  ) -> Task<Bool, Never> {
    Task {
      let isHandled = await self.throw(error)
      await finally(isHandled)
      return isHandled
    }
  }
}

// Reporting without a reference to a handler.
extension ErrorHandler {
  @TaskLocal private static var scoped: ErrorHandler?

  /// The handler of the scope that this code runs in, if there is one.
  ///
  /// ```swift
  /// await ErrorHandler.current?.throw(error)
  /// ```
  ///
  /// It is a task-local value: child tasks inherit it, and `Task { … }` does, but not `Task.detached`.
  public static var current: ErrorHandler? { scoped }

  /// Runs a closure as this handler's scope: ``current`` is this handler there.
  @discardableResult
  public func asCurrent<Result, Failure: Error>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    // `withValue` rethrows any error, so the typed error is passed around it as a result.
    let result = await Self.$scoped.withValue(self) { await Swift.Result<Result, Failure>(running: body) }
    return try result.get()
  }

  /// Runs a synchronous closure as this handler's scope.
  @discardableResult
  public func asCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let result = Self.$scoped.withValue(self) { Swift.Result<Result, Failure>(catching: body) }
    return try result.get()
  }
}

extension Result where Success: ~Copyable {
  fileprivate init(running body: () async throws(Failure) -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}

/// The nesting of handlings: that of the current task, within those whose handlers are still running.
struct Nesting: Sendable {
  @TaskLocal static var current: Nesting?

  /// Whether a handling is over.
  private final class State: Sendable {
    let isOver = Atomic(false)
  }

  /// The number of deep handlings within an outermost handling, which all of them share.
  private final class Total: Sendable {
    let count = Atomic(0)
  }

  /// The depth from which handlings are counted, and the maximum count: if two logs fail and report each other's failures, the
  /// number of handlings doubles with each level. The actions of a user in a recovery, however long, are less deep.
  private static let (deep, mostDeep) = (4, 1_000)

  /// The handlings that were not over when this one began, and this one.
  private let states: [State]
  private let total: Total

  /// Begins to handle an error, unless the depth is exceeded.
  ///
  /// A task that a handler starts without awaiting it inherits the nesting. The task may live for as long as the program, and
  /// start others like itself, so completed handlings do not count, and are not retained.
  init?(below current: Nesting?) {
    let outer = (current?.states ?? []).filter { !$0.isOver.load(ordering: .relaxed) }
    if outer.count >= ErrorHandler.maximumDepth { return nil }
    total = outer.isEmpty ? Total() : current?.total ?? Total()
    if outer.count >= Self.deep, total.count.add(1, ordering: .relaxed).newValue > Self.mostDeep { return nil }
    states = outer + [State()]
  }

  func end() { states.last?.isOver.store(true, ordering: .relaxed) }
}
