/// What to work out of many rows: how many there are, or an aggregate of the values that one key has in them.
///
/// ```swift
/// AnyAggregate.average(key: "weight").description  // average(weight)
/// ```
///
/// Nulls are left out of every aggregate of a key. What each aggregate means is part of the contract, see <doc:Semantics>.
public struct AnyAggregate: Hashable, Sendable {
  /// The aggregates that there are.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    /// How many rows there are, or how many have a value.
    case count
    /// How many different values there are.
    case countDistinct
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
  /// The key of whose values, which may be any expression; `nil` for the number of rows.
  public let key: AnyExpression?

  /// Of which rows of a group; of all by default.
  public let query: AnyQuery

  /// Makes an aggregate; `count` alone needs no key.
  ///
  /// - Parameter query: of which rows of a group.
  public init(_ function: Function, of key: AnyExpression?, where query: AnyQuery = .true) {
    (self.function, self.key, self.query) = (function, key, query)
  }

  /// The same aggregate of those of its rows alone that a query means.
  ///
  /// ```swift
  /// AnyAggregate.sum(key: "total").where(.equal(key: "paid", value: true)).description  // sum(total where paid = 1)
  /// ```
  public func `where`(_ query: AnyQuery) -> AnyAggregate {
    AnyAggregate(function, of: key, where: self.query == .true ? query : self.query && query)
  }

  /// How many rows there are.
  public static let count = AnyAggregate(.count, of: nil)

  /// How many rows have a value that is not null.
  public static func count(key: String) -> AnyAggregate { AnyAggregate(.count, of: .key(key)) }

  /// How many different values there are, nulls left out.
  public static func countDistinct(key: String) -> AnyAggregate { AnyAggregate(.countDistinct, of: .key(key)) }

  /// The least value in the total order; null where there is none.
  public static func min(key: String) -> AnyAggregate { AnyAggregate(.min, of: .key(key)) }

  /// The greatest value in the total order; null where there is none.
  public static func max(key: String) -> AnyAggregate { AnyAggregate(.max, of: .key(key)) }

  /// The sum of the numbers; 0 where there is none.
  ///
  /// A sum of integers is an integer, or an error where it is none that can be stored. As soon as there is a real among
  /// them, it is the real that is nearest to the exact sum.
  public static func sum(key: String) -> AnyAggregate { AnyAggregate(.sum, of: .key(key)) }

  /// The real that is nearest to the exact average of the numbers; null where there is none.
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
  /// What the aggregate is worked out of: a key that is null in the rows that are not meant, since every aggregate leaves
  /// nulls out. `nil` for the number of all rows.
  var operand: AnyExpression? {
    if query == .true { return key }
    return AnyExpression(
      .conditional(query, then: key ?? AnyExpression(.value(1)), else: AnyExpression(.value(.null))))
  }

  /// Whether rows of other tables decide about the aggregate.
  var needsOtherTables: Bool { key?.needsOtherTables == true || query.needsOtherTables }
}
