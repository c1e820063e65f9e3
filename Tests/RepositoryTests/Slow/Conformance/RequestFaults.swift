import Query
import Repository
import RepositoryTesting

extension Fault<Specimen> {
  /// Conditions that are taken for others.
  static let conditions: [Fault] = [
    Fault(
      "takes what is worked out for the first key of it",
      breaking: [
        "ignoring case, letters beyond ASCII are the same in upper and lower case",
        "arithmetic of integers is exact, and null beyond 64 bits and by zero",
        "arithmetic with a real gives a real, or null if there is no result",
        "null gives null, except in `coalesce` and `if`",
        "text is counted by scalars, and folded",
        "parts of dates are read from text that is a date, in UTC",
        "expressions of kinds that do not fit are refused",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .comparison(let comparison) = condition,
            case .function(_, let arguments) = comparison.key.form,
            let key = arguments.first(where: { $0.plainKey != nil })
          else { return AnyQuery(.condition(condition)) }
          switch comparison.operand {
          case .value(let value): return .compare(key, comparison.operator, AnyExpression(.value(value)))
          case .key(let other): return .compare(key, comparison.operator, other)
          }
        }
      }
    },
    Fault(
      "sorts by keys alone", breaking: ["rows are sorted by computed values"]
    ) {
      try FaultyRepository {
        $0.onRequest = { request in
          request.sort = AnySort(request.sort.terms.filter { $0.key.plainKey != nil })
        }
      }
    },
    .droppingNulls(breaking: [
      "`!=` is true for rows whose value is null",
      "the negation of `=` and of `!=` is the other one",
    ]),
    Fault(
      "takes null for less than every number, as the order does",
      breaking: [
        "`<`, `<=`, `>` and `>=` are false for a null, their negations true",
        "`not` before a connective counts rows with nulls in",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .comparison(let comparison) = condition, comparison.operator == .lessThan,
            case .value(let value) = comparison.operand, !value.isNull
          else { return AnyQuery(.condition(condition)) }
          return .isNull(comparison.key) || AnyQuery(.condition(condition))
        }
      }
    },
    .ignoringCase(breaking: [
      "text is equal by bytes: composed and decomposed characters differ",
      "text is equal by bytes: case and blanks differ",
    ]),
    Fault(
      "rounds integers to reals",
      breaking: [
        "integers beyond 2^53 are not rounded",
        "a real is not compared with a rounded integer",
        "integers at their bounds are less than the reals beyond",
        "arithmetic of integers is exact, and null beyond 64 bits and by zero",
        "arithmetic with a real gives a real, or null if there is no result",
        "null gives null, except in `coalesce` and `if`",
        "text is counted by scalars, and folded",
        "parts of dates are read from text that is a date, in UTC",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .comparison(let comparison) = condition, case .value(.integer(let integer)) = comparison.operand
          else { return AnyQuery(.condition(condition)) }
          return .compare(key: comparison.key.plainKey ?? "", comparison.operator, value: Double(integer))
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
          return .between(key: between.key.plainKey ?? "", lower: .value(upper), upper: .value(lower))
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
          guard case .membership(let membership) = condition, let key = membership.key.plainKey else {
            return AnyQuery(.condition(condition))
          }
          return .in(key: key, values: membership.values.filter { !$0.isNull })
        }
      }
    },
    Fault(
      "takes an empty list for no condition",
      breaking: [
        "`in` with an empty list finds nothing",
        "an unknown key is refused even if the result does not depend on the key",
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
        "`\\` makes the next character literal",
        "ignoring case, wildcards and escapes keep their meaning",
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .text(let match) = condition, match.operation == .like else {
            return AnyQuery(.condition(condition))
          }
          let text = match.text.replacing("\\", with: "\\\\")
          return .like(key: match.key.plainKey ?? "", value: text, ignoringCase: match.isIgnoringCase)
        }
      }
    },
    Fault(
      "finds nothing where a key is unknown",
      breaking: [
        "expressions of kinds that do not fit are refused",
        "an unknown key is refused, and the nearest key suggested",
        "keys differ by their bytes",
        "an unknown key is refused even if the result does not depend on the key",
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

extension Fault<Specimen> {
  /// Requests whose sort or range is changed, and numbers that are not right.
  static let pages: [Fault] = [
    .ignoringOffset(breaking: [
      "an offset skips the first elements",
      "an offset beyond the end gives nothing",
      "limit and offset count the elements found, in their order",
      "a negative limit or offset is refused",
      "pages never overlap and skip nothing",
      "before a cursor alone, limit and offset count back from it",
      "between two cursors, limit and offset count from the first",
      "query, limit and offset count after the cursor",
    ]),
    Fault(
      "takes a negative limit for none, as SQLite does",
      breaking: [
        "a request is refused in an empty repository as well",
        "a negative limit or offset is refused",
      ]
    ) {
      try FaultyRepository {
        $0.onRequest = { request in
          if let limit = request.limit, limit < 0 { request.limit = nil }
        }
      }
    },
    .leavingTiesToChance(breaking: [
      "nulls come first or last as told",
      "keys decide between rows that are equal in a sort, in ascending order",
      "numbers are sorted by value",
      "enums and Booleans are sorted by their stored values",
      "pages never overlap and skip nothing",
    ]),
    .placingNullsLast(breaking: [
      "null is the least value unless told otherwise",
      "nulls come first or last as told",
      "of several sort keys, the first decides first",
      "blobs are sorted by their bytes",
      "the results of a query are sorted",
      "rows are sorted by computed values",
    ]),
    Fault(
      "begins every page at the start",
      breaking: [
        "text that differs only in its bytes has separate positions",
        "a cursor keeps its position when its element is deleted and others are added",
        "a cursor of another sort is refused",
        "a page after a cursor equals the page at the same offset",
        "a page between two cursors excludes the elements at the cursors",
        "between two cursors, limit and offset count from the first",
        "query, limit and offset count after the cursor",
      ]
    ) {
      try FaultyRepository {
        $0.onRequest = { $0.after = nil }
      }
    },
    Fault(
      "ignores the offset before a cursor",
      breaking: ["before a cursor alone, limit and offset count back from it"]
    ) {
      try FaultyRepository {
        $0.onRequest = { request in
          if request.before != nil, request.after == nil, request.offset > 0 { request.offset = 0 }
        }
      }
    },
    Fault(
      "ignores the limit between two cursors",
      breaking: ["between two cursors, limit and offset count from the first"]
    ) {
      try FaultyRepository {
        $0.onRequest = { if $0.after != nil, $0.before != nil { $0.limit = nil } }
      }
    },
    Fault(
      "counts back from the second of two cursors",
      breaking: ["between two cursors, limit and offset count from the first"]
    ) {
      try FaultyRepository {
        $0.onRequest = { request in
          let isCut = request.limit != nil || request.offset > 0
          if request.after != nil, request.before != nil, isCut { request.after = nil }
        }
      }
    },
    Fault(
      "counts no further than to a hundred",
      breaking: [
        "a batch of a thousand is saved"
      ]
    ) { try FaultyRepository { $0.onCount = { min($0, 100) } } },
  ]
}
