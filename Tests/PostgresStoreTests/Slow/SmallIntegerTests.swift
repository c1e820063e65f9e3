import PostgresStore
import Query
import Repository
import TestSupport
import Testing

/// Tables of other programs have columns of `integer`, `smallint` and `boolean`, whose own operations have smaller ranges than the
/// contract, which computes with 64 bits.
@Suite("Small integers of a server are calculated with as integers of 64 bits", .tags(.slow), .requiresServer)
struct SmallIntegerTests {
  private static let statements: [SQLStatement] = [
    "CREATE TABLE small (id bigint PRIMARY KEY, i integer, s smallint, b boolean, f double precision)",
    "CREATE TABLE part (id integer PRIMARY KEY, small bigint REFERENCES small (id), i integer, s smallint)",
  ]

  private static func tables() throws -> [TableSchema] {
    func column(_ name: String, _ type: ValueType) -> ColumnSchema { ColumnSchema(name, type, isNullable: true) }
    return [
      try TableSchema(
        "small",
        columns: [
          ColumnSchema("id", .integer), column("i", .integer), column("s", .integer), column("b", .integer),
          column("f", .real),
        ], primaryKey: ["id"]),
      try TableSchema(
        "part",
        columns: [
          ColumnSchema("id", .integer), column("small", .integer), column("i", .integer), column("s", .integer),
        ], primaryKey: ["id"], references: [ReferenceRule(["small"], to: "small", key: ["id"])]),
    ]
  }

  private static let rows: [[[Value]]] = [
    [
      [1, 2_147_483_647, 32767, 1, 0.5], [2, -2_147_483_648, -32768, 0, -1.0], [3, 7, -3, 1, 2.0],
      [4, .null, .null, .null, .null], [5, 0, 0, 0, 0.0],
    ],
    [
      [1, 1, 2_147_483_647, 32767], [2, 1, 2_147_483_647, 32767], [3, 2, -2_147_483_648, -32768],
      [4, 3, .null, .null], [5, .null, 1, 1],
    ],
  ]

  private static let expressions = [
    [
      "i * i", "-i", "-s", "abs(i)", "abs(s)", "i + s", "i - s", "i + i", "s + s", "s * s", "i / -1", "s / -1",
      "i % -1",
      "i * i * i", "i * i * i * i", "i + 1", "i * 4", "coalesce(i, s) * 2", "coalesce(s, 1) + 32767",
      "if(id > 1, i, s) + i", "if(id > 1, s, 1) * s", "floor(i) * i", "ceiling(s) + s", "b + b", "b * 3000000000", "-b",
      "i / s", "s / i", "i % s", "i * f", "s / f", "f * f", "2147483648 - i", "32768 + s", "i - i * i", "-(-s)",
      "abs(i - 1)", "9223372036854775807 - i",
    ],
    [
      "small.i * small.i", "-small.s", "small.i + small.s", "abs(small.i) + i", "i * small.i", "small.b + s",
      "coalesce(small.i, i) * i",
    ],
  ]

  private static let aggregates = [
    "min(i of part) * 3", "max(s of part) + 32767", "-min(s of part)", "sum(i of part)", "sum(i * i of part)",
    "average(i of part)", "max(i + i of part)", "count(part) * i", "coalesce(min(1 / 0 of part by small), 1)",
    "coalesce(min(1.0 / 0 of part by small), 1) / 2", "coalesce(max(null of part by small), i)",
    "coalesce(min(null of part by small), 1.5)", "min(null of part) + 1", "1 + max(null + i of part)",
    "coalesce(sum(null of part), 1.5) / 2", "average(null of part)", "if(id > 2, min(null of part), i)",
    "if(id > 2, 1 / 0, f)", "coalesce(1.0 / 0, i) / 2", "coalesce(f / 0, s + 6) / 2",
  ]

