/// A place in a tree of error handlers, which asks the root first.
///
/// An error that is thrown at a handler rises to the root, past all handlers in between. From there it descends the same
/// way, and each handler may consume it, let it pass, or replace it for those below. So what concerns the whole program is
/// handled in one place, and what is left comes down to the flow and the screen that know more.
///
/// ```swift
/// let root = ErrorHandler()
///   .listen { error in log("\(error)") }
///   .catch(SessionError.expired) { _ in await restart() }
/// let flow = root.catch(TrainerError.self) { error in await show(error) }
/// let screen = flow.catch { error in await showPlainly(error) }
///
/// await screen.throw(SessionError.expired)  // the root's: neither flow nor screen hear of it
/// ```
///
/// A handler never changes: `catch`, `listen` and `replace` give a new one below it. It holds the one above it, and none
/// holds those below, so that a screen goes when its owner lets it go. The forms with `for:` hold their owner weakly.
///
/// Any number of tasks may throw at one tree at once. Within one error the order is fixed: root first, each handler is
/// awaited before the next, and `finally` comes last, once. Handlers run where the thrower runs, unless they say
/// otherwise, as `{ @MainActor error in … }` does.
public final class ErrorHandler: Sendable {
  /// Consumes an error by returning. By throwing, it lets the error pass, or passes another one in its place.
  public typealias Action = @Sendable (any Error) async throws -> Void

  private let parent: ErrorHandler?
  private let action: Action
  /// Only the root has one.
  private let unhandled: (@Sendable (any Error) async -> Void)?

  /// Makes a root.
  ///
  /// - Parameter unhandled: hears of each error that no handler has consumed, as it came out below. This is the place for
  ///   a last word, since the root itself is asked before the others.
  public init(unhandled: (@Sendable (any Error) async -> Void)? = nil) {
    parent = nil
    action = { throw $0 }
    self.unhandled = unhandled
  }

  private init(parent: ErrorHandler, _ action: @escaping Action) {
    self.parent = parent
    self.action = action
    unhandled = nil
  }

  /// A handler below this one, for every error that comes down to it.
  ///
  /// - Parameter action: consumes the error by returning; throws it to let it pass, or throws another one, which the
  ///   handlers below see in its place.
  public func `catch`(_ action: @escaping Action) -> ErrorHandler { ErrorHandler(parent: self, action) }

  /// Hands an error to the root, and from there down to this handler, until one consumes it.
  ///
  /// The handlers that are asked are those above this one when it is called; they stay alive until it returns. A cancelled
  /// task's errors are handled, too.
  ///
  /// A handler may throw other errors at the tree meanwhile. Where that goes on within itself, such as a log that can't be
  /// written and logs it, no handler is asked beyond ``maximumDepth``.
  ///
  /// - Returns: whether a handler has consumed it.
  @discardableResult
  public func `throw`(_ error: any Error) async -> Bool {
    guard let nesting = Nesting(below: Nesting.current) else { return false }
    defer { nesting.end() }
    return await Nesting.$current.withValue(nesting) { await descend(with: error) }
  }

  /// Hands an error to the root, and from there down to this handler; afterwards tells what came of it.
  ///
  /// - Parameter finally: is called once, with whether a handler has consumed the error.
  public func `throw`(_ error: any Error, finally: (_ isHandled: Bool) async -> Void) async {
    await finally(await `throw`(error))
  }

  /// How many errors are handled within each other.
  public static let maximumDepth = 32

  private func descend(with error: any Error) async -> Bool {
    let path = path
    var error = error
    for handler in path {
      do {
        try await handler.action(error)
        return true
      } catch let passed {
        error = passed
      }
    }
    await path[0].unhandled?(error)
    return false
  }

  /// The handlers from the root to this one.
  private var path: [ErrorHandler] {
    var path = [self]
    while let parent = path[path.count - 1].parent { path.append(parent) }
    path.reverse()
    return path
  }
}
