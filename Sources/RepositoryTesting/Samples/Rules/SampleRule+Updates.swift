import Query
import Repository

extension SampleRule {
  /// What `insert` does.
  static var inserting: [SampleRule] {
    [
      SampleRule("`insert` adds elements and gives them back", amongNothing: true) { examination in
        let rest = Array(examination.elements.dropFirst())
        guard let first = examination.elements.first else { return }
        await examination.trial.expect("what insert of one returns", list([first])) {
          list([try await examination.repository.insert(first)])
        }
        try await examination.expectAll([first])
        await examination.trial.expect("what insert returns", list(rest)) {
          list(try await examination.repository.insert(rest))
        }
        try await examination.expectAll(examination.elements)
      },
      SampleRule("`insert` of a key that exists is a conflict, and nothing changes", amongNothing: true) {
        examination in
        let kept = Array(examination.elements.dropLast())
        guard let first = examination.elements.first, let last = examination.elements.last else { return }
        try await examination.trial.prepare(kept)
        let again = examination.samples.variant(of: 0) ?? first
        for batch in [[again], [last, again], [last, last]] {
          await examination.trial.expect("insert \(list(batch))", throws: .conflict) {
            list(try await examination.repository.insert(batch))
          }
        }
        try await examination.expectAll(kept)
      },
      conflict("`insert` of another's unique value is a conflict that names the column") {
        examination, column, conflict in
        try await examination.repository.delete(conflict.element.id)
        await examination.trial.expect(
          "insert one with another's \(column.key)", throws: .conflict, naming: column.key
        ) { list(try await examination.repository.insert([conflict.element])) }
        try await examination.expectAll(examination.samples.elements(without: conflict.index))
      },
    ]
  }

  /// What `update(where:set:)` does.
  static var updating: [SampleRule] {
    [
      SampleRule("`update` sets columns of the elements that a query means") { examination in
        for update in examination.samples.updates {
          await examination.expect(update.count, updatedWhere: update.query, [update.assignment])
          await examination.expect(0, updatedWhere: .false, [update.assignment])
          try await examination.expectAll(update.elements)
        }
      },
      SampleRule("`update` counts elements that stay as they were") { examination in
        for column in examination.samples.contentColumns where !column.isUnique {
          guard let value = column.values.last else { continue }
          let query = AnyQuery.equal(key: column.key, value: value)
          let count = try examination.samples.indices(of: query).count
          await examination.expect(count, updatedWhere: query, [Assignment(column.key, value)])
        }
        try await examination.expectAll(examination.elements)
      },
      SampleRule("`update` refuses what it can't set, and nothing changes") { examination in
        var refused: [[Assignment]] = [[], [Assignment(examination.unknownKey, 5)]]
        for column in examination.columns {
          guard let value = column.values.first else { continue }
          let assignment = Assignment(column.key, value)
          refused += [[assignment], [assignment, assignment], [Assignment(column.key, Double.nan)]]
          refused += [[Assignment(column.key, Value.null)]]
          let others: [Value] = [7, 7.5, "7 or 8", .blob([7])]
          refused += others.map { [Assignment(column.key, $0)] }
        }
        for assignments in refused {
          // What is no mistake is another rule's concern.
          guard let code = examination.samples.refusal(of: assignments) else { continue }
          await examination.trial.expect("set \(assignments.map(\.key))", throws: code) {
            try await examination.repository.update(where: .true, set: assignments)
          }
        }
        try await examination.expectAll(examination.elements)
      },
      SampleRule(
        "`update` that makes two elements alike is a conflict, and nothing changes", needs: [.uniqueness]
      ) { examination in
        for column in examination.samples.uniqueColumns {
          for value in column.values.prefix(1) + column.probes.filter({ !column.values.contains($0) }).prefix(3)
          where examination.samples.canAllHave(value, in: column) {
            await examination.trial.expect("set \(column.key) of all", throws: .conflict, naming: column.key) {
              try await examination.repository.update(where: .true, set: [Assignment(column.key, value)])
            }
            try await examination.expectAll(examination.elements)
          }
        }
      },
    ]
  }

  /// What `delete(where:)` does.
  static var deletingByQuery: [SampleRule] {
    [
      SampleRule("`delete` by a query deletes what it means") { examination in
        for column in examination.columns {
          for value in [column.values.first, column.hasNull ? .null : nil].compactMap(\.self) {
            let query = AnyQuery.equal(key: column.key, value: value)
            let found = Set(try examination.samples.indices(of: query))
            await examination.trial.expect("delete where \(query)", found.count) {
              try await examination.repository.delete(where: query)
            }
            let kept = examination.elements.indices.filter { !found.contains($0) }.map { examination.elements[$0] }
            try await examination.expectAll(kept)
            try await examination.trial.prepare(examination.elements)
          }
        }
        await examination.trial.expect("delete where an unknown key is null", throws: .invalidQuery) {
          try await examination.repository.delete(where: .isNull(key: examination.unknownKey))
        }
        await examination.trial.expect("delete where false", 0) {
          try await examination.repository.delete(where: .false)
        }
        try await examination.expectAll(examination.elements)
        await examination.trial.expect("delete all", examination.elements.count) {
          try await examination.repository.delete(where: .true)
        }
        try await examination.expectAll([])
      }
    ]
  }

  /// The rules of the table, where it has any.
  static var tableRules: [SampleRule] {
    guard let table = try? Model.schema.table() else { return [] }
    let together = SampleRule("values that are unique together may each stand twice", needs: [.uniqueness]) {
      examination in
      for set in examination.samples.table.uniqueSets {
        guard let twin = examination.samples.twin(in: set) else { continue }
        await examination.trial.expect("save one with another's values in both", throws: .conflict) {
          try await examination.repository.save(twin)
        }
        try await examination.expectAll(examination.elements)
      }
    }
    let checks = SampleRule("a row that breaks a check is refused, and the error names the rule", needs: [.checks]) {
      examination in
      for check in examination.samples.table.checks {
        guard let element = examination.samples.element(breaking: check) else { continue }
        await examination.trial.expect("save one that breaks \(check.name)", throws: .constraint, naming: check.name) {
          try await examination.repository.save(element)
        }
        try await examination.expectAll(examination.elements)
      }
    }
    return (table.uniqueSets.isEmpty ? [] : [together]) + (table.checks.isEmpty ? [] : [checks])
  }

  private static func list(_ elements: [Model]) -> String { Trial<AnyRepository<Model>>.list(elements.map(\.id)) }
}

extension Examination {
  fileprivate func expect(_ count: Int, updatedWhere query: AnyQuery, _ assignments: [Assignment]) async {
    await trial.expect("update where \(query), set \(assignments.map(\.key).joined(separator: ", "))", count) {
      try await repository.update(where: query, set: assignments)
    }
  }
}

extension SampleSet {
  /// Why assignments have to be refused, whatever they are for; `nil` where they need not be.
  fileprivate func refusal(of assignments: [Assignment]) -> RepositoryError.Code? {
    do throws(RepositoryError) {
      _ = try table.resolve(assignments)
      return nil
    } catch {
      return error.code
    }
  }

  /// Whether the model and the checks allow a value in a column of all rows.
  fileprivate func canAllHave(_ value: Value, in column: SampleColumn) -> Bool {
    rows.allSatisfy { row in
      var row = row
      row[column.position] = value
      return element(from: row) != nil
    }
  }
}
