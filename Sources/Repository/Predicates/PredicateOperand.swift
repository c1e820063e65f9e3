#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query

/// One side of a comparison: a column or a value, or with `??` several of them, of which the first that is not null counts.
struct PredicateOperand {
  private(set) var candidates: [Operand<AnyExpression>]

  init(_ operand: Operand<AnyExpression>) {
    candidates = [operand]
  }

  /// The column or the value, if there is only one.
  var only: Operand<AnyExpression>? { candidates.count == 1 ? candidates[0] : nil }

  /// Makes the operand `lhs ?? rhs`.
  static func ?? (lhs: PredicateOperand, rhs: PredicateOperand) -> PredicateOperand {
    var joined = lhs
    joined.candidates += rhs.candidates
    return joined
  }

  /// Applies a question to the operand.
  ///
  /// `nick ?? name` is the nick if there is one, otherwise the name: the question is applied to the first if the nick is
  /// not null, and to the second if it is. Usually the result for null follows from the question itself, and need not be
  /// stated.
  func asking(_ question: (Operand<AnyExpression>) throws(QueryError) -> AnyQuery) throws(QueryError) -> AnyQuery {
    var answer: AnyQuery?
    for candidate in candidates.reversed() {
      let asked = try question(candidate)
      guard let rest = answer else {
        answer = asked
        continue
      }
      switch candidate {
      case .value(let value):
        if !value.isNull { answer = asked }
      case .key(let key):
        let forNull = try question(.value(.null))
        if forNull == rest {
          answer = asked
        } else if forNull.constant == false {
          answer = .either(asked, .both(.isNull(key), rest))
        } else {
          answer = .either(.both(.isNotNull(key), asked), .both(.isNull(key), rest))
        }
      }
    }
    return answer ?? .false
  }

  /// Returns the query for the rows in which the comparison of the operand with another holds.
  func compared(by comparisonOperator: ComparisonOperator, with other: PredicateOperand) throws(QueryError) -> AnyQuery
  {
    try asking { lhs throws(QueryError) in
      try other.asking { rhs throws(QueryError) in .compare(lhs, comparisonOperator, rhs) }
    }
  }

  /// Returns whether both are the same columns and values.
  func isSame(as other: PredicateOperand) -> Bool {
    candidates.elementsEqual(other.candidates) { lhs, rhs in
      switch (lhs, rhs) {
      case (.value(let lhs), .value(let rhs)): lhs == rhs
      case (.key(let lhs), .key(let rhs)): lhs == rhs
      default: false
      }
    }
  }

  /// The query for the rows in which the operand is null.
  var isNull: AnyQuery {
    get throws(QueryError) { try compared(by: .equal, with: PredicateOperand(.value(.null))) }
  }
}

/// The comparison of the values in a range with one of its bounds.
struct PredicateLimit {
  let `operator`: ComparisonOperator
  let bound: PredicateOperand

  init(_ comparisonOperator: ComparisonOperator, _ bound: PredicateOperand) {
    self.operator = comparisonOperator
    self.bound = bound
  }

  fileprivate init(_ comparisonOperator: ComparisonOperator, captured: some Comparable) throws(QueryError) {
    self.init(comparisonOperator, PredicateOperand(.value(try Value(storing: captured))))
  }
}

/// A captured range of one of Swift's own types.
protocol CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit]
}

extension Range: CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit] {
    [
      try PredicateLimit(.greaterThanOrEqual, captured: lowerBound),
      try PredicateLimit(.lessThan, captured: upperBound),
    ]
  }
}

extension ClosedRange: CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit] {
    [
      try PredicateLimit(.greaterThanOrEqual, captured: lowerBound),
      try PredicateLimit(.lessThanOrEqual, captured: upperBound),
    ]
  }
}

extension PartialRangeFrom: CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit] {
    [try PredicateLimit(.greaterThanOrEqual, captured: lowerBound)]
  }
}

extension PartialRangeThrough: CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit] {
    [try PredicateLimit(.lessThanOrEqual, captured: upperBound)]
  }
}

extension PartialRangeUpTo: CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit] {
    [try PredicateLimit(.lessThan, captured: upperBound)]
  }
}

extension Value {
  /// Makes the value that stores a captured value, whose type is only known at run time.
  ///
  /// - Throws: `QueryError` for a type that no column holds, and for a value that can't be stored, such as NaN.
  init<Captured>(storing captured: Captured) throws(QueryError) {
    guard let type = Captured.self as? any ValueConvertible.Type else { throw .unstorable(Captured.self) }
    self = try Self.value(of: captured, as: type)
  }

  private static func value<Convertible: ValueConvertible>(
    of captured: Any, as type: Convertible.Type
  ) throws(QueryError) -> Value {
    guard let captured = captured as? Convertible else { throw .unstorable(type) }
    do throws(ValueError) {
      return try captured.makeValue()
    } catch {
      throw .unstorable(error)
    }
  }
}

/// A test of whether a store orders the values of a type as Swift does.
///
/// A store compares stored values: an enum over texts by those texts, whatever its `<` returns.
enum StoredOrder {
  /// Returns whether a type's `<` is known to be the order of its stored values. Texts count as ordered in that way.
  static func isKept(by type: Any.Type) -> Bool {
    switch type {
    case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type, is any StringProtocol.Type, is Character.Type,
      is Date.Type, is UUID.Type, is Decimal.Type:
      true
    case let type as any (CaseIterable & Comparable & ValueConvertible).Type:
      isKept(byCasesOf: type)
    default:
      false
    }
  }

  private static func isKept<Cases: CaseIterable & Comparable & ValueConvertible>(byCasesOf type: Cases.Type) -> Bool {
    let cases = type.allCases.sorted()
    guard let values = try? cases.map({ try $0.makeValue() }) else { return false }
    for (lower, upper) in zip(cases.indices, cases.indices.dropFirst()) {
      let isKept = cases[lower] < cases[upper] ? values[lower] < values[upper] : values[lower] == values[upper]
      if !isKept { return false }
    }
    return true
  }
}
