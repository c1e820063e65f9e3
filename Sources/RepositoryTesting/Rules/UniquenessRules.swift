import Query
import Repository

/// Rules of unique constraints on several columns, and of checks.
enum UniquenessRules {
  static let all: [ConformanceRule<any Store>] = [
    ConformanceRule("values that are unique together may each be repeated") { context in
      let tours = try context.subject.repository(of: Tour.self)
      try await tours.insert([tour("a", 1, 1), tour("b", 1, 2), tour("c", 2, 1)])
      await context.expect(
        "insert both values again", throws: .conflict, naming: "day (number) and hall (number)"
      ) { try await tours.insert(tour("d", 2, 1)) }
      await context.expect("save both values again", throws: .conflict, naming: "day (number) and hall (number)") {
        try await tours.save(tour("b", 1, 1))
      }
      await context.expect("update to both values", throws: .conflict, naming: "day (number) and hall (number)") {
        try await tours.filter { $0.name == "c" }.update { $0.day = 1 }
      }
      await context.expect("all", [tour("a", 1, 1), tour("b", 1, 2), tour("c", 2, 1)]) { try await tours.findAll() }
    },
    ConformanceRule("values with a null among them are never equal") { context in
      let tours = try context.subject.repository(of: Tour.self)
      try await tours.insert([tour("a", 1, nil), tour("b", 1, nil), tour("c", 1, 1)])
      await context.expect("set null", 3) { try await tours.filter { $0.day == 1 }.update { $0.hall = nil } }
      await context.expect("count", 3) { try await tours.count() }
    },
    ConformanceRule("values that are unique together are free again once no element has them") { context in
      let tours = try context.subject.repository(of: Tour.self)
      try await tours.insert([tour("a", 1, 1), tour("b", 2, 2)])
      try await tours.save(tour("a", 1, 3))
      try await tours.insert(tour("c", 1, 1))
      try await tours.filter { $0.name == "b" }.update { $0.day = 3 }
      try await tours.insert(tour("d", 2, 2))
      try await tours.delete("c")
      try await tours.insert(tour("e", 1, 1))
      await context.expect("all", ["a", "b", "d", "e"]) { try await tours.findAll().map(\.name) }
    },
    ConformanceRule("a row that breaks a check is refused, and the error names the rule") { context in
      let tours = try context.subject.repository(of: Tour.self)
      try await tours.insert(tour("a", 7, nil))
      await context.expect("insert", throws: .constraint, naming: "a row of tour breaks the rule day of a week") {
        try await tours.insert([tour("b", 1, nil), tour("c", 8, nil)])
      }
      await context.expect("save", throws: .constraint, naming: "day of a week", withoutRevealing: "4711") {
        try await tours.save(tour("a", 4711, nil))
      }
      await context.expect("update", throws: .constraint, naming: "day of a week") {
        try await tours.update(where: .true, set: [Assignment("day", 0)])
      }
      await context.expect("all", [tour("a", 7, nil)]) { try await tours.findAll() }
    },
    ConformanceRule("a check refuses a null for which the check is false, and allows other nulls") { context in
      let columns: [ColumnSchema] = [.init("id", .integer), .init("size", .integer, isNullable: true)]
      let strict = try TableSchema(
        "strict", columns: columns, primaryKey: ["id"],
        checks: [CheckRule("big", .greaterThan(key: "size", value: 5))])
      let lenient = try TableSchema(
        "lenient", columns: columns, primaryKey: ["id"],
        checks: [CheckRule("big", .isNull(key: "size") || .greaterThan(key: "size", value: 5))])
      let (refusing, allowing) = (
        try context.subject.repository(Schema(strict)), try context.subject.repository(Schema(lenient))
      )
      await context.expect("save a null", throws: .constraint, naming: "big") {
        try await refusing.save(Record(["id": 1], for: strict))
      }
      try await allowing.save(Record(["id": 1], for: lenient))
      await context.expect("save a small one", throws: .constraint, naming: "big") {
        try await allowing.save(Record(["id": 2, "size": 5], for: lenient))
      }
      await context.expect("count both", [0, 1]) { [try await refusing.count(), try await allowing.count()] }
    },
    ConformanceRule("checks mean what the same queries mean, whatever values they compare with") { context in
      let odd = "it's \"a\"\u{1}b; -- é"
      let checks: [CheckCase] = [
        (
          .equal(key: "text", value: odd), [["id": 1, "text": .text(odd)]],
          [["id": 2, "text": "it's"], ["id": 3, "text": "it's \"a\""]]
        ),
        (.greaterThan(key: "real", value: 0.1), [["id": 1, "real": .real(0.1.nextUp)]], [["id": 2, "real": 0.1]]),
        (
          .in(key: "real", values: [Double.infinity, .leastNonzeroMagnitude, -1.0e300]),
          [
            ["id": 1, "real": .real(.infinity)], ["id": 2, "real": .real(.leastNonzeroMagnitude)],
            ["id": 3, "real": -1.0e300],
          ],
          [["id": 4, "real": 0], ["id": 5, "real": 1.0e300]]
        ),
        (
          .in(key: "id", values: Array(0..<100) + [.min, .max]), [["id": 99], ["id": .integer(.min)]],
          [["id": 100], ["id": -1]]
        ),
        (
          .hasPrefix(key: "text", value: "a\u{1}") && .hasSuffix(key: "text", value: "'"),
          [["id": 1, "text": "a\u{1}'"]],
          [["id": 2, "text": "a'"], ["id": 3]]
        ),
        (!.contains(key: "text", value: "%_"), [["id": 1, "text": "ab"], ["id": 2]], [["id": 3, "text": "a%_b"]]),
      ]
      try await check(context, checks, ["real": .real, "text": .text])
    },
    ConformanceRule(
      "checks mean what the same queries mean in columns of any type, and of U+0000",
      needs: [.mixedColumns, .nulInTexts]
    ) { context in
      let checks: [CheckCase] = [
        (
          .hasPrefix(key: "text", value: "a\0") && .hasSuffix(key: "text", value: "'"), [["id": 1, "text": "a\0'"]],
          [["id": 2, "text": "a'"], ["id": 3]]
        ),
        (
          .equal(key: "any", value: [UInt8]([0, 255])), [["id": 1, "any": .blob([0, 255])]], [["id": 2, "any": "\0"]]
        ),
        (.lessThan(key: "any", value: "10"), [["id": 1, "any": 11]], [["id": 2, "any": "11"], ["id": 3]]),
        (.notEqual(key: "text", otherKey: "any"), [["id": 1, "text": "5", "any": 5]], [["id": 2]]),
      ]
      try await check(context, checks, ["text": .text, "any": .any])
    },
    ConformanceRule("of several rules that a row breaks, checks come first, then the rule declared last") { context in
      let table = try TableSchema(
        "rule",
        columns: [
          .init("id", .integer), .init("a", .integer, isUnique: true), .init("b", .integer, isUnique: true),
          .init("other", .integer, isNullable: true), .init("c", .integer, isNullable: true),
        ], primaryKey: ["id"], unique: [["a", "b"]],
        partialUnique: [PartialUniqueRule(["c"], where: .greaterThan(key: "c", value: 0))],
        checks: [
          CheckRule("one", .lessThan(key: "a", value: 10)), CheckRule("two", .lessThan(key: "b", value: 10)),
        ], references: [ReferenceRule(["other"], to: "rule", key: ["id"])])
      let rules = try context.subject.repository(Schema(table))
      try await rules.insert([
        Record(["id": 1, "a": 1, "b": 1, "c": 5], for: table), Record(["id": 2, "a": 2, "b": 2, "c": -5], for: table),
      ])
      let cases: [(KeyValuePairs<String, Value>, RepositoryError.Code, String)] = [
        (["id": 1, "a": 10, "b": 10, "other": 9], .constraint, "one"),
        (["id": 1, "a": 1, "b": 10, "other": 9], .constraint, "two"),
        (["id": 1, "a": 1, "b": 2, "other": 9], .conflict, "id (number)"),
        (["id": 3, "a": 1, "b": 1, "c": 5, "other": 9], .conflict, "same c (number)"),
        (["id": 3, "a": 1, "b": 1, "c": -5, "other": 9], .conflict, "a (number) and b (number)"),
        (["id": 3, "a": 1, "b": 2, "other": 9], .conflict, "same b (number)"),
        (["id": 3, "a": 1, "b": 3, "other": 9], .conflict, "same a (number)"),
        (["id": 3, "a": 3, "b": 3, "other": 9], .foreignKeyViolation, "other (number)"),
      ]
      for (fields, code, name) in cases {
        await context.expect("insert \(fields)", throws: code, naming: name) {
          try await rules.insert(Record(fields, for: table))
        }
      }
      await context.expect("count", 2) { try await rules.count() }
    },
    ConformanceRule("a table that lacks a rule is not opened with a schema that declares it") { context in
      let columns: [ColumnSchema] = [.init("id", .integer), .init("a", .integer), .init("b", .integer)]
      _ = try context.subject.repository(Schema(TableSchema("plain", columns: columns, primaryKey: ["id"])))
      let lacking = [
        try TableSchema("plain", columns: columns, primaryKey: ["id"], unique: [["a", "b"]]),
        try TableSchema("plain", columns: columns, primaryKey: ["id"], unique: [["a"]]),
        try TableSchema(
          "plain", columns: columns, primaryKey: ["id"],
          partialUnique: [PartialUniqueRule(["a"], where: .equal(key: "b", value: 1))]),
        try TableSchema(
          "plain", columns: columns, primaryKey: ["id"], checks: [CheckRule("big", .equal(key: "a", value: 1))]),
        try TableSchema(
          "plain", columns: columns, primaryKey: ["id"], references: [ReferenceRule(["a"], to: "plain", key: ["id"])]),
      ]
      for table in lacking {
        await context.expect("open plain with a rule", throws: .schemaMismatch, naming: "plain") {
          try context.subject.repository(Schema(table))
        }
      }
    },
    ConformanceRule("a table that has its rules is opened again with them, and with fewer") { context in
      let tours = try context.subject.repository(of: Tour.self)
      let again = try context.subject.repository(of: Tour.self)
      let columns = try Tour.schema.table().columns
      let table = try TableSchema("tour", columns: columns, primaryKey: ["name"])
      let plain = try context.subject.repository(Schema(table))
      try await tours.insert(tour("a", 1, 1))
      await context.expect("insert a conflicting row", throws: .conflict) { try await again.insert(tour("b", 1, 1)) }
      await context.expect(
        "insert a row that breaks an undeclared check", throws: .constraint, naming: "day of a week"
      ) {
        try await plain.insert(Record(["name": "b", "day": 9], for: table))
      }
    },
  ]

