import Query
import Repository

extension SampleRule {
  /// Comes first, because all others are checked by the keys alone where it is broken.
  static var roundTrip: SampleRule {
    SampleRule("an element comes back as it was saved", amongNothing: true) { examination in
      for element in examination.elements {
        try await examination.repository.save(element)
        try await examination.expect(find: element)
      }
      try await examination.expectAll(examination.elements)
    }
  }

  /// What `save` and `find` do with one element.
  static var saving: [SampleRule] {
    [
      roundTrip,
      SampleRule("an empty repository finds nothing", amongNothing: true) { examination in
        try await examination.expectAll([])
        if let element = examination.elements.first {
          try await examination.expect(find: element, isThere: false)
        }
      },
      SampleRule("`find` gives the element with a key, and nothing where there is none", amongNothing: true) {
        examination in
        guard let last = examination.elements.last else { return }
        try await examination.trial.prepare(Array(examination.elements.dropLast()))
        try await examination.expect(find: last, isThere: false)
        for element in examination.elements.dropLast() { try await examination.expect(find: element) }
      },
      SampleRule("an element whose key exists takes the place of the one that has it") { examination in
        let samples = examination.samples
        var (elements, rows) = (examination.elements, samples.rows)
        for index in elements.indices.prefix(10) {
          guard let variant = samples.variant(of: index) else { continue }
          let row = try Model.schema.row(from: variant, in: samples.table)
          // A variant fits among the samples, some of which have been replaced by now.
          guard samples.isFree(row, among: rows.indices.filter { $0 != index }.map { rows[$0] }) else { continue }
          try await examination.repository.save(variant)
          try await examination.expect(find: variant)
          (elements[index], rows[index]) = (variant, row)
        }
        try await examination.expectAll(elements)
      },
      SampleRule("what many tasks save at once is all kept", needs: [.concurrency], amongNothing: true) { examination in
        let repository = examination.repository
        try await withThrowingTaskGroup { group in
          for element in examination.elements {
            group.addTask { @concurrent in try await repository.save(element) }
          }
          try await group.waitForAll()
        }
        try await examination.expectAll(examination.elements)
      },
    ]
  }

  /// What `save` does with several elements: all or none.
  static var batches: [SampleRule] {
    [
      SampleRule("a batch is saved as a whole", amongNothing: true) { examination in
        try await examination.repository.save(examination.elements)
        try await examination.expectAll(examination.elements)
      },
      SampleRule("an empty batch changes nothing") { examination in
        try await examination.repository.save([])
        try await examination.expectAll(examination.elements)
      },
      SampleRule("of two elements of a batch with one key the later one stays", amongNothing: true) { examination in
        for index in examination.elements.indices {
          guard let variant = examination.samples.variant(of: index) else { continue }
          try await examination.repository.save([examination.elements[index], variant])
          return try await examination.expectAll([variant])
        }
      },
    ]
  }

  /// What `delete` and `count` do.
  static var deleting: [SampleRule] {
    [
      SampleRule("`delete` returns how many elements there were") { examination in
        let ids = examination.elements.map(\.id)
        let list = Trial<AnyRepository<Model>>.list(Array(ids.prefix(2)))
        await examination.trial.expect("delete \(list)", 2) {
          try await examination.repository.delete(Array(ids.prefix(2)))
        }
        await examination.trial.expect("delete \(list) again", 0) {
          try await examination.repository.delete(Array(ids.prefix(2)))
        }
        try await examination.expectAll(Array(examination.elements.dropFirst(2)))
      },
      SampleRule("a key that stands twice is deleted and counted once") { examination in
        guard let element = examination.elements.first else { return }
        await examination.trial.expect("delete a key that stands twice", 1) {
          try await examination.repository.delete([element.id, element.id])
        }
        try await examination.expectAll(Array(examination.elements.dropFirst()))
      },
      SampleRule("deleting nothing changes nothing") { examination in
        await examination.trial.expect("delete no key", 0) { try await examination.repository.delete([]) }
        try await examination.expectAll(examination.elements)
      },
      SampleRule("`delete` of one key tells whether it existed") { examination in
        guard let element = examination.elements.last else { return }
        await examination.trial.expect("delete the last one", true) {
          try await examination.repository.delete(element.id)
        }
        await examination.trial.expect("delete the last one again", false) {
          try await examination.repository.delete(element.id)
        }
      },
      SampleRule("a deleted element is no longer found, and the others stay as they are") { examination in
        guard let element = examination.elements.last else { return }
        try await examination.repository.delete(element.id)
        try await examination.expect(find: element, isThere: false)
        try await examination.expectAll(examination.elements.dropLast())
        try await examination.repository.save(element)
        try await examination.expectAll(examination.elements)
      },
    ]
  }
}
