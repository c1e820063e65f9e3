import Query
import Repository

extension SampleRule {
  /// What `insert` does.
  static var inserting: [SampleRule] {
    [
      SampleRule("`insert` adds elements and gives them back", startingEmpty: true) { context in
        // Not in the order of the keys.
        let rest = Array(context.elements.dropFirst().reversed())
        guard let first = context.elements.first else { return }
        await context.checks.expect("what insert of one returns", list([first])) {
          list([try await context.repository.insert(first)])
        }
        try await context.expectAll([first])
        await context.checks.expect("what insert returns", list(rest)) {
          list(try await context.repository.insert(rest))
        }
        try await context.expectAll(context.elements)
      },
      SampleRule("`insert` of a key that exists is a conflict, and nothing changes", startingEmpty: true) {
        context in
        let kept = Array(context.elements.dropLast())
        guard let first = context.elements.first, let last = context.elements.last else { return }
        try await context.checks.prepare(kept)
        let again = context.samples.variant(of: 0) ?? first
        for batch in [[again], [last, again], [last, last]] {
          await context.checks.expect("insert \(list(batch))", throws: .conflict) {
            list(try await context.repository.insert(batch))
          }
        }
        try await context.expectAll(kept)
      },
      conflict("`insert` of another's unique value is a conflict that names the column") {
        context, column, conflict in
        try await context.repository.delete(conflict.element.id)
        await context.checks.expect(
          "insert one with another's \(column.key)", throws: .conflict, naming: column.key
        ) { list(try await context.repository.insert([conflict.element])) }
        try await context.expectAll(context.samples.elements(without: conflict.index))
      },
    ]
  }

  /// What `update(where:set:)` does.
  static var updating: [SampleRule] {
    [
      SampleRule("`update` sets columns of the elements that a query means") { context in
        for update in context.samples.updates {
          await context.expect(update.count, updatedWhere: update.query, [update.assignment])
          await context.expect(0, updatedWhere: .false, [update.assignment])
          try await context.expectAll(update.elements)
        }
      },
      SampleRule("`update` counts elements that stay as they were") { context in
        for column in context.samples.contentColumns where !column.isUnique {
          guard let value = column.values.last else { continue }
          let query = AnyQuery.equal(key: column.key, value: value)
          let count = try context.samples.indices(of: query).count
          await context.expect(count, updatedWhere: query, [Assignment(column.key, value)])
        }
        try await context.expectAll(context.elements)
      },
      SampleRule("`update` refuses what it can't set, and nothing changes") { context in
        var refused: [[Assignment]] = [[], [Assignment(context.unknownKey, 5)]]
        for column in context.columns {
          guard let value = column.values.first else { continue }
          let assignment = Assignment(column.key, value)
          refused += [[assignment], [assignment, assignment], [Assignment(column.key, Double.nan)]]
          refused += [[Assignment(column.key, Value.null)]]
          let others: [Value] = [7, 7.5, "7 or 8", .blob([7])]
          refused += others.map { [Assignment(column.key, $0)] }
        }
        for assignments in refused {
          // Valid assignments are checked by another rule.
          guard let code = context.samples.refusal(of: assignments) else { continue }
          await context.checks.expect("set \(assignments.map(\.key))", throws: code) {
            try await context.repository.update(where: .true, set: assignments)
          }
        }
        try await context.expectAll(context.elements)
      },
      SampleRule(
        "`update` that makes two elements alike is a conflict, and nothing changes", needs: [.uniqueness]
      ) { context in
        for column in context.samples.uniqueColumns {
          for value in column.values.prefix(1) + column.probes.filter({ !column.values.contains($0) }).prefix(3)
          where context.samples.canAllHave(value, in: column) {
            await context.checks.expect("set \(column.key) of all", throws: .conflict, naming: column.key) {
              try await context.repository.update(where: .true, set: [Assignment(column.key, value)])
            }
            try await context.expectAll(context.elements)
          }
        }
      },
    ]
  }

