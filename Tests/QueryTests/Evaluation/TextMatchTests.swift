import Query
import TestSupport
import Testing

@Suite("A key whose text matches another")
struct TextMatchTests {
  struct Case: CustomTestStringConvertible {
    let text: Value
    let operation: TextOperation
    let sought: String
    let isMatch: Bool
    let isMatchIgnoringCase: Bool

    init(_ text: Value, _ operation: TextOperation, _ sought: String, _ isMatch: Bool, ignoringCase: Bool? = nil) {
      self.text = text
      self.operation = operation
      self.sought = sought
      self.isMatch = isMatch
      isMatchIgnoringCase = ignoringCase ?? isMatch
    }

    var testDescription: String { "\(text.spelling) \(operation.rawValue) \(sought.debugDescription)" }
  }

  static let cases: [Case] = [
    Case("Charmander", .contains, "mand", true), Case("Charmander", .contains, "Charmander", true),
    Case("Charmander", .contains, "MAND", false, ignoringCase: true), Case("Charmander", .contains, "mend", false),
    Case("Charmander", .contains, "Charmander!", false), Case("aab", .contains, "ab", true),
    Case("aaab", .contains, "aab", true), Case("abacabab", .contains, "abab", true),
    Case("Charmander", .hasPrefix, "Char", true), Case("Charmander", .hasPrefix, "Charmander", true),
    Case("Charmander", .hasPrefix, "char", false, ignoringCase: true), Case("Charmander", .hasPrefix, "har", false),
    Case("Char", .hasPrefix, "Charm", false),
    Case("Charmander", .hasSuffix, "der", true), Case("Charmander", .hasSuffix, "Charmander", true),
    Case("Charmander", .hasSuffix, "DER", false, ignoringCase: true), Case("Charmander", .hasSuffix, "de", false),
    Case("der", .hasSuffix, "nder", false),
    Case("Charmander", .like, "Char%", true), Case("Charmander", .like, "char%", false, ignoringCase: true),
    Case("Charmander", .like, "Char", false), Case("Charmander", .like, "%", true),
    // Every text contains, starts with and ends with the empty one; only the empty text is like it.
    Case("", .contains, "", true), Case("", .hasPrefix, "", true), Case("", .hasSuffix, "", true),
    Case("", .like, "", true), Case("a", .contains, "", true), Case("a", .hasPrefix, "", true),
    Case("a", .hasSuffix, "", true), Case("a", .like, "", false), Case("", .contains, "a", false),
    Case("", .hasPrefix, "a", false), Case("", .hasSuffix, "a", false),
    // % and _ are special in patterns alone.
    Case("100%", .contains, "%", true), Case("100", .contains, "%", false), Case("100", .hasPrefix, "_", false),
    Case("100%", .hasSuffix, "0%", true), Case("100", .hasSuffix, "%", false),
    Case("a\0b", .contains, "\0", true), Case("a\0b", .hasPrefix, "a\0", true), Case("a\0b", .hasSuffix, "\0b", true),
    Case("a\0b", .contains, "\0c", false), Case("ab", .contains, "\0", false), Case("a\0", .hasSuffix, "a", false),
    // By UTF-8 bytes: a decomposed é is an e and an accent, a composed one is neither.
    Case("e\u{301}", .contains, "e", true), Case("e\u{301}", .hasPrefix, "e", true),
    Case("e\u{301}", .hasSuffix, "\u{301}", true), Case("\u{E9}", .contains, "e", false),
    Case("\u{E9}", .contains, "e\u{301}", false), Case("e\u{301}", .contains, "\u{E9}", false),
    Case("\u{C9}", .contains, "\u{E9}", false, ignoringCase: true),
    Case("\u{C9}", .contains, "e\u{301}", false, ignoringCase: false),
    Case("👨‍👩‍👧", .contains, "👩", true), Case("🇩🇪", .hasPrefix, "🇩", true), Case("日本", .hasSuffix, "本", true),
    // Both sides fold.
    Case("Straße", .contains, "STRASSE", false, ignoringCase: true),
    Case("STRASSE", .hasSuffix, "ße", false, ignoringCase: true),
    Case("Straße", .hasSuffix, "se", false, ignoringCase: true),
    Case("Straße", .like, "STRA__E", false, ignoringCase: true),
    Case("Straße", .like, "Stra_e", true, ignoringCase: false),
    Case("ΣΊΣΥΦΟΣ", .hasSuffix, "ος", false, ignoringCase: true),
    Case("ﬁsh", .hasPrefix, "FI", false, ignoringCase: true),
    Case("\u{212A}g", .hasPrefix, "k", false, ignoringCase: true),
    Case("ı", .contains, "i", false, ignoringCase: false),
    Case("İ", .contains, "i", false, ignoringCase: true), Case("Ꮡ", .contains, "ꮡ", false, ignoringCase: true),
    Case("50%", .like, "50\\%", true), Case("A\\", .like, "a\\", false, ignoringCase: true),
    Case("SS", .like, "\\ß", false, ignoringCase: true),
    // What is no text matches nothing, not even where its spelling would.
    Case(.null, .contains, "", false), Case(.null, .hasPrefix, "", false), Case(.null, .hasSuffix, "", false),
    Case(.null, .like, "%", false), Case(.null, .contains, "null", false), Case(1, .contains, "1", false),
    Case(1, .like, "%", false), Case(1.5, .hasPrefix, "1", false), Case(.blob([0x61]), .contains, "a", false),
    Case(.blob([]), .contains, "", false),
  ]

