import Query
import Repository
import SQLiteStore
import Testing

/// Tables, columns, rules and texts in pairs of names that are one to `String` and two to every store.
@Suite("Composed and decomposed letters make two names and two texts, in memory as in SQLite")
struct NamePairTests {
  private static let (composed, decomposed) = ("\u{E9}", "e\u{301}")

  /// Each table of a pair has columns in a pair; the last one refers to both, with a rule for each.
  private static func tables() throws -> [TableSchema] {
    let (one, two) = (composed, decomposed)
    return [
      try TableSchema(
        one, columns: [ColumnSchema(one, .text), ColumnSchema(two, .integer, isUnique: true)], primaryKey: [one]),
      try TableSchema(
        two, columns: [ColumnSchema(one, .integer, isNullable: true), ColumnSchema(two, .text)], primaryKey: [two]),
      try TableSchema(
        "child\(one)",
        columns: [
          ColumnSchema("id", .integer, isGenerated: true), ColumnSchema(one, .text, isNullable: true),
          ColumnSchema(two, .text, isNullable: true), ColumnSchema("a\(one)", .integer),
          ColumnSchema("a\(two)", .integer),
        ], primaryKey: ["id"], unique: [["a\(one)", "a\(two)"]],
        checks: [
          CheckRule(one, .lessThan(key: "a\(one)", value: 100)), CheckRule(two, .lessThan(key: "a\(two)", value: 10)),
        ],
        references: [
          ReferenceRule([one], to: one, key: [one], onDelete: .cascade),
          ReferenceRule([two], to: two, key: [two], onDelete: .setNull),
        ]),
      try TableSchema(
        "child\(two)",
        columns: [ColumnSchema(one, .integer), ColumnSchema(two, .text, isNullable: true, isIndexed: true)],
        primaryKey: [one], references: [ReferenceRule([two], to: one, key: [one])]),
    ]
  }

  /// What came of one request after the other: its answer, or its error in full.
  private static func transcript(of store: any Store) async throws -> [String] {
    let (one, two) = (composed, decomposed)
    let tables = try tables()
    let repositories = try tables.map { try store.repository(Schema($0)) }
    var lines: [String] = []
    func ask(_ request: String, _ answer: () async throws -> Any) async {
      do {
        lines.append("\(request): \(try await answer())")
      } catch {
        let error = RepositoryError(translating: error)
        lines.append("\(request): \(error.code.rawValue), \(error.summary)")
      }
    }
    func insert(_ number: Int, _ values: Value...) async {
      await ask("insert into \(number)") {
        try await repositories[number].insert([Record(values, for: tables[number])]).map(\.values)
      }
    }
    func delete(_ number: Int, _ key: Value) async {
      await ask("delete \(key) of \(number)") { try await repositories[number].delete([RecordKey(values: [key])]) }
      await rows()
    }
    func rows() async {
      for (number, repository) in repositories.enumerated() {
        await ask("rows of \(number)") { try await repository.findAll().map(\.values) }
      }
    }
    // Texts in pairs are two keys, and neither finds the other.
    await insert(0, .text(one), 1)
    await insert(0, .text(one), 2)
    await insert(0, .text(two), 2)
    await insert(0, "third", 2)
    await insert(1, .null, .text(two))
    await insert(1, 5, .text(one))
    await insert(2, .null, .text(one), .text(one), 1, 1)
    await insert(2, .null, .text(two), .text(two), 1, 2)
    await insert(2, .null, .text(two), .text(one), 1, 2)
    await insert(2, .null, .null, .text(two), 2, 1)
    await insert(2, .null, "none", .null, 3, 1)
    await insert(2, .null, .null, "none", 3, 1)
    await insert(2, .null, .null, .null, 100, 1)
    await insert(2, .null, .null, .null, 1, 10)
    await insert(3, 1, .text(two))
    await rows()
    for key in [one, two] {
      for text in [one, two] {
        await ask("\(key) = \(text)") {
          try await repositories[2].filter(.equal(key: key, value: text)).all().map(\.values)
        }
      }
      await ask("groups of \(key)") {
        let request = AggregateRequest([.count, .max(key: "a\(key)")], groupedBy: [key])
        return try await repositories[2].aggregate(request).map { $0.keys + $0.aggregates }
      }
      await ask("sorted by \(key)") {
        try await repositories[2].findAll(FetchRequest(.isNotNull(key: key), sortedBy: .descending(key: key))).map(
          \.values)
      }
      await ask("set \(key)") {
        try await repositories[2].update(where: .equal(key: key, value: key), set: [Assignment("a\(key)", 7)])
      }
      await ask("\(key) in a list") {
        try await repositories[0].filter(.in(key: one, values: [key, "third"])).all().map(\.values)
      }
    }
    await rows()
    // One rule deletes with the row, one makes null, one forbids.
    await delete(0, .text(two))
    await delete(0, .text(one))
    await delete(1, .text(two))
    await delete(3, 1)
    await delete(0, .text(two))
    // A table is opened by its own name and columns alone.
    let other = try TableSchema(
      one, columns: [ColumnSchema(two, .text), ColumnSchema(one, .integer, isUnique: true)], primaryKey: [two])
    await ask("other columns") { _ = try store.repository(Schema(other)) }
    return lines
  }

  @Test("one list of requests has the same answers")
  func sameAnswers() async throws {
    let sqlite = try await Self.transcript(of: SQLiteStore.inMemory())
    let memory = try await Self.transcript(of: MemoryStore())
    #expect(sqlite.map(Name.init) == memory.map(Name.init))
    // The requests come down to this: what refers to nothing is gone or null, and nothing else is.
    let rows = ["[]", "[[5, '\(Self.composed)']]", "[[3, null, null, 2, 7]]", "[]"]
    #expect(
      memory.suffix(5).prefix(4).map(Name.init) == rows.enumerated().map { Name("rows of \($0): \($1)") },
      "\(memory.joined(separator: "\n"))")
  }
}

extension Record {
  /// A record of values in the order of a table's columns.
  fileprivate init(_ values: [Value], for table: TableSchema) throws {
    self = try Schema(table).element(from: values, in: table)
  }
}
