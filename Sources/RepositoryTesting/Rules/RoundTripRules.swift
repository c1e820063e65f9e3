import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rules that values are read as they were saved.
enum RoundTripRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("an element comes back as it was saved") { context in
      await context.expectRoundTrip(of: Specimen(1))
      await context.expectRoundTrip(
        of: Specimen(
          id: 2, age: 68_000_000, mass: 7.5, length: 12.25, name: "Tyrannosaurus rex", finder: "Barnum Brown",
          sample: [1, 2, 3], scan: [0xFF, 0], isExtinct: true,
          found: Date(timeIntervalSinceReferenceDate: 800_000_000.5),
          code: UUID(uuid: (0xAB, 0xCD, 0xEF, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)), label: "AMNH 5027",
          kingdom: .fungus, remarks: ["the king", "said to be \"slow\"", ""]))
    },
    SpecimenRule("integers come back at their bounds") { context in
      for age in [0, 1, -1, .max, .min, 9_007_199_254_740_993, -9_007_199_254_740_993] {
        await context.expectRoundTrip(of: Specimen(1).with(\.age, age))
      }
    },
    SpecimenRule("reals come back at their bounds, infinities included") { context in
      let masses: [Double] = [
        0, 0.1, -0.1, 1.0 / 3, 1e300, -1e-300, .pi, 9_007_199_254_740_994, 0x1p63, -0x1p63, 0x1p64, .infinity,
        -.infinity,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude,
        -.leastNonzeroMagnitude, 1.0.nextUp, 1.0.nextDown,
      ]
      for mass in masses {
        await context.expectRoundTrip(of: Specimen(1).with(\.mass, mass).with(\.length, mass))
      }
    },
    SpecimenRule("a zero comes back as a zero, and 0.0 not as -0.0") { context in
      // A store may lose the sign: "floating point values with no fractional component and stored in columns with REAL
      // affinity are written to disk as integers" (SQLite, "Datatypes In SQLite", section 2).
      for (mass, signs) in [(0.0, [FloatingPointSign.plus]), (-0.0, [.plus, .minus])] {
        try await context.subject.save(Specimen(1).with(\.mass, mass).with(\.length, mass))
        await context.expect("whether \(mass) comes back as a zero", true) {
          let found = try await context.subject.get(1)
          return [found.mass, found.length].allSatisfy { $0 == 0 && signs.contains($0?.sign ?? .minus) }
        }
      }
    },
    SpecimenRule("text comes back byte by byte") { context in
      let names = [
        "", " ", "a\u{1}b", "\u{1}", "é", "e\u{301}", "e\u{301}\u{323}", "\u{1E1B}\u{323}",
        "Å", "\u{212B}", "ピカチュウ", "ｶﾞ", "👩‍👩‍👧‍👦", "🇯🇵", "\u{FEFF}", "\u{D7FF}\u{E000}\u{FFFF}\u{10FFFF}",
        "\r\n", "\n\r", "\t", "\u{7F}\u{80}", "'", "\"", "''", "\\", "%_?", "--", "/**/", ":name", "null", "NULL", "1",
        "0x10", "1e3", " 1", "nan", "true", "x'00'",
      ]
      for name in names {
        await context.expectRoundTrip(
          of: Specimen(1).with(\.name, name).with(\.finder, name).with(\.label, name).with(\.remarks, [name, name]))
      }
    },
    SpecimenRule("a text of 100 kB comes back whole") { context in
      let name = String(repeating: "0123456789é\n", count: 8_000)
      await context.expectRoundTrip(of: Specimen(1).with(\.name, name).with(\.label, name))
    },
    SpecimenRule("text with U+0000 comes back whole", needs: [.nulInTexts]) { context in
      for name in ["a\0b", "\0", "\0\0", "a\0", String(repeating: "0123456789é\0", count: 8_000)] {
        await context.expectRoundTrip(
          of: Specimen(1).with(\.name, name).with(\.finder, name).with(\.label, name).with(\.remarks, [name, name]))
      }
    },
    SpecimenRule("text with U+0000 is stored whole, or refused as unsupported", among: .series(1)) { context in
      let specimen = Specimen(1).with(\.name, "a\0b")
      await context.expect("the stored elements afterwards", true) {
        do throws(RepositoryError) {
          try await context.subject.save(specimen)
          return try await context.subject.find(1) == specimen
        } catch {
          let name = try await context.subject.get(1).name
          return error.code == .unsupported && name != "a"
        }
      }
    },
    SpecimenRule("blobs come back byte by byte") { context in
      for sample in [[], [0], [0, 0], Array(UInt8.min...UInt8.max), [0x27, 0x22], [0xFF, 0xFE], [0xC3]] as [[UInt8]] {
        await context.expectRoundTrip(of: Specimen(1).with(\.sample, sample).with(\.scan, sample))
      }
      let large = [UInt8](repeating: 0xA5, count: 100_000)
      await context.expectRoundTrip(of: Specimen(1).with(\.sample, large))
    },
    SpecimenRule("an empty text and an empty blob are not null") { context in
      try await context.subject.save(Specimen(1).with(\.finder, "").with(\.scan, []))
      try await context.subject.save(Specimen(2))
      await context.expect(.isNull(key: "finder"), finds: 2)
      await context.expect(.isNull(key: "scan"), finds: 2)
      await context.expect(.equal(key: "finder", value: ""), finds: 1)
      await context.expect(.equal(key: "scan", value: [UInt8]()), finds: 1)
    },
    SpecimenRule("dates come back to the nanosecond, from the year 0000 to 9999") { context in
      let reference: [TimeInterval] = [
        0, 1, -1, 0.5, -0.25, 0.123456789, -0.999999999, 1e-9, 800_000_000.125, -800_000_000.875, 64_092_211_200,
      ]
      let last = Date(timeIntervalSinceReferenceDate: StoredDates.end.timeIntervalSinceReferenceDate.nextDown)
      for date in reference.map(Date.init(timeIntervalSinceReferenceDate:)) + [
        StoredDates.start, last, .distantPast, .distantFuture,
      ] {
        let nanosecond = 1e-9
        let specimen = Specimen(1).with(\.found, date)
        try await context.subject.save(specimen)
        await context.expect("whether \(date.timeIntervalSinceReferenceDate) s comes back to the nanosecond", true) {
          let found = try await context.subject.get(1).found
          return abs(found.timeIntervalSince(date)) < nanosecond
        }
      }
    },
    SpecimenRule("dates further than 100 days from the reference date come back exactly") { context in
      for seconds in [8_640_001.123456789, 799_999_999.9999999, -8_640_001.000001, 1e10 + 1e-6, -6e10 - 1e-5] {
        await context.expectRoundTrip(of: Specimen(1).with(\.found, Date(timeIntervalSinceReferenceDate: seconds)))
      }
    },
    SpecimenRule("Booleans, UUIDs and enums come back") { context in
      let codes = [
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
        UUID(uuid: (0x9B, 0x1D, 0xEB, 0x4D, 0x3B, 0x7D, 0x4B, 0xAD, 0x9B, 0xDD, 0x2B, 0x0D, 0x7B, 0x3D, 0xCB, 0x6D)),
      ]
      for (index, code) in codes.enumerated() {
        await context.expectRoundTrip(
          of: Specimen(1).with(\.code, code).with(\.isExtinct, index > 0).with(\.kingdom, Kingdom.allCases[index]))
      }
    },
  ]
}

/// The bounds of the dates that have a text.
enum StoredDates {
  /// The first instant that has a text: 0000-01-01.
  static let start = Date(timeIntervalSince1970: -62_167_219_200)
  /// An instant a second earlier, which has no text.
  static let beforeStart = Date(timeIntervalSince1970: -62_167_219_201)
  /// The first instant after those that have a text: 10000-01-01.
  static let end = Date(timeIntervalSince1970: 253_402_300_800)
}
