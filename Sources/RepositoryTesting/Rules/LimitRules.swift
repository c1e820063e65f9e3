import Query
import Repository

/// Rules that no query may crash a process: a deep or long query is answered correctly, or refused.
enum LimitRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("queries that are nested thirty levels deep are answered", among: ages) { context in
      await context.expect(nested(levels: 30), finds: 2)
      await context.expect(!nested(levels: 30), finds: 1, 3, 4)
    },
    SpecimenRule("queries of any depth are answered or refused", among: ages) { context in
      for levels in [60, 100, 500, 1_000, 10_000] {
        await context.expectAnswerOrRefusal(nested(levels: levels), finds: 2)
      }
    },
    SpecimenRule("negations of any number cancel out, or are refused", among: ages) { context in
      for count in [100, 1_000, 100_000] {
        let query = (0..<count).reduce(AnyQuery.equal(key: "age", value: 7)) { query, _ in !query }
        await context.expectAnswerOrRefusal(query, finds: 2)
        await context.expectAnswerOrRefusal(!query, finds: 1, 3, 4)
      }
    },
    SpecimenRule("connectives of two thousand conditions are answered", among: ages) { context in
      await context.expect(.any(of: conditions(2_000)), finds: 2, 4)
      await context.expect(!.any(of: conditions(2_000)), finds: 1, 3)
      await context.expect(.all(of: conditions(2_000).map { !$0 }), finds: 1, 3)
    },
    SpecimenRule("connectives of any length are answered or refused", among: ages) { context in
      await context.expectAnswerOrRefusal(.any(of: conditions(3_000)), finds: 2, 4)
      await context.expectAnswerOrRefusal(.all(of: conditions(3_000).map { !$0 }), finds: 1, 3)
      let equalities = (0..<10_000).map { AnyQuery.equal(key: "age", value: $0) }
      await context.expectAnswerOrRefusal(.any(of: equalities), finds: 2)
      // This chain is grouped from the right.
      let chain = conditions(3_000).reduce(AnyQuery.false) { query, condition in condition || query }
      await context.expectAnswerOrRefusal(chain, finds: 2, 4)
    },
    SpecimenRule("a query that is joined with itself again and again is answered or refused", among: ages) { context in
      let core = AnyQuery.equal(key: "age", value: 7)
      for times in [10, 80] {
        let query = (0..<times).reduce(core) { query, level in level.isMultiple(of: 2) ? query && query : query || query
        }
        await context.expectAnswerOrRefusal(query, finds: 2)
      }
    },
    SpecimenRule("`in` takes a hundred thousand values", among: ages) { context in
      await context.expect(.in(key: "age", values: 0..<100_000), finds: 2, 4)
      await context.expect(!.in(key: "age", values: 0..<100_000), finds: 1, 3)
      await context.expect(.in(key: "name", values: (0..<20_000).map { "text \($0)" } + [""]), finds: 1, 2, 3, 4)
    },
    SpecimenRule("a query of many lists is answered or refused", among: ages) { context in
      let lists = (0..<3_000).map { AnyQuery.in(key: "age", values: [7, $0 + 1_000_000, -$0 - 1]) }
      await context.expectAnswerOrRefusal(.all(of: lists), finds: 2)
    },
    SpecimenRule("a text of 100 kB may be sought") { context in
      let text = String(repeating: "0123456789", count: 10_000)
      try await context.prepare([
        Specimen(1).with(\.name, text), Specimen(2).with(\.name, "x" + text + "é"), Specimen(3),
      ])
      await context.expect(.equal(key: "name", value: text), finds: 1)
      await context.expect(.contains(key: "name", value: text), finds: 1, 2)
      await context.expect(.contains(key: "name", value: text, ignoringCase: true), finds: 1, 2)
      await context.expect(.hasPrefix(key: "name", value: text), finds: 1)
      await context.expect(.hasSuffix(key: "name", value: text + "é"), finds: 2)
      await context.expect(.like(key: "name", value: "%" + text + "%"), finds: 1, 2)
      await context.expect(.in(key: "name", values: [text, "y"]), finds: 1)
    },
    SpecimenRule("a sort of a thousand keys is carried out", among: ages) { context in
      let sort = AnySort(
        (0..<1_000).map { SortTerm(key: $0 == 0 ? "age" : "mass", direction: .descending, nulls: .last) })
      await context.expect(sortedBy: sort, 1, 4, 2, 3)
    },
    SpecimenRule(
      "a value of a query is never taken for a part of it",
      among: .series(\.name, "'; DROP TABLE specimen; --", "\" OR 1=1")
    ) {
      context in
      await context.expect(.equal(key: "name", value: "'; DROP TABLE specimen; --"), finds: 1)
      await context.expect(.equal(key: "name", value: "\" OR 1=1"), finds: 2)
      await context.expect(.in(key: "name", values: ["' OR ''='", "?", "$1"]), findsAll: [])
      await context.expect(.true, finds: 1, 2)
    },
  ]

  /// The ages 1,000,000, 7, null and 99,999 of specimens 1 to 4.
  private static let ages: [Specimen] = .series(\.age, 1_000_000, 7, nil, 99_999)

  /// Returns a query that means `age = 7`, nested in `and` and `or` alternately.
  private static func nested(levels: Int) -> AnyQuery {
    let always = AnyQuery.greaterThan(key: "id", value: 0)
    let never = AnyQuery.lessThan(key: "id", value: 0)
    return (0..<levels).reduce(.equal(key: "age", value: 7)) { query, level in
      level.isMultiple(of: 2) ? always && query : query || never
    }
  }

  /// Returns conditions that together find the ages 7 and 99,999. Every second condition is a range, because a chain of
  /// equalities can be answered like a list.
  private static func conditions(_ count: Int) -> [AnyQuery] {
    (0..<count).map { index in
      let age = index == 0 ? 7 : index == 1 ? 99_999 : -index
      return index.isMultiple(of: 2) ? .equal(key: "age", value: age) : .between(key: "age", lhs: age, rhs: age)
    }
  }
}
