import Query
import Repository

/// What `save` does with several elements: all or none.
enum BatchRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("a batch is saved as a whole", among: Specimen.series(\.age, 1, 2)) { trial in
      try await trial.subject.save([5, 2, 4].map { Specimen($0) })
      await trial.expect(.true, finds: 1, 2, 4, 5)
      await trial.expect(find: 2, Specimen(2))
      await trial.expect(find: 1, Specimen(1).with(\.age, 1))
    },
    SpecimenRule("a batch of a thousand is saved", among: Specimen.series(1000)) { trial in
      await trial.expect("count", 1000) { try await trial.subject.count() }
      await trial.expect(find: 1000, Specimen(1000))
    },
    SpecimenRule("an empty batch changes nothing", among: Specimen.series(2)) { trial in
      try await trial.subject.save([])
      await trial.expect(.true, finds: 1, 2)
    },
    SpecimenRule("of two elements of a batch with one key the later one stays") { trial in
      try await trial.subject.save([Specimen(1).with(\.age, 1), Specimen(2), Specimen(1).with(\.age, 2)])
      await trial.expect(.true, finds: 1, 2)
      await trial.expect(find: 1, Specimen(1).with(\.age, 2))
    },
    SpecimenRule("a conflict amid a batch saves nothing of it", among: Specimen.series(3), needs: [.uniqueness]) {
      trial in
      let batch = [Specimen(1).with(\.age, 8), Specimen(4), Specimen(5).with(\.label, "specimen 2"), Specimen(6)]
      await trial.expect("save a batch whose third specimen has another's label", throws: .conflict) {
        try await trial.subject.save(batch)
      }
      await trial.expect(.true, finds: 1, 2, 3)
      await trial.expect(find: 1, Specimen(1))
    },
    SpecimenRule("a conflict within a batch saves nothing of it", among: Specimen.series(1), needs: [.uniqueness]) {
      trial in
      await trial.expect("save a batch of two specimens with one label", throws: .conflict) {
        try await trial.subject.save([Specimen(2).with(\.label, "same"), Specimen(3).with(\.label, "same")])
      }
      await trial.expect(.true, finds: 1)
    },
    SpecimenRule("an element amid a batch that no store can hold saves nothing of it", among: Specimen.series(2)) {
      trial in
      let batch = [Specimen(1).with(\.age, 8), Specimen(3), Specimen(4).with(\.mass, .nan), Specimen(5)]
      await trial.expect("save a batch whose third specimen's mass is not a number", throws: .invalidValue) {
        try await trial.subject.save(batch)
      }
      await trial.expect(.true, finds: 1, 2)
      await trial.expect(find: 1, Specimen(1))
    },
    SpecimenRule("a batch can be saved after one that was refused", among: Specimen.series(1), needs: [.uniqueness]) {
      trial in
      let refused = [Specimen(2), Specimen(3).with(\.label, "specimen 1")]
      await trial.expect("save a batch whose second specimen has another's label", throws: .conflict) {
        try await trial.subject.save(refused)
      }
      try await trial.subject.save([Specimen(2), Specimen(3)])
      await trial.expect(.true, finds: 1, 2, 3)
    },
  ]
}
