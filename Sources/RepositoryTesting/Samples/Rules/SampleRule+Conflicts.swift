import Query
import Repository

extension SampleRule {
  /// Unique columns.
  static var conflicts: [SampleRule] {
    [
      conflict("an element with another's unique value is a conflict, and nothing changes") {
        examination, column, conflict in
        await examination.expectConflict("save one with another's \(column.key)", [conflict.element])
        try await examination.expectAll(examination.elements)
        // Once more, as an element that is not there yet.
        try await examination.repository.delete(conflict.element.id)
        await examination.expectConflict("save a new one with another's \(column.key)", [conflict.element])
        try await examination.expectAll(examination.samples.elements(without: conflict.index))
      },
      conflict("the error of a conflict names the column and tells no value") { examination, column, conflict in
        var secret: String?
        // A short text may stand in an error for another reason.
        if case .text(let text) = examination.samples.rows[conflict.other][column.position], text.count > 5,
          !"\(examination.samples.table)".contains(text)
        {
          secret = text
        }
        await examination.trial.expect(
          "save one with another's \(column.key)", throws: .conflict, naming: column.key, withoutTelling: secret
        ) {
          try await examination.repository.save(conflict.element)
        }
      },
      conflict("a unique value is free again once no element has it") { examination, _, conflict in
        let other = examination.elements[conflict.other]
        try await examination.repository.delete(other.id)
        try await examination.repository.save(conflict.element)
        var elements = examination.elements
        elements[conflict.index] = conflict.element
        elements.remove(at: conflict.other)
        try await examination.expectAll(elements)
      },
      conflict("a conflict amid a batch saves nothing of it") { examination, column, conflict in
        let rest = examination.elements.indices.filter { $0 != conflict.index && $0 != conflict.other }
        guard let third = rest.first.map({ examination.elements[$0] }) else { return }
        try await examination.repository.delete(third.id)
        try await examination.repository.delete(conflict.element.id)
        let kept = examination.elements.filter { $0.id != third.id && $0.id != conflict.element.id }
        await examination.expectConflict(
          "save a batch whose second one has another's \(column.key)", [third, conflict.element])
        try await examination.expectAll(kept)
        await examination.expectConflict(
          "save a batch whose first one has another's \(column.key)", [conflict.element, third])
        try await examination.expectAll(kept)
      },
      conflict("a conflict within a batch saves nothing of it", amongNothing: true) { examination, column, conflict in
        let batch = examination.samples.elements(without: conflict.index) + [conflict.element]
        await examination.expectConflict("save a batch of which two have one \(column.key)", batch)
        try await examination.expectAll([])
      },
      conflict("a batch can be saved after one that was refused", amongNothing: true) { examination, column, conflict in
        let batch = [examination.elements[conflict.other], conflict.element]
        await examination.expectConflict("save a batch of two with one \(column.key)", batch)
        try await examination.repository.save(examination.elements)
        try await examination.expectAll(examination.elements)
      },
    ]
  }

  /// A rule about each unique column.
  static func conflict(
    _ name: String, amongNothing isEmpty: Bool = false,
    check: @escaping @Sendable (Examination<Model>, SampleColumn, SampleConflict<Model>) async throws -> Void
  ) -> SampleRule {
    SampleRule(name, needs: [.uniqueness], amongNothing: true) { examination in
      for column in examination.samples.uniqueColumns {
        guard let conflict = examination.samples.conflict(in: column) else { continue }
        let ids = try await examination.repository.findAll().map(\.id)
        for id in ids { try await examination.repository.delete(id) }
        if !isEmpty { try await examination.trial.prepare(examination.elements) }
        try await check(examination, column, conflict)
      }
    }
  }
}

extension Examination {
  fileprivate func expectConflict(_ question: String, _ batch: [Model]) async {
    await trial.expect(question, throws: .conflict) { try await repository.save(batch) }
  }
}
