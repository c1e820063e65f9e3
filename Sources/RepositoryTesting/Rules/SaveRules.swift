import Query
import Repository

/// Rules of `save`, `find`, `count` and `delete` by key: for specimens here, and for samples of any model below.
enum SaveRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("`get` throws `notFound` where `find` gives nothing", among: .series(1)) { context in
      await context.expect("get 1", 1) { try await context.subject.get(1).id }
      await context.expect("get 2", throws: .notFound) { try await context.subject.get(2).id }
    },
    SpecimenRule("`first` gives the first element that matches a query", among: .series(\.age, 7, 4, 4)) {
      context in
      await context.expect("first where age = 4", 2) {
        try await context.subject.filter(.equal(key: "age", value: 4)).first()?.id
      }
      await context.expect("first where age = 5", Int?.none) {
        try await context.subject.filter(.equal(key: "age", value: 5)).first()?.id
      }
      await context.expect("first, sorted by age desc", 1) {
        try await context.subject.selection(FetchRequest(sortedBy: .descending(key: "age"))).first()?.id
      }
    },
    SpecimenRule("a key may be any integer, and keys are in the order of numbers") { context in
      for id in [0, .max, -1, .min, 9_007_199_254_740_993, 9_007_199_254_740_992, 1] {
        await context.expectRoundTrip(of: Specimen(id))
      }
      await context.expect(.true, finds: .min, -1, 0, 1, 9_007_199_254_740_992, 9_007_199_254_740_993, .max)
    },
    SpecimenRule("the error of an invalid value names the column") { context in
      await context.expect("save a specimen whose mass is not a number", throws: .invalidValue, naming: "mass") {
        try await context.subject.save(Specimen(1).with(\.mass, .nan))
      }
    },
    SpecimenRule("unique text differs by its bytes") { context in
      let labels = [
        "é", "e\u{301}", "É", "a", "A", "a ", " a", "a\u{1}", "a\u{1}b", "", "\u{1}", "straße", "strasse", "1", "1.0",
      ]
      for (index, label) in labels.enumerated() {
        await context.expectRoundTrip(of: Specimen(index).with(\.label, label))
      }
      await context.expect("count", labels.count) { try await context.subject.count() }
    },
    SpecimenRule("an invalid value is refused, and nothing is saved", among: .series(1)) {
      context in
      let unstorable: [(String, Specimen)] = [
        ("a mass that is not a number", Specimen(1).with(\.mass, .nan)),
        ("a length that is not a number", Specimen(2).with(\.length, -.nan)),
        ("a date of the year 10000", Specimen(3).with(\.found, StoredDates.end)),
        ("a date before the year 0000", Specimen(4).with(\.found, StoredDates.beforeStart)),
      ]
      for (name, specimen) in unstorable {
        await context.expect("save \(name)", throws: .invalidValue) { try await context.subject.save(specimen) }
      }
      await context.expect(.true, finds: 1)
      await context.expect(find: 1, Specimen(1))
    },
    SpecimenRule("`count` counts all elements, or those that match a query", among: .series(\.age, 1, 2, 2, nil)) {
      context in
      await context.expect("count", 4) { try await context.subject.count() }
      await context.expect("count where age = 2", 2) {
        try await context.subject.count(.equal(key: "age", value: 2))
      }
      await context.expect("count where false", 0) { try await context.subject.count(.false) }
    },
    SpecimenRule("a batch of a thousand is saved", among: .series(1000)) { context in
      await context.expect("count", 1000) { try await context.subject.count() }
      await context.expect(find: 1000, Specimen(1000))
    },
    SpecimenRule("an invalid element saves nothing of its batch", among: .series(2)) { context in
      let batch = [Specimen(1).with(\.age, 8), Specimen(3), Specimen(4).with(\.mass, .nan), Specimen(5)]
      await context.expect("save a batch whose third specimen's mass is not a number", throws: .invalidValue) {
        try await context.subject.save(batch)
      }
      await context.expect(.true, finds: 1, 2)
      await context.expect(find: 1, Specimen(1))
    },
  ]
}

extension SampleRule {
  /// The rule of the round trip of an element. It is checked first: if it is violated, all other rules compare only the keys.
  static var roundTrip: SampleRule {
    SampleRule("an element comes back as it was saved", startingEmpty: true) { context in
      for element in context.elements {
        try await context.repository.save(element)
        try await context.expect(find: element)
      }
      try await context.expectAll(context.elements)
    }
  }

