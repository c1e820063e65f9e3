import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rules of comparisons with values, by `=`, `!=`, `<`, `between` and `in`.
enum ComparisonRules {
  static let all: [RequestRule] = equality + order + between + membership

  private static let equality: [RequestRule] = [
    RequestRule(
      "`=` finds values equal to a value", among: .series(\.age, 4, 7, nil, 4),
      ["age = 4 → 1 4", "age = 5 →", "id = 3 → 3"],
      samples: .columns()),
    RequestRule(
      "null equals null and nothing else", among: .series(\.age, 4, nil, 0),
      ["age = null → 2", "age is null → 2", "age = 0 → 3", "finder = null → 1 2 3", "mass = null →"],
      samples: .columns("K is null")),
    RequestRule(
      "`!=` is true for rows whose value is null", among: .series(\.age, 4, nil, 7),
      ["age != 4 → 2 3", "finder != 'Mary' → 1 2 3", "scan != x'01' → 1 2 3", "length != 1.5 → 1 2 3"],
      samples: .columns { $0.hasNull }),
    RequestRule(
      "`!=` finds values that differ from a value", among: .series(\.age, 4, 9, 7),
      ["age != 4 → 2 3", "age != 5 → 1 2 3"],
      samples: .columns { !$0.hasNull }),
    RequestRule(
      "`!= null` is true for every value", among: .series(\.age, 4, nil, 0),
      ["age != null → 1 3", "age is not null → 1 3", "mass is not null → 1 2 3"], samples: .columns()),
    RequestRule(
      "the negation of `=` and of `!=` is the other one", among: .series(\.age, 4, nil, 7),
      ["not age = 4 → 2 3", "not age != 4 → 1", "not age = null → 1 3", "not age != null → 2"], samples: .columns()),
    RequestRule(
      "text is equal by bytes: composed and decomposed characters differ",
      among: .series(\.name, "é", "e\u{301}", "e", "", "Å", "\u{212B}", "A\u{30A}"),
      [
        "name = 'é' → 1", "name = 'e\u{301}' → 2", "name = '' → 4", "name = '\u{212B}' → 6",
        "name != 'é' → 2 3 4 5 6 7",
      ], samples: .columns("K = :v", values: .otherTexts { [decomposed($0), composed($0)] })),
    RequestRule(
      "text is equal by bytes: case and blanks differ", among: .series(\.name, "ash", "Ash", "ash ", "ASH"),
      ["name = 'ash' → 1", "name = 'Ash' → 2", "name != 'ash' → 2 3 4"],
      samples: .columns("K = :v", values: .otherTexts { [$0.uppercased(), $0.lowercased(), $0 + " ", " " + $0] })),
    RequestRule(
      "text is equal by bytes: an embedded NUL ends nothing",
      among: .series(\.name, "a", "a\0", "a\0b", "a\0c", "\0", ""), needs: [.nulInTexts],
      [
        "name = 'a' → 1", "name = 'a\0' → 2", "name = 'a\0b' → 3", "name = '\0' → 5", "name != 'a\0b' → 1 2 4 5 6",
        "name in ('a\0b', 'x') → 3", "name between '\0' and 'a' → 1 5", "name > 'a' | name desc → 4 3 2",
        "count || by name | limit 2 → '' 1 → \(Value.text("\0")) 1",
        "count of name > 'a' || by name → \(Value.text("a\0")) 1 → \(Value.text("a\0b")) 1 → \(Value.text("a\0c")) 1",
      ]),
    RequestRule(
      "a text of digits equals no other spelling of its number", among: .series(\.name, "1", "1.0", "01", " 1", "1e0"),
      ["name = '1' → 1", "name = '1.0' → 2"]),
    RequestRule(
      "blobs are equal by their bytes", among: .series(\.sample, [], [0], [0, 0], [1], [0x61], [255]),
      ["sample = x'' → 1", "sample = x'00' → 2", "sample = x'ff' → 6", "sample != x'00' → 1 3 4 5 6"]),
    RequestRule(
      "Booleans are 0 and 1", among: .series(\.isExtinct, true, false, true),
      ["extinct = true → 1 3", "extinct != true → 2", "extinct = 1 → 1 3", "extinct = 0 → 2"]),
    RequestRule(
      "an enum equals its raw value", among: .series(\.kingdom, .plant, .animal, .plant),
      [
        .query(.equal(key: "kingdom", value: Kingdom.plant), [1, 3]), "kingdom = 'plant' → 1 3",
        .query(.notEqual(key: "kingdom", value: Kingdom.fungus), [1, 2, 3]),
      ]),
    RequestRule(
      "a UUID equals its text in lower case", among: [Specimen(1), Specimen(2).with(\.code, code)],
      [
        .query(.equal(key: "code", value: code), [2]), "code = 'abcdef00-0000-0000-0000-0000000000ff' → 2",
        "code > 'abcdef' → 2",
      ]),
    RequestRule(
      "a date equals its ISO 8601 text with nine fraction digits",
      among: .series(\.found, Date(timeIntervalSince1970: 1_795_216_260), Date(timeIntervalSince1970: 1_795_216_260.5)),
      [
        .query(.equal(key: "found", value: Date(timeIntervalSince1970: 1_795_216_260)), [1]),
        "found = '2026-11-20T23:11:00.000000000Z' → 1", "found = '2026-11-20T23:11:00.500000000Z' → 2",
        "found >= '2026-11-20' → 1 2", "found < '2026-11-20' →",
      ]),
  ]

