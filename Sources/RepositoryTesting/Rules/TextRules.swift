import Query
import Repository

/// Rules of `contains`, `starts with`, `ends with` and `like`, exact by UTF-8 bytes or with full Unicode case folding.
enum TextRules {
  static let all: [RequestRule] = exact + patterns + ignoringCase

  private static let exact: [RequestRule] = [
    RequestRule(
      "`contains` finds a text anywhere", among: .series(\.name, "abc", "xabcx", "ab", "", "acb"),
      ["name contains 'abc' → 1 2", "name contains 'b' → 1 2 3 5", "name not contains 'abc' → 3 4 5"],
      samples: .columns(
        values: .texts { [$0, String($0.dropFirst()), String($0.dropLast()), String($0.dropFirst().dropLast())] }
      ) { $0.holds(.text) && !$0.hasNull }),
    RequestRule(
      "`starts with` and `ends with` find a text at the start and at the end",
      among: .series(\.name, "abab", "abx", "xab", "ab", "a", "b", ""),
      [
        "name starts with 'ab' → 1 2 4", "name not starts with 'ab' → 3 5 6 7", "name ends with 'ab' → 1 3 4",
        "name not ends with 'ab' → 2 5 6 7", "name starts with 'ab' ignoring case → 1 2 4",
        "name not starts with 'ab' ignoring case → 3 5 6 7", "name ends with 'ab' ignoring case → 1 3 4",
        "name not ends with 'ab' ignoring case → 2 5 6 7",
      ],
      samples: .columns(values: .texts { [$0, String($0.prefix(2)), String($0.suffix(2))] }) {
        $0.holds(.text) && !$0.hasNull
      }),
    RequestRule(
      "the empty text is found in every text", among: .series(\.finder, "a", "", nil, "\u{1}"),
      rows(for: ["contains", "starts with", "ends with"]) { operation in
        [
          "finder \(operation) '' → 1 2 4", "finder \(operation) '' ignoring case → 1 2 4",
          "finder not \(operation) '' → 3", "name \(operation) '' → 1 2 3 4",
        ]
      }, samples: .columns(values: .constant("")) { $0.holds(.text) }),
    RequestRule(
      "text operators are false for a null, their negations true", among: .series(\.finder, "Mary", nil),
      rows(for: ["contains 'ar'", "starts with 'Ma'", "ends with 'ry'", "like 'M%'", "like '%'"]) { match in
        [
          "finder \(match) → 1", "finder \(match) ignoring case → 1", "finder not \(match) → 2",
          "finder not \(match) ignoring case → 2",
        ]
      }, samples: .columns(values: .texts { [$0] }) { $0.holds(.text) && $0.hasNull }),
    RequestRule(
      "text operators respect case by default", among: .series(\.name, "Ash", "ash", "ASH", "ÄSH"),
      ["name contains 's' → 1 2", "name starts with 'a' → 2", "name ends with 'H' → 3 4", "name like 'a%' → 2"],
      samples: .columns(values: .otherTexts { [$0.uppercased(), $0.lowercased()] }) { $0.holds(.text) }),
    RequestRule(
      "text operators compare bytes: composed and decomposed characters differ",
      among: .series(\.name, "café", "cafe\u{301}", "cafe", "écaf", "e\u{301}caf"),
      [
        "name contains 'é' → 1 4", "name contains 'e\u{301}' → 2 5", "name contains 'e' → 2 3 5",
        "name starts with 'cafe' → 2 3", "name starts with 'é' → 4", "name starts with 'e' → 5",
        "name ends with '\u{301}' → 2", "name ends with 'é' → 1",
      ]),
    RequestRule(
      "text operators look beyond an embedded NUL", among: .series(\.name, "a\0b", "a\0c", "a", "ab", "\0", "b\0"),
      needs: [.nulInTexts],
      [
        "name contains 'b' → 1 4 6", "name contains '\0' → 1 2 5 6", "name contains 'a\0b' → 1",
        "name starts with 'a\0' → 1 2", "name starts with '\0' → 5", "name ends with '\0c' → 2",
        "name ends with '\0' → 5 6", "name contains '\0B' ignoring case → 1",
        "name starts with 'A\0' ignoring case → 1 2",
        "name ends with '\0C' ignoring case → 2", "name like 'a\0%' → 1 2", "name like 'a_b' → 1",
        "name like 'A\0B' ignoring case → 1",
      ]),
    RequestRule(
      "text operators find no U+0000 in text without one", among: .series(\.name, "a", "ab", "", "\u{1}"),
      [
        "name = 'a\0' → ", "name != 'a\0' → 1 2 3 4", "name > 'a\0' → 2", "name <= 'a\0' → 1 3 4",
        "name in ('a', 'a\0', '\0') → 1", "name not in ('a', 'a\0', '\0') → 2 3 4", "name contains '\0' → ",
        "not name contains 'a\0' → 1 2 3 4", "name starts with '\0' ignoring case → ", "name like '%\0%' → ",
        "name between '\0' and 'a\0' → 1 4",
      ]),
    RequestRule(
      "text operators match parts of a visible character",
      among: .series(\.name, "👩‍👩‍👧", "👩", "🇯🇵🇵🇪", "\r\n", "가", "\u{1100}\u{1161}"),
      [
        "name contains '👩' → 1 2", "name starts with '👩' → 1 2", "name ends with '👧' → 1", "name contains '🇵🇵' → 3",
        "name starts with '\r' → 4", "name starts with '\u{1100}' → 6",
      ]),
    RequestRule(
      "a text is found up to the last scalar",
      among: .series(\.name, "\u{10FFFF}", "\u{10FFFF}a", "a\u{10FFFF}", "b", "\u{D7FF}x", "\u{E000}x"),
      [
        "name starts with '\u{10FFFF}' → 1 2", "name starts with 'a\u{10FFFF}' → 3", "name starts with '\u{D7FF}' → 5",
        "name ends with '\u{10FFFF}' → 1 3",
      ]),
    RequestRule(
      "`contains`, `starts with` and `ends with` know no wildcards",
      among: .series(\.name, "100%", "100", "a_b", "a\\b", "*", "[a]", "'"),
      [
        "name contains '%' → 1", "name contains '_' → 3", "name contains '\\' → 4", "name starts with '*' → 5",
        "name starts with '[' → 6", "name ends with '%' → 1", "name contains '''' → 7",
        "name contains '%' ignoring case → 1",
      ],
      samples: .columns(values: .constant("%", "_", "*", "?", ".", "\\", "[")) { $0.holds(.text) }),
    RequestRule(
      "text operators work on every column that is stored as text", among: .series(\.kingdom, .animal, .plant, .fungus),
      [
        "kingdom ends with 'ant' → 2", "kingdom like '%n%' → 1 2 3", "found starts with '2001-01-' → 1 2 3",
        "code ends with '2' → 2",
      ]),
  ]

