// Sections of code whose errors go to the tree.
extension ErrorHandler {
  /// Runs something, and throws at this handler what it throws.
  ///
  /// ```swift
  /// let charizard = await screen.do { try await pokedex.get(6) }
  /// ```
  ///
  /// - Parameters:
  ///   - section: runs as this handler's scope, see ``current``.
  ///   - finally: is called once where the section has thrown, with whether a handler has consumed the error.
  /// - Returns: what the section returns, or nil where it has thrown.
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

  /// Runs something where nothing can wait, and throws at this handler what it throws, in a task of its own.
  @discardableResult
  @_disfavoredOverload  // Where it is possible to wait, the one above is meant, though a section does not suspend.
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

  /// Throws an error from code that can't wait, such as a button's action, in a task of its own.
  ///
  /// Two errors that are thrown so have no order among each other; where that matters, await them.
  ///
  /// - Parameter finally: is called once, with whether a handler has consumed the error.
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
