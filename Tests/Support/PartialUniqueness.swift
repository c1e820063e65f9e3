package import Query
package import Repository

/// Writes to tables whose columns are unique only among the rows that match a condition.
package enum PartialUniqueness {
  package enum Write: Sendable {
    case insert([[Value]])
    case save([[Value]])
    case ignore([[Value]])
    case upsertByEmail([Value])
    /// An update of the rows of a query, both as texts.
    case update(String, String)
    case delete(String)
  }

  fileprivate static let email = PartialUniqueRule(["email"], where: .isNull(key: "deleted"))
  fileprivate static let seat = PartialUniqueRule(
    ["room", "seat"], where: .isNull(key: "deleted") && .compare(key: "seat", .greaterThan, value: 0))

  fileprivate static func members() throws -> TableSchema {
    try TableSchema(
      "member",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("code", .integer, isUnique: true),
        ColumnSchema("email", .text, isNullable: true), ColumnSchema("room", .integer), ColumnSchema("seat", .integer),
        ColumnSchema("deleted", .integer, isNullable: true),
      ], primaryKey: ["id"], partialUnique: [email, seat])
  }

  /// A key that is no integer is checked after the partial constraints.
  fileprivate static func labels() throws -> TableSchema {
    try TableSchema(
      "label", columns: [ColumnSchema("name", .text), ColumnSchema("size", .integer)], primaryKey: ["name"],
      partialUnique: [PartialUniqueRule(["size"], where: .compare(key: "size", .lessThan, value: 100))])
  }

  fileprivate static let rows: [[Value]] = [
    [1, 10, "a", 1, 1, .null], [2, 20, "b", 1, 2, .null], [3, 30, "a", 1, 1, 9], [4, 40, .null, 1, 0, .null],
    [5, 50, "c", 1, 0, .null],
  ]

  /// Writes one after the other, each to the same rows, and what becomes of them: the number of rows afterwards, or the code
  /// and what the error names.
  package static let cases: [(write: Write, count: Int, code: String, names: String)] = [
    (.insert([[6, 60, "d", 1, 3, .null]]), 6, "", ""), (.insert([[6, 60, "a", 1, 3, 1]]), 6, "", ""),
    (.insert([[6, 60, .null, 1, 3, .null]]), 6, "", ""), (.insert([[6, 60, "d", 1, 0, .null]]), 6, "", ""),
    (.insert([[6, 60, "d", 2, 1, .null]]), 6, "", ""),
    (.insert([[6, 60, "a", 1, 3, .null]]), 0, "conflict", "email (text)"),
    (.insert([[6, 60, "d", 1, 2, .null]]), 0, "conflict", "room (number) and seat (number)"),
    (.insert([[6, 60, "d", 1, 3, .null], [7, 70, "d", 1, 4, .null]]), 0, "conflict", "email (text)"),
    (.insert([[6, 60, "d", 1, 3, 1], [7, 70, "d", 1, 3, .null], [8, 80, "d", 1, 3, 1]]), 8, "", ""),
    // Of several rules, the last one that was declared decides, but the key.
    (.insert([[6, 10, "a", 1, 1, .null]]), 0, "conflict", "room (number) and seat (number)"),
    (.insert([[6, 10, "a", 1, 3, .null]]), 0, "conflict", "email (text)"),
    (.insert([[6, 10, "a", 1, 1, 1]]), 0, "conflict", "code (number)"),
    (.insert([[1, 10, "a", 1, 1, .null]]), 0, "conflict", "id (number)"),
    // A row takes part once it matches, and no longer once it does not.
    (.save([[3, 30, "a", 1, 3, .null]]), 0, "conflict", "email (text)"),
    (.save([[3, 30, "d", 1, 1, .null]]), 0, "conflict", "room (number) and seat (number)"),
    (.save([[3, 30, "d", 1, 3, .null]]), 5, "", ""), (.save([[1, 10, "a", 1, 1, .null]]), 5, "", ""),
    (.save([[1, 10, "b", 1, 1, .null]]), 0, "conflict", "email (text)"),
    (.save([[1, 10, "a", 1, 1, 9], [3, 30, "a", 1, 1, .null]]), 5, "", ""),
    (.save([[3, 30, "a", 1, 1, .null], [1, 10, "a", 1, 1, 9]]), 0, "conflict", "room (number) and seat (number)"),
    (.update("id = 3", "deleted = null"), 0, "conflict", "room (number) and seat (number)"),
    (.update("id = 5", "email = 'a'"), 0, "conflict", "email (text)"),
    (.update("id = 3", "email = 'b'"), 5, "", ""),
    (.update("id < 3", "deleted = 1"), 5, "", ""),
    (.update("true", "deleted = null, seat = 0"), 0, "conflict", "email (text)"),
    (.update("true", "email = 'z'"), 0, "conflict", "email (text)"),
    (.update("true", "email = 'z', deleted = 1"), 5, "", ""),
    (.update("seat > 1", "seat = seat + 1"), 0, "invalidQuery", "seat"),
    (.update("true", "deleted = id"), 0, "invalidQuery", "deleted"),
    (.delete("id = 1"), 4, "", ""),
    // Conflict rules.
    (.ignore([[6, 60, "a", 1, 3, .null], [7, 70, "d", 1, 1, .null]]), 5, "", ""),
    (.ignore([[6, 60, "a", 1, 3, 1], [7, 70, "d", 1, 0, .null]]), 7, "", ""),
    (.upsertByEmail([6, 60, "a", 1, 3, .null]), 0, "invalidQuery", "email"),
  ]
}