  private static let patterns: [RequestRule] = [
    RequestRule(
      "`like` matches the whole text", among: .series(\.name, "abc", "xabc", "abcx", "ab", ""),
      ["name like 'abc' → 1", "name like '' → 5", "name not like 'abc' → 2 3 4 5"],
      samples: like { [$0, String($0.dropLast()), ""] }),
    RequestRule(
      "`%` matches any run, the empty one included", among: .series(\.name, "abc", "ac", "a", "bac", "", "abcabc"),
      [
        "name like '%' → 1 2 3 4 5 6", "name like '%%' → 1 2 3 4 5 6", "name like 'a%c' → 1 2 6",
        "name like '%b%' → 1 4 6",
        "name like 'a%' → 1 2 3 6", "name like '%a%b%a%' → 6", "name like '%c%a' →",
      ],
      samples: like { ["%", $0 + "%", $0.prefix(2) + "%", "%" + $0.suffix(2), "%" + $0.dropFirst().prefix(2) + "%"] }),
    RequestRule(
      "`_` matches one Unicode scalar", among: .series(\.name, "aé", "ae\u{301}", "a😀", "aa", "a", "aaa", "a\u{1}"),
      [
        "name like 'a_' → 1 3 4 7", "name like 'a__' → 2 6", "name like '_' → 5", "name like '%_' → 1 2 3 4 5 6 7",
        "name like '_%_%_' → 2 6",
      ],
      samples: like {
        let count = $0.unicodeScalars.count
        return [
          "_" + $0.dropFirst(), $0 + "_", "%_", String(repeating: "_", count: count),
          String(repeating: "_", count: count + 1),
        ]
      }),
    RequestRule(
      "`\\` makes the next character literal",
      among: .series(\.name, "100%", "1000", "a_b", "axb", "a\\b", "a\\", "%", "_", "\\%x"),
      [
        // A backslash at the end is an ordinary character.
        #"name like '100\%' → 1"#, #"name like 'a\_b' → 3"#, #"name like 'a\\b' → 5"#, #"name like '\%' → 7"#,
        #"name like '\a\xb' → 4"#, #"name like '%\%' → 1 7"#, #"name like '\\%' → 9"#, #"name like 'a\' → 6"#,
        #"name like '%\' → 6"#,
      ], samples: like { ["\\" + $0, $0 + "\\%", "\\%", "\\_" + $0.dropFirst(), $0 + "\\"] }),
    RequestRule(
      "`like` sees line ends and controls as any other character",
      among: .series(\.name, "a\nb", "a\u{1}b", "a\r\nb", "ab", "a"),
      [
        "name like 'a%b' → 1 2 3 4", "name like 'a_b' → 1 2", "name like 'a__b' → 3", "name like 'a\u{1}%' → 2",
        "name like 'a' → 5", "name like 'A\u{1}B' ignoring case → 2",
      ]),
    RequestRule(
      "`like` compares bytes and knows no other wildcards",
      among: .series(\.name, "é", "e\u{301}", "*", "?", "[ab]", "a", "A", "."),
      [
        "name like 'é' → 1", "name like 'e%' → 2", "name like '*' → 3", "name like '?' → 4", "name like '[ab]' → 5",
        "name like '.' → 8", "name like 'a' → 6",
      ]),
    RequestRule("a pattern of many runs is answered in reasonable time") { context in
      let name = String(repeating: "a", count: 5_000)
      try await context.prepare([Specimen(1).with(\.name, name), Specimen(2).with(\.name, name + "b")])
      await context.expect(.like(key: "name", value: String(repeating: "%a", count: 50) + "%b"), finds: 2)
    },
  ]

