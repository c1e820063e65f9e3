import Query
import Repository

/// Aggregates are worked out exactly, whatever the order of the rows.
enum AggregateRules {
  static let all: [SpecimenRule] = [
    SpecimenRule(
      "aggregates leave nulls out, and `count` of the rows does not", among: Specimen.series(\.age, 4, nil, 1)
    ) {
      await $0.expect(
        AggregateRequest([
          .count, .count(key: "age"), .sum(key: "age"), .average(key: "age"), .min(key: "age"), .max(key: "age"),
        ]), "3 2 5 2.5 1 4")
    },
    SpecimenRule("of nothing, counts and sums are 0, and the other aggregates are null") { trial in
      let aggregates: [AnyAggregate] = [
        .count, .count(key: "age"), .sum(key: "age"), .sum(key: "mass"), .average(key: "age"), .min(key: "mass"),
        .max(key: "name"),
      ]
      await trial.expect(AggregateRequest(aggregates), "0 0 0 0.0 null null null")
      await trial.expect(AggregateRequest(aggregates, groupedBy: ["kingdom"]))
      try await trial.subject.save(Specimen(1))
      await trial.expect(AggregateRequest(aggregates, of: .equal(key: "id", value: 2)), "0 0 0 0.0 null null null")
      await trial.expect(AggregateRequest([.sum(key: "age"), .average(key: "age"), .min(key: "age")]), "0 null null")
    },
    SpecimenRule("aggregates are of the rows that the query means", among: Specimen.series(\.age, 1, 2, 3, nil)) {
      trial in
      await trial.expect(AggregateRequest([.sum(key: "age")], of: .greaterThan(key: "age", value: 1)), "5")
      await trial.expect(AggregateRequest([.count], of: !.greaterThan(key: "age", value: 1)), "2")
      await trial.expect(AggregateRequest([.max(key: "age")], of: .in(key: "id", values: [1, 2])), "2")
    },
    SpecimenRule(
      "a sum of reals is exact and then rounded, in any order", among: Specimen.series(\.mass, 1, 1e100, 1, -1e100)
    ) { trial in
      await trial.expect(AggregateRequest([.sum(key: "mass"), .average(key: "mass")]), "2.0 0.5")
      await trial.expect(AggregateRequest([.sum(key: "mass")], of: .lessThan(key: "id", value: 4)), "1e+100")
    },
    SpecimenRule(
      "a sum of reals may be greater on the way than it is",
      among: Specimen.series(\.mass, .greatestFiniteMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude)
    ) { trial in
      let greatest = Value.real(.greatestFiniteMagnitude)
      await trial.expect(AggregateRequest([.sum(key: "mass")]), "\(greatest)")
      await trial.expect(
        AggregateRequest([.sum(key: "mass"), .average(key: "mass")], of: .lessThan(key: "id", value: 3)),
        "9e999 \(greatest)")
    },
    SpecimenRule(
      "an average of integers is exact before it is rounded", among: Specimen.series(\.age, .max, .max, .min, 2)
    ) { trial in
      await trial.expect(
        AggregateRequest([.average(key: "age")], of: .between(key: "id", lhs: 2, rhs: 3)), "-0.5")
      await trial.expect(
        AggregateRequest([.average(key: "age")], of: .notEqual(key: "id", value: 1)), "0.3333333333333333")
    },
    SpecimenRule(
      "a sum of integers overflows only where the total does", among: Specimen.series(\.age, .max, .max, .min, 1, 1)
    ) { trial in
      await trial.expect(
        AggregateRequest([.sum(key: "age")], of: .lessThan(key: "id", value: 5)), "9223372036854775807")
      await trial.expect(
        AggregateRequest([.count, .sum(key: "age")]), throws: .overflow, naming: "sum(age)", suggesting: "average")
      await trial.expect(AggregateRequest([.sum(key: "age")], of: .lessThan(key: "id", value: 3)), throws: .overflow)
      await trial.expect(
        AggregateRequest([.sum(key: "age")], groupedBy: ["id"], limit: 2), "1 9223372036854775807",
        "2 9223372036854775807"
      )
      await trial.expect(
        AggregateRequest([.sum(key: "age")], groupedBy: ["kingdom"], limit: 0), throws: .overflow, naming: "sum(age)")
    },
    SpecimenRule("infinities are added, but not both", among: Specimen.series(\.mass, .infinity, 1, -.infinity)) {
      trial in
      let aggregates: [AnyAggregate] = [.sum(key: "mass"), .average(key: "mass")]
      await trial.expect(AggregateRequest(aggregates, of: .lessThan(key: "id", value: 3)), "9e999 9e999")
      await trial.expect(AggregateRequest(aggregates, of: .greaterThan(key: "id", value: 1)), "-9e999 -9e999")
      await trial.expect(AggregateRequest(aggregates), throws: .notANumber, naming: "sum(mass)", suggesting: "leave")
      await trial.expect(AggregateRequest([.min(key: "mass"), .max(key: "mass")]), "-9e999 9e999")
    },
    SpecimenRule(
      "the least and the greatest texts are those by bytes", among: Specimen.series(\.name, "b", "é", "B", "z")
    ) {
      await $0.expect(AggregateRequest([.min(key: "name"), .max(key: "name")]), "'B' 'é'")
    },
    SpecimenRule(
      "the least and the greatest blobs are those by bytes", among: Specimen.series(\.scan, [1, 0], nil, [1], [])
    ) {
      await $0.expect(AggregateRequest([.min(key: "scan"), .max(key: "scan"), .count(key: "scan")]), "x'' x'0100' 3")
    },
    SpecimenRule("zero has no sign in aggregates", among: Specimen.series(\.mass, -0.0)) {
      await $0.expect(
        AggregateRequest([.sum(key: "mass"), .average(key: "mass"), .min(key: "mass")], groupedBy: ["mass"]),
        "0.0 0.0 0.0 0.0")
    },
  ]
}
