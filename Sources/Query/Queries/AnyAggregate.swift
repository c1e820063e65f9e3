/// An aggregate of many rows: their number, or a function of the values that one key has in them.
///
/// ```swift
/// AnyAggregate.average(key: "weight").description  // average(weight)
/// ```
///
/// Nulls are left out of every aggregate of a key. The semantics of each aggregate are part of the contract, see <doc:Semantics>.
public struct AnyAggregate: Hashable, Sendable {
  /// The functions of aggregates.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    /// The number of rows, or of values that are not null.
    case count
    /// The number of distinct values.
    case countDistinct
    /// The smallest value.
    case min
    /// The largest value.
    case max
    /// The sum of the numbers.
    case sum
    /// The average of the numbers.
    case average
  }

  /// The function to compute.
  public let function: Function
  /// The key whose values are aggregated, which may be any expression; `nil` for the number of rows.
  public let key: AnyExpression?

  /// The query for the rows of a group to aggregate; all by default.
  public let query: AnyQuery

  /// Makes an aggregate; only `count` may lack a key.
  ///
  /// - Parameter query: the rows of a group to aggregate.
  public init(_ function: Function, of key: AnyExpression?, where query: AnyQuery = .true) {
    (self.function, self.key, self.query) = (function, key, query)
  }

  /// Returns the same aggregate of only those rows that match a query.
  ///
  /// ```swift
  /// AnyAggregate.sum(key: "total").where(.equal(key: "paid", value: true)).description  // sum(total where paid = 1)
  /// ```
  public func `where`(_ query: AnyQuery) -> AnyAggregate {
    AnyAggregate(function, of: key, where: self.query == .true ? query : self.query && query)
  }

  /// The number of rows.
  public static let count = AnyAggregate(.count, of: nil)

  /// Returns the aggregate for the number of rows whose value is not null.
  public static func count(key: String) -> AnyAggregate { AnyAggregate(.count, of: .key(key)) }

  /// Returns the aggregate for the number of distinct values, without nulls.
  public static func countDistinct(key: String) -> AnyAggregate { AnyAggregate(.countDistinct, of: .key(key)) }

  /// Returns the aggregate for the smallest value in the total order; null if there is none.
  public static func min(key: String) -> AnyAggregate { AnyAggregate(.min, of: .key(key)) }

  /// Returns the aggregate for the largest value in the total order; null if there is none.
  public static func max(key: String) -> AnyAggregate { AnyAggregate(.max, of: .key(key)) }

  /// Returns the aggregate for the sum of the numbers; 0 if there is none.
  ///
  /// A sum of integers is an integer, or an error if it can't be stored. With a real among the numbers, the sum is the real
  /// that is nearest to the exact sum.
  public static func sum(key: String) -> AnyAggregate { AnyAggregate(.sum, of: .key(key)) }

  /// Returns the aggregate for the real that is nearest to the exact average of the numbers; null if there is none.
  public static func average(key: String) -> AnyAggregate { AnyAggregate(.average, of: .key(key)) }
}

extension AnyAggregate: CustomStringConvertible {
  /// The aggregate as a heading: `count`, `average(weight)`, `count(where weight > 50)`.
  public var description: String {
    let parts = [key.map { $0.plainKey ?? $0.description }, query == .true ? nil : "where \(query)"].compactMap { $0 }
    return function.rawValue + (parts.isEmpty ? "" : parts.joined(separator: " ").inParentheses)
  }
}

extension AnyAggregate {
  /// The expression to aggregate: a key that is null in the rows that do not match, since every aggregate leaves nulls out.
  /// `nil` for the number of all rows.
  var operand: AnyExpression? {
    if query == .true { return key }
    return AnyExpression(
      .conditional(query, then: key ?? AnyExpression(.value(1)), else: AnyExpression(.value(.null))))
  }

  /// Whether the aggregate depends on rows of other tables.
  var needsOtherTables: Bool { key?.needsOtherTables == true || query.needsOtherTables }
}