  private static let order: [RequestRule] = [
    RequestRule(
      "`<`, `<=`, `>` and `>=` compare numbers", among: .series(\.age, 3, 5, 7),
      ["age < 5 → 1", "age <= 5 → 1 2", "age > 5 → 3", "age >= 5 → 2 3", "age > 7 →"],
      samples: .columns(values: .probes(.number)) { $0.holds(.number) && !$0.hasNull }),
    RequestRule(
      "`<`, `<=`, `>` and `>=` are false for a null, their negations true", among: .series(\.age, 3, nil, 7),
      [
        "age < 5 → 1", "age <= 7 → 1 3", "age > 5 → 3", "age >= 3 → 1 3", "not age < 5 → 2 3", "not age <= 7 → 2",
        "not age > 5 → 1 2", "not age >= 3 → 2",
      ], samples: .columns { $0.hasNull }),
    RequestRule(
      "nothing sorts before or after null, not even null", among: .series(\.age, 3, nil, -1),
      [
        "age < null →", "age <= null →", "age > null →", "age >= null →", "mass < null →", "mass >= null →",
        "not age < null → 1 2 3", "not age <= null → 1 2 3", "not age > null → 1 2 3", "not age >= null → 1 2 3",
        "not mass < null → 1 2 3", "not mass >= null → 1 2 3",
      ], samples: .columns()),
    RequestRule(
      "text is in the order of its UTF-8 bytes",
      among: .series(\.name, "Z", "a", "é", "e\u{301}", "ez", "\u{FFFD}", "😀", "", "a\u{1}", "a "),
      [
        // By UTF-16 the emoji would sort before U+FFFD, because a surrogate is less.
        "name < 'a' → 1 8", "name <= 'a' → 1 2 8", "name > 'a' → 3 4 5 6 7 9 10", "name > 'ez' → 3 4 6 7",
        "name >= 'é' → 3 6 7", "name > '\u{FFFD}' → 7", "name < 'a ' → 1 2 8 9", "name < '' →",
        "name >= '' → 1 2 3 4 5 6 7 8 9 10",
      ], samples: .columns(values: .probes(.text)) { $0.holds(.text) && !$0.hasNull }),
    RequestRule(
      "text of digits is in the order of text, not of numbers", among: .series(\.name, "10", "9", "-1", "1e9"),
      ["name < '9' → 1 3 4", "name > '10' → 2 4"]),
    RequestRule(
      "blobs are in the order of their bytes", among: .series(\.sample, [], [0], [0, 0], [1], [0x7F, 1], [0x80]),
      ["sample < x'01' → 1 2 3", "sample > x'00' → 3 4 5 6", "sample > x'7f' → 5 6", "sample <= x'' → 1"],
      samples: .columns(values: .probes(.blob)) { $0.holds(.blob) && !$0.hasNull }),
    RequestRule(
      "dates are in the order of time",
      among: .series(
        \.found, reference, Date(timeIntervalSinceReferenceDate: 0.000000001), Date(timeIntervalSinceReferenceDate: -1),
        StoredDates.start, .distantFuture),
      [
        .query(.lessThan(key: "found", value: reference), [3, 4]),
        .query(.greaterThan(key: "found", value: reference), [2, 5]),
        .query(.greaterThanOrEqual(key: "found", value: reference), [1, 2, 5]), "true | found → 4 3 1 2 5",
      ]),
    RequestRule(
      "Booleans and enums are in the order of their stored values",
      among: [
        Specimen(1).with(\.isExtinct, true), Specimen(2).with(\.kingdom, .plant), Specimen(3).with(\.kingdom, .fungus),
      ], ["extinct < true → 2 3", "kingdom > 'animal' → 2 3", "kingdom >= 'g' → 2"]),
  ]