  @Test("The truth table, by case and ignoring it", arguments: cases)
  func truthTable(sample: Case) throws {
    let table = try TableSchema.anything("a")
    for ignoringCase in [false, true] {
      let isMatch = ignoringCase ? sample.isMatchIgnoringCase : sample.isMatch
      let query = AnyQuery.match(key: "a", sample.operation, value: sample.sought, ignoringCase: ignoringCase)
      #expect(try query.matches([sample.text], in: table) == isMatch, "ignoring case: \(ignoringCase)")
      #expect(try (!query).matches([sample.text], in: table) == !isMatch, "not, ignoring case: \(ignoringCase)")
    }
  }

  @Test("Each operator has a name of its own, which means the operation", arguments: [false, true])
  func names(ignoringCase: Bool) {
    func match(_ operation: TextOperation) -> AnyQuery {
      .match(key: "a", operation, value: "x", ignoringCase: ignoringCase)
    }
    #expect(AnyQuery.contains(key: "a", value: "x", ignoringCase: ignoringCase) == match(.contains))
    #expect(AnyQuery.hasPrefix(key: "a", value: "x", ignoringCase: ignoringCase) == match(.hasPrefix))
    #expect(AnyQuery.hasSuffix(key: "a", value: "x", ignoringCase: ignoringCase) == match(.hasSuffix))
    #expect(AnyQuery.like(key: "a", value: "x", ignoringCase: ignoringCase) == match(.like))
    #expect(AnyQuery.contains(key: "a", value: "x") == .match(key: "a", .contains, value: "x", ignoringCase: false))
  }

  @Test("A text of 100 kB is searched and sought")
  func longTexts() throws {
    let text = String(repeating: "é", count: 50_000)
    let table = try TableSchema.anything("a")
    let row = [Value.text("x" + text + "!")]
    for ignoringCase in [false, true] {
      for (operation, sought, isMatch) in [
        (.contains, "é!", true), (.contains, text, true), (.contains, text + "é", false),
        (.hasPrefix, "x" + text, true),
        (.hasSuffix, text + "!", true), (.hasSuffix, text, false), (.like, "%!%", true),
        (.like, "_" + text + "_", true),
      ] as [(TextOperation, String, Bool)] {
        let query = AnyQuery.match(key: "a", operation, value: sought, ignoringCase: ignoringCase)
        #expect(try query.matches(row, in: table) == isMatch)
      }
    }
  }

  @Test("Ignoring case is folding both sides", arguments: SplitMix64.seeds)
  func folding(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let table = try TableSchema.anything("a")
    let parts = ["a", "A", "ß", "ẞ", "s", "S", "É", "é", "e\u{301}", "İ", "ı", "i", "Σ", "ς", "%", "_", "\\", "🔥"]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...5, using: &random)).map { _ in random.pick(parts) }.joined()
      let sought = (0..<Int.random(in: 0...3, using: &random)).map { _ in random.pick(parts) }.joined()
      for operation in TextOperation.allCases {
        let ignoring = AnyQuery.match(key: "a", operation, value: sought, ignoringCase: true)
        let exact = AnyQuery.match(key: "a", operation, value: CaseFolding.fold(sought))
        guard
          try ignoring.matches([.text(text)], in: table) == exact.matches([.text(CaseFolding.fold(text))], in: table)
        else {
          Issue.record("\(text.debugDescription) \(operation.rawValue) \(sought.debugDescription)")
          return
        }
      }
    }
  }
}
