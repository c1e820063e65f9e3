import Query
import Repository

/// `contains`, `starts with` and `ends with`, exact by UTF-8 bytes.
enum TextRules {
  static let all: [SpecimenRule] = [
    SpecimenRule(
      "`contains` finds a text anywhere", among: Specimen.series(\.name, "abc", "xabcx", "ab", "", "acb")
    ) { trial in
      await trial.expect(.contains(key: "name", value: "abc"), finds: 1, 2)
      await trial.expect(.contains(key: "name", value: "b"), finds: 1, 2, 3, 5)
      await trial.expect(!.contains(key: "name", value: "abc"), finds: 3, 4, 5)
    },
    SpecimenRule(
      "`starts with` and `ends with` find a text at the start and at the end",
      among: Specimen.series(\.name, "abab", "abx", "xab", "ab", "a", "b", "")
    ) { trial in
      for ignoringCase in [false, true] {
        let prefix = AnyQuery.hasPrefix(key: "name", value: "ab", ignoringCase: ignoringCase)
        await trial.expect(prefix, finds: 1, 2, 4)
        await trial.expect(!prefix, finds: 3, 5, 6, 7)
        let suffix = AnyQuery.hasSuffix(key: "name", value: "ab", ignoringCase: ignoringCase)
        await trial.expect(suffix, finds: 1, 3, 4)
        await trial.expect(!suffix, finds: 2, 5, 6, 7)
      }
    },
    SpecimenRule("the empty text is found in every text", among: Specimen.series(\.finder, "a", "", nil, "\0")) {
      trial in
      for operation in [TextOperation.contains, .hasPrefix, .hasSuffix] {
        await trial.expect(.match(key: "finder", operation, value: ""), finds: 1, 2, 4)
        await trial.expect(.match(key: "finder", operation, value: "", ignoringCase: true), finds: 1, 2, 4)
        await trial.expect(!.match(key: "finder", operation, value: ""), finds: 3)
        await trial.expect(.match(key: "name", operation, value: ""), finds: 1, 2, 3, 4)
      }
    },
    SpecimenRule(
      "text operators are false for a null, their negations true", among: Specimen.series(\.finder, "Mary", nil)
    ) {
      trial in
      for (operation, text) in [
        (TextOperation.contains, "ar"), (.hasPrefix, "Ma"), (.hasSuffix, "ry"), (.like, "M%"), (.like, "%"),
      ] {
        for ignoringCase in [false, true] {
          await trial.expect(.match(key: "finder", operation, value: text, ignoringCase: ignoringCase), finds: 1)
          await trial.expect(!.match(key: "finder", operation, value: text, ignoringCase: ignoringCase), finds: 2)
        }
      }
    },
    SpecimenRule(
      "text operators respect case unless told otherwise", among: Specimen.series(\.name, "Ash", "ash", "ASH", "ÄSH")
    ) { trial in
      await trial.expect(.contains(key: "name", value: "s"), finds: 1, 2)
      await trial.expect(.hasPrefix(key: "name", value: "a"), finds: 2)
      await trial.expect(.hasSuffix(key: "name", value: "H"), finds: 3, 4)
      await trial.expect(.like(key: "name", value: "a%"), finds: 2)
    },
    SpecimenRule(
      "text operators compare bytes: composed and decomposed characters differ",
      among: Specimen.series(\.name, "café", "cafe\u{301}", "cafe", "écaf", "e\u{301}caf")
    ) { trial in
      await trial.expect(.contains(key: "name", value: "é"), finds: 1, 4)
      await trial.expect(.contains(key: "name", value: "e\u{301}"), finds: 2, 5)
      await trial.expect(.contains(key: "name", value: "e"), finds: 2, 3, 5)
      await trial.expect(.hasPrefix(key: "name", value: "cafe"), finds: 2, 3)
      await trial.expect(.hasPrefix(key: "name", value: "é"), finds: 4)
      await trial.expect(.hasPrefix(key: "name", value: "e"), finds: 5)
      await trial.expect(.hasSuffix(key: "name", value: "\u{301}"), finds: 2)
      await trial.expect(.hasSuffix(key: "name", value: "é"), finds: 1)
    },
    SpecimenRule(
      "text operators look beyond an embedded NUL",
      among: Specimen.series(\.name, "a\0b", "a\0c", "a", "ab", "\0", "b\0")
    ) { trial in
      await trial.expect(.contains(key: "name", value: "b"), finds: 1, 4, 6)
      await trial.expect(.contains(key: "name", value: "\0"), finds: 1, 2, 5, 6)
      await trial.expect(.contains(key: "name", value: "a\0b"), finds: 1)
      await trial.expect(.hasPrefix(key: "name", value: "a\0"), finds: 1, 2)
      await trial.expect(.hasPrefix(key: "name", value: "\0"), finds: 5)
      await trial.expect(.hasSuffix(key: "name", value: "\0c"), finds: 2)
      await trial.expect(.hasSuffix(key: "name", value: "\0"), finds: 5, 6)
      await trial.expect(.contains(key: "name", value: "\0B", ignoringCase: true), finds: 1)
      await trial.expect(.hasPrefix(key: "name", value: "A\0", ignoringCase: true), finds: 1, 2)
      await trial.expect(.hasSuffix(key: "name", value: "\0C", ignoringCase: true), finds: 2)
    },
    SpecimenRule(
      "text operators take apart what is one character to a reader",
      among: Specimen.series(\.name, "👩‍👩‍👧", "👩", "🇯🇵🇵🇪", "\r\n", "가", "\u{1100}\u{1161}")
    ) { trial in
      await trial.expect(.contains(key: "name", value: "👩"), finds: 1, 2)
      await trial.expect(.hasPrefix(key: "name", value: "👩"), finds: 1, 2)
      await trial.expect(.hasSuffix(key: "name", value: "👧"), finds: 1)
      await trial.expect(.contains(key: "name", value: "🇵🇵"), finds: 3)
      await trial.expect(.hasPrefix(key: "name", value: "\r"), finds: 4)
      await trial.expect(.hasPrefix(key: "name", value: "\u{1100}"), finds: 6)
    },
    SpecimenRule(
      "a text is found to the last scalar that there is",
      among: Specimen.series(\.name, "\u{10FFFF}", "\u{10FFFF}a", "a\u{10FFFF}", "b", "\u{D7FF}x", "\u{E000}x")
    ) { trial in
      await trial.expect(.hasPrefix(key: "name", value: "\u{10FFFF}"), finds: 1, 2)
      await trial.expect(.hasPrefix(key: "name", value: "a\u{10FFFF}"), finds: 3)
      await trial.expect(.hasPrefix(key: "name", value: "\u{D7FF}"), finds: 5)
      await trial.expect(.hasSuffix(key: "name", value: "\u{10FFFF}"), finds: 1, 3)
    },
    SpecimenRule(
      "`contains`, `starts with` and `ends with` know no wildcards",
      among: Specimen.series(\.name, "100%", "100", "a_b", "a\\b", "*", "[a]", "'")
    ) { trial in
      await trial.expect(.contains(key: "name", value: "%"), finds: 1)
      await trial.expect(.contains(key: "name", value: "_"), finds: 3)
      await trial.expect(.contains(key: "name", value: "\\"), finds: 4)
      await trial.expect(.hasPrefix(key: "name", value: "*"), finds: 5)
      await trial.expect(.hasPrefix(key: "name", value: "["), finds: 6)
      await trial.expect(.hasSuffix(key: "name", value: "%"), finds: 1)
      await trial.expect(.contains(key: "name", value: "'"), finds: 7)
      await trial.expect(.contains(key: "name", value: "%", ignoringCase: true), finds: 1)
    },
    SpecimenRule(
      "text operators serve every column that is kept as a text",
      among: Specimen.series(\.kingdom, .animal, .plant, .fungus)
    ) { trial in
      await trial.expect(.hasSuffix(key: "kingdom", value: "ant"), finds: 2)
      await trial.expect(.like(key: "kingdom", value: "%n%"), finds: 1, 2, 3)
      await trial.expect(.hasPrefix(key: "found", value: "2001-01-"), finds: 1, 2, 3)
      await trial.expect(.hasSuffix(key: "code", value: "2"), finds: 2)
    },
  ]
}
