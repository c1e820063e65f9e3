// Reporting without holding a handler.
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

  /// Runs something as this handler's scope: ``current`` is this handler there. What it throws, this throws.
  @discardableResult
  public func asCurrent<Result, Failure: Error>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    // `withValue` rethrows any error, so the type of the error goes around it.
    let result = await Self.$scoped.withValue(self) { await Swift.Result<Result, Failure>(running: body) }
    return try result.get()
  }

  /// Runs something that does not suspend as this handler's scope.
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
