import Query
import Repository

/// `like` and its patterns.
enum LikeRules {
  static let all: [SpecimenRule] = [
    SpecimenRule(
      "`like` matches the whole text", among: Specimen.series(\.name, "abc", "xabc", "abcx", "ab", "")
    ) { trial in
      await trial.expect(.like(key: "name", value: "abc"), finds: 1)
      await trial.expect(.like(key: "name", value: ""), finds: 5)
      await trial.expect(!.like(key: "name", value: "abc"), finds: 2, 3, 4, 5)
    },
    SpecimenRule(
      "`%` stands for any run, the empty one included",
      among: Specimen.series(\.name, "abc", "ac", "a", "bac", "", "abcabc")
    ) { trial in
      await trial.expect(.like(key: "name", value: "%"), finds: 1, 2, 3, 4, 5, 6)
      await trial.expect(.like(key: "name", value: "%%"), finds: 1, 2, 3, 4, 5, 6)
      await trial.expect(.like(key: "name", value: "a%c"), finds: 1, 2, 6)
      await trial.expect(.like(key: "name", value: "%b%"), finds: 1, 4, 6)
      await trial.expect(.like(key: "name", value: "a%"), finds: 1, 2, 3, 6)
      await trial.expect(.like(key: "name", value: "%a%b%a%"), finds: 6)
      await trial.expect(.like(key: "name", value: "%c%a"), findsAll: [])
    },
    SpecimenRule(
      "`_` stands for one Unicode scalar",
      among: Specimen.series(\.name, "aé", "ae\u{301}", "a😀", "aa", "a", "aaa", "a\0")
    ) { trial in
      await trial.expect(.like(key: "name", value: "a_"), finds: 1, 3, 4, 7)
      await trial.expect(.like(key: "name", value: "a__"), finds: 2, 6)
      await trial.expect(.like(key: "name", value: "_"), finds: 5)
      await trial.expect(.like(key: "name", value: "%_"), finds: 1, 2, 3, 4, 5, 6, 7)
      await trial.expect(.like(key: "name", value: "_%_%_"), finds: 2, 6)
    },
    SpecimenRule(
      "`\\` takes the next character as it is",
      among: Specimen.series(\.name, "100%", "1000", "a_b", "axb", "a\\b", "a\\", "%", "_", "\\%x")
    ) { trial in
      await trial.expect(.like(key: "name", value: "100\\%"), finds: 1)
      await trial.expect(.like(key: "name", value: "a\\_b"), finds: 3)
      await trial.expect(.like(key: "name", value: "a\\\\b"), finds: 5)
      await trial.expect(.like(key: "name", value: "\\%"), finds: 7)
      await trial.expect(.like(key: "name", value: "\\a\\xb"), finds: 4)
      await trial.expect(.like(key: "name", value: "%\\%"), finds: 1, 7)
      await trial.expect(.like(key: "name", value: "\\\\%"), finds: 9)
      // At the end it stands for itself.
      await trial.expect(.like(key: "name", value: "a\\"), finds: 6)
      await trial.expect(.like(key: "name", value: "%\\"), finds: 6)
    },
    SpecimenRule(
      "`like` sees line ends and NUL as any other character",
      among: Specimen.series(\.name, "a\nb", "a\0b", "a\r\nb", "ab", "a")
    ) { trial in
      await trial.expect(.like(key: "name", value: "a%b"), finds: 1, 2, 3, 4)
      await trial.expect(.like(key: "name", value: "a_b"), finds: 1, 2)
      await trial.expect(.like(key: "name", value: "a__b"), finds: 3)
      await trial.expect(.like(key: "name", value: "a\0%"), finds: 2)
      await trial.expect(.like(key: "name", value: "a"), finds: 5)
      await trial.expect(.like(key: "name", value: "A\0B", ignoringCase: true), finds: 2)
    },
    SpecimenRule(
      "`like` compares bytes and knows no other wildcards",
      among: Specimen.series(\.name, "é", "e\u{301}", "*", "?", "[ab]", "a", "A", ".")
    ) { trial in
      await trial.expect(.like(key: "name", value: "é"), finds: 1)
      await trial.expect(.like(key: "name", value: "e%"), finds: 2)
      await trial.expect(.like(key: "name", value: "*"), finds: 3)
      await trial.expect(.like(key: "name", value: "?"), finds: 4)
      await trial.expect(.like(key: "name", value: "[ab]"), finds: 5)
      await trial.expect(.like(key: "name", value: "."), finds: 8)
      await trial.expect(.like(key: "name", value: "a"), finds: 6)
    },
    SpecimenRule("a pattern of many runs is answered in reasonable time") { trial in
      let name = String(repeating: "a", count: 5_000)
      try await trial.prepare([Specimen(1).with(\.name, name), Specimen(2).with(\.name, name + "b")])
      let pattern = String(repeating: "%a", count: 50) + "%b"
      await trial.expect(.like(key: "name", value: pattern), finds: 2)
    },
  ]
}
