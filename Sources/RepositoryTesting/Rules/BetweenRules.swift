import Query
import Repository

/// `between`, both bounds included.
enum BetweenRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("`between` includes both bounds", among: Specimen.series(\.age, 2, 3, 4, 5, 6)) { trial in
      await trial.expect(.between(key: "age", lhs: 3, rhs: 5), finds: 2, 3, 4)
      await trial.expect(.between(key: "age", lhs: 4, rhs: 4), finds: 3)
      await trial.expect(.between(key: "age", lhs: 2.5, rhs: 4.5), finds: 2, 3)
      await trial.expect(.between(key: "age", lhs: 7, rhs: 9), findsAll: [])
      await trial.expect(!.between(key: "age", lhs: 3, rhs: 5), finds: 1, 5)
    },
    SpecimenRule("`between` with reversed bounds finds nothing", among: Specimen.series(\.age, 2, 3, nil)) { trial in
      await trial.expect(.between(key: "age", lhs: 3, rhs: 2), findsAll: [])
      await trial.expect(!.between(key: "age", lhs: 3, rhs: 2), finds: 1, 2, 3)
    },
    SpecimenRule("`between` is false for a null, its negation true", among: Specimen.series(\.age, 2, nil, 9)) {
      trial in
      await trial.expect(.between(key: "age", lhs: 1, rhs: 3), finds: 1)
      await trial.expect(!.between(key: "age", lhs: 1, rhs: 3), finds: 2, 3)
    },
    SpecimenRule("`between` is false for a bound that is null", among: Specimen.series(\.age, 2, nil, 9)) { trial in
      await trial.expect(.between(key: "age", lhs: Int?.none, rhs: 9), findsAll: [])
      await trial.expect(.between(key: "age", lhs: 1, rhs: Int?.none), findsAll: [])
      await trial.expect(.between(key: "age", lhs: Int?.none, rhs: Int?.none), findsAll: [])
      await trial.expect(!.between(key: "age", lhs: Int?.none, rhs: 5), finds: 1, 2, 3)
      await trial.expect(!.between(key: "mass", lhs: Value.null, rhs: 5), finds: 1, 2, 3)
      await trial.expect(!.between(key: "mass", lhs: 5, rhs: Value.null), finds: 1, 2, 3)
    },
    SpecimenRule(
      "`between` compares texts and blobs by their bytes",
      among: [
        Specimen(1).with(\.name, "b").with(\.sample, [1]), Specimen(2).with(\.name, "B").with(\.sample, [0xFF]),
        Specimen(3).with(\.name, "c\0").with(\.sample, [1, 2]), Specimen(4).with(\.name, "c").with(\.sample, [2]),
      ]
    ) { trial in
      await trial.expect(.between(key: "name", lhs: "a", rhs: "c"), finds: 1, 4)
      await trial.expect(.between(key: "name", lhs: "c", rhs: "d"), finds: 3, 4)
      await trial.expect(.between(key: "sample", lhs: [1] as [UInt8], rhs: [2] as [UInt8]), finds: 1, 3, 4)
    },
    SpecimenRule(
      "a bound of `between` may be another key",
      among: [
        Specimen(1).with(\.age, 5).with(\.mass, 3).with(\.length, 7),
        Specimen(2).with(\.age, 2).with(\.mass, 3).with(\.length, 7),
        Specimen(3).with(\.age, 7).with(\.mass, 3).with(\.length, 7), Specimen(4).with(\.age, 5).with(\.mass, 3),
        Specimen(5).with(\.mass, 3).with(\.length, 7), Specimen(6).with(\.age, 9).with(\.mass, 3),
      ]
    ) { trial in
      await trial.expect(.between(key: "age", lower: .key("mass"), upper: .key("length")), finds: 1, 3)
      await trial.expect(!.between(key: "age", lower: .key("mass"), upper: .key("length")), finds: 2, 4, 5, 6)
      await trial.expect(.between(key: "age", lower: .value(5), upper: .key("length")), finds: 1, 3)
      await trial.expect(.between(key: "age", lower: .key("mass"), upper: .value(6)), finds: 1, 4)
      await trial.expect(!.between(key: "age", lower: .key("mass"), upper: .value(6)), finds: 2, 3, 5, 6)
      await trial.expect(.between(key: "age", lower: .value(.null), upper: .key("length")), findsAll: [])
    },
  ]
}
