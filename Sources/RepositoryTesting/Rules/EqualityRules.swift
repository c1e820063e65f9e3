import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `=` and `!=`, which is its exact negation.
enum EqualityRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("`=` finds what equals a value", among: Specimen.series(\.age, 4, 7, nil, 4)) { trial in
      await trial.expect(.equal(key: "age", value: 4), finds: 1, 4)
      await trial.expect(.equal(key: "age", value: 5), findsAll: [])
      await trial.expect(.equal(key: "id", value: 3), finds: 3)
    },
    SpecimenRule("null equals null and nothing else", among: Specimen.series(\.age, 4, nil, 0)) { trial in
      await trial.expect(.equal(key: "age", value: Int?.none), finds: 2)
      await trial.expect(.isNull(key: "age"), finds: 2)
      await trial.expect(.equal(key: "age", value: 0), finds: 3)
      await trial.expect(.equal(key: "finder", value: String?.none), finds: 1, 2, 3)
      await trial.expect(.equal(key: "mass", value: Value.null), findsAll: [])
    },
    SpecimenRule("`!=` holds for rows whose value is null", among: Specimen.series(\.age, 4, nil, 7)) { trial in
      await trial.expect(.notEqual(key: "age", value: 4), finds: 2, 3)
      await trial.expect(.notEqual(key: "finder", value: "Mary"), finds: 1, 2, 3)
      await trial.expect(.notEqual(key: "scan", value: [1] as [UInt8]), finds: 1, 2, 3)
      await trial.expect(.notEqual(key: "length", value: 1.5), finds: 1, 2, 3)
    },
    SpecimenRule("`!= null` holds for every value", among: Specimen.series(\.age, 4, nil, 0)) { trial in
      await trial.expect(.notEqual(key: "age", value: Int?.none), finds: 1, 3)
      await trial.expect(.isNotNull(key: "age"), finds: 1, 3)
      await trial.expect(.isNotNull(key: "mass"), finds: 1, 2, 3)
    },
    SpecimenRule("the negation of `=` and of `!=` is the other one", among: Specimen.series(\.age, 4, nil, 7)) {
      trial in
      await trial.expect(!.equal(key: "age", value: 4), finds: 2, 3)
      await trial.expect(!.notEqual(key: "age", value: 4), finds: 1)
      await trial.expect(!.equal(key: "age", value: Int?.none), finds: 1, 3)
      await trial.expect(!.notEqual(key: "age", value: Int?.none), finds: 2)
    },
    SpecimenRule(
      "texts are equal by their bytes: composed and decomposed characters differ",
      among: Specimen.series(\.name, "é", "e\u{301}", "e", "", "Å", "\u{212B}", "A\u{30A}")
    ) { trial in
      await trial.expect(.equal(key: "name", value: "é"), finds: 1)
      await trial.expect(.equal(key: "name", value: "e\u{301}"), finds: 2)
      await trial.expect(.equal(key: "name", value: ""), finds: 4)
      await trial.expect(.equal(key: "name", value: "\u{212B}"), finds: 6)
      await trial.expect(.notEqual(key: "name", value: "é"), finds: 2, 3, 4, 5, 6, 7)
    },
    SpecimenRule(
      "texts are equal by their bytes: case and blanks differ",
      among: Specimen.series(\.name, "ash", "Ash", "ash ", "ASH")
    ) { trial in
      await trial.expect(.equal(key: "name", value: "ash"), finds: 1)
      await trial.expect(.equal(key: "name", value: "Ash"), finds: 2)
      await trial.expect(.notEqual(key: "name", value: "ash"), finds: 2, 3, 4)
    },
    SpecimenRule(
      "texts are equal by their bytes: an embedded NUL ends nothing",
      among: Specimen.series(\.name, "a", "a\0", "a\0b", "a\0c", "\0", "")
    ) { trial in
      await trial.expect(.equal(key: "name", value: "a"), finds: 1)
      await trial.expect(.equal(key: "name", value: "a\0"), finds: 2)
      await trial.expect(.equal(key: "name", value: "a\0b"), finds: 3)
      await trial.expect(.equal(key: "name", value: "\0"), finds: 5)
      await trial.expect(.notEqual(key: "name", value: "a\0b"), finds: 1, 2, 4, 5, 6)
    },
    SpecimenRule(
      "a text of digits equals no other spelling of its number",
      among: Specimen.series(\.name, "1", "1.0", "01", " 1", "1e0")
    ) { trial in
      await trial.expect(.equal(key: "name", value: "1"), finds: 1)
      await trial.expect(.equal(key: "name", value: "1.0"), finds: 2)
    },
    SpecimenRule(
      "blobs are equal by their bytes", among: Specimen.series(\.sample, [], [0], [0, 0], [1], [0x61], [255])
    ) { trial in
      await trial.expect(.equal(key: "sample", value: [] as [UInt8]), finds: 1)
      await trial.expect(.equal(key: "sample", value: [0] as [UInt8]), finds: 2)
      await trial.expect(.equal(key: "sample", value: [255] as [UInt8]), finds: 6)
      await trial.expect(.notEqual(key: "sample", value: [0] as [UInt8]), finds: 1, 3, 4, 5, 6)
    },
    SpecimenRule("Booleans are 0 and 1", among: Specimen.series(\.isExtinct, true, false, true)) { trial in
      await trial.expect(.equal(key: "extinct", value: true), finds: 1, 3)
      await trial.expect(.notEqual(key: "extinct", value: true), finds: 2)
      await trial.expect(.equal(key: "extinct", value: 1), finds: 1, 3)
      await trial.expect(.equal(key: "extinct", value: 0), finds: 2)
    },
    SpecimenRule("an enum equals its raw value", among: Specimen.series(\.kingdom, .plant, .animal, .plant)) { trial in
      await trial.expect(.equal(key: "kingdom", value: Kingdom.plant), finds: 1, 3)
      await trial.expect(.equal(key: "kingdom", value: "plant"), finds: 1, 3)
      await trial.expect(.notEqual(key: "kingdom", value: Kingdom.fungus), finds: 1, 2, 3)
    },
    SpecimenRule("a UUID equals its text in lower case", among: Specimen.series(2)) { trial in
      let code = UUID(uuid: (0xAB, 0xCD, 0xEF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF))
      try await trial.subject.save(Specimen(2).with(\.code, code))
      await trial.expect(.equal(key: "code", value: code), finds: 2)
      await trial.expect(.equal(key: "code", value: "abcdef00-0000-0000-0000-0000000000ff"), finds: 2)
      await trial.expect(.equal(key: "code", value: "ABCDEF00-0000-0000-0000-0000000000FF"), findsAll: [])
    },
    SpecimenRule(
      "a date equals its ISO 8601 text with nine fraction digits",
      among: Specimen.series(
        \.found, Date(timeIntervalSince1970: 1_795_216_260), Date(timeIntervalSince1970: 1_795_216_260.5))
    ) { trial in
      await trial.expect(.equal(key: "found", value: Date(timeIntervalSince1970: 1_795_216_260)), finds: 1)
      await trial.expect(.equal(key: "found", value: "2026-11-20T23:11:00.000000000Z"), finds: 1)
      await trial.expect(.equal(key: "found", value: "2026-11-20T23:11:00.500000000Z"), finds: 2)
      await trial.expect(.equal(key: "found", value: "2026-11-20T23:11:00Z"), findsAll: [])
    },
  ]
}
