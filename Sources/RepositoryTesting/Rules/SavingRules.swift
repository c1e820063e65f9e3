import Query
import Repository

/// What `save` and `find` do with one element.
enum SavingRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("`get` throws `notFound` where `find` gives nothing", among: .series(1)) { context in
      await context.expect("get 1", 1) { try await context.subject.get(1).id }
      await context.expect("get 2", throws: .notFound) { try await context.subject.get(2).id }
    },
    SpecimenRule("`first` gives the first element that a query means", among: .series(\.age, 7, 4, 4)) {
      context in
      await context.expect("first where age = 4", 2) {
        try await context.subject.first(where: .equal(key: "age", value: 4))?.id
      }
      await context.expect("first where age = 5", Int?.none) {
        try await context.subject.first(where: .equal(key: "age", value: 5))?.id
      }
      await context.expect("first, sorted by age desc", 1) {
        try await context.subject.first(sortedBy: .descending(key: "age"))?.id
      }
    },
    SpecimenRule("a key may be any integer, and keys are in the order of numbers") { context in
      for id in [0, .max, -1, .min, 9_007_199_254_740_993, 9_007_199_254_740_992, 1] {
        await context.expectRoundTrip(of: Specimen(id))
      }
      await context.expect(.true, finds: .min, -1, 0, 1, 9_007_199_254_740_992, 9_007_199_254_740_993, .max)
    },
    SpecimenRule("the error of a value that no store can hold names the column") { context in
      await context.expect("save a specimen whose mass is not a number", throws: .invalidValue, naming: "mass") {
        try await context.subject.save(Specimen(1).with(\.mass, .nan))
      }
    },
    SpecimenRule("unique texts are told apart by their bytes") { context in
      let labels = [
        "é", "e\u{301}", "É", "a", "A", "a ", " a", "a\0", "a\0b", "", "\0", "straße", "strasse", "1", "1.0",
      ]
      for (index, label) in labels.enumerated() {
        await context.expectRoundTrip(of: Specimen(index).with(\.label, label))
      }
      await context.expect("count", labels.count) { try await context.subject.count() }
    },
    SpecimenRule("a value that no store can hold is refused, and nothing is saved", among: .series(1)) {
      context in
      let unstorable: [(String, Specimen)] = [
        ("a mass that is not a number", Specimen(1).with(\.mass, .nan)),
        ("a length that is not a number", Specimen(2).with(\.length, -.nan)),
        ("a date of the year 10000", Specimen(3).with(\.found, StoredDates.end)),
        ("a date before the year 0000", Specimen(4).with(\.found, StoredDates.beforeStart)),
      ]
      for (name, specimen) in unstorable {
        await context.expect("save \(name)", throws: .invalidValue) { try await context.subject.save(specimen) }
      }
      await context.expect(.true, finds: 1)
      await context.expect(find: 1, Specimen(1))
    },
    SpecimenRule("`count` counts all elements, or those that a query means", among: .series(\.age, 1, 2, 2, nil)) {
      context in
      await context.expect("count", 4) { try await context.subject.count() }
      await context.expect("count where age = 2", 2) {
        try await context.subject.count(where: .equal(key: "age", value: 2))
      }
      await context.expect("count where false", 0) { try await context.subject.count(where: .false) }
    },
    SpecimenRule("a batch of a thousand is saved", among: .series(1000)) { context in
      await context.expect("count", 1000) { try await context.subject.count() }
      await context.expect(find: 1000, Specimen(1000))
    },
    SpecimenRule("an element amid a batch that no store can hold saves nothing of it", among: .series(2)) { context in
      let batch = [Specimen(1).with(\.age, 8), Specimen(3), Specimen(4).with(\.mass, .nan), Specimen(5)]
      await context.expect("save a batch whose third specimen's mass is not a number", throws: .invalidValue) {
        try await context.subject.save(batch)
      }
      await context.expect(.true, finds: 1, 2)
      await context.expect(find: 1, Specimen(1))
    },
  ]
}
