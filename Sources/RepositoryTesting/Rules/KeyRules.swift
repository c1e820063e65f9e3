import Query
import Repository

/// A key that is compared with another key of the same row.
enum KeyRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("two keys are compared row by row", among: numbers) { trial in
      await trial.expect(.equal(key: "age", otherKey: "length"), finds: 1, 6)
      await trial.expect(.lessThan(key: "age", otherKey: "length"), finds: 2)
      await trial.expect(.lessThanOrEqual(key: "age", otherKey: "length"), finds: 1, 2)
      await trial.expect(.greaterThan(key: "age", otherKey: "length"), finds: 3)
      await trial.expect(.greaterThanOrEqual(key: "age", otherKey: "length"), finds: 1, 3)
    },
    SpecimenRule("two keys that are both null are equal, one null differs from a value", among: numbers) { trial in
      await trial.expect(.notEqual(key: "age", otherKey: "length"), finds: 2, 3, 4, 5)
      await trial.expect(!.equal(key: "age", otherKey: "length"), finds: 2, 3, 4, 5)
      await trial.expect(!.notEqual(key: "age", otherKey: "length"), finds: 1, 6)
      await trial.expect(.notEqual(key: "age", otherKey: "mass"), finds: 1, 2, 3, 4, 5, 6)
      await trial.expect(.equal(key: "mass", otherKey: "age"), findsAll: [])
    },
    SpecimenRule("a key compared with a null key is neither less nor greater, the negations are true", among: numbers) {
      trial in
      await trial.expect(!.lessThan(key: "age", otherKey: "length"), finds: 1, 3, 4, 5, 6)
      await trial.expect(!.lessThanOrEqual(key: "age", otherKey: "length"), finds: 3, 4, 5, 6)
      await trial.expect(!.greaterThan(key: "age", otherKey: "length"), finds: 1, 2, 4, 5, 6)
      await trial.expect(!.greaterThanOrEqual(key: "age", otherKey: "length"), finds: 2, 4, 5, 6)
    },
    SpecimenRule(
      "an integer key and a real key are compared exactly",
      among: [
        Specimen(1).with(\.age, 9_007_199_254_740_993).with(\.length, 9_007_199_254_740_992),
        Specimen(2).with(\.age, 9_007_199_254_740_992).with(\.length, 9_007_199_254_740_992),
        Specimen(3).with(\.age, .max).with(\.length, 0x1p63), Specimen(4).with(\.age, .min).with(\.length, -0x1p63),
        Specimen(5).with(\.age, .max).with(\.length, .infinity),
      ]
    ) { trial in
      await trial.expect(.equal(key: "age", otherKey: "length"), finds: 2, 4)
      await trial.expect(.greaterThan(key: "age", otherKey: "length"), finds: 1)
      await trial.expect(.lessThan(key: "age", otherKey: "length"), finds: 3, 5)
    },
    SpecimenRule(
      "a text key and another are compared by their bytes",
      among: [
        Specimen(1).with(\.name, "é").with(\.finder, "é"), Specimen(2).with(\.name, "é").with(\.finder, "e\u{301}"),
        Specimen(3).with(\.name, "a\0b").with(\.finder, "a\0c"), Specimen(4).with(\.name, "Z").with(\.finder, "a"),
        Specimen(5).with(\.name, "").with(\.finder, nil), Specimen(6).with(\.name, "10").with(\.finder, "9"),
      ]
    ) { trial in
      await trial.expect(.equal(key: "name", otherKey: "finder"), finds: 1)
      await trial.expect(.notEqual(key: "name", otherKey: "finder"), finds: 2, 3, 4, 5, 6)
      await trial.expect(.lessThan(key: "name", otherKey: "finder"), finds: 3, 4, 6)
      await trial.expect(.greaterThan(key: "name", otherKey: "finder"), finds: 2)
    },
    SpecimenRule(
      "a blob key and another are compared by their bytes",
      among: [
        Specimen(1).with(\.sample, [1]).with(\.scan, [1]), Specimen(2).with(\.sample, []).with(\.scan, []),
        Specimen(3).with(\.sample, [0xFF]).with(\.scan, [1, 1]), Specimen(4).with(\.sample, []).with(\.scan, nil),
      ]
    ) { trial in
      await trial.expect(.equal(key: "sample", otherKey: "scan"), finds: 1, 2)
      await trial.expect(.greaterThan(key: "sample", otherKey: "scan"), finds: 3)
      await trial.expect(.notEqual(key: "sample", otherKey: "scan"), finds: 3, 4)
    },
    SpecimenRule("a key equals itself, null or not", among: Specimen.series(\.age, 1, nil)) { trial in
      await trial.expect(.equal(key: "age", otherKey: "age"), finds: 1, 2)
      await trial.expect(.notEqual(key: "age", otherKey: "age"), findsAll: [])
      await trial.expect(.lessThanOrEqual(key: "age", otherKey: "age"), finds: 1)
      await trial.expect(.lessThan(key: "age", otherKey: "age"), findsAll: [])
    },
  ]

  /// Equal, less, greater, the one null, the other null, both null; every mass is 0.
  private static let numbers = [
    Specimen(1).with(\.age, 2).with(\.length, 2), Specimen(2).with(\.age, 2).with(\.length, 2.5),
    Specimen(3).with(\.age, 3).with(\.length, 2.5), Specimen(4).with(\.age, nil).with(\.length, 2.5),
    Specimen(5).with(\.age, 3).with(\.length, nil), Specimen(6),
  ]
}