  /// The rules of `save` and `find` for one element.
  static var saving: [SampleRule] {
    [
      roundTrip,
      SampleRule("an empty repository finds nothing", startingEmpty: true) { context in
        try await context.expectAll([])
        if let element = context.elements.first {
          try await context.expect(find: element, isThere: false)
        }
      },
      SampleRule("`find` returns the element with a key, and nil without one", startingEmpty: true) {
        context in
        guard let last = context.elements.last else { return }
        try await context.checks.prepare(Array(context.elements.dropLast()))
        try await context.expect(find: last, isThere: false)
        for element in context.elements.dropLast() { try await context.expect(find: element) }
      },
      SampleRule("an element with an existing key replaces the stored element") { context in
        let samples = context.samples
        var (elements, rows) = (context.elements, samples.rows)
        for index in elements.indices.prefix(10) {
          guard let variant = samples.variant(of: index) else { continue }
          let row = try Model.schema.row(from: variant, in: samples.table)
          // A variant fits among the samples, some of which have been replaced by now.
          guard samples.isFree(row, among: rows.indices.filter { $0 != index }.map { rows[$0] }) else { continue }
          try await context.repository.save(variant)
          try await context.expect(find: variant)
          (elements[index], rows[index]) = (variant, row)
        }
        try await context.expectAll(elements)
      },
      SampleRule("every element is stored if many tasks save at once", needs: [.concurrency], startingEmpty: true) {
        context in
        let repository = context.repository
        try await withThrowingTaskGroup { group in
          for element in context.elements {
            group.addTask { @concurrent in try await repository.save(element) }
          }
          try await group.waitForAll()
        }
        try await context.expectAll(context.elements)
      },
    ]
  }

  /// The rules of `save` for several elements: all or none.
  static var batches: [SampleRule] {
    [
      SampleRule("a batch is saved as a whole", startingEmpty: true) { context in
        if let variant = context.samples.variant(of: 0) { try await context.repository.save(variant) }
        try await context.repository.save(context.elements)
        try await context.expectAll(context.elements)
      },
      SampleRule("an empty batch changes nothing") { context in
        try await context.repository.save([])
        try await context.expectAll(context.elements)
      },
      SampleRule("of two elements of a batch with the same key, the later element stays", startingEmpty: true) {
        context in
        for index in context.elements.indices {
          guard let variant = context.samples.variant(of: index) else { continue }
          try await context.repository.save([context.elements[index], variant])
          return try await context.expectAll([variant])
        }
      },
    ]
  }

  /// The rules of `delete`.
  static var deleting: [SampleRule] {
    [
      SampleRule("`delete` returns the number of deleted elements") { context in
        let ids = context.elements.map(\.id)
        let list = CheckContext<AnyRepository<Model>>.list(Array(ids.prefix(2)))
        await context.checks.expect("delete \(list)", 2) {
          try await context.repository.delete(Array(ids.prefix(2)))
        }
        await context.checks.expect("delete \(list) again", 0) {
          try await context.repository.delete(Array(ids.prefix(2)))
        }
        try await context.expectAll(Array(context.elements.dropFirst(2)))
      },
      SampleRule("a repeated key is deleted and counted once") { context in
        guard let element = context.elements.first else { return }
        await context.checks.expect("delete a repeated key", 1) {
          try await context.repository.delete([element.id, element.id])
        }
        try await context.expectAll(Array(context.elements.dropFirst()))
      },
      SampleRule("deleting nothing changes nothing") { context in
        await context.checks.expect("delete no key", 0) { try await context.repository.delete([]) }
        try await context.expectAll(context.elements)
      },
      SampleRule("`delete` of one key counts the element if it existed") { context in
        guard let element = context.elements.last else { return }
        await context.checks.expect("delete the last one", 1) {
          try await context.repository.delete(element.id)
        }
        await context.checks.expect("delete the last one again", 0) {
          try await context.repository.delete(element.id)
        }
      },
      SampleRule("a deleted element is no longer found, and the others stay unchanged") { context in
        guard let element = context.elements.last else { return }
        try await context.repository.delete(element.id)
        try await context.expect(find: element, isThere: false)
        try await context.expectAll(context.elements.dropLast())
        try await context.repository.save(element)
        try await context.expectAll(context.elements)
      },
    ]
  }
}
