import Query
import Repository

/// Rules of numbers, of comparisons of keys with keys, and of connectives.
enum NumberRules {
  static let all: [RequestRule] = [
    RequestRule(
      "an integer equals a real of the same value", among: .series(\.age, 1, 2, 0),
      [
        "age = 1.0 → 1", "age = 1.5 →", "age != 1.5 → 1 2 3", "age < 1.5 → 1 3", "age > 0.5 → 1 2",
        "age >= -0.5 → 1 2 3",
      ]),
    RequestRule(
      "a real equals an integer of the same value", among: .series(\.mass, 1, 1.5, 2, -1),
      ["mass = 1 → 1", "mass != 1 → 2 3 4", "mass > 1 → 2 3", "mass <= 1 → 1 4"]),
    RequestRule(
      "numbers are equal by value, whether they are integers or reals",
      among: [Specimen(1).with(\.age, 1).with(\.mass, 2)],
      ["age = 1.0 → 1", "mass = 2 → 1", "age = 1.5 →"],
      samples: .columns("K = :v", values: .numberNeighbours) { $0.holds(.number) }),
    RequestRule(
      "integers beyond 2^53 are not rounded",
      among: .series(\.age, 9_007_199_254_740_992, 9_007_199_254_740_993, 9_007_199_254_740_994),
      [
        "age = 9007199254740993 → 2", "age = 9007199254740992.0 → 1", "age != 9007199254740992.0 → 2 3",
        "age > 9007199254740992.0 → 2 3", "age < 9007199254740994.0 → 1 2", "true | age desc → 3 2 1",
      ], samples: .columns("K = :v", values: .largeNeighbours) { $0.holds(.number) }),
    RequestRule(
      "a real is not compared with a rounded integer",
      among: .series(\.mass, 9_007_199_254_740_992.0, 9_007_199_254_740_994.0),
      [
        "mass = 9007199254740993 →", "mass != 9007199254740993 → 1 2", "mass < 9007199254740993 → 1",
        "mass <= 9007199254740993 → 1", "mass >= 9007199254740993 → 2",
        "mass between 9007199254740993 and 9007199254740995 → 2", "mass in (9007199254740993, 9007199254740994) → 2",
        "mass not in (9007199254740993) → 1 2",
      ]),
    RequestRule(
      "reals beyond the integers are greater or less than all of them", among: .series(\.age, .max, .min, 0),
      [
        "age < 9223372036854775808.0 → 1 2 3", "age >= 9223372036854775808.0 →", "age = 9223372036854775808.0 →",
        "age = -9223372036854775808.0 → 2", "age > -9223372036854775808.0 → 1 3",
        "age > -9223372036854777856.0 → 1 2 3",
        "age in (9223372036854775808.0, -9223372036854775808.0) → 2",
      ]),
    RequestRule(
      "integers at their bounds are less than the reals beyond",
      among: .series(\.mass, 0x1p63, 0x1p63.nextDown, -0x1p63, (-0x1p63).nextDown),
      [
        "mass > 9223372036854775807 → 1", "mass < 9223372036854775807 → 2 3 4", "mass = 9223372036854775807 →",
        "mass = -9223372036854775808 → 3", "mass < -9223372036854775808 → 4",
      ]),
    RequestRule(
      "infinities are the greatest and the least numbers",
      among: .series(\.mass, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0),
      [
        "mass = 9e999 → 1", "mass = -9e999 → 2", "mass < 9e999 → 2 3 4 5", "mass > -9e999 → 1 3 4 5",
        "mass > 9223372036854775807 → 1 3", "mass between -9e999 and 9e999 → 1 2 3 4 5", "id < 9e999 → 1 2 3 4 5",
        "mass in (9e999, 1) → 1", "true | mass → 2 4 5 3 1",
      ]),
    RequestRule(
      "-0.0 equals 0.0 and 0", among: .series(\.mass, 0, -0.0, 1),
      [
        "mass = 0.0 → 1 2", "mass = -0.0 → 1 2", "mass = 0 → 1 2", "mass != -0.0 → 3", "mass < 0.0 →",
        "mass >= -0.0 → 1 2 3", "mass in (-0.0) → 1 2", "mass between 0.0 and -0.0 → 1 2", "age = -0.0 →",
      ]),
    RequestRule(
      "the smallest reals are greater than zero",
      among: .series(\.mass, .leastNonzeroMagnitude, 0, -.leastNonzeroMagnitude),
      ["mass > 0 → 1", "mass < 0 → 3", .query(.equal(key: "mass", value: Double.leastNonzeroMagnitude), [1])]),
    RequestRule(
      "reals are equal to the last bit", among: .series(\.mass, 0.3, 0.1 + 0.2, 0.1),
      [
        // A `Float` is compared as the `Double` that it is: 0.100000001490116…
        "mass = 0.3 → 1", "mass = 0.30000000000000004 → 2", .query(.equal(key: "mass", value: Float(0.1)), []),
        .query(.lessThan(key: "mass", value: Float(0.1)), [3]),
      ]),
  ]

