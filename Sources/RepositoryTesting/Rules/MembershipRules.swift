import Query
import Repository

/// `in`, with lists of every length.
enum MembershipRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("`in` finds what equals one of the values", among: Specimen.series(\.age, 1, 2, 3, nil)) { trial in
      await trial.expect(.in(key: "age", values: [1, 3]), finds: 1, 3)
      await trial.expect(.in(key: "age", values: [3, 3, 3, 9]), finds: 3)
      await trial.expect(.in(key: "age", values: [9]), findsAll: [])
    },
    SpecimenRule("`in` with an empty list finds nothing", among: Specimen.series(\.age, 1, nil)) { trial in
      await trial.expect(.in(key: "age", values: [Int]()), findsAll: [])
      await trial.expect(!.in(key: "age", values: [Int]()), finds: 1, 2)
      await trial.expect(!.in(key: "mass", values: [Double]()), finds: 1, 2)
    },
    SpecimenRule("a null in the list of `in` finds nulls", among: Specimen.series(\.age, 1, 2, nil)) { trial in
      await trial.expect(.in(key: "age", values: [1, nil]), finds: 1, 3)
      await trial.expect(.in(key: "age", values: [nil] as [Int?]), finds: 3)
      await trial.expect(!.in(key: "age", values: [1, nil]), finds: 2)
      await trial.expect(!.in(key: "age", values: [nil] as [Int?]), finds: 1, 2)
      await trial.expect(.in(key: "mass", values: [nil] as [Double?]), findsAll: [])
      await trial.expect(!.in(key: "mass", values: [nil] as [Double?]), finds: 1, 2, 3)
      await trial.expect(!.in(key: "mass", values: [nil, 1] as [Double?]), finds: 1, 2, 3)
    },
    SpecimenRule(
      "`in` without a null in its list is false for a null, its negation true", among: Specimen.series(\.age, 1, 2, nil)
    ) { trial in
      await trial.expect(.in(key: "age", values: [1]), finds: 1)
      await trial.expect(!.in(key: "age", values: [1]), finds: 2, 3)
    },
    SpecimenRule("`in` compares integers and reals exactly", among: Specimen.series(\.age, 1, 2, 9_007_199_254_740_993))
    {
      trial in
      await trial.expect(.in(key: "age", values: [1.0, 2.5]), finds: 1)
      await trial.expect(.in(key: "age", values: [9_007_199_254_740_992.0]), findsAll: [])
      await trial.expect(.in(key: "id", values: [Value.real(1), .integer(2), .real(2.5)]), finds: 1, 2)
      await trial.expect(.in(key: "mass", values: [0, 5]), finds: 1, 2, 3)
    },
    SpecimenRule(
      "`in` compares texts by their bytes", among: Specimen.series(\.name, "é", "e\u{301}", "a\0b", "a", "A", "")
    ) { trial in
      await trial.expect(.in(key: "name", values: ["é", "x"]), finds: 1)
      await trial.expect(.in(key: "name", values: ["a\0b", "x"]), finds: 3)
      await trial.expect(.in(key: "name", values: ["a"]), finds: 4)
      await trial.expect(.in(key: "name", values: [""]), finds: 6)
      await trial.expect(!.in(key: "name", values: ["é", "a"]), finds: 2, 3, 5, 6)
      await trial.expect(.in(key: "kingdom", values: [Kingdom.animal]), finds: 1, 2, 3, 4, 5, 6)
    },
    SpecimenRule("`in` compares blobs by their bytes", among: Specimen.series(\.sample, [], [0], [1, 2])) { trial in
      await trial.expect(.in(key: "sample", values: [[], [1, 2]] as [[UInt8]]), finds: 1, 3)
      await trial.expect(!.in(key: "sample", values: [[], [1, 2]] as [[UInt8]]), finds: 2)
    },
    SpecimenRule(
      "lists of every length find the same",
      among: [
        Specimen(1).with(\.age, 1).with(\.mass, 0.5).with(\.name, "name 1").with(\.sample, [1]),
        Specimen(2).with(\.age, 1000).with(\.mass, 1000.5).with(\.name, "name 1000").with(\.sample, [232, 3]),
        Specimen(3).with(\.age, 0).with(\.mass, .infinity).with(\.name, "name").with(\.sample, []),
        Specimen(4),
      ]
    ) { trial in
      for count in [1, 2, 3, 15, 16, 17, 18, 31, 64, 65, 100, 999] {
        let numbers = Array(1...count)
        await trial.expect(.in(key: "age", values: numbers), finds: 1)
        await trial.expect(!.in(key: "age", values: numbers), finds: 2, 3, 4)
        await trial.expect(.in(key: "age", values: numbers.map { 1001 - $0 }), finds: 2)
        await trial.expect(.in(key: "mass", values: numbers.map { 1001 - Double($0) + 0.5 }), finds: 2)
        await trial.expect(.in(key: "name", values: numbers.map { "name \(1001 - $0)" }), finds: 2)
        await trial.expect(.in(key: "sample", values: numbers.map { [UInt8(truncatingIfNeeded: $0)] }), finds: 1)
        await trial.expect(.in(key: "age", values: numbers.map(Optional.some) + [nil]), finds: 1, 4)
      }
    },
    SpecimenRule(
      "a long list keeps what is hard to write",
      among: Specimen.series(
        \.name, "it's", "\"quoted\"", "back\\slash", "new\nline", "a\0b", "é", "😀", "\u{1}", "", "r1", "s")
    ) { trial in
      let fillers = (1...50).map { "filler \($0)" }
      let names = ["it's", "\"quoted\"", "back\\slash", "new\nline", "a\0b", "é", "😀", "\u{1}", "", "r1", "s"]
      await trial.expect(.in(key: "name", values: fillers + names), finds: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
      for (index, name) in names.enumerated() {
        await trial.expect(.in(key: "name", values: fillers + [name]), finds: index + 1)
      }
      await trial.expect(.in(key: "name", values: fillers + ["e\u{301}", "a", "sr1"]), findsAll: [])
    },
  ]
}