  /// What `delete(where:)` does.
  static var deletingByQuery: [SampleRule] {
    [
      SampleRule("`delete` by a query deletes what it means") { context in
        for column in context.columns {
          for value in [column.values.first, column.hasNull ? .null : nil].compactMap(\.self) {
            let query = AnyQuery.equal(key: column.key, value: value)
            let found = Set(try context.samples.indices(of: query))
            await context.checks.expect("delete where \(query)", found.count) {
              try await context.repository.delete(where: query)
            }
            let kept = context.elements.indices.filter { !found.contains($0) }.map { context.elements[$0] }
            try await context.expectAll(kept)
            try await context.checks.prepare(context.elements)
          }
        }
        await context.checks.expect("delete where an unknown key is null", throws: .invalidQuery) {
          try await context.repository.delete(where: .isNull(key: context.unknownKey))
        }
        await context.checks.expect("delete where false", 0) {
          try await context.repository.delete(where: .false)
        }
        try await context.expectAll(context.elements)
        await context.checks.expect("delete all", context.elements.count) {
          try await context.repository.delete(where: .true)
        }
        try await context.expectAll([])
      }
    ]
  }

  /// The rules of the table, where it has any.
  static var tableRules: [SampleRule] {
    guard let table = try? Model.schema.table() else { return [] }
    let together = SampleRule("values that are unique together may each stand twice", needs: [.uniqueness]) {
      context in
      for set in context.samples.table.uniqueSets {
        guard let twin = context.samples.twin(in: set) else { continue }
        await context.checks.expect("save one with another's values in both", throws: .conflict) {
          try await context.repository.save(twin)
        }
        try await context.expectAll(context.elements)
      }
    }
    let checks = SampleRule("a row that breaks a check is refused, and the error names the rule", needs: [.checks]) {
      context in
      for check in context.samples.table.checks {
        guard let element = context.samples.element(breaking: check) else { continue }
        await context.checks.expect("save one that breaks \(check.name)", throws: .constraint, naming: check.name) {
          try await context.repository.save(element)
        }
        try await context.expectAll(context.elements)
      }
    }
    return (table.uniqueSets.isEmpty ? [] : [together]) + (table.checks.isEmpty ? [] : [checks])
  }

  private static func list(_ elements: [Model]) -> String {
    CheckContext<AnyRepository<Model>>.list(elements.map(\.id))
  }
}

extension SampleContext {
  fileprivate func expect(_ count: Int, updatedWhere query: AnyQuery, _ assignments: [Assignment]) async {
    await checks.expect("update where \(query), set \(assignments.map(\.key).joined(separator: ", "))", count) {
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

extension SampleRule {
  /// Sequences whose elements are written as they come.
  static var sequences: [SampleRule] {
    [
      SampleRule("a lazy sequence is saved and inserted, and counted", startingEmpty: true) { context in
        let (elements, repository) = (context.elements, context.repository)
        guard let last = elements.last else { return }
        await context.checks.expect("insert a sequence of one", 1) {
          try await repository.insert(contentsOf: CollectionOfOne(last))
        }
        await context.checks.expect("insert it again", throws: .conflict) {
          try await repository.insert(contentsOf: CollectionOfOne(last))
        }
        await context.checks.expect("save a sequence of all", elements.count) {
          try await repository.save(contentsOf: elements.lazy.map { $0 })
        }
        try await context.expectAll(elements)
        await context.checks.expect("save nothing", 0) {
          try await repository.save(contentsOf: EmptyCollection())
        }
      },
      SampleRule("an asynchronous sequence is saved and inserted", startingEmpty: true) { context in
        let (elements, repository) = (context.elements, context.repository)
        await context.checks.expect("insert a sequence of one", 1) {
          try await repository.insert(contentsOf: stream(of: elements.suffix(1)))
        }
        await context.checks.expect("save a sequence of all", elements.count) {
          try await repository.save(contentsOf: stream(of: elements[...]))
        }
        try await context.expectAll(elements)
      },
    ]
  }

  private static func stream(of elements: ArraySlice<Model>) -> AsyncStream<Model> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }
}