  private static let between: [RequestRule] = [
    RequestRule(
      "`between` includes both bounds", among: .series(\.age, 2, 3, 4, 5, 6),
      [
        "age between 3 and 5 → 2 3 4", "age between 4 and 4 → 3", "age between 2.5 and 4.5 → 2 3",
        "age between 7 and 9 →",
        "age not between 3 and 5 → 1 5",
      ], samples: .columns(values: .bounds) { !$0.hasNull }),
    RequestRule(
      "`between` with reversed bounds finds nothing", among: .series(\.age, 2, 3, nil),
      ["age between 3 and 2 →", "age not between 3 and 2 → 1 2 3"], samples: .columns(values: .reversedBounds)),
    RequestRule(
      "`between` is false for a null, its negation true", among: .series(\.age, 2, nil, 9),
      ["age between 1 and 3 → 1", "age not between 1 and 3 → 2 3"], samples: .columns(values: .bounds) { $0.hasNull }),
    RequestRule(
      "`between` is false for a bound that is null", among: .series(\.age, 2, nil, 9),
      [
        "age between null and 9 →", "age between 1 and null →", "age between null and null →",
        "age not between null and 5 → 1 2 3", "mass not between null and 5 → 1 2 3",
        "mass not between 5 and null → 1 2 3",
      ], samples: .columns("K between null and :v", "K not between :v and null")),
    RequestRule(
      "`between` compares text and blobs by their bytes",
      among: [
        Specimen(1).with(\.name, "b").with(\.sample, [1]), Specimen(2).with(\.name, "B").with(\.sample, [0xFF]),
        Specimen(3).with(\.name, "c\u{1}").with(\.sample, [1, 2]), Specimen(4).with(\.name, "c").with(\.sample, [2]),
      ],
      [
        "name between 'a' and 'c' → 1 4", "name between 'c' and 'd' → 3 4", "sample between x'01' and x'02' → 1 3 4",
      ]),
    RequestRule(
      "a bound of `between` may be another key",
      among: [
        Specimen(1).with(\.age, 5).with(\.mass, 3).with(\.length, 7),
        Specimen(2).with(\.age, 2).with(\.mass, 3).with(\.length, 7),
        Specimen(3).with(\.age, 7).with(\.mass, 3).with(\.length, 7), Specimen(4).with(\.age, 5).with(\.mass, 3),
        Specimen(5).with(\.mass, 3).with(\.length, 7), Specimen(6).with(\.age, 9).with(\.mass, 3),
      ],
      [
        "age between mass and length → 1 3", "age not between mass and length → 2 4 5 6",
        "age between 5 and length → 1 3",
        "age between mass and 6 → 1 4", "age not between mass and 6 → 2 3 5 6", "age between null and length →",
      ], samples: .pairs("K between J and K", "K not between :v and J")),
  ]

