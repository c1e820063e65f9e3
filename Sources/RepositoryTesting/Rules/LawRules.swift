import Query
import Repository

/// Laws for every query of every repository.
enum LawRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("a query and its negation find every element once", among: museum) { context in
      for query in queries {
        await context.expect("count where \(query), and where not", museum.count) {
          try await context.subject.count(query) + context.subject.count(!query)
        }
        await context.expect(query || !query, findsAll: museum.map(\.id))
        await context.expect(query && !query, findsAll: [])
      }
    },
    SpecimenRule("De Morgan's laws are true", among: museum) { context in
      for (lhs, rhs) in zip(queries, queries.dropFirst(3) + queries.prefix(3)) {
        await context.expectSame(!(lhs && rhs), !lhs || !rhs)
        await context.expectSame(!(lhs || rhs), !lhs && !rhs)
      }
    },
    SpecimenRule("operands of connectives may be exchanged, regrouped and distributed", among: museum) { context in
      for index in queries.indices {
        let (one, two, three) = (
          queries[index], queries[(index + 1) % queries.count], queries[(index + 5) % queries.count]
        )
        await context.expectSame(one && two, two && one)
        await context.expectSame(one || two, two || one)
        await context.expectSame((one || two) || three, one || (two || three))
        await context.expectSame(one && (two || three), (one && two) || (one && three))
        await context.expectSame(!(!one), one)
      }
    },
    SpecimenRule("the count equals the number of elements found", among: museum) { context in
      for query in queries {
        await context.expect("count where \(query), less those found", 0) {
          try await context.subject.count(query) - context.subject.filter(query).all().count
        }
      }
    },
  ]

  /// At least one query of every operator, most of them over keys that may be null.
  private static let queries: [AnyQuery] = [
    .equal(key: "age", value: 7),
    .notEqual(key: "age", value: 7),
    .isNull(key: "finder"),
    .lessThan(key: "length", value: 2),
    .lessThanOrEqual(key: "age", value: 7.0),
    .greaterThan(key: "mass", value: 0),
    .greaterThanOrEqual(key: "scan", value: [1] as [UInt8]),
    .between(key: "age", lhs: 3, rhs: 9),
    .between(key: "age", lower: .key("mass"), upper: .key("length")),
    .in(key: "age", values: [7, nil]),
    .in(key: "finder", values: ["Mary", "Ann"]),
    .in(key: "age", values: [Int]()),
    .contains(key: "finder", value: "ar"),
    .hasPrefix(key: "finder", value: "m", ignoringCase: true),
    .hasSuffix(key: "finder", value: "y"),
    .like(key: "finder", value: "M_r%"),
    .equal(key: "age", otherKey: "length"),
    .notEqual(key: "age", otherKey: "length"),
    .lessThan(key: "age", otherKey: "length"),
    .greaterThanOrEqual(key: "mass", otherKey: "age"),
    .greaterThan(key: "finder", otherKey: "name"),
    .true,
  ]

  /// Every age with every length and finder.
  private static let museum: [Specimen] = {
    var museum: [Specimen] = []
    for age in [nil, 0, 7, 12] as [Int?] {
      for length in [nil, 0, 7, 12.5] as [Double?] {
        for finder in [nil, "Mary", "mary", ""] as [String?] {
          let specimen = Specimen(museum.count + 1)
          museum.append(
            specimen.with(\.age, age).with(\.length, length).with(\.finder, finder)
              .with(\.mass, Double(museum.count % 5) - 1).with(\.name, "Mar")
              .with(\.scan, museum.count % 3 == 0 ? nil : [UInt8(museum.count)]))
        }
      }
    }
    return museum
  }()
}

extension CheckContext where Subject == AnyRepository<Specimen> {
  /// Expects that two queries find the same.
  fileprivate func expectSame(_ lhs: AnyQuery, _ rhs: AnyQuery) async {
    begin()
    do {
      let ids = try await subject.filter(lhs).all().map(\.id)
      await expect(rhs, findsAll: ids)
    } catch {
      record("where \(lhs)", expected: "no error", error: error)
    }
  }
}