  /// A query as a check, with rows that the table accepts and rows that it refuses.
  private typealias CheckCase = (
    query: AnyQuery, kept: [KeyValuePairs<String, Value>], refused: [KeyValuePairs<String, Value>]
  )

  /// Saves rows to a table for each check, with some columns besides its key.
  private static func check(
    _ context: CheckContext<any Store>, _ checks: [CheckCase], _ columns: KeyValuePairs<String, ValueType>
  ) async throws {
    for (number, (query, kept, refused)) in checks.enumerated() {
      let table = try TableSchema(
        "check\(number)",
        columns: [.init("id", .integer)] + columns.map { .init($0.key, $0.value, isNullable: true) },
        primaryKey: ["id"], checks: [CheckRule("a \"rule\"", query)])
      let records = try context.subject.repository(Schema(table))
      for fields in kept {
        await context.expect("save where \(query)", true) {
          try await records.save(Record(fields, for: table))
          return true
        }
      }
      for fields in refused {
        await context.expect("save a row that does not match \(query)", throws: .constraint, naming: "a \"rule\"") {
          try await records.save(Record(fields, for: table))
        }
      }
    }
  }

  private static func tour(_ name: String, _ day: Int, _ hall: Int?) -> Tour {
    Tour(name: name, day: day, hall: hall, guide: nil)
  }
}