  private static let conditions = [
    "i * i > 5", "i > 3000000000", "i < 3000000000", "s < 40000", "s = 40000", "s != 40000", "i = 2147483648",
    "i in (1, 7, 3000000000)", "s in (1, 2, 3, 4, 5, 40000)", "i between -3000000000 and 3000000000", "i = i + s - s",
    "i * 2 = s", "b * 2 = 2", "min(null of part) = 5", "min(null of part) = i", "i = min(null of part)",
    "min(null of part) < i + 1", "min(1 / 0 of part) = i", "not min(null of part) = i",
    "count(part where i * i > 5) = 2", "any part (s + s > 40000)", "coalesce(1.0 / 0, id) / 2 = 1.5",
  ]

  @Test("in every operation, and nothing is too great")
  func operations() async throws {
    try await TestServer.withStore { store in
      for statement in Self.statements { try await store.sql.execute(statement) }
      let memory = MemoryStore()
      for (number, schema) in try Self.tables().enumerated() {
        let (expected, found) = (try memory.repository(Schema(schema)), try store.repository(Schema(schema)))
        for repository in [expected, found] {
          try await repository.save(Self.rows[number].map { Record(values: $0, in: schema) })
        }
      }
      for (number, schema) in try Self.tables().enumerated() {
        let (expected, found) = (try memory.repository(Schema(schema)), try store.repository(Schema(schema)))
        for text in Self.expressions[number] + (number == 0 ? Self.aggregates : []) {
          let columns = try [ProjectedColumn](parsing: "id, \(text) as x")
          let rows = await (
            expected.answer(to: ProjectionRequest(columns)), found.answer(to: ProjectionRequest(columns))
          )
          // 7 and 7.0 are equal, and have two descriptions.
          #expect(rows.0.map(\.description) == rows.1.map(\.description), "\(text)")
          let sorted = FetchRequest(sortedBy: .ascending(try AnyExpression(parsing: text)))
          #expect(await expected.answer(to: sorted) == found.answer(to: sorted), "sorted by \(text)")
        }
      }
      let small = try Self.tables()[0]
      let (expected, found) = (try memory.repository(Schema(small)), try store.repository(Schema(small)))
      for text in Self.conditions {
        let request = FetchRequest(try AnyQuery(parsing: text))
        #expect(await expected.answer(to: request) == found.answer(to: request), "\(text)")
      }
      // A column of 64 bits is set to what two small ones make, and to what has no result.
      for set in ["f = i * i", "f = min(null of part)", "i = 1 / 0", "f = coalesce(1 / 0, s) * 1000000"] {
        let assignments = try Assignment.list(parsing: set)
        try await expected.update(where: .true, set: assignments)
        try await found.update(where: .true, set: assignments)
        #expect(await expected.answer(to: FetchRequest()) == found.answer(to: FetchRequest()), "\(set)")
      }
      await expectError(summary: "s of small can't store this number") {
        try await found.update(where: .true, set: try Assignment.list(parsing: "s = id * 40000"))
      }
    }
  }

  @Test("and a key that can't be generated is said to be none", arguments: ["bigint", "integer", "smallint"])
  func exhaustedKeys(_ type: String) async throws {
    let greatest: Int64 = ["bigint": .max, "integer": Int64(Int32.max)][type] ?? Int64(Int16.max)
    try await TestServer.withStore { store in
      let sql = "CREATE TABLE note (id \(type) GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, text text)"
      try await store.sql.execute(SQLStatement(verbatim: sql))
      let schema = try TableSchema(
        "note",
        columns: [ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("text", .text, isNullable: true)],
        primaryKey: ["id"])
      let notes = try store.repository(Schema(schema))
      func note(_ id: Value) -> Record { Record(values: [id, "x"], in: schema) }
      try await notes.save(note(.integer(greatest - 1)))
      #expect(try await notes.insert(note(.null)).values[0] == .integer(greatest))
      for count in [1, 2, 600] {
        await expectError(.full, summary: "note has no further key to generate", comment: "\(count)") {
          try await notes.insert(Array(repeating: note(.null), count: count))
        }
      }
      #expect(try await notes.count(.true) == 2)
    }
  }
}
