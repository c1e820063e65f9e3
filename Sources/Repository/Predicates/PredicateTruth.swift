import Query

/// A `Bool` of a predicate, or a `Bool?`, which optional chains make: `$0.nick?.contains("a")`.
struct PredicateTruth {
  /// Where it is true.
  let holds: AnyQuery
  /// Where it is `nil`; it is never both.
  let isNil: AnyQuery

  init(_ holds: AnyQuery, isNil: AnyQuery = .false) {
    self.holds = holds
    self.isNil = isNil
  }

  /// Makes a truth that is the same for every row.
  init(_ constant: Bool?) {
    self.init(.constant(constant == true), isNil: .constant(constant == nil))
  }

  /// Where it is false.
  private var fails: AnyQuery { .both(.opposite(isNil), .opposite(holds)) }

  /// Where it is the same as another.
  func isEqual(to other: PredicateTruth) -> AnyQuery {
    .either(.either(.both(isNil, other.isNil), .both(holds, other.holds)), .both(fails, other.fails))
  }

  /// Makes the truth `lhs ?? rhs`.
  static func ?? (lhs: PredicateTruth, rhs: PredicateTruth) -> PredicateTruth {
    PredicateTruth(.either(lhs.holds, .both(lhs.isNil, rhs.holds)), isNil: .both(lhs.isNil, rhs.isNil))
  }
}