extension SampleRule {
  /// The rules of unique columns.
  static var conflicts: [SampleRule] {
    [
      conflict("an element with another's unique value is a conflict, and nothing changes") {
        context, column, conflict in
        await context.expectConflict("save one with another's \(column.key)", [conflict.element])
        try await context.expectAll(context.elements)
        // The same conflict, by an element that is not in the repository yet.
        try await context.repository.delete(conflict.element.id)
        await context.expectConflict("save a new one with another's \(column.key)", [conflict.element])
        try await context.expectAll(context.samples.elements(without: conflict.index))
      },
      conflict("the error of a conflict names the column and contains no value") { context, column, conflict in
        var secret: String?
        // A short text may be part of an error for another reason.
        if case .text(let text) = context.samples.rows[conflict.other][column.position], text.count > 5,
          !"\(context.samples.table)".contains(text)
        {
          secret = text
        }
        await context.checks.expect(
          "save one with another's \(column.key)", throws: .conflict, naming: column.key, withoutRevealing: secret
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
      conflict("a conflict in a batch saves nothing of the batch") { context, column, conflict in
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
      conflict("a batch can be saved after a refused batch", startingEmpty: true) { context, column, conflict in
        try await context.repository.save(context.elements[conflict.other])
        let batch = context.samples.elements(without: conflict.index, conflict.other) + [conflict.element]
        await context.expectConflict("save a batch whose last one has another's \(column.key)", batch)
        try await context.repository.save(context.elements)
        try await context.expectAll(context.elements)
      },
    ]
  }

  /// Makes a rule that is checked for each unique column.
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

extension SampleRule {
  /// The rules of columns that are unique together and of checks, if the table has any.
  static var tableRules: [SampleRule] {
    guard let table = try? Model.schema.table() else { return [] }
    let together = SampleRule("values that are unique together may each be repeated", needs: [.uniqueness]) {
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
}

extension SampleContext {
  fileprivate func expectConflict(_ question: String, _ batch: [Model]) async {
    await checks.expect(question, throws: .conflict) { try await repository.save(batch) }
  }
}