  private static let membership: [RequestRule] = [
    RequestRule(
      "`in` finds values equal to an element of the list", among: .series(\.age, 1, 2, 3, nil),
      ["age in (1, 3) → 1 3", "age in (3, 3, 3, 9) → 3", "age in (9) →"],
      samples: .columns("K in (:v, :w)", "K not in (:v, :v, :w)", "K in (:v)", "K not in (:v)", values: .lists) {
        !$0.hasNull
      }),
    RequestRule(
      "`in` with an empty list finds nothing", among: .series(\.age, 1, nil),
      ["age in () →", "age not in () → 1 2", "mass not in () → 1 2"], samples: .columns()),
    RequestRule(
      "a null in the list of `in` finds nulls", among: .series(\.age, 1, 2, nil),
      [
        "age in (1, null) → 1 3", "age in (null) → 3", "age not in (1, null) → 2", "age not in (null) → 1 2",
        "mass in (null) →", "mass not in (null) → 1 2 3", "mass not in (null, 1) → 1 2 3",
      ], samples: .columns()),
    RequestRule(
      "`in` without a null in its list is false for a null, its negation true", among: .series(\.age, 1, 2, nil),
      ["age in (1) → 1", "age not in (1) → 2 3"], samples: .columns { $0.hasNull }),
    RequestRule(
      "`in` compares integers and reals exactly", among: .series(\.age, 1, 2, 9_007_199_254_740_993),
      [
        "age in (1.0, 2.5) → 1", "age in (9007199254740992.0) →", "id in (1.0, 2, 2.5) → 1 2", "mass in (0, 5) → 1 2 3",
      ]),
    RequestRule(
      "`in` compares text by its bytes", among: .series(\.name, "é", "e\u{301}", "a\u{1}b", "a", "A", ""),
      [
        "name in ('é', 'x') → 1", "name in ('a\u{1}b', 'x') → 3", "name in ('a') → 4", "name in ('') → 6",
        "name not in ('é', 'a') → 2 3 5 6", .query(.in(key: "kingdom", values: [Kingdom.animal]), [1, 2, 3, 4, 5, 6]),
      ]),
    RequestRule(
      "`in` compares blobs by their bytes", among: .series(\.sample, [], [0], [1, 2]),
      ["sample in (x'', x'0102') → 1 3", "sample not in (x'', x'0102') → 2"]),
    RequestRule(
      "lists of every length find the same",
      among: [
        Specimen(1).with(\.age, 1).with(\.mass, 0.5).with(\.name, "name 1").with(\.sample, [1]),
        Specimen(2).with(\.age, 1000).with(\.mass, 1000.5).with(\.name, "name 1000").with(\.sample, [232, 3]),
        Specimen(3).with(\.age, 0).with(\.mass, .infinity).with(\.name, "name").with(\.sample, []), Specimen(4),
      ]
    ) { context in
      for count in [1, 2, 3, 15, 16, 17, 18, 31, 64, 65, 100, 999] {
        let numbers = Array(1...count)
        await context.expect(.in(key: "age", values: numbers), finds: 1)
        await context.expect(!.in(key: "age", values: numbers), finds: 2, 3, 4)
        await context.expect(.in(key: "age", values: numbers.map { 1001 - $0 }), finds: 2)
        await context.expect(.in(key: "mass", values: numbers.map { 1001 - Double($0) + 0.5 }), finds: 2)
        await context.expect(.in(key: "name", values: numbers.map { "name \(1001 - $0)" }), finds: 2)
        await context.expect(.in(key: "sample", values: numbers.map { [UInt8(truncatingIfNeeded: $0)] }), finds: 1)
        await context.expect(.in(key: "age", values: numbers.map(Optional.some) + [nil]), finds: 1, 4)
      }
    },
    RequestRule(
      "a long list contains values that are hard to write",
      among: .series(
        \.name, "it's", "\"quoted\"", "back\\slash", "new\nline", "a\u{1}b", "é", "😀", "\u{1}", "", "r1", "s")
    ) { context in
      let fillers = (1...50).map { "filler \($0)" }
      let names = ["it's", "\"quoted\"", "back\\slash", "new\nline", "a\u{1}b", "é", "😀", "\u{1}", "", "r1", "s"]
      await context.expect(.in(key: "name", values: fillers + names), findsAll: Array(1...11))
      for (index, name) in names.enumerated() {
        await context.expect(.in(key: "name", values: fillers + [name]), finds: index + 1)
      }
      await context.expect(.in(key: "name", values: fillers + ["e\u{301}", "a", "sr1"]), findsAll: [])
    },
  ]

  private static let reference = Date(timeIntervalSinceReferenceDate: 0)
  private static let code = UUID(uuid: (0xAB, 0xCD, 0xEF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF))

  /// Letters with a mark, composed and decomposed.
  private static let letters: [(composed: Unicode.Scalar, decomposed: [Unicode.Scalar])] = [
    ("é", ["e", "\u{301}"]), ("è", ["e", "\u{300}"]), ("à", ["a", "\u{300}"]), ("ä", ["a", "\u{308}"]),
    ("ö", ["o", "\u{308}"]), ("ü", ["u", "\u{308}"]), ("ñ", ["n", "\u{303}"]), ("ç", ["c", "\u{327}"]),
    ("å", ["a", "\u{30A}"]), ("É", ["E", "\u{301}"]), ("Ä", ["A", "\u{308}"]), ("Ö", ["O", "\u{308}"]),
    ("Ü", ["U", "\u{308}"]), ("が", ["か", "\u{3099}"]), ("ガ", ["カ", "\u{3099}"]),
  ]

  // Scalars are compared, since `String` considers a composed character equal to a decomposed one.
  private static func decomposed(_ text: String) -> String {
    let scalars = text.unicodeScalars.flatMap { scalar in
      letters.first { $0.composed == scalar }?.decomposed ?? [scalar]
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func composed(_ text: String) -> String {
    var scalars: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      if let last = scalars.last, let letter = letters.first(where: { $0.decomposed == [last, scalar] }) {
        scalars[scalars.count - 1] = letter.composed
      } else {
        scalars.append(scalar)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
