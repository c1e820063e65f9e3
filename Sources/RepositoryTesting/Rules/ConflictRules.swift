import Query
import Repository

/// Rules of `insert(_:onConflict:)` for existing rows, and of the results of writes.
enum ConflictRules {
  static let all: [SpecimenRule] = conflicts + returning

  private static let conflicts: [SpecimenRule] = [
    SpecimenRule(
      "`insert` that ignores conflicts keeps existing elements, and returns the inserted elements", among: .series(2),
      needs: [.uniqueness, .conflictRules]
    ) { context in
      let elements = [
        Specimen(1).with(\.age, 9), Specimen(3).with(\.label, "specimen 2"), Specimen(4), Specimen(4).with(\.age, 9),
      ]
      await context.expect("insert, or ignore", [Specimen(4)]) {
        try await context.subject.insert(elements, onConflict: .ignore)
      }
      await context.expect(.true, finds: 1, 2, 4)
      await context.expect(find: 1, Specimen(1))
      await context.expect(find: 4, Specimen(4))
    },
    SpecimenRule(
      "`insert` that updates by a unique column keeps the key of the existing element", among: .series(2),
      needs: [.uniqueness, .conflictRules]
    ) { context in
      let updated = Specimen(2).with(\.age, 5).with(\.code, Specimen(7).code)
      await context.expect("insert, or update by the label", [updated, Specimen(8)]) {
        try await context.subject.insert(
          [Specimen(7).with(\.label, "specimen 2").with(\.age, 5), Specimen(8)], onConflict: .update(by: ["label"]))
      }
      await context.expect(.true, finds: 1, 2, 8)
      await context.expect(find: 2, updated)
    },
    SpecimenRule(
      "`insert` that updates refuses conflicts in other columns, and columns that are not unique", among: .series(2),
      needs: [.uniqueness, .conflictRules]
    ) { context in
      await context.expect("insert another's key", throws: .conflict) {
        try await context.subject.insert([Specimen(1).with(\.label, "new")], onConflict: .update(by: ["label"]))
      }
      for keys in [["name"], ["label", "name"], [], ["agee"]] {
        await context.expect("insert, or update by \(keys)", throws: .invalidQuery) {
          try await context.subject.insert([Specimen(3)], onConflict: .update(by: keys))
        }
      }
      await context.expect(.true, finds: 1, 2)
      await context.expect(find: 1, Specimen(1))
    },
  ]

  private static let returning: [SpecimenRule] = [
    SpecimenRule(
      "`updateReturning` returns the changed elements with their new values, in the order of the keys",
      among: .series(\.age, 2, 1, nil, 2)
    ) { context in
      let changed = [Specimen(1).with(\.age, 7), Specimen(4).with(\.age, 7)]
      await context.expect("update where age = 2", changed) {
        try await context.subject.updateReturning(
          where: .equal(key: "age", value: 2), set: [Assignment("age", 7)])
      }
      await context.expect(.equal(key: "age", value: 7), finds: 1, 4)
      await context.expect("update where false", []) {
        try await context.subject.updateReturning(where: .false, set: [Assignment("age", 7)])
      }
    },
    SpecimenRule(
      "`deleteReturning` returns the deleted elements, in the order of the keys", among: .series(\.age, 2, 1, nil, 2)
    ) { context in
      let gone = [Specimen(1).with(\.age, 2), Specimen(4).with(\.age, 2)]
      await context.expect("delete where age = 2", gone) {
        try await context.subject.deleteReturning(where: .equal(key: "age", value: 2))
      }
      await context.expect(.true, finds: 2, 3)
      await context.expect("delete where false", []) { try await context.subject.deleteReturning(where: .false) }
    },
    SpecimenRule("`save(_:changedFrom:)` writes the columns that differ, and nothing else", among: .series(2)) {
      context in
      // Changes by others in the meantime are kept.
      try await context.subject.save(Specimen(1).with(\.finder, "Mary"))
      await context.expect("save another age", true) {
        try await context.subject.save(Specimen(1).with(\.age, 5), changedFrom: Specimen(1))
      }
      await context.expect(find: 1, Specimen(1).with(\.age, 5).with(\.finder, "Mary"))
      await context.expect("save no change", true) {
        try await context.subject.save(Specimen(1), changedFrom: Specimen(1))
      }
      await context.expect(find: 1, Specimen(1).with(\.age, 5).with(\.finder, "Mary"))
      await context.expect("save a missing element", false) {
        try await context.subject.save(Specimen(9).with(\.age, 5), changedFrom: Specimen(9))
      }
      await context.expect("save another key", throws: .invalidQuery) {
        try await context.subject.save(Specimen(3), changedFrom: Specimen(2))
      }
      await context.expect(.true, finds: 1, 2)
    },
  ]
}
