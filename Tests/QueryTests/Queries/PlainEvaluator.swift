import Query

/// What a query means, said again as plainly as can be: no resolution, no preparation, no rewriting.
struct PlainEvaluator {
  let keys: [String]
  let row: [Value]

  func holds(_ query: AnyQuery) -> Bool {
    switch query.form {
    case .condition(let condition): holds(condition)
    case .not(let query): !holds(query)
    case .and(let lhs, let rhs): holds(lhs) && holds(rhs)
    case .or(let lhs, let rhs): holds(lhs) || holds(rhs)
    }
  }

  private func holds(_ condition: Condition<String>) -> Bool {
    switch condition {
    case .constant(let constant):
      return constant
    case .comparison(let comparison):
      let (lhs, rhs) = (value(.key(comparison.key)), value(comparison.operand))
      let isOrdered = !lhs.isNull && !rhs.isNull
      switch comparison.relation {
      case .equal: return lhs == rhs
      case .notEqual: return lhs != rhs
      case .lessThan: return isOrdered && lhs < rhs
      case .lessThanOrEqual: return isOrdered && lhs <= rhs
      case .greaterThan: return isOrdered && lhs > rhs
      case .greaterThanOrEqual: return isOrdered && lhs >= rhs
      }
    case .between(let between):
      let (value, lower, upper) = (value(.key(between.key)), value(between.lower), value(between.upper))
      return !value.isNull && !lower.isNull && !upper.isNull && lower <= value && value <= upper
    case .membership(let membership):
      return membership.values.contains { $0 == value(.key(membership.key)) }
    case .text(let match):
      guard case .text(let text) = value(.key(match.key)) else { return false }
      return match.isIgnoringCase
        ? holds(match.operation, CaseFolding.fold(text), CaseFolding.fold(match.text))
        : holds(match.operation, text, match.text)
    case .invalid:
      return false
    }
  }

  private func holds(_ operation: TextOperation, _ text: String, _ sought: String) -> Bool {
    if operation == .like {
      return LikePatternTests.matches(Array(sought.unicodeScalars)[...], Array(text.unicodeScalars)[...])
    }
    let (text, sought) = (Array(text.utf8), Array(sought.utf8))
    guard sought.count <= text.count else { return false }
    return (0...(text.count - sought.count)).contains { start in
      if operation == .hasPrefix, start > 0 { return false }
      if operation == .hasSuffix, start < text.count - sought.count { return false }
      return Array(text[start..<(start + sought.count)]) == sought
    }
  }

  private func value(_ operand: Operand<String>) -> Value {
    switch operand {
    case .value(let value): value
    case .key(let key): keys.firstIndex(of: key).map { row[$0] } ?? .null
    }
  }
}
