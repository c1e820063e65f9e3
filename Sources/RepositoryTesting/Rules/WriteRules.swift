import Query
import Repository

extension SampleRule {
  /// Comes first, because all others are checked by the keys alone where it is broken.
  static var roundTrip: SampleRule {
    SampleRule("an element comes back as it was saved", startingEmpty: true) { context in
      for element in context.elements {
        try await context.repository.save(element)
        try await context.expect(find: element)
      }
      try await context.expectAll(context.elements)
    }
  }

  /// What `save` and `find` do with one element.
  static var saving: [SampleRule] {
    [
      roundTrip,
      SampleRule("an empty repository finds nothing", startingEmpty: true) { context in
        try await context.expectAll([])
        if let element = context.elements.first {
          try await context.expect(find: element, isThere: false)
        }
      },
      SampleRule("`find` gives the element with a key, and nothing where there is none", startingEmpty: true) {
        context in
        guard let last = context.elements.last else { return }
        try await context.checks.prepare(Array(context.elements.dropLast()))
        try await context.expect(find: last, isThere: false)
        for element in context.elements.dropLast() { try await context.expect(find: element) }
      },
      SampleRule("an element whose key exists takes the place of the one that has it") { context in
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
      SampleRule("what many tasks save at once is all kept", needs: [.concurrency], startingEmpty: true) { context in
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

  /// What `save` does with several elements: all or none.
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
      SampleRule("of two elements of a batch with one key the later one stays", startingEmpty: true) { context in
        for index in context.elements.indices {
          guard let variant = context.samples.variant(of: index) else { continue }
          try await context.repository.save([context.elements[index], variant])
          return try await context.expectAll([variant])
        }
      },
    ]
  }

  /// What `delete` and `count` do.
  static var deleting: [SampleRule] {
    [
      SampleRule("`delete` returns how many elements there were") { context in
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
      SampleRule("a key that stands twice is deleted and counted once") { context in
        guard let element = context.elements.first else { return }
        await context.checks.expect("delete a key that stands twice", 1) {
          try await context.repository.delete([element.id, element.id])
        }
        try await context.expectAll(Array(context.elements.dropFirst()))
      },
      SampleRule("deleting nothing changes nothing") { context in
        await context.checks.expect("delete no key", 0) { try await context.repository.delete([]) }
        try await context.expectAll(context.elements)
      },
      SampleRule("`delete` of one key tells whether it existed") { context in
        guard let element = context.elements.last else { return }
        await context.checks.expect("delete the last one", true) {
          try await context.repository.delete(element.id)
        }
        await context.checks.expect("delete the last one again", false) {
          try await context.repository.delete(element.id)
        }
      },
      SampleRule("a deleted element is no longer found, and the others stay as they are") { context in
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

extension SampleRule {
  /// Unique columns.
  static var conflicts: [SampleRule] {
    [
      conflict("an element with another's unique value is a conflict, and nothing changes") {
        context, column, conflict in
        await context.expectConflict("save one with another's \(column.key)", [conflict.element])
        try await context.expectAll(context.elements)
        // Once more, as an element that is not there yet.
        try await context.repository.delete(conflict.element.id)
        await context.expectConflict("save a new one with another's \(column.key)", [conflict.element])
        try await context.expectAll(context.samples.elements(without: conflict.index))
      },
      conflict("the error of a conflict names the column and tells no value") { context, column, conflict in
        var secret: String?
        // A short text may be part of an error for another reason.
        if case .text(let text) = context.samples.rows[conflict.other][column.position], text.count > 5,
          !"\(context.samples.table)".contains(text)
        {
          secret = text
        }
        await context.checks.expect(
          "save one with another's \(column.key)", throws: .conflict, naming: column.key, withoutTelling: secret
        ) {
          try await context.repository.save(conflict.element)
        }
      },
      conflict("a unique value is free again once no element has it") { context, _, conflict in
        let other = context.elements[conflict.other]
        try await context.repository.delete(other.id)
        try await context.repository.save(conflict.element)
        var elements = context.elements
        elements[conflict.index] = conflict.element
        elements.remove(at: conflict.other)
        try await context.expectAll(elements)
      },
      conflict("a conflict amid a batch saves nothing of it") { context, column, conflict in
        let rest = context.elements.indices.filter { $0 != conflict.index && $0 != conflict.other }
        guard let third = rest.first.map({ context.elements[$0] }) else { return }
        try await context.repository.delete(third.id)
        try await context.repository.delete(conflict.element.id)
        let kept = context.elements.filter { $0.id != third.id && $0.id != conflict.element.id }
        await context.expectConflict(
          "save a batch whose second one has another's \(column.key)", [third, conflict.element])
        try await context.expectAll(kept)
        await context.expectConflict(
          "save a batch whose first one has another's \(column.key)", [conflict.element, third])
        try await context.expectAll(kept)
      },
      conflict("a conflict within a batch saves nothing of it", startingEmpty: true) { context, column, conflict in
        let batch = context.samples.elements(without: conflict.index) + [conflict.element]
        await context.expectConflict("save a batch of which two have one \(column.key)", batch)
        try await context.expectAll([])
      },
      conflict("a batch can be saved after one that was refused", startingEmpty: true) { context, column, conflict in
        try await context.repository.save(context.elements[conflict.other])
        let batch = context.samples.elements(without: conflict.index, conflict.other) + [conflict.element]
        await context.expectConflict("save a batch whose last one has another's \(column.key)", batch)
        try await context.repository.save(context.elements)
        try await context.expectAll(context.elements)
      },
    ]
  }

  /// A rule about each unique column.
  static func conflict(
    _ name: String, startingEmpty isEmpty: Bool = false,
    check: @escaping @Sendable (SampleContext<Model>, SampleColumn, SampleConflict<Model>) async throws -> Void
  ) -> SampleRule {
    SampleRule(name, needs: [.uniqueness], startingEmpty: true) { context in
      for column in context.samples.uniqueColumns {
        guard let conflict = context.samples.conflict(in: column) else { continue }
        let ids = try await context.repository.findAll().map(\.id)
        for id in ids { try await context.repository.delete(id) }
        if !isEmpty { try await context.checks.prepare(context.elements) }
        try await check(context, column, conflict)
      }
    }
  }
}

extension SampleContext {
  fileprivate func expectConflict(_ question: String, _ batch: [Model]) async {
    await checks.expect(question, throws: .conflict) { try await repository.save(batch) }
  }
}
