/// In which order to give what was found: keys, each ascending or descending, with nulls first or last.
///
/// ```swift
/// let sort = AnySort.descending(key: "weight") + .ascending(key: "name", nulls: .last)
/// sort.description  // weight desc, name nulls last
/// ```
///
/// Every store adds the primary key as the last sort key, so that each result has exactly one order.
public struct AnySort: Hashable, Sendable {
  /// The keys, the most significant first; none asks for the order of the primary key.
  public private(set) var terms: [SortTerm]

  /// Makes a sort of several terms, the most significant first.
  public init(_ terms: [SortTerm]) {
    self.terms = terms
  }

  /// The order of the primary key.
  public static let primaryKey = AnySort([])

  /// From small to great by one key.
  ///
  /// - Parameter nulls: where rows with a null key are sorted; first by default.
  public static func ascending(key: String, nulls: NullPlacement = .first) -> AnySort {
    AnySort([SortTerm(key: key, direction: .ascending, nulls: nulls)])
  }

  /// From great to small by one key.
  ///
  /// - Parameter nulls: where rows with a null key are sorted; last by default.
  public static func descending(key: String, nulls: NullPlacement = .last) -> AnySort {
    AnySort([SortTerm(key: key, direction: .descending, nulls: nulls)])
  }

  /// From small to great by an expression.
  ///
  /// - Parameter nulls: where rows are sorted for which it is null; first by default.
  public static func ascending(_ expression: AnyExpression, nulls: NullPlacement = .first) -> AnySort {
    AnySort([SortTerm(expression, direction: .ascending, nulls: nulls)])
  }

  /// From great to small by an expression.
  ///
  /// - Parameter nulls: where rows are sorted for which it is null; last by default.
  public static func descending(_ expression: AnyExpression, nulls: NullPlacement = .last) -> AnySort {
    AnySort([SortTerm(expression, direction: .descending, nulls: nulls)])
  }

  /// Sorts by the left side, and where that does not decide, by the right.
  ///
  /// It copies both; where many keys are added one by one, `+=` does not.
  public static func + (lhs: AnySort, rhs: AnySort) -> AnySort {
    AnySort(lhs.terms + rhs.terms)
  }

  /// Adds the right side's terms behind those that are there.
  public static func += (lhs: inout AnySort, rhs: AnySort) {
    lhs.terms += rhs.terms
  }

  /// The same as `+`, read as "before": `.descending(key: "weight") > .ascending(key: "name")`.
  ///
  /// Swift gives `>` no associativity: join three and more with `+`.
  public static func > (lhs: AnySort, rhs: AnySort) -> AnySort { lhs + rhs }
}

/// One key of a sort, which may be any expression.
public struct SortTerm: Hashable, Sendable {
  /// The ways to go through a key's values.
  public enum Direction: Hashable, Sendable {
    /// From small to great.
    case ascending
    /// From great to small.
    case descending
  }

  /// The key.
  public let key: AnyExpression
  /// From small to great or the other way round.
  public let direction: Direction
  /// The position of rows whose key is null.
  public let nulls: NullPlacement

  /// Makes a term.
  public init(key: String, direction: Direction, nulls: NullPlacement) {
    self.init(.key(key), direction: direction, nulls: nulls)
  }

  /// Makes a term of an expression.
  public init(_ expression: AnyExpression, direction: Direction, nulls: NullPlacement) {
    key = expression
    self.direction = direction
    self.nulls = nulls
  }
}

extension SortTerm.Direction {
  /// The default position of nulls: null is the least value.
  public var defaultNulls: NullPlacement { self == .ascending ? .first : .last }
}

/// The position of the rows whose key is null in a sort.
public enum NullPlacement: Hashable, Sendable {
  /// Before all other rows.
  case first
  /// After all other rows.
  case last
}
