import Query
import Repository
import SQL

@testable import SQLStore
@testable import SQLiteStore

/// Mistakes that could be made in the evaluator, the compiler or the dialect, each of which the detector has to find.
struct Mutation: Sendable, CustomStringConvertible {
  let description: String
  let engines: Engines

  private init(_ description: String, _ engines: Engines) {
    self.description = description
    self.engines = engines
  }

  /// A mistake in the SQL.
  private static func sql(_ description: String, _ old: String, _ new: String) -> Mutation {
    Mutation(description, .changingSQL { $0.replacing(old, with: new) })
  }

  /// A mistake in the evaluator, shown by the condition that it takes for another.
  private static func condition(
    _ description: String, _ change: @escaping @Sendable (Condition<AnyExpression>) -> AnyQuery?
  ) -> Mutation {
    Mutation(
      description,
      .changingRequest { request in
        var request = request
        request.query = request.query.changingConditions(change)
        return request
      })
  }

  private static func exchanged(_ description: String, _ old: ComparisonOperator, _ new: ComparisonOperator) -> Mutation
  {
    condition(description) { condition in
      guard case .comparison(let comparison) = condition, comparison.operator == old else { return nil }
      return switch comparison.operand {
      case .value(let value): .compare(key: comparison.key.plainKey ?? "", new, value: value)
      case .key(let key): .compare(comparison.key, new, key)
      }
    }
  }

  private static func text(
    _ description: String, _ change: @escaping @Sendable (TextMatch<AnyExpression>) -> AnyQuery?
  ) -> Mutation {
    condition(description) { condition in
      guard case .text(let match) = condition else { return nil }
      return change(match)
    }
  }

  static let all: [Mutation] = [
    exchanged("the evaluator takes < for <=", .lessThan, .lessThanOrEqual),
    exchanged("the evaluator takes > for >=", .greaterThan, .greaterThanOrEqual),
    exchanged("the evaluator takes != for <", .notEqual, .lessThan),
    condition("the evaluator leaves the upper bound out") { condition in
      guard case .between(let between) = condition, case .value(let lower) = between.lower else { return nil }
      return .greaterThanOrEqual(key: between.key.plainKey ?? "", value: lower)
    },
    condition("the evaluator overlooks null in a list") { condition in
      guard case .membership(let membership) = condition else { return nil }
      return .in(key: membership.key.plainKey ?? "", values: membership.values.filter { !$0.isNull })
    },
    condition("null does not equal null") { condition in
      guard case .comparison(let comparison) = condition, comparison.operator == .equal,
        comparison.operand == .value(.null)
      else { return nil }
      return .false
    },
    condition("the evaluator compares text by Swift's ==, canonically") { condition in
      guard case .comparison(let comparison) = condition, comparison.operator == .equal,
        case .value(.text(let text)) = comparison.operand
      else { return nil }
      // Of the texts that are drawn, these are canonically equal.
      let twins = ["É", "E\u{301}", "é", "e\u{301}"].filter { $0 == text }
      return .in(key: comparison.key.plainKey ?? "", values: twins + [text])
    },
    text("the evaluator ignores case where it may not") { match in
      .match(key: match.key.plainKey ?? "", match.operation, value: match.text, ignoringCase: true)
    },
    text("the evaluator minds case where it may not") { match in
      .match(key: match.key.plainKey ?? "", match.operation, value: match.text)
    },
    text("the evaluator takes the end for the start") { match in
      match.operation == .hasSuffix
        ? .hasPrefix(key: match.key.plainKey ?? "", value: match.text, ignoringCase: match.isIgnoringCase) : nil
    },
    text("the evaluator finds no empty text") { match in match.text.isEmpty ? .false : nil },
    text("the evaluator stops at NUL") { match in
      let start = String(match.text.prefix { $0 != "\0" })
      return .match(key: match.key.plainKey ?? "", match.operation, value: start, ignoringCase: match.isIgnoringCase)
    },
    Mutation(
      "the evaluator ignores the offset",
      .changingRequest { request in
        var request = request
        request.offset = 0
        return request
      }),
    Mutation(
      "the evaluator places nulls the wrong way",
      .changingRequest { request in
        var request = request
        request.sort = AnySort(
          request.sort.terms.map {
            SortTerm($0.key, direction: $0.direction, nulls: $0.nulls == .first ? .last : .first)
          })
        return request
      }),
    Mutation(
      "the evaluator includes the row of the cursor",
      Engines(memory: { arena, request throws(RepositoryError) in
        guard let after = request.after else { return try arena.memory.blocking.findAll(request).map(\.values) }
        var whole = request
        whole.after = nil
        whole.limit = nil
        whole.offset = 0
        let rest = try arena.memory.blocking.findAll(whole).map(\.values).drop { row in
          (try? Cursor(at: row, in: arena.table, sortedBy: request.sort)) != after
        }.dropFirst(request.offset)
        return request.limit.map { Array(rest.prefix($0)) } ?? Array(rest)
      })),
    Mutation(
      "the compiler drops OR … IS NULL",
      .changingSQL { $0.replacing(#/ OR "[^"]+" IS NULL/#, with: "") }),
    sql("the compiler takes AND for OR", " OR ", " AND "),
    sql("the compiler leaves the affinity of columns on", #"+""#, #"""#),
    sql("the compiler leaves the collation out", " COLLATE BINARY", ""),
    sql("the compiler places nulls the wrong way", "NULLS FIRST", "NULLS LAST"),
    sql("the compiler sorts ascending alone", " DESC", " ASC"),
    sql("the compiler compares the bytes of nothing with =", ") IS ?", ") = ?"),
    sql("the compiler lets blobs and numbers be texts", #"typeof("#, "coalesce('text', "),
    sql("the compiler does not fold the column's case", "repokit_fold", "coalesce"),
    Mutation(
      "the compiler leaves the primary key out of the order",
      .changingSQL { sql in
        // The last term; a sort that is asked for in full keeps its others.
        sql.replacing(#/, "[^"]+"( COLLATE BINARY)? (ASC|DESC)( NULLS (FIRST|LAST))?($| LIMIT)/#) { match in
          String(match.output.5)
        }
      }),
  ]
}

extension AnyQuery {
  fileprivate func changingConditions(_ change: (Condition<AnyExpression>) -> AnyQuery?) -> AnyQuery {
    switch form {
    case .condition(let condition): change(condition) ?? self
    case .not(let inner): !inner.changingConditions(change)
    case .and(let lhs, let rhs): lhs.changingConditions(change) && rhs.changingConditions(change)
    case .or(let lhs, let rhs): lhs.changingConditions(change) || rhs.changingConditions(change)
    }
  }
}
