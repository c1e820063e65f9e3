import Query
import Repository

/// The order of what is found.
enum SortRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("without a sort, elements are in the order of their keys", among: [3, -1, 10, 2].map { Specimen($0) })
    {
      trial in
      await trial.expect(.true, finds: -1, 2, 3, 10)
      await trial.expect(sortedBy: .primaryKey, -1, 2, 3, 10)
    },
    SpecimenRule("a sort goes up or down", among: Specimen.series(\.age, 5, 1, 9)) { trial in
      await trial.expect(sortedBy: .ascending(key: "age"), 2, 1, 3)
      await trial.expect(sortedBy: .descending(key: "age"), 3, 1, 2)
      await trial.expect(sortedBy: .descending(key: "id"), 3, 2, 1)
    },
    SpecimenRule("null is the least value unless told otherwise", among: Specimen.series(\.age, 5, nil, -1)) { trial in
      await trial.expect(sortedBy: .ascending(key: "age"), 2, 3, 1)
      await trial.expect(sortedBy: .descending(key: "age"), 1, 3, 2)
    },
    SpecimenRule("nulls stand first or last as told", among: Specimen.series(\.age, 5, nil, 1, nil)) { trial in
      await trial.expect(sortedBy: .ascending(key: "age", nulls: .first), 2, 4, 3, 1)
      await trial.expect(sortedBy: .ascending(key: "age", nulls: .last), 3, 1, 2, 4)
      await trial.expect(sortedBy: .descending(key: "age", nulls: .first), 2, 4, 1, 3)
      await trial.expect(sortedBy: .descending(key: "age", nulls: .last), 1, 3, 2, 4)
    },
    SpecimenRule("where a sort does not decide, the key does, from small to great", among: ties) { trial in
      await trial.expect(sortedBy: .ascending(key: "age"), 4, 5, 1, 2, 3)
      await trial.expect(sortedBy: .descending(key: "age"), 1, 2, 3, 4, 5)
      await trial.expect(sortedBy: .descending(key: "mass"), 1, 2, 3, 4, 5)
      await trial.expect(sortedBy: .ascending(key: "finder"), 1, 2, 3, 4, 5)
    },
    SpecimenRule(
      "of several sort keys the first one decides first",
      among: [
        Specimen(1).with(\.age, 1).with(\.name, "b"), Specimen(2).with(\.age, 2).with(\.name, "a"),
        Specimen(3).with(\.age, 1).with(\.name, "a"), Specimen(4).with(\.age, 2).with(\.name, "b"), Specimen(5),
      ]
    ) { trial in
      await trial.expect(sortedBy: .ascending(key: "age") + .ascending(key: "name"), 5, 3, 1, 2, 4)
      await trial.expect(sortedBy: .descending(key: "age") + .ascending(key: "name"), 2, 4, 3, 1, 5)
      await trial.expect(sortedBy: .ascending(key: "age", nulls: .last) + .descending(key: "name"), 1, 3, 4, 2, 5)
      await trial.expect(sortedBy: .ascending(key: "name") + .descending(key: "id"), 5, 3, 2, 4, 1)
    },
    SpecimenRule("a sort key that stands twice counts once", among: Specimen.series(\.age, 5, 1, 9)) { trial in
      await trial.expect(sortedBy: .ascending(key: "age") + .descending(key: "age"), 2, 1, 3)
      await trial.expect(sortedBy: .descending(key: "id") + .ascending(key: "age"), 3, 2, 1)
    },
    SpecimenRule(
      "texts are sorted by their UTF-8 bytes",
      among: Specimen.series(\.name, "z", "é", "Z", "e\u{301}", "", "😀", "a\0", "a", "\u{FFFD}", "ez", "10", "9")
    ) { trial in
      await trial.expect(sortedBy: .ascending(key: "name"), 5, 11, 12, 3, 8, 7, 10, 4, 1, 2, 9, 6)
      await trial.expect(sortedBy: .descending(key: "name"), 6, 9, 2, 1, 4, 10, 7, 8, 3, 12, 11, 5)
    },
    SpecimenRule(
      "numbers are sorted by value", among: Specimen.series(\.mass, 10, 9, -1, .infinity, 0.5, -.infinity, 0, -0.0)
    ) { trial in
      await trial.expect(sortedBy: .ascending(key: "mass"), 6, 3, 7, 8, 5, 2, 1, 4)
      await trial.expect(sortedBy: .descending(key: "mass"), 4, 1, 2, 5, 7, 8, 3, 6)
    },
    SpecimenRule(
      "blobs are sorted by their bytes", among: Specimen.series(\.scan, [0x80], [], nil, [0x7F, 0xFF], [0], [0, 0])
    ) { trial in
      await trial.expect(sortedBy: .ascending(key: "scan"), 3, 2, 5, 6, 4, 1)
      await trial.expect(sortedBy: .descending(key: "scan"), 1, 4, 6, 5, 2, 3)
    },
    SpecimenRule(
      "enums and Booleans are sorted by what they are kept as",
      among: Specimen.series(\.kingdom, .plant, .animal, .fungus)
    ) { trial in
      await trial.expect(sortedBy: .ascending(key: "kingdom"), 2, 3, 1)
      try await trial.subject.save(Specimen(2).with(\.isExtinct, true))
      await trial.expect(sortedBy: .descending(key: "extinct"), 2, 1, 3)
    },
    SpecimenRule("what a query finds is sorted too", among: Specimen.series(\.age, 5, 1, 9, nil, 7)) { trial in
      let query = AnyQuery.greaterThan(key: "age", value: 4)
      await trial.expect(FetchRequest(query, sortedBy: .descending(key: "age")), finds: [3, 5, 1])
      await trial.expect(FetchRequest(!query, sortedBy: .ascending(key: "age")), finds: [4, 2])
    },
  ]

  /// Three of one age, two of another; all of the same mass and without a finder. They are saved out of order.
  private static let ties = [5, 3, 1, 4, 2].map { id in Specimen(id).with(\.age, id < 4 ? 9 : 2) }
}
