import Query
import Repository

/// What `insert`, `update(where:set:)`, `delete(where:)` and the writing of sequences do.
enum WritingRules {
  /// The rules that write few elements each.
  static let short: [SpecimenRule] = updating + deleting

  private static let updating: [SpecimenRule] = [
    SpecimenRule(
      "`update` sets columns of the elements that a query means", among: .series(\.age, 1, 2, nil, 2)
    ) {
      context in
      await context.expect("update where age = 2", 2) {
        try await context.subject.update(
          where: .equal(key: "age", value: 2), set: [Assignment("age", 7), Assignment("finder", "Mary")])
      }
      await context.expect(.equal(key: "age", value: 7), finds: 2, 4)
      await context.expect(find: 4, Specimen(4).with(\.age, 7).with(\.finder, "Mary"))
      await context.expect(find: 1, Specimen(1).with(\.age, 1))
      await context.expect("update where false", 0) {
        try await context.subject.update(where: .false, set: [Assignment("age", 7)])
      }
    },
    SpecimenRule("`update` by properties sets values of their types, and nil", among: .series(3)) { context in
      await context.expect("update where id > 1", 2) {
        try await context.subject.update(
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
      await context.expect(find: 3, changed)
      await context.expect(find: 1, Specimen(1))
    },
    SpecimenRule("`update` refuses what it can't set, and nothing changes", among: .series(2)) { context in
      let refused: [([Assignment], RepositoryError.Code)] = [
        ([], .invalidQuery), ([Assignment("id", 5)], .invalidQuery), ([Assignment("agee", 5)], .invalidQuery),
        ([Assignment("age", 5), Assignment("age", 6)], .invalidQuery), ([Assignment("age", "old")], .invalidValue),
        ([Assignment("age", 5), Assignment("mass", Double.nan)], .invalidValue),
        ([Assignment("name", Value.null)], .invalidValue), ([Assignment("age", 5.5)], .invalidValue),
      ]
      for (assignments, code) in refused {
        await context.expect("set \(assignments.map(\.key))", throws: code) {
          try await context.subject.update(where: .true, set: assignments)
        }
      }
      await context.expect("set the key by its property", throws: .invalidQuery, naming: "id") {
        try await context.subject.update(where: { $0.id == 1 }, set: { $0.id = 5 })
      }
      await context.expect("update where an unknown key is null", throws: .invalidQuery) {
        try await context.subject.update(where: .isNull(key: "agee"), set: [Assignment("age", 5)])
      }
      await context.expect(.isNull(key: "age"), finds: 1, 2)
    },
    SpecimenRule(
      "`update` that makes two elements alike is a conflict, and nothing changes", among: .series(3),
      needs: [.uniqueness]
    ) { context in
      await context.expect("set the label of all", throws: .conflict, naming: "label", withoutTelling: "secret") {
        try await context.subject.update(where: .true, set: [Assignment("label", "secret")])
      }
      await context.expect("set another's label", throws: .conflict, naming: "label") {
        try await context.subject.update(where: .equal(key: "id", value: 2), set: [Assignment("label", "specimen 3")])
      }
      await context.expect("set the label that it has", 1) {
        try await context.subject.update(where: .equal(key: "id", value: 2), set: [Assignment("label", "specimen 2")])
      }
      await context.expect(find: 1, Specimen(1))
    },
  ]

  private static let deleting: [SpecimenRule] = [
    SpecimenRule("`delete` by a query deletes what it means", among: .series(\.age, 1, 2, nil, 2)) { context in
      await context.expect("delete where age = 2", 2) {
        try await context.subject.delete(where: .equal(key: "age", value: 2))
      }
      await context.expect(.true, finds: 1, 3)
      await context.expect("delete where age is nil", 1) { try await context.subject.delete(where: { $0.age == nil }) }
      await context.expect("delete where false", 0) { try await context.subject.delete(where: .false) }
      await context.expect(.true, finds: 1)
      await context.expect("delete where an unknown key is null", throws: .invalidQuery) {
        try await context.subject.delete(where: .isNull(key: "agee"))
      }
      await context.expect("delete all", 1) { try await context.subject.delete(where: .true) }
      try await context.subject.save(Specimen(2))
      await context.expect(.true, finds: 2)
    }
  ]

  static let streaming: [SpecimenRule] = [
    SpecimenRule("a lazy sequence is saved and inserted, and counted", among: .series(2)) { context in
      await context.expect("save 1,500 specimens", 1_500) {
        try await context.subject.save(contentsOf: (2..<1_502).lazy.map { Specimen($0).with(\.age, 1) })
      }
      await context.expect("insert 2 specimens", 2) {
        try await context.subject.insert(contentsOf: (1_502..<1_504).lazy.map { Specimen($0) })
      }
      await context.expect("count", 1_503) { try await context.subject.count() }
      await context.expect(find: 2, Specimen(2).with(\.age, 1))
      await context.expect("insert one that exists", throws: .conflict) {
        try await context.subject.insert(contentsOf: CollectionOfOne(Specimen(7).with(\.label, "another")))
      }
      await context.expect("save nothing", 0) { try await context.subject.save(contentsOf: EmptyCollection()) }
    }
  ]
}
