import Query
import Repository

/// Rows are grouped by what is equal in the total order, and groups come in that order.
enum GroupRules {
  static let all: [SpecimenRule] = [
    SpecimenRule(
      "groups come in the order of their keys, nulls first", among: Specimen.series(\.age, 3, nil, 1, 3, nil)
    ) {
      await $0.expect(AggregateRequest([.count, .min(key: "id")], groupedBy: ["age"]), "null 2 2", "1 1 3", "3 2 1")
    },
    SpecimenRule(
      "texts are grouped by their bytes", among: Specimen.series(\.name, "é", "e\u{301}", "a", "A", "a", "a\0", "a ")
    ) {
      await $0.expect(
        AggregateRequest([.count, .max(key: "id")], groupedBy: ["name"]), "'A' 1 4", "'a' 2 5",
        "\(Value.text("a\0")) 1 6",
        "'a ' 1 7", "'e\u{301}' 1 2", "'é' 1 1")
    },
    SpecimenRule("rows are grouped by several keys", among: sorted) {
      await $0.expect(
        AggregateRequest([.count, .sum(key: "mass")], groupedBy: ["kingdom", "age"]), "'animal' null 1 1.0",
        "'animal' 1 2 5.0", "'plant' null 1 2.0")
      await $0.expect(
        AggregateRequest([.count], groupedBy: ["age", "kingdom", "age"], limit: 1), "null 'animal' null 1")
    },
    SpecimenRule("keys alone give each combination once", among: sorted) {
      await $0.expect(
        AggregateRequest([], groupedBy: ["age", "kingdom"]), "null 'animal'", "null 'plant'", "1 'animal'")
    },
    SpecimenRule(
      "groups are sorted by an aggregate as told, and then by their keys",
      among: Specimen.series(\.age, 5, 2, 5, 9, nil)
    ) {
      let count = AggregateRequest([.count], groupedBy: ["age"], sortedBy: .descending(.count))
      await $0.expect(count, "5 2", "null 1", "2 1", "9 1")
      var rare = count
      rare.order = .ascending(.count)
      rare.limit = 2
      await $0.expect(rare, "null 1", "2 1")
      await $0.expect(
        AggregateRequest(
          [.count, .max(key: "id")], groupedBy: ["age"], sortedBy: .descending(.max(key: "id")), limit: 2),
        "null 1 5", "9 1 4")
    },
    SpecimenRule("what can't be worked out is refused", among: Specimen.series(1)) { trial in
      await trial.expect(AggregateRequest([.sum(key: "agee")]), throws: .invalidQuery, suggesting: "age")
      await trial.expect(
        AggregateRequest([.count], groupedBy: ["kingdon"]), throws: .invalidQuery, suggesting: "kingdom")
      await trial.expect(AggregateRequest([.count], of: .equal(key: "agee", value: 1)), throws: .invalidQuery)
      await trial.expect(AggregateRequest([.sum(key: "name")]), throws: .invalidQuery, naming: "name")
      await trial.expect(AggregateRequest([.average(key: "scan")]), throws: .invalidQuery, naming: "scan")
      await trial.expect(AggregateRequest([]), throws: .invalidQuery)
      await trial.expect(AggregateRequest([.count], limit: -1), throws: .invalidQuery)
      await trial.expect(AggregateRequest([.count], sortedBy: .descending(.max(key: "age"))), throws: .invalidQuery)
      await trial.expect(
        AggregateRequest(Array(repeating: .count, count: AggregateRequest.maximumColumnCount + 1)),
        throws: .invalidQuery)
    },
    SpecimenRule("as many aggregates as are allowed are answered", among: Specimen.series(\.mass, 1)) {
      let count = AggregateRequest.maximumColumnCount
      await $0.expect(
        AggregateRequest(Array(repeating: .sum(key: "mass"), count: count)),
        Array(repeating: "1.0", count: count).joined(separator: " "))
    },
  ]

  private static let sorted: [Specimen] = [
    Specimen(1).with(\.age, 1).with(\.mass, 2), Specimen(2).with(\.mass, 1), Specimen(3).with(\.age, 1).with(\.mass, 3),
    Specimen(4).with(\.kingdom, .plant).with(\.mass, 2),
  ]
}
