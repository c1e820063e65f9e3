package import Query
package import Repository

/// Writes that break rules: the first row that breaks one decides, and of several rules of a row the first in the order of the
/// contract.
package enum RefusedWrites {
  /// How rows are written.
  package enum Write: Sendable {
    case insert
    case save
    case updateByCode
    case ignore
  }

  fileprivate static func schemas() throws -> [TableSchema] {
    [
      try TableSchema("room", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"]),
      try TableSchema(
        "seat",
        columns: [
          ColumnSchema("id", .integer), ColumnSchema("code", .integer, isNullable: true, isUnique: true),
          ColumnSchema("name", .text, isUnique: true), ColumnSchema("size", .integer),
          ColumnSchema("room", .integer, isNullable: true), ColumnSchema("other", .integer, isNullable: true),
          ColumnSchema("next", .integer, isNullable: true),
        ], primaryKey: ["id"],
        checks: [
          CheckRule("has a size", .compare(key: "size", .greaterThan, value: 0)),
          CheckRule("is not huge", .compare(key: "size", .lessThan, value: 100)),
        ],
        references: [
          ReferenceRule(["room"], to: "room", key: ["id"]), ReferenceRule(["other"], to: "room", key: ["id"]),
          ReferenceRule(["next"], to: "seat", key: ["id"]),
        ]),
    ]
  }

  fileprivate static let rows: [[Value]] = [
    [1, 10, "a", 5, 1, .null, .null], [2, 20, "b", 5, 1, .null, .null],
  ]

  /// A row, by what tells it from one that keeps all rules.
  private static func row(
    _ id: Value, _ code: Value, _ name: Value, size: Value = 5, room: Value = 1, other: Value = .null,
    next: Value = .null
  ) -> [Value] { [id, code, name, size, room, other, next] }

  /// Rows that are refused, the code, and what the error names.
  package static let cases: [(write: Write, rows: [[Value]], code: String, names: String)] = [
    // One rule of one row.
    (.insert, [row(1, 30, "c")], "conflict", "id"), (.insert, [row(3, 10, "c")], "conflict", "code"),
    (.insert, [row(3, 30, "c", room: 9)], "foreignKeyViolation", "room"),
    (.insert, [row(3, 30, "c", next: 9)], "foreignKeyViolation", "next"),
    (.insert, [row(3, 30, "c", size: 0)], "constraint", "has a size"),
    (.save, [row(3, 10, "c")], "conflict", "code"), (.save, [row(1, 10, "b")], "conflict", "name"),
    (.save, [row(1, 10, "a", room: 9)], "foreignKeyViolation", "room"),
    (.updateByCode, [row(9, 10, "b")], "conflict", "name"),
    (.updateByCode, [row(9, 10, "a", room: 9)], "foreignKeyViolation", "room"),
    (.updateByCode, [row(9, 10, "a", size: 0)], "constraint", "has a size"),
    (.updateByCode, [row(9, 30, "a")], "conflict", "name"),
    (.updateByCode, [row(1, 30, "c")], "conflict", "id"),
    (.updateByCode, [row(9, 30, "c", room: 9)], "foreignKeyViolation", "room"),
    (.ignore, [row(9, 30, "c", room: 9)], "foreignKeyViolation", "room"),
    // Several rules of one row.
    (.insert, [row(1, 10, "a", size: 0, room: 9)], "constraint", "has a size"),
    (.insert, [row(1, 10, "a", size: 100, room: 9)], "constraint", "is not huge"),
    (.insert, [row(1, 10, "a", room: 9)], "conflict", "id"), (.insert, [row(3, 10, "b", room: 9)], "conflict", "name"),
    (.insert, [row(3, 10, "c", room: 9)], "conflict", "code"),
    (.insert, [row(3, 30, "c", room: 9, other: 9, next: 9)], "foreignKeyViolation", "room"),
    (.insert, [row(3, 30, "c", other: 9, next: 9)], "foreignKeyViolation", "other"),
    (.save, [row(1, 20, "b", room: 9)], "conflict", "name"),
    (.save, [row(1, 20, "b", size: 0)], "constraint", "has a size"),
    (.updateByCode, [row(9, 10, "b", size: 0, room: 9)], "constraint", "has a size"),
    (.updateByCode, [row(9, 10, "b", room: 9)], "conflict", "name"),
    (.updateByCode, [row(1, 30, "b", room: 9)], "conflict", "id"),
    // Rules of several rows.
    (.insert, [row(3, 30, "c", room: 9), row(4, 10, "d")], "foreignKeyViolation", "room"),
    (.insert, [row(3, 10, "c"), row(4, 40, "d", room: 9)], "conflict", "code"),
    (.insert, [row(3, 30, "c"), row(4, 30, "d"), row(5, 50, "e", size: 0)], "conflict", "code"),
    (.insert, [row(3, 30, "c", next: 4), row(4, 10, "d")], "foreignKeyViolation", "next"),
    (.insert, [row(3, 30, "c", room: 9), row(3, 40, "d")], "foreignKeyViolation", "room"),
    (.save, [row(1, 10, "a", room: 9), row(2, 10, "b")], "foreignKeyViolation", "room"),
    (.save, [row(3, 30, "c", room: 9), row(4, 10, "d")], "foreignKeyViolation", "room"),
    (.save, [row(3, 30, "a", other: 9), row(4, 40, "d", room: 9)], "conflict", "name"),
    (.save, [row(1, 11, "a", next: 3), row(3, 20, "c")], "foreignKeyViolation", "next"),
    (.updateByCode, [row(9, 10, "c"), row(8, 20, "c", room: 9)], "conflict", "name"),
    (.updateByCode, [row(9, 10, "a", room: 9), row(8, 20, "a")], "foreignKeyViolation", "room"),
    (.updateByCode, [row(9, 10, "a"), row(8, 20, "a")], "conflict", "name"),
    // Without the row before, there would be no conflict, and another rule broken.
    (.updateByCode, [row(9, 30, "z"), row(8, 20, "z", next: 9)], "conflict", "name"),
    (.updateByCode, [row(9, 30, "c", room: 9), row(8, 10, "c")], "foreignKeyViolation", "room"),
    (.ignore, [row(1, 30, "c", room: 9), row(4, 40, "d", room: 9)], "foreignKeyViolation", "room"),
  ]
}

extension Store {
  /// What is wrong with the reasons for which this store refuses writes.
  package func faultsOfRefusedWrites() async throws -> [String] {
    var faults: [String] = []
    let schemas = try RefusedWrites.schemas()
    let (rooms, seats) = (try repository(Schema(schemas[0])), try repository(Schema(schemas[1])))
    let before = RefusedWrites.rows.map { Record(values: $0, in: schemas[1]) }
    try await rooms.save(Record(values: [1], in: schemas[0]))
    try await seats.save(before)
    for (write, rows, code, names) in RefusedWrites.cases {
      let records = rows.map { Record(values: $0, in: schemas[1]) }
      do {
        switch write {
        case .insert: try await seats.insert(records)
        case .save: try await seats.save(records)
        case .updateByCode: try await seats.insert(records, onConflict: .update(by: ["code"]))
        case .ignore: try await seats.insert(records, onConflict: .ignore)
        }
        faults.append("\(write) \(rows) is done")
      } catch {
        let part = ["conflict": "the same \(names) (", "constraint": "the rule \(names)"][code] ?? "\(names) ("
        if error.code.rawValue != code || !error.summary.contains(part) {
          faults.append("\(write) \(rows): \(error.code) \(error.summary), not \(code) of \(names)")
        }
      }
      if try await seats.findAll(FetchRequest()) != before {
        faults.append("\(write) \(rows) leaves rows")
        try await seats.delete(where: .true)
        try await seats.save(before)
      }
    }
    return faults
  }
}