  private static let ignoringCase: [RequestRule] = [
    RequestRule(
      "ignoring case, letters beyond ASCII are the same in upper and lower case",
      among: .series(\.name, "Äpfel", "äPFEL", "ÄPFEL", "Apfel", "Яблоко", "яБЛОКО"),
      [
        "name contains 'ÄPF' ignoring case → 1 2 3", "name starts with 'ä' ignoring case → 1 2 3",
        "name ends with 'pFeL' ignoring case → 1 2 3 4", "name like 'яблоко' ignoring case → 5 6",
        "name not contains 'ÄPF' ignoring case → 4 5 6", "name = 'ÄPfel' ignoring case → 1 2 3",
        "name in ('яблоко', 'APFEL') ignoring case → 4 5 6", "name != 'ÄPfel' ignoring case → 4 5 6",
      ]),
    RequestRule(
      "ignoring case, both sides are folded", among: .series(\.name, "Mary", "MARY", "mary", "Ann"),
      rows(for: ["contains", "starts with", "ends with", "like"]) { operation in
        ["name \(operation) 'mARY' ignoring case → 1 2 3", "name not \(operation) 'mARY' ignoring case → 4"]
      },
      samples: .columns(values: .texts { [$0.uppercased(), $0.lowercased()] }) { $0.holds(.text) }),
    RequestRule(
      "ignoring case, STRASSE and straße are the same",
      among: .series(\.name, "straße", "Strasse", "STRASSE 5", "strase", "STRAẞE"),
      [
        // `_` matches one scalar of the folded text.
        "name contains 'STRASSE' ignoring case → 1 2 3 5", "name starts with 'straße' ignoring case → 1 2 3 5",
        "name ends with 'SSE' ignoring case → 1 2 5", "name like 'straße' ignoring case → 1 2 5",
        "name like 'stra__e' ignoring case → 1 2 5", "name like 'stra_e' ignoring case → 4",
        "name contains 'STRASSE' → 3",
      ]),
    RequestRule(
      "ignoring case, all forms of a letter are the same",
      among: .series(\.name, "ΣΟΦΟΣ", "σοφος", "σοφοσ", "\u{212A}", "K", "k", "ﬁ", "FI"),
      [
        "name like 'Σοφος' ignoring case → 1 2 3", "name like 'k' ignoring case → 4 5 6",
        "name like 'Fi' ignoring case → 7 8",
      ]),
    RequestRule(
      "ignoring case, no locale takes part: the dotless ı is not an i", among: .series(\.name, "i", "I", "ı", "İ"),
      [
        "name like 'I' ignoring case → 1 2", "name like 'ı' ignoring case → 3",
        "name like 'i\u{307}' ignoring case → 4",
      ]),
    RequestRule(
      "ignoring case, composed and decomposed characters stay different",
      among: .series(\.name, "é", "É", "e\u{301}", "E\u{301}"),
      [
        "name like 'É' ignoring case → 1 2", "name contains 'E\u{301}' ignoring case → 3 4",
        "name starts with 'E' ignoring case → 3 4",
      ]),
    RequestRule(
      "ignoring case, wildcards and escapes keep their meaning", among: .series(\.name, "A%", "aB", "A_", "ax_"),
      [
        #"name like 'a\%' ignoring case → 1"#, "name like 'A_' ignoring case → 1 2 3",
        #"name like 'A%\_' ignoring case → 3 4"#,
      ]),
  ]

  private static func rows(for parts: [String], _ make: (String) -> [RequestRow]) -> [RequestRow] {
    parts.flatMap(make)
  }

  private static func like(_ patterns: @escaping @Sendable (String) -> [String]) -> SampleRequests {
    .columns("K like :v", values: .texts(patterns)) { $0.holds(.text) && !$0.hasNull }
  }
}
