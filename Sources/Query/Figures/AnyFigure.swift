/// What to work out of many rows: how many there are, or a figure of the values that one key has in them.
///
/// ```swift
/// AnyFigure.average(key: "weight").description  // average(weight)
/// ```
///
/// Nulls are left out of every figure of a key. What each figure means is part of the contract, see <doc:Semantics>.
public struct AnyFigure: Hashable, Sendable {
  /// The figures that there are.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    /// How many rows there are, or how many have a value.
    case count
    /// The least value.
    case min
    /// The greatest value.
    case max
    /// The sum of the numbers.
    case sum
    /// The average of the numbers.
    case average
  }

  /// What is worked out.
  public let function: Function
  /// The key of whose values; `nil` for the number of rows.
  public let key: String?

  /// How many rows there are.
  public static let count = AnyFigure(function: .count, key: nil)

  /// How many rows have a value that is not null.
  public static func count(key: String) -> AnyFigure { AnyFigure(function: .count, key: key) }

  /// The least value in the total order; null where there is none.
  public static func min(key: String) -> AnyFigure { AnyFigure(function: .min, key: key) }

  /// The greatest value in the total order; null where there is none.
  public static func max(key: String) -> AnyFigure { AnyFigure(function: .max, key: key) }

  /// The sum of the numbers; 0 where there is none.
  ///
  /// A sum of integers is an integer, or an error where it is none that can be stored. As soon as there is a real among
  /// them, it is the real that is nearest to the exact sum.
  public static func sum(key: String) -> AnyFigure { AnyFigure(function: .sum, key: key) }

  /// The real that is nearest to the exact average of the numbers; null where there is none.
  public static func average(key: String) -> AnyFigure { AnyFigure(function: .average, key: key) }
}

extension AnyFigure {
  /// Compares the keys by their bytes, as tables do when they look for a column.
  public static func == (lhs: AnyFigure, rhs: AnyFigure) -> Bool {
    lhs.function == rhs.function && lhs.key.map(Value.text) == rhs.key.map(Value.text)
  }
}

extension AnyFigure: CustomStringConvertible {
  /// The figure as a heading: `count`, `average(weight)`.
  public var description: String { function.rawValue + (key.map { "(\($0))" } ?? "") }
}