  static let keys: [RequestRule] = [
    RequestRule(
      "two keys are compared row by row", among: numbers,
      [
        "age = length → 1 6", "age < length → 2", "age <= length → 1 2", "age > length → 3", "age >= length → 1 3",
        "age != mass → 1 2 3 4 5 6",
      ], samples: .pairs { !$0.hasNull && !$1.hasNull }),
    RequestRule(
      "two keys that are both null are equal, one null differs from a value", among: numbers,
      [
        "age = length → 1 6", "age != length → 2 3 4 5", "not age = length → 2 3 4 5", "not age != length → 1 6",
        "age != mass → 1 2 3 4 5 6", "mass = age →",
      ], samples: .pairs { $0.hasNull || $1.hasNull }),
    RequestRule(
      "a key compared with a null key is neither less nor greater, the negations are true", among: numbers,
      [
        "age < length → 2", "age <= length → 1 2", "age > length → 3", "age >= length → 1 3",
        "not age < length → 1 3 4 5 6", "not age <= length → 3 4 5 6", "not age > length → 1 2 4 5 6",
        "not age >= length → 2 4 5 6",
      ], samples: .pairs { $0.hasNull || $1.hasNull }),
    RequestRule(
      "an integer key and a real key are compared exactly",
      among: [
        Specimen(1).with(\.age, 9_007_199_254_740_993).with(\.length, 9_007_199_254_740_992),
        Specimen(2).with(\.age, 9_007_199_254_740_992).with(\.length, 9_007_199_254_740_992),
        Specimen(3).with(\.age, .max).with(\.length, 0x1p63), Specimen(4).with(\.age, .min).with(\.length, -0x1p63),
        Specimen(5).with(\.age, .max).with(\.length, .infinity),
      ], ["age = length → 2 4", "age > length → 1", "age < length → 3 5"]),
    RequestRule(
      "a text key and another are compared by their bytes",
      among: [
        Specimen(1).with(\.name, "é").with(\.finder, "é"), Specimen(2).with(\.name, "é").with(\.finder, "e\u{301}"),
        Specimen(3).with(\.name, "a\u{1}b").with(\.finder, "a\u{1}c"),
        Specimen(4).with(\.name, "Z").with(\.finder, "a"),
        Specimen(5), Specimen(6).with(\.name, "10").with(\.finder, "9"),
      ], ["name = finder → 1", "name != finder → 2 3 4 5 6", "name < finder → 3 4 6", "name > finder → 2"]),
    RequestRule(
      "a blob key and another are compared by their bytes",
      among: [
        Specimen(1).with(\.sample, [1]).with(\.scan, [1]), Specimen(2).with(\.sample, []).with(\.scan, []),
        Specimen(3).with(\.sample, [0xFF]).with(\.scan, [1, 1]), Specimen(4),
      ], ["sample = scan → 1 2", "sample > scan → 3", "sample != scan → 3 4"]),
    RequestRule(
      "a key equals itself, null or not", among: .series(\.age, 1, nil),
      ["age = age → 1 2", "age != age →", "age <= age → 1", "age < age →"], samples: .columns()),
  ]