extension Store {
  /// What is wrong with the partial unique constraints of this store.
  package func faultsOfPartialUniqueness() async throws -> [String] {
    var faults: [String] = []
    let (table, labels) = (try PartialUniqueness.members(), try PartialUniqueness.labels())
    let members = try repository(Schema(table))
    // The table is there now, and is found to be as it is declared.
    _ = try repository(Schema(table))
    let before = PartialUniqueness.rows.map { Record(values: $0, in: table) }
    for (write, count, code, names) in PartialUniqueness.cases {
      try await members.delete(where: .true)
      try await members.save(before)
      func records(_ rows: [[Value]]) -> [Record] { rows.map { Record(values: $0, in: table) } }
      do {
        switch write {
        case .insert(let rows): try await members.insert(records(rows))
        case .save(let rows): try await members.save(records(rows))
        case .ignore(let rows): try await members.insert(records(rows), onConflict: .ignore)
        case .upsertByEmail(let row): try await members.insert(records([row]), onConflict: .update(by: ["email"]))
        case .update(let query, let set):
          try await members.update(where: try AnyQuery(parsing: query), set: try Assignment.list(parsing: set))
        case .delete(let query): try await members.delete(where: try AnyQuery(parsing: query))
        }
        let left = try await members.count(.true)
        if !code.isEmpty || left != count { faults.append("\(write) is done, and leaves \(left) rows") }
      } catch let error as RepositoryError {
        if error.code.rawValue != code || !error.summary.contains(names) {
          faults.append("\(write): \(error.code) \(error.summary), not \(code) of \(names)")
        }
        if try await members.findAll(FetchRequest()) != before { faults.append("\(write) leaves rows") }
      }
    }
    faults += try await faultsOfReads()
    let label = try repository(Schema(labels))
    try await label.save(Record(values: ["a", 1], in: labels))
    do {
      try await label.insert(Record(values: ["a", 1], in: labels))
      faults.append("a label is inserted twice")
    } catch {
      if !error.summary.contains("the same size (number)") { faults.append("a label: \(error.summary)") }
    }
    return faults
  }

  /// What is wrong with queries that name the columns of a partial unique constraint, whose rows are not unique.
  private func faultsOfReads() async throws -> [String] {
    let trainer = try TableSchema("trainer", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"])
    let pet = try TableSchema(
      "pet",
      columns: [ColumnSchema("id", .integer), ColumnSchema("trainer", .integer), ColumnSchema("active", .integer)],
      primaryKey: ["id"],
      partialUnique: [PartialUniqueRule(["trainer"], where: .compare(key: "active", .equal, value: 1))],
      references: [ReferenceRule(["trainer"], to: "trainer", key: ["id"])])
    let trainers = try repository(Schema(trainer))
    let pets = try repository(Schema(pet))
    try await trainers.save([1, 2].map { Record(values: [$0], in: trainer) })
    try await pets.save(
      [[1, 1, 1], [2, 1, 0], [3, 1, 0], [4, 2, 0]].map { Record(values: $0.map { .integer($0) }, in: pet) })
    var faults: [String] = []
    for (query, count) in [
      ("trainer = 1", 3), ("trainer = 1 and active = 0", 2), ("trainer in (1, 2)", 4),
      ("trainer = 2 and active = 1", 0),
    ] {
      let found = try await pets.count(try AnyQuery(parsing: query))
      if found != count { faults.append("\(found) pets with \(query)") }
    }
    for (query, count) in [
      ("count(pet by trainer) = 3", 1), ("any pet by trainer (active = 0)", 2), ("any pet by trainer (active = 1)", 1),
    ] {
      let found = try await trainers.count(try AnyQuery(parsing: query))
      if found != count { faults.append("\(found) trainers with \(query)") }
    }
    if try await pets.update(where: try AnyQuery(parsing: "trainer = 1"), set: [Assignment("active", 0)]) != 3 {
      faults.append("an update by the columns misses rows")
    }
    if try await pets.delete(where: try AnyQuery(parsing: "trainer = 1")) != 3 {
      faults.append("a deletion by the columns misses rows")
    }
    return faults
  }
}
