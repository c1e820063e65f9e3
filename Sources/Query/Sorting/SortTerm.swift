/// One key of a sort.
public struct SortTerm: Hashable, Sendable {
  /// The ways to go through a key's values.
  public enum Direction: Hashable, Sendable {
    /// From small to great.
    case ascending
    /// From great to small.
    case descending
  }

  /// The key.
  public let key: String
  /// From small to great or the other way round.
  public let direction: Direction
  /// Where rows stand whose key is null.
  public let nulls: NullPlacement

  /// Makes a term.
  public init(key: String, direction: Direction, nulls: NullPlacement) {
    self.key = key
    self.direction = direction
    self.nulls = nulls
  }
}

extension SortTerm {
  /// Compares the keys by their bytes, as tables do when they look for a column.
  public static func == (lhs: SortTerm, rhs: SortTerm) -> Bool {
    Value.text(lhs.key) == .text(rhs.key) && lhs.direction == rhs.direction && lhs.nulls == rhs.nulls
  }
}

extension SortTerm.Direction {
  /// Where nulls stand if nothing is said: null is the least value.
  public var defaultNulls: NullPlacement { self == .ascending ? .first : .last }
}
