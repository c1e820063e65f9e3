public import Query

/// A part of a sorted result, and the ways to the parts before and after it.
public struct Page<Element: Storable>: Sendable {
  /// The elements of the page, in order.
  public let elements: [Element]
  /// Where the next page begins: pass it as `after`. `nil` where this is the last one.
  public let next: Cursor?
  /// Where the page before ends: pass it as `before`. `nil` where this is known to be the first one.
  public let previous: Cursor?
}
