import Foundation
import Query
import Testing
import TestSupport

@Suite("Ignoring case means Unicode's default case folding")
struct CaseFoldingTests {
  @Test(
    "Texts and what they fold to",
    arguments: [
      ("", ""), ("a", "a"), ("A", "a"), ("Z[", "z["), ("@AZ`az{", "@az`az{"), ("\0A\0", "\0a\0"), ("\u{7F}", "\u{7F}"),
      ("PIKACHU #025", "pikachu #025"), ("É", "é"), ("ÀÖ×ØÞ", "àö×øþ"), ("÷ÿŸ", "÷ÿÿ"),
      ("Straße", "strasse"), ("STRASSE", "strasse"), ("STRAẞE", "strasse"),
      ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("σίσυφος", "σίσυφοσ"), ("ϲ Ϲ", "ϲ ϲ"), ("µ μ Μ", "μ μ μ"), ("ϐϑϕϖϰϱϵ", "βθφπκρε"),
      ("ΐ", "ι\u{308}\u{301}"), ("ᾳ", "αι"), ("ᾼ", "αι"), ("ΑΙ", "αι"), ("\u{345}", "ι"),
      ("İ", "i\u{307}"), ("ı", "ı"), ("I", "i"), ("i", "i"),  // no locale takes part, the Turkish one neither
      ("\u{212A}", "k"), ("\u{2126}", "ω"), ("\u{212B}", "å"), ("ſ", "s"), ("ẛ", "ṡ"),
      ("ﬁ", "fi"), ("ﬃ", "ffi"), ("ﬅ", "st"), ("ﬆ", "st"), ("ﬓ", "մն"), ("ŉ", "ʼn"), ("ǰ", "j\u{30C}"),
      ("Ǆ ǅ ǆ", "ǆ ǆ ǆ"), ("Ⅷ ⓐ Ⓐ", "ⅷ ⓐ ⓐ"), ("ＡＺ", "ａｚ"), ("Ж ᲄ", "ж т"),
      ("Ꭰ ꭰ", "Ꭰ Ꭰ"), ("Ᏸ ᏸ", "Ᏸ Ᏸ"), ("Ა ა", "ა ა"), ("𐐀 𐐨", "𐐨 𐐨"), ("𞤀", "𞤢"),
      ("日本 🔥 \u{10FFFF}", "日本 🔥 \u{10FFFF}"), ("E\u{301} É", "e\u{301} é"),
    ])
  func table(text: String, folded: String) {
    #expect(Value.text(CaseFolding.fold(text)).spelling == Value.text(folded).spelling)
  }

  @Test("Every scalar folds to its lower case, but for the exceptions that Unicode lists")
  func everyScalar() {
    for scalar in Self.scalars {
      let expected =
        CaseFoldingExceptions.foldings[scalar.value].map { $0.compactMap(Unicode.Scalar.init) }
        ?? Array(scalar.properties.lowercaseMapping.unicodeScalars)
      let folded = CaseFolding.fold(String(scalar))
      guard folded.unicodeScalars.elementsEqual(expected) else {
        Issue.record("\(Self.name(scalar)) folds to \(folded.unicodeScalars.map(Self.name))")
        return
      }
    }
  }

  @Test("Folding changes what Unicode says that it changes")
  func changes() {
    // Unicode defines Changes_When_Casefolded by the canonical decomposition (the Unicode Standard, D142).
    for scalar in Self.scalars {
      let decomposed = String(scalar).decomposedStringWithCanonicalMapping
      let isChanged = !Self.isSame(CaseFolding.fold(decomposed), decomposed)
      guard isChanged == scalar.properties.changesWhenCaseFolded else {
        Issue.record("\(Self.name(scalar)) is \(isChanged ? "" : "not ")changed")
        return
      }
    }
  }

  @Test("Folding twice is folding once")
  func idempotence() {
    for scalar in Self.scalars {
      let folded = CaseFolding.fold(String(scalar))
      guard Self.isSame(CaseFolding.fold(folded), folded) else {
        Issue.record("\(Self.name(scalar)) folds to \(folded.unicodeScalars.map(Self.name)), which folds further")
        return
      }
    }
  }

  @Test("A scalar, its upper, lower and title case all fold alike")
  func cases() {
    // The upper case of the dotless i is I, which folds to the i with a dot: only Turkish takes the two for one letter.
    for scalar in Self.scalars where scalar != "ı" {
      let folded = CaseFolding.fold(String(scalar))
      let properties = scalar.properties
      for other in [properties.uppercaseMapping, properties.lowercaseMapping, properties.titlecaseMapping]
      where !Self.isSame(CaseFolding.fold(other), folded) {
        Issue.record("\(Self.name(scalar)) and its other case \(other) fold differently")
        return
      }
    }
    #expect(CaseFolding.fold("ı") != CaseFolding.fold("ı".uppercased()))
  }

  @Test("A text folds scalar by scalar, whatever stands beside it", arguments: SplitMix64.seeds)
  func context(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = ["Σ", "ς", "A", "a", "\u{301}", "İ", "ı", "ẞ", "É", "\0", " ", "🔥", "\u{307}", "I"]
    for _ in 0..<2_000 {
      let picked = (0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(parts) }
      let (whole, joined) = (CaseFolding.fold(picked.joined()), picked.map(CaseFolding.fold).joined())
      guard Self.isSame(whole, joined) else {
        Issue.record("\(picked) folds to \(whole) as one text, and to \(joined) in parts")
        return
      }
    }
  }

  /// All that Unicode has given a meaning.
  private static let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init).filter {
    $0.properties.generalCategory != .unassigned && $0.properties.generalCategory != .privateUse
  }

  private static func isSame(_ lhs: String, _ rhs: String) -> Bool { lhs.utf8.elementsEqual(rhs.utf8) }

  private static func name(_ scalar: Unicode.Scalar) -> String { "U+" + String(scalar.value, radix: 16).uppercased() }
}
