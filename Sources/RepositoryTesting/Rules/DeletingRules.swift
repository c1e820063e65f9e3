import Query
import Repository

/// What `delete` and `count` do.
enum DeletingRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("`delete` returns how many elements there were", among: Specimen.series(4)) { trial in
      await trial.expect("delete 2, 9", 1) { try await trial.subject.delete([2, 9]) }
      await trial.expect("delete 2", 0) { try await trial.subject.delete([2]) }
      await trial.expect("delete 1, 3", 2) { try await trial.subject.delete([1, 3]) }
      await trial.expect(.true, finds: 4)
    },
    SpecimenRule("a key that stands twice is deleted and counted once", among: Specimen.series(2)) { trial in
      await trial.expect("delete 1, 1", 1) { try await trial.subject.delete([1, 1]) }
      await trial.expect(.true, finds: 2)
    },
    SpecimenRule("deleting nothing changes nothing", among: Specimen.series(2)) { trial in
      await trial.expect("delete no key", 0) { try await trial.subject.delete([]) }
      await trial.expect(.true, finds: 1, 2)
    },
    SpecimenRule("`delete` of one key tells whether it existed", among: Specimen.series(2)) { trial in
      await trial.expect("delete 1", true) { try await trial.subject.delete(1) }
      await trial.expect("delete 1 again", false) { try await trial.subject.delete(1) }
    },
    SpecimenRule("a deleted element is no longer found, and the others stay as they are", among: Specimen.series(3)) {
      trial in
      try await trial.subject.delete(2)
      await trial.expect(find: 2, nil)
      await trial.expect(find: 1, Specimen(1))
      await trial.expect(find: 3, Specimen(3))
      try await trial.subject.save(Specimen(2).with(\.age, 5))
      await trial.expect(find: 2, Specimen(2).with(\.age, 5))
      await trial.expect(.true, finds: 1, 2, 3)
    },
    SpecimenRule(
      "`count` counts all elements, or those that a query means", among: Specimen.series(\.age, 1, 2, 2, nil)
    ) {
      trial in
      await trial.expect("count", 4) { try await trial.subject.count() }
      await trial.expect("count where age = 2", 2) {
        try await trial.subject.count(where: .equal(key: "age", value: 2))
      }
      await trial.expect("count where false", 0) { try await trial.subject.count(where: .false) }
    },
  ]
}
