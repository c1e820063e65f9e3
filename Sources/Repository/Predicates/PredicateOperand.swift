import Query

/// One side of a comparison: a column or a value, or with `??` several of them, of which the first that is not null
/// counts.
struct PredicateOperand {
  private var candidates: [Operand<String>]

  init(_ operand: Operand<String>) {
    candidates = [operand]
  }

  /// The column or the value, where it is one alone.
  var only: Operand<String>? { candidates.count == 1 ? candidates[0] : nil }

  /// Makes the operand `lhs ?? rhs`.
  static func ?? (lhs: PredicateOperand, rhs: PredicateOperand) -> PredicateOperand {
    var joined = lhs
    joined.candidates += rhs.candidates
    return joined
  }

  /// Asks something about what the operand is.
  ///
  /// `nick ?? name` is the nick where there is one, else the name: the question is put about the one where the nick is
  /// not null, and about the other where it is. As a rule the question tells for itself how it ends for null, and that
  /// need not be said.
  func asking(_ question: (Operand<String>) throws(QueryError) -> AnyQuery) throws(QueryError) -> AnyQuery {
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
          answer = .either(asked, .both(.isNull(key: key), rest))
        } else {
          answer = .either(.both(.isNotNull(key: key), asked), .both(.isNull(key: key), rest))
        }
      }
    }
    return answer ?? .false
  }

  /// Where the operand stands in a relation to another.
  func isRelated(_ relation: Relation, to other: PredicateOperand) throws(QueryError) -> AnyQuery {
    try asking { lhs throws(QueryError) in
      try other.asking { rhs throws(QueryError) in .compare(lhs, relation, rhs) }
    }
  }

  /// Whether both are the same columns and values.
  func isSame(as other: PredicateOperand) -> Bool {
    candidates.elementsEqual(other.candidates) { lhs, rhs in
      switch (lhs, rhs) {
      case (.value(let lhs), .value(let rhs)): lhs == rhs
      case (.key(let lhs), .key(let rhs)): lhs.utf8.elementsEqual(rhs.utf8)
      default: false
      }
    }
  }

  /// Where the operand is null.
  var isNull: AnyQuery {
    get throws(QueryError) { try isRelated(.equal, to: PredicateOperand(.value(.null))) }
  }
}
