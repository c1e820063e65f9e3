import Query
import Repository

/// What `insert`, `update(where:set:)`, `delete(where:)` and the writing of sequences do.
enum WritingRules {
  /// The rules that write few elements each.
  static let short: [SpecimenRule] = inserting + updating + deleting

  private static let inserting: [SpecimenRule] = [
    SpecimenRule("`insert` adds elements and gives them back", among: Specimen.series(1)) { trial in
      await trial.expect("what insert returns", [3, 2]) {
        try await trial.subject.insert([Specimen(3), Specimen(2)]).map(\.id)
      }
      await trial.expect("what insert of one returns", 4) { try await trial.subject.insert(Specimen(4)).id }
      await trial.expect("insert nothing", 0) { try await trial.subject.insert([]).count }
      await trial.expect(.true, finds: 1, 2, 3, 4)
      await trial.expect(find: 3, Specimen(3))
    },
    SpecimenRule("`insert` of a key that exists is a conflict, and nothing changes", among: Specimen.series(2)) {
      trial in
      await trial.expect("insert specimen 2 again", throws: .conflict) {
        try await trial.subject.insert(Specimen(2).with(\.label, "another").with(\.age, 9))
      }
      await trial.expect("insert a batch that holds one", throws: .conflict) {
        try await trial.subject.insert([Specimen(3), Specimen(1).with(\.label, "another")])
      }
      await trial.expect("insert a batch with one key twice", throws: .conflict) {
        try await trial.subject.insert([Specimen(4), Specimen(4).with(\.label, "another")])
      }
      await trial.expect(.true, finds: 1, 2)
      await trial.expect(find: 2, Specimen(2))
    },
    SpecimenRule(
      "`insert` of another's unique value is a conflict that names the column", among: Specimen.series(2),
      needs: [.uniqueness]
    ) { trial in
      await trial.expect("insert", throws: .conflict, naming: "label", withoutTelling: "specimen 1") {
        try await trial.subject.insert([Specimen(3), Specimen(4).with(\.label, "specimen 1")])
      }
      await trial.expect(.true, finds: 1, 2)
    },
  ]

  private static let updating: [SpecimenRule] = [
    SpecimenRule(
      "`update` sets columns of the elements that a query means", among: Specimen.series(\.age, 1, 2, nil, 2)
    ) {
      trial in
      await trial.expect("update where age = 2", 2) {
        try await trial.subject.update(
          where: .equal(key: "age", value: 2), set: [Assignment("age", 7), Assignment("finder", "Mary")])
      }
      await trial.expect(.equal(key: "age", value: 7), finds: 2, 4)
      await trial.expect(find: 4, Specimen(4).with(\.age, 7).with(\.finder, "Mary"))
      await trial.expect(find: 1, Specimen(1).with(\.age, 1))
      await trial.expect("update where false", 0) {
        try await trial.subject.update(where: .false, set: [Assignment("age", 7)])
      }
    },
    SpecimenRule("`update` by properties sets values of their types, and nil", among: Specimen.series(3)) { trial in
      await trial.expect("update where id > 1", 2) {
        try await trial.subject.update(
          where: { $0.id > 1 },
          set: {
            $0.length = 2
            $0.kingdom = .plant
            $0.finder = nil
            $0.remarks = ["a"]
            $0.sample = []
          })
      }
      let changed = Specimen(3).with(\.length, 2).with(\.kingdom, .plant).with(\.remarks, ["a"])
      await trial.expect(find: 3, changed)
      await trial.expect(find: 1, Specimen(1))
    },
    SpecimenRule("`update` counts elements that stay as they were", among: Specimen.series(3)) { trial in
      await trial.expect("set null where it is null", 3) {
        try await trial.subject.update(where: .true, set: [Assignment("age", Value.null)])
      }
    },
    SpecimenRule("`update` refuses what it can't set, and nothing changes", among: Specimen.series(2)) { trial in
      let refused: [([Assignment], RepositoryError.Code)] = [
        ([], .invalidQuery), ([Assignment("id", 5)], .invalidQuery), ([Assignment("agee", 5)], .invalidQuery),
        ([Assignment("age", 5), Assignment("age", 6)], .invalidQuery), ([Assignment("age", "old")], .invalidValue),
        ([Assignment("age", 5), Assignment("mass", Double.nan)], .invalidValue),
        ([Assignment("name", Value.null)], .invalidValue), ([Assignment("age", 5.5)], .invalidValue),
      ]
      for (assignments, code) in refused {
        await trial.expect("set \(assignments.map(\.key))", throws: code) {
          try await trial.subject.update(where: .true, set: assignments)
        }
      }
      await trial.expect("set the key by its property", throws: .invalidQuery, naming: "id") {
        try await trial.subject.update(where: { $0.id == 1 }, set: { $0.id = 5 })
      }
      await trial.expect("update where an unknown key is null", throws: .invalidQuery) {
        try await trial.subject.update(where: .isNull(key: "agee"), set: [Assignment("age", 5)])
      }
      await trial.expect(.isNull(key: "age"), finds: 1, 2)
    },
    SpecimenRule(
      "`update` that makes two elements alike is a conflict, and nothing changes", among: Specimen.series(3),
      needs: [.uniqueness]
    ) { trial in
      await trial.expect("set the label of all", throws: .conflict, naming: "label", withoutTelling: "secret") {
        try await trial.subject.update(where: .true, set: [Assignment("label", "secret")])
      }
      await trial.expect("set another's label", throws: .conflict, naming: "label") {
        try await trial.subject.update(where: .equal(key: "id", value: 2), set: [Assignment("label", "specimen 3")])
      }
      await trial.expect("set the label that it has", 1) {
        try await trial.subject.update(where: .equal(key: "id", value: 2), set: [Assignment("label", "specimen 2")])
      }
      await trial.expect(find: 1, Specimen(1))
    },
  ]

