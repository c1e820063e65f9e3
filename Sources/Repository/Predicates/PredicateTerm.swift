import Query

/// What an expression of a predicate is for a row, as far as a query can say it.
enum PredicateTerm {
  /// The same for every row, of the expression's own type.
  case constant(Any)
  /// A property of the row.
  case property(RowProperty)
  /// The first of several columns and values that is not null.
  case operand(PredicateOperand)
  /// Conditions: a `Bool`, or a `Bool?`.
  case truth(PredicateTruth)
  /// A range, of which a bound is not the same for every row.
  case range([PredicateLimit])
}

extension PredicateTerm {
  /// Whether both terms are the same columns and values, as far as that can be told.
  func isSameOperand(as other: PredicateTerm) -> Bool {
    switch (self, other) {
    case (.property(let lhs), .property(let rhs)): lhs.path != nil && lhs.path == rhs.path
    case (.operand(let lhs), .operand(let rhs)): lhs.isSame(as: rhs)
    default: false
    }
  }
}
