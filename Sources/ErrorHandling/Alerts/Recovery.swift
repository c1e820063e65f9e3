/// A way out of an error that somebody can be offered.
///
/// ```swift
/// let recovery = Recovery("Release All", isDestructive: true) { try await releaseAll() }
/// ```
public struct Recovery: Sendable {
  /// What it does, as the title of a button: a verb, such as "Try Again".
  public let name: String
  /// Whether it does something that can't be undone. Then it is never what happens by default.
  public let isDestructive: Bool
  /// Does it.
  public let perform: @Sendable () async throws -> Void

  /// Makes a recovery.
  public init(_ name: String, isDestructive: Bool = false, _ perform: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.isDestructive = isDestructive
    self.perform = perform
  }
}
