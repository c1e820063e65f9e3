import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `<`, `<=`, `>` and `>=`.
enum OrderRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("`<`, `<=`, `>` and `>=` compare numbers", among: Specimen.series(\.age, 3, 5, 7)) { trial in
      await trial.expect(.lessThan(key: "age", value: 5), finds: 1)
      await trial.expect(.lessThanOrEqual(key: "age", value: 5), finds: 1, 2)
      await trial.expect(.greaterThan(key: "age", value: 5), finds: 3)
      await trial.expect(.greaterThanOrEqual(key: "age", value: 5), finds: 2, 3)
      await trial.expect(.greaterThan(key: "age", value: 7), findsAll: [])
    },
    SpecimenRule(
      "`<`, `<=`, `>` and `>=` are false for a null, their negations true", among: Specimen.series(\.age, 3, nil, 7)
    ) { trial in
      await trial.expect(.lessThan(key: "age", value: 5), finds: 1)
      await trial.expect(.lessThanOrEqual(key: "age", value: 7), finds: 1, 3)
      await trial.expect(.greaterThan(key: "age", value: 5), finds: 3)
      await trial.expect(.greaterThanOrEqual(key: "age", value: 3), finds: 1, 3)
      await trial.expect(!.lessThan(key: "age", value: 5), finds: 2, 3)
      await trial.expect(!.lessThanOrEqual(key: "age", value: 7), finds: 2)
      await trial.expect(!.greaterThan(key: "age", value: 5), finds: 1, 2)
      await trial.expect(!.greaterThanOrEqual(key: "age", value: 3), finds: 2)
    },
    SpecimenRule(
      "nothing stands before or after null, not even null itself", among: Specimen.series(\.age, 3, nil, -1)
    ) { trial in
      for relation in [Relation.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual] {
        await trial.expect(.compare(key: "age", relation, value: Int?.none), findsAll: [])
        await trial.expect(!.compare(key: "age", relation, value: Int?.none), finds: 1, 2, 3)
        await trial.expect(.compare(key: "mass", relation, value: Value.null), findsAll: [])
        await trial.expect(!.compare(key: "mass", relation, value: Value.null), finds: 1, 2, 3)
      }
    },
    SpecimenRule(
      "texts are in the order of their UTF-8 bytes",
      among: Specimen.series(\.name, "Z", "a", "é", "e\u{301}", "ez", "\u{FFFD}", "😀", "", "a\0", "a ")
    ) { trial in
      await trial.expect(.lessThan(key: "name", value: "a"), finds: 1, 8)
      await trial.expect(.lessThanOrEqual(key: "name", value: "a"), finds: 1, 2, 8)
      await trial.expect(.greaterThan(key: "name", value: "a"), finds: 3, 4, 5, 6, 7, 9, 10)
      await trial.expect(.greaterThan(key: "name", value: "ez"), finds: 3, 4, 6, 7)
      await trial.expect(.greaterThanOrEqual(key: "name", value: "é"), finds: 3, 6, 7)
      // By UTF-16 the emoji would stand first, because a surrogate is less.
      await trial.expect(.greaterThan(key: "name", value: "\u{FFFD}"), finds: 7)
      await trial.expect(.lessThan(key: "name", value: "a "), finds: 1, 2, 8, 9)
      await trial.expect(.lessThan(key: "name", value: ""), findsAll: [])
      await trial.expect(.greaterThanOrEqual(key: "name", value: ""), finds: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    },
    SpecimenRule(
      "texts of digits are in the order of texts, not of numbers",
      among: Specimen.series(\.name, "10", "9", "-1", "1e9")
    ) { trial in
      await trial.expect(.lessThan(key: "name", value: "9"), finds: 1, 3, 4)
      await trial.expect(.greaterThan(key: "name", value: "10"), finds: 2, 4)
    },
    SpecimenRule(
      "blobs are in the order of their bytes",
      among: Specimen.series(\.sample, [], [0], [0, 0], [1], [0x7F, 1], [0x80])
    ) { trial in
      await trial.expect(.lessThan(key: "sample", value: [1] as [UInt8]), finds: 1, 2, 3)
      await trial.expect(.greaterThan(key: "sample", value: [0] as [UInt8]), finds: 3, 4, 5, 6)
      await trial.expect(.greaterThan(key: "sample", value: [0x7F] as [UInt8]), finds: 5, 6)
      await trial.expect(.lessThanOrEqual(key: "sample", value: [] as [UInt8]), finds: 1)
    },
    SpecimenRule(
      "dates are in the order of time",
      among: Specimen.series(
        \.found, Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 0.000000001),
        Date(timeIntervalSinceReferenceDate: -1), RoundTripRules.start, .distantFuture)
    ) { trial in
      let reference = Date(timeIntervalSinceReferenceDate: 0)
      await trial.expect(.lessThan(key: "found", value: reference), finds: 3, 4)
      await trial.expect(.greaterThan(key: "found", value: reference), finds: 2, 5)
      await trial.expect(.greaterThanOrEqual(key: "found", value: reference), finds: 1, 2, 5)
      await trial.expect(sortedBy: .ascending(key: "found"), 4, 3, 1, 2, 5)
    },
    SpecimenRule(
      "Booleans and enums are in the order of what they are kept as",
      among: [
        Specimen(1).with(\.isExtinct, true), Specimen(2).with(\.kingdom, .plant), Specimen(3).with(\.kingdom, .fungus),
      ]
    ) { trial in
      await trial.expect(.lessThan(key: "extinct", value: true), finds: 2, 3)
      await trial.expect(.greaterThan(key: "kingdom", value: Kingdom.animal), finds: 2, 3)
      await trial.expect(.greaterThanOrEqual(key: "kingdom", value: "g"), finds: 2)
    },
  ]
}
