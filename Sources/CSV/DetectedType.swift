/// The narrowest kind of value that holds every text of a column without losing any of it.
public enum DetectedType: Hashable, Sendable, CaseIterable {
  /// Whole numbers that are `Int64`, written as `Int64` writes them.
  case integer

  /// Numbers that are `Double`.
  case real

  /// Anything else.
  case text
}
