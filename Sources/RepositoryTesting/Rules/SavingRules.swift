import Query
import Repository

/// What `save` and `find` do with one element.
enum SavingRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("an empty repository finds nothing") { trial in
      await trial.expect(.true, findsAll: [])
      await trial.expect(find: 1, nil)
    },
    SpecimenRule("`find` gives the element with a key, and nothing where there is none", among: Specimen.series(3)) {
      trial in
      await trial.expect(find: 2, Specimen(2))
      await trial.expect(find: 4, nil)
      await trial.expect(find: -1, nil)
    },
    SpecimenRule("`get` throws `notFound` where `find` gives nothing", among: Specimen.series(1)) { trial in
      await trial.expect("get 1", 1) { try await trial.subject.get(1).id }
      await trial.expect("get 2", throws: .notFound) { try await trial.subject.get(2).id }
    },
    SpecimenRule("`first` gives the first element that a query means", among: Specimen.series(\.age, 7, 4, 4)) {
      trial in
      await trial.expect("first where age = 4", 2) {
        try await trial.subject.first(where: .equal(key: "age", value: 4))?.id
      }
      await trial.expect("first where age = 5", Int?.none) {
        try await trial.subject.first(where: .equal(key: "age", value: 5))?.id
      }
      await trial.expect("first, sorted by age desc", 1) {
        try await trial.subject.first(sortedBy: .descending(key: "age"))?.id
      }
    },
    SpecimenRule("an element whose key exists takes the place of the one that has it", among: Specimen.series(3)) {
      trial in
      var specimen = Specimen(2)
      specimen.age = 9
      specimen.finder = "Mary"
      specimen.scan = [1]
      specimen.length = 2
      specimen.label = "another label"
      try await trial.subject.save(specimen)
      await trial.expect(find: 2, specimen)
      // A value that is gone is null again.
      try await trial.subject.save(Specimen(2))
      await trial.expect(find: 2, Specimen(2))
      await trial.expect(find: 1, Specimen(1))
      await trial.expect(.true, finds: 1, 2, 3)
    },
    SpecimenRule("a key may be any integer, and keys are in the order of numbers") { trial in
      for id in [0, .max, -1, .min, 9_007_199_254_740_993, 9_007_199_254_740_992, 1] {
        await trial.expectRoundTrip(of: Specimen(id))
      }
      await trial.expect(.true, finds: .min, -1, 0, 1, 9_007_199_254_740_992, 9_007_199_254_740_993, .max)
    },
    SpecimenRule(
      "an element with another's unique value is a conflict, and nothing changes", among: Specimen.series(2),
      needs: [.uniqueness]
    ) {
      trial in
      let intruder = Specimen(3).with(\.label, "specimen 1")
      await trial.expect("save a third specimen with the label of the first", throws: .conflict) {
        try await trial.subject.save(intruder)
      }
      let changed = Specimen(2).with(\.label, "specimen 1")
      await trial.expect("save the second specimen with the label of the first", throws: .conflict) {
        try await trial.subject.save(changed)
      }
      await trial.expect(.true, finds: 1, 2)
      await trial.expect(find: 2, Specimen(2))
    },
    SpecimenRule(
      "the error of a conflict names the column and tells no value", among: Specimen.series(1), needs: [.uniqueness]
    ) { trial in
      try await trial.subject.save(Specimen(7).with(\.label, "do not tell"))
      await trial.expect(
        "save a specimen with another's label", throws: .conflict, naming: "label", withoutTelling: "do not tell"
      ) {
        try await trial.subject.save(Specimen(8).with(\.label, "do not tell"))
      }
    },
    SpecimenRule("the error of a value that no store can hold names the column") { trial in
      await trial.expect("save a specimen whose mass is not a number", throws: .invalidValue, naming: "mass") {
        try await trial.subject.save(Specimen(1).with(\.mass, .nan))
      }
    },
    SpecimenRule("unique texts are told apart by their bytes") { trial in
      let labels = [
        "é", "e\u{301}", "É", "a", "A", "a ", " a", "a\0", "a\0b", "", "\0", "straße", "strasse", "1", "1.0",
      ]
      for (index, label) in labels.enumerated() {
        await trial.expectRoundTrip(of: Specimen(index).with(\.label, label))
      }
      await trial.expect("count", labels.count) { try await trial.subject.count() }
    },
    SpecimenRule("a unique value is free again once no element has it", among: Specimen.series(2), needs: [.uniqueness])
    { trial in
      try await trial.subject.save(Specimen(1).with(\.label, "moved"))
      try await trial.subject.save(Specimen(3).with(\.label, "specimen 1"))
      try await trial.subject.delete(2)
      try await trial.subject.save(Specimen(4).with(\.label, "specimen 2"))
      await trial.expect(.true, finds: 1, 3, 4)
    },
    SpecimenRule("a value that no store can hold is refused, and nothing is saved", among: Specimen.series(1)) {
      trial in
      let unstorable: [(String, Specimen)] = [
        ("a mass that is not a number", Specimen(1).with(\.mass, .nan)),
        ("a length that is not a number", Specimen(2).with(\.length, -.nan)),
        ("a date of the year 10000", Specimen(3).with(\.found, RoundTripRules.end)),
        ("a date before the year 0000", Specimen(4).with(\.found, RoundTripRules.beforeStart)),
      ]
      for (name, specimen) in unstorable {
        await trial.expect("save \(name)", throws: .invalidValue) { try await trial.subject.save(specimen) }
      }
      await trial.expect(.true, finds: 1)
      await trial.expect(find: 1, Specimen(1))
    },
  ]
}
