import Foundation
import Query
import TestSupport
import Testing

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
    ] as [(String, String)])
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

/// Unicode's default case folding where it is not simply the lower case: CaseFolding.txt of Unicode 14 to 17, status C
/// and F, that is, not the simple foldings (S) and not the Turkish ones (T).
enum CaseFoldingExceptions {
  /// What a scalar folds to, where that is not its lower case.
  static let foldings: [UInt32: [UInt32]] = {
    var foldings: [UInt32: [UInt32]] = [:]
    for entry in table.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
      let scalars = entry.split(separator: " ").compactMap { UInt32($0, radix: 16) }
      foldings[scalars[0]] = Array(scalars.dropFirst())
    }
    // Cherokee got its lower case late, so it folds to the upper case, which older texts hold.
    for upper in UInt32(0x13A0)...0x13F5 { foldings[upper] = [upper] }
    for lower in UInt32(0x13F8)...0x13FD { foldings[lower] = [lower - 8] }
    for lower in UInt32(0xAB70)...0xABBF { foldings[lower] = [lower - 0x97D0] }
    return foldings
  }()

  private static let table = """
    B5 3BC; DF 73 73; 149 2BC 6E; 17F 73; 1F0 6A 30C; 345 3B9; 390 3B9 308 301; 3B0 3C5 308 301; 3C2 3C3; 3D0 3B2
    3D1 3B8; 3D5 3C6; 3D6 3C0; 3F0 3BA; 3F1 3C1; 3F5 3B5; 587 565 582
    1C80 432; 1C81 434; 1C82 43E; 1C83 441; 1C84 442; 1C85 442; 1C86 44A; 1C87 463; 1C88 A64B
    1E96 68 331; 1E97 74 308; 1E98 77 30A; 1E99 79 30A; 1E9A 61 2BE; 1E9B 1E61; 1E9E 73 73
    1F50 3C5 313; 1F52 3C5 313 300; 1F54 3C5 313 301; 1F56 3C5 313 342
    1F80 1F00 3B9; 1F81 1F01 3B9; 1F82 1F02 3B9; 1F83 1F03 3B9; 1F84 1F04 3B9; 1F85 1F05 3B9; 1F86 1F06 3B9
    1F87 1F07 3B9; 1F88 1F00 3B9; 1F89 1F01 3B9; 1F8A 1F02 3B9; 1F8B 1F03 3B9; 1F8C 1F04 3B9; 1F8D 1F05 3B9
    1F8E 1F06 3B9; 1F8F 1F07 3B9
    1F90 1F20 3B9; 1F91 1F21 3B9; 1F92 1F22 3B9; 1F93 1F23 3B9; 1F94 1F24 3B9; 1F95 1F25 3B9; 1F96 1F26 3B9
    1F97 1F27 3B9; 1F98 1F20 3B9; 1F99 1F21 3B9; 1F9A 1F22 3B9; 1F9B 1F23 3B9; 1F9C 1F24 3B9; 1F9D 1F25 3B9
    1F9E 1F26 3B9; 1F9F 1F27 3B9
    1FA0 1F60 3B9; 1FA1 1F61 3B9; 1FA2 1F62 3B9; 1FA3 1F63 3B9; 1FA4 1F64 3B9; 1FA5 1F65 3B9; 1FA6 1F66 3B9
    1FA7 1F67 3B9; 1FA8 1F60 3B9; 1FA9 1F61 3B9; 1FAA 1F62 3B9; 1FAB 1F63 3B9; 1FAC 1F64 3B9; 1FAD 1F65 3B9
    1FAE 1F66 3B9; 1FAF 1F67 3B9
    1FB2 1F70 3B9; 1FB3 3B1 3B9; 1FB4 3AC 3B9; 1FB6 3B1 342; 1FB7 3B1 342 3B9; 1FBC 3B1 3B9; 1FBE 3B9
    1FC2 1F74 3B9; 1FC3 3B7 3B9; 1FC4 3AE 3B9; 1FC6 3B7 342; 1FC7 3B7 342 3B9; 1FCC 3B7 3B9
    1FD2 3B9 308 300; 1FD3 3B9 308 301; 1FD6 3B9 342; 1FD7 3B9 308 342
    1FE2 3C5 308 300; 1FE3 3C5 308 301; 1FE4 3C1 313; 1FE6 3C5 342; 1FE7 3C5 308 342
    1FF2 1F7C 3B9; 1FF3 3C9 3B9; 1FF4 3CE 3B9; 1FF6 3C9 342; 1FF7 3C9 342 3B9; 1FFC 3C9 3B9
    FB00 66 66; FB01 66 69; FB02 66 6C; FB03 66 66 69; FB04 66 66 6C; FB05 73 74; FB06 73 74
    FB13 574 576; FB14 574 565; FB15 574 56B; FB16 57E 576; FB17 574 56D
    """
}
