import Query
import Repository

extension Fault {
  /// Conditions that are taken for others.
  static let conditions: [Fault] = [
    Fault(
      "drops nulls on `!=`",
      breaking: [
        "`!=` holds for rows whose value is null",
        "the negation of `=` and of `!=` is the other one",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .comparison(let comparison) = condition, comparison.relation == .notEqual,
            case .value(let value) = comparison.operand, !value.isNull
          else { return AnyQuery(.condition(condition)) }
          return .isNotNull(key: comparison.key) && AnyQuery(.condition(condition))
        }
      }
    },
    Fault(
      "takes null for less than every number, as the order does",
      breaking: [
        "`<`, `<=`, `>` and `>=` are false for a null, their negations true",
        "`not` before a join counts rows with nulls in",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .comparison(let comparison) = condition, comparison.relation == .lessThan,
            case .value(let value) = comparison.operand, !value.isNull
          else { return AnyQuery(.condition(condition)) }
          return .isNull(key: comparison.key) || AnyQuery(.condition(condition))
        }
      }
    },
    Fault(
      "compares texts without regard to case",
      breaking: [
        "texts are equal by their bytes: composed and decomposed characters differ",
        "texts are equal by their bytes: case and blanks differ",
        "a UUID equals its text in lower case",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .comparison(let comparison) = condition, comparison.relation == .equal,
            case .value(.text(let text)) = comparison.operand
          else { return AnyQuery(.condition(condition)) }
          return .hasPrefix(key: comparison.key, value: text, ignoringCase: true)
            && .hasSuffix(key: comparison.key, value: text, ignoringCase: true)
        }
      }
    },
    Fault(
      "rounds integers to reals",
      breaking: [
        "integers beyond 2^53 are not rounded",
        "a real is not compared with a rounded integer",
        "integers at their bounds are less than the reals beyond",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .comparison(let comparison) = condition, case .value(.integer(let integer)) = comparison.operand
          else { return AnyQuery(.condition(condition)) }
          return .compare(key: comparison.key, comparison.relation, value: Double(integer))
        }
      }
    },
    Fault(
      "takes the bounds of `between` in either order",
      breaking: [
        "`between` with reversed bounds finds nothing"
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .between(let between) = condition, case .value(let lower) = between.lower,
            case .value(let upper) = between.upper, upper < lower
          else { return AnyQuery(.condition(condition)) }
          return .between(key: between.key, lower: .value(upper), upper: .value(lower))
        }
      }
    },
    Fault(
      "never finds a null in a list",
      breaking: [
        "a null in the list of `in` finds nulls",
        "lists of every length find the same",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .membership(let membership) = condition else { return AnyQuery(.condition(condition)) }
          return .in(key: membership.key, values: membership.values.filter { !$0.isNull })
        }
      }
    },
    Fault(
      "takes an empty list for no condition",
      breaking: [
        "`in` with an empty list finds nothing",
        "an unknown key is refused even where it decides nothing",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .membership(let membership) = condition, membership.values.isEmpty
          else { return AnyQuery(.condition(condition)) }
          return .true
        }
      }
    },
    Fault(
      "knows no escape in patterns",
      breaking: [
        "`\\` takes the next character as it is",
        "ignoring case, wildcards and escapes keep their meaning",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .text(let match) = condition, match.operation == .like else {
            return AnyQuery(.condition(condition))
          }
          let text = match.text.replacing("\\", with: "\\\\")
          return .like(key: match.key, value: text, ignoringCase: match.isIgnoringCase)
        }
      }
    },
    Fault(
      "finds nothing where a key is unknown",
      breaking: [
        "an unknown key is refused, and the nearest key suggested",
        "keys are told apart by their bytes",
        "an unknown key is refused even where it decides nothing",
        "a request is refused in an empty repository as well",
      ]
    ) {
      try FaultyRepository {
        $0.onError = { error throws(RepositoryError) in
          if (error.underlying as? QueryError)?.code != .unknownKey { throw error }
        }
      }
    },
  ]
}