  private static let deleting: [SpecimenRule] = [
    SpecimenRule("`delete` by a query deletes what it means", among: Specimen.series(\.age, 1, 2, nil, 2)) { trial in
      await trial.expect("delete where age = 2", 2) {
        try await trial.subject.delete(where: .equal(key: "age", value: 2))
      }
      await trial.expect(.true, finds: 1, 3)
      await trial.expect("delete where age is nil", 1) { try await trial.subject.delete(where: { $0.age == nil }) }
      await trial.expect("delete where false", 0) { try await trial.subject.delete(where: .false) }
      await trial.expect(.true, finds: 1)
      await trial.expect("delete where an unknown key is null", throws: .invalidQuery) {
        try await trial.subject.delete(where: .isNull(key: "agee"))
      }
      await trial.expect("delete all", 1) { try await trial.subject.delete(where: .true) }
      try await trial.subject.save(Specimen(2))
      await trial.expect(.true, finds: 2)
    }
  ]

  static let streaming: [SpecimenRule] = [
    SpecimenRule("a lazy sequence is saved and inserted, and counted", among: Specimen.series(2)) { trial in
      await trial.expect("save 1,500 specimens", 1_500) {
        try await trial.subject.save(contentsOf: (2..<1_502).lazy.map { Specimen($0).with(\.age, 1) })
      }
      await trial.expect("insert 2 specimens", 2) {
        try await trial.subject.insert(contentsOf: (1_502..<1_504).lazy.map { Specimen($0) })
      }
      await trial.expect("count", 1_503) { try await trial.subject.count() }
      await trial.expect(find: 2, Specimen(2).with(\.age, 1))
      await trial.expect("insert one that exists", throws: .conflict) {
        try await trial.subject.insert(contentsOf: CollectionOfOne(Specimen(7).with(\.label, "another")))
      }
      await trial.expect("save nothing", 0) { try await trial.subject.save(contentsOf: EmptyCollection()) }
    },
    SpecimenRule("an asynchronous sequence is saved and inserted") { trial in
      await trial.expect("save 3 specimens", 3) {
        try await trial.subject.save(contentsOf: stream(of: Specimen.series(3)))
      }
      await trial.expect("insert 1 specimen", 1) {
        try await trial.subject.insert(contentsOf: stream(of: [Specimen(4)]))
      }
      await trial.expect(.true, finds: 1, 2, 3, 4)
    },
  ]

  private static func stream(of specimens: [Specimen]) -> AsyncStream<Specimen> {
    AsyncStream { continuation in
      for specimen in specimens { continuation.yield(specimen) }
      continuation.finish()
    }
  }
}
