/// A sort order: the keys by which rows are sorted, each ascending or descending, with nulls first or last.
///
/// ```swift
/// let sort = AnySort.descending(key: "weight") + .ascending(key: "name", nulls: .last)
/// sort.description  // weight desc, name nulls last
/// ```
///
/// Every store adds the primary key as the last sort key, so that each result has exactly one order.
public struct AnySort: Hashable, Sendable {
  /// The keys, the most significant first; empty for the order of the primary key.
  public private(set) var terms: [SortTerm]

  /// The maximum number of different keys of a sort that are no columns of its table: expressions, and paths to other tables.
  ///
  /// A limit of the contract, so that every store refuses the same sorts: a result of PostgreSQL has at most 1,664 entries,
  /// of which the columns of a table take up to 1,600, and each expression of the order one.
  /// https://www.postgresql.org/docs/current/limits.html
  public static let maximumExpressionCount = 64

  /// The maximum number of different keys of a sort, with those of the primary key that follow them: as many as SQLite takes.
  /// https://www.sqlite.org/limits.html#max_column
  public static let maximumTermCount = 2_000

  /// Makes a sort of several terms, the most significant first.
  public init(_ terms: [SortTerm]) {
    self.terms = terms
  }

  /// The order of the primary key.
  public static let primaryKey = AnySort([])

  /// Returns a sort in ascending order of one key.
  ///
  /// - Parameter nulls: the position of rows with a null key; first by default.
  public static func ascending(key: String, nulls: NullPlacement = .first) -> AnySort {
    AnySort([SortTerm(key: key, direction: .ascending, nulls: nulls)])
  }

  /// Returns a sort in descending order of one key.
  ///
  /// - Parameter nulls: the position of rows with a null key; last by default.
  public static func descending(key: String, nulls: NullPlacement = .last) -> AnySort {
    AnySort([SortTerm(key: key, direction: .descending, nulls: nulls)])
  }

  /// Returns a sort in ascending order of an expression.
  ///
  /// - Parameter nulls: the position of rows for which it is null; first by default.
  public static func ascending(_ expression: AnyExpression, nulls: NullPlacement = .first) -> AnySort {
    AnySort([SortTerm(expression, direction: .ascending, nulls: nulls)])
  }

  /// Returns a sort in descending order of an expression.
  ///
  /// - Parameter nulls: the position of rows for which it is null; last by default.
  public static func descending(_ expression: AnyExpression, nulls: NullPlacement = .last) -> AnySort {
    AnySort([SortTerm(expression, direction: .descending, nulls: nulls)])
  }

  /// Returns a sort by the left side, and on a tie by the right.
  ///
  /// It copies both; to add many keys one by one, use `+=`.
  public static func + (lhs: AnySort, rhs: AnySort) -> AnySort {
    AnySort(lhs.terms + rhs.terms)
  }

  /// Appends the terms of the right side.
  public static func += (lhs: inout AnySort, rhs: AnySort) {
    lhs.terms += rhs.terms
  }

  /// Returns the same sort as `+`, read as "before": `.descending(key: "weight") > .ascending(key: "name")`.
  ///
  /// Swift's `>` is not associative: join three or more with `+`.
  public static func > (lhs: AnySort, rhs: AnySort) -> AnySort { lhs + rhs }
}

/// A key of a sort, which may be any expression, with its direction and the position of nulls.
public struct SortTerm: Hashable, Sendable {
  /// The direction of a sort key.
  public enum Direction: Hashable, Sendable {
    /// Ascending order: the smallest value first.
    case ascending
    /// Descending order: the largest value first.
    case descending
  }

  /// The key.
  public let key: AnyExpression
  /// The direction of the key.
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
  /// The default position of nulls: null is the smallest value.
  public var defaultNulls: NullPlacement { self == .ascending ? .first : .last }
}

/// The position of rows with a null key in a sort.
public enum NullPlacement: Hashable, Sendable {
  /// Before all other rows.
  case first
  /// After all other rows.
  case last
}
