import Query
import Repository

/// Rules of `insert`, `update(where:set:)` and `delete(where:)`: for specimens here, and for samples of any model below.
enum UpdateRules {
  static let all: [RequestRule] = [
    RequestRule(
      "`update` sets columns of the elements that match a query", among: .series(\.age, 1, 2, nil, 2),
      ["set age = 7, finder = 'Mary' where age = 2 → 2", "age = 7 → 2 4", "set age = 7 where false → 0"]
    ) { context in
      await context.expect(find: 4, Specimen(4).with(\.age, 7).with(\.finder, "Mary"))
      await context.expect(find: 1, Specimen(1).with(\.age, 1))
    },
    RequestRule("`update` by properties sets values of their types, and nil", among: .series(3)) { context in
      await context.expect("update where id > 1", 2) {
        try await context.subject.filter { $0.id > 1 }.update {
          $0.length = 2
          $0.kingdom = .plant
          $0.finder = nil
          $0.remarks = ["a"]
          $0.sample = []
        }
      }
      let changed = Specimen(3).with(\.length, 2).with(\.kingdom, .plant).with(\.remarks, ["a"])
      await context.expect(find: 3, changed)
      await context.expect(find: 1, Specimen(1))
    },
    RequestRule(
      "`update` computes values from each row before the update, and null without a result",
      among: [Specimen(1).with(\.age, 1).with(\.mass, 3), Specimen(2).with(\.age, .max).with(\.mass, 4)],
      [
        "set age = age + 1, mass = mass * 2, length = mass where true → 2",
        // Beyond the reals, and in a column that may not be null.
        "set mass = mass * 1e308 where true → ! constraint mass",
        "set mass = mass * -1e308 where true → ! constraint mass",
        "set mass = mass / (age - 2) where id = 1 → ! constraint mass",
      ]
    ) { context in
      await context.expect(find: 1, Specimen(1).with(\.age, 2).with(\.mass, 6).with(\.length, 3))
      await context.expect(find: 2, Specimen(2).with(\.mass, 8).with(\.length, 4))
    },
    RequestRule(
      "`update` refuses invalid assignments, and nothing changes", among: .series(2),
      [
        "set id = 5 where true → ! invalidQuery", "set agee = 5 where true → ! invalidQuery",
        "set age = 5, age = 6 where true → ! invalidQuery", "set age = 'old' where true → ! invalidValue",
        "set name = null where true → ! invalidValue", "set age = 5.5 where true → ! invalidValue",
        "set age = 5 where agee is null → ! invalidQuery", "age is null → 1 2",
      ]
    ) { context in
      await context.expect("set nothing", throws: .invalidQuery) {
        try await context.subject.update(where: .true, set: [])
      }
      await context.expect("set the mass to no number", throws: .invalidValue) {
        try await context.subject.update(where: .true, set: [Assignment("age", 5), Assignment("mass", Double.nan)])
      }
      await context.expect("set the key by its property", throws: .invalidQuery, naming: "id") {
        try await context.subject.filter { $0.id == 1 }.update { $0.id = 5 }
      }
      await context.expect(.isNull(key: "age"), finds: 1, 2)
    },
    RequestRule(
      "`update` that makes two elements alike is a conflict, and nothing changes", among: .series(3),
      needs: [.uniqueness],
      ["set label = 'specimen 3' where id = 2 → ! conflict label", "set label = 'specimen 2' where id = 2 → 1"]
    ) { context in
      await context.expect("set the label of all", throws: .conflict, naming: "label", withoutRevealing: "secret") {
        try await context.subject.update(where: .true, set: [Assignment("label", "secret")])
      }
      await context.expect(find: 1, Specimen(1))
    },
    RequestRule(
      "`delete` by a query deletes the matching elements", among: .series(\.age, 1, 2, nil, 2),
      [
        "delete where age = 2 → 2", "true → 1 3", "delete where false → 0",
        "delete where agee is null → ! invalidQuery",
      ]
    ) { context in
      await context.expect("delete where age is nil", 1) { try await context.subject.filter { $0.age == nil }.delete() }
      await context.expect(.true, finds: 1)
      await context.expect("delete all", 1) { try await context.subject.delete(where: .true) }
      try await context.subject.save(Specimen(2))
      await context.expect(.true, finds: 2)
    },
  ]
}

extension SampleRule {
  /// The rules of `insert`.
  static var inserting: [SampleRule] {
    [
      SampleRule("`insert` adds and returns elements", startingEmpty: true) { context in
        // The batch is not in the order of the keys.
        let rest = Array(context.elements.dropFirst().reversed())
        guard let first = context.elements.first else { return }
        await context.checks.expect("the result of inserting one element", list([first])) {
          list([try await context.repository.insert(first)])
        }
        try await context.expectAll([first])
        await context.checks.expect("the result of inserting elements", list(rest)) {
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

  /// The rules of `update(where:set:)`.
  static var updating: [SampleRule] {
    [
      SampleRule("`update` sets columns of the elements that match a query") { context in
        for update in context.samples.updates {
          await context.expect(update.count, updatedWhere: update.query, [update.assignment])
          await context.expect(0, updatedWhere: .false, [update.assignment])
          try await context.expectAll(update.elements)
        }
      },
      SampleRule("`update` counts elements that stay unchanged") { context in
        for column in context.samples.contentColumns where !column.isUnique {
          guard let value = column.values.last else { continue }
          let query = AnyQuery.equal(key: column.key, value: value)
          let count = try context.samples.indices(of: query).count
          await context.expect(count, updatedWhere: query, [Assignment(column.key, value)])
        }
        try await context.expectAll(context.elements)
      },
      SampleRule("`update` computes values from each row before the update, and null without a result") { context in
        for column in context.samples.contentColumns where column.holds(.number) && !column.isUnique {
          let key = AnyExpression.key(column.key)
          // A quotient by zero, in each row.
          let assignment = Assignment(column.key, key / (key - key))
          guard (try? context.samples.table.resolve([assignment])) != nil else { continue }
          if column.schema.isNullable {
            let changed = context.samples.rows.compactMap { row in
              context.samples.element(from: row.indices.map { $0 == column.position ? .null : row[$0] })
            }
            if changed.count < context.elements.count { continue }
            await context.expect(changed.count, updatedWhere: .true, [assignment])
            try await context.expectAll(changed)
            try await context.checks.prepare(context.elements)
          } else {
            await context.checks.expect("set \(assignment)", throws: .constraint, naming: column.key) {
              try await context.repository.update(where: .true, set: [assignment])
            }
            try await context.expectAll(context.elements)
          }
        }
      },
      SampleRule("`update` refuses invalid assignments, and nothing changes") { context in
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

  /// The rules of `delete(where:)`.
  static var deletingByQuery: [SampleRule] {
    [
      SampleRule("`delete` by a query deletes the matching elements") { context in
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
        await context.checks.expect("delete with an unknown key in the query", throws: .invalidQuery) {
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
  /// Returns the code with which assignments have to be refused, whichever rows they are for; `nil` if they are valid.
  fileprivate func refusal(of assignments: [Assignment]) -> RepositoryError.Code? {
    do throws(RepositoryError) {
      _ = try table.resolve(assignments)
      return nil
    } catch {
      return error.code
    }
  }

  /// Returns whether the model and the checks allow a value in a column of all rows.
  fileprivate func canAllHave(_ value: Value, in column: SampleColumn) -> Bool {
    rows.allSatisfy { row in
      var row = row
      row[column.position] = value
      return element(from: row) != nil
    }
  }
}