  /// Specimens whose age is equal to, less than and greater than their length, or of which one or both are null; every mass is
  /// 0.
  private static let numbers = [
    Specimen(1).with(\.age, 2).with(\.length, 2), Specimen(2).with(\.age, 2).with(\.length, 2.5),
    Specimen(3).with(\.age, 3).with(\.length, 2.5), Specimen(4).with(\.age, nil).with(\.length, 2.5),
    Specimen(5).with(\.age, 3).with(\.length, nil), Specimen(6),
  ]

  static let logic: [RequestRule] = [
    RequestRule(
      "`true` finds all and `false` nothing", among: .series(2),
      ["true → 1 2", "false →", "not true →", "not false → 1 2"], samples: .table()),
    RequestRule(
      "`and` of nothing is true, `or` of nothing is false", among: .series(2),
      [
        .query(.all(of: []), [1, 2]), .query(.any(of: []), []), .query(!.all(of: []), []),
        .query(!.any(of: []), [1, 2]),
      ]),
    RequestRule(
      "`and` finds the results of both queries, `or` the results of either query", among: table,
      [
        "age > 5 and mass > 5.0 → 4", "age > 5 or mass > 5.0 → 2 3 4", "age > 5 and true → 3 4", "age > 5 and false →",
        "age > 5 or false → 3 4", "true or age > 5 → 1 2 3 4",
      ], samples: .neighbours("K = :v and J = :x", "K = :v or J = :x")),
    RequestRule(
      "`not` finds the others", among: table,
      [
        "not age > 5 → 1 2", "not (age > 5 and mass > 5.0) → 1 2 3", "not (age > 5 or mass > 5.0) → 1",
        "not age > 5 and mass > 5.0 → 2", "age > 5 and not mass > 5.0 → 3", "not age > 5 or mass > 5.0 → 1 2 4",
      ], samples: .neighbours("not (K = :v and J = :x)", "not (K = :v or J = :x)", "not K = :v and J = :x")),
    RequestRule(
      "two negations cancel out", among: table,
      [
        "not not age > 5 → 3 4", "not not not age > 5 → 1 2", "not not (age > 5 and not not mass > 5.0) → 4",
      ], samples: .neighbours("not not K = :v", "not not (K = :v or J = :x)")),
    RequestRule(
      "a nested query is grouped as it was built", among: table,
      [
        "id = 1 or age > 5 and mass > 5.0 → 1 4", "(id = 1 or age > 5) and mass > 5.0 → 4",
        "id = 1 and (age > 5 or mass > 5.0) →", "not (id = 1 or age > 5) and mass > 5.0 → 2",
        "not (id = 1 or (age > 5 and not mass > 5.0)) → 2 4",
        "(id = 1 and not age > 5) or not (mass > 5.0 or not age > 5) → 1 3",
      ],
      samples: .neighbours(
        "K = :v or K = :w and J = :x", "(K = :v or K = :w) and J = :x", "K = :v and not (K = :w or J = :x)",
        values: .bounds)),
    RequestRule(
      "`not` before a connective counts rows with nulls in", among: .series(\.age, 1, nil, 9),
      [
        "not (age < 5 and true) → 2 3", "not (age < 5 or finder = 'Mary') → 2 3",
        "not (age < 5 and finder = 'Mary') → 1 2 3",
        "not (not age < 5 and not finder = 'Mary') → 1", "not (not age < 5 or age > 0) →",
      ], samples: .neighbours("not (K = :v and J = :x)", "not (K != :v or J = :x)") { $0.hasNull || $1.hasNull }),
  ]

  /// Specimens that are neither old nor heavy, only heavy, only old, and both.
  private static let table = [
    Specimen(1).with(\.age, 1).with(\.mass, 1), Specimen(2).with(\.mass, 9), Specimen(3).with(\.age, 9).with(\.mass, 1),
    Specimen(4).with(\.age, 9).with(\.mass, 9),
  ]
}
