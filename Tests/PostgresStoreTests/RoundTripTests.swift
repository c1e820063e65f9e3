import PostgresStore
import Query
import TestSupport
import Testing

@Suite("What is saved in PostgreSQL comes back", .requiresServer)
struct RoundTripTests {
  struct Thing: Entity, Hashable {
    let id: Int
    var integer: Int64 = 0
    var real = 0.0
    var text = ""
    var blob: [UInt8] = []

    static let schema = Schema(
      "thing", Thing.init, Column("id", \.id), Column("integer", \.integer), Column("real", \.real),
      Column("text", \.text), Column("blob", \.blob))
  }

  @Test("columns keep when elements were written")
  func timestamps() async throws {
    try await TestServer.withStore { store in try await checkTimestamps(in: store) }
  }

  @Test("decimals are kept exactly, and compared as numbers")
  func decimals() async throws {
    try await TestServer.withStore { store in try await checkDecimals(in: store) }
    try await TestServer.withStore { store in
      try await checkRandomDecimals(in: store, rounds: Effort.rounds(3_000))
    }
  }

  /// Saves things, each alone and all at once, and expects them as they were.
  private func expectRoundTrip(of things: [Thing]) async throws {
    try await TestServer.withStore { store in
      let repository = try store.repository(of: Thing.self)
      for thing in things { try await repository.save(thing) }
      let alone = try await repository.findAll()
      _ = try await repository.delete(where: .true)
      try await repository.save(things)
      let together = try await repository.findAll()
      for found in [alone, together] {
        #expect(found.count == things.count)
        for (back, thing) in zip(found, things) {
          #expect(back.integer == thing.integer)
          // -0.0 may come back as 0.0.
          #expect(back.real.bitPattern == thing.real.bitPattern || back.real == 0 && thing.real == 0)
          #expect(back.text.utf8.elementsEqual(thing.text.utf8), "\(thing.text.prefix(20).debugDescription)")
          #expect(back.blob == thing.blob, "\(thing.blob.count) bytes")
        }
      }
      for thing in things {
        let terms: [AnyQuery] = [
          .equal(key: "id", value: thing.id), .equal(key: "integer", value: thing.integer),
          .equal(key: "real", value: thing.real), .equal(key: "text", value: thing.text),
          .equal(key: "blob", value: Value.blob(thing.blob)),
        ]
        #expect(try await repository.count(.all(of: terms)) == 1, "\(thing.id)")
      }
    }
  }

  @Test("Integers and reals at the ends of their ranges")
  func numbers() async throws {
    let integers: [Int64] = [
      .min, .min + 1, -9_007_199_254_740_993, Int64(Int32.min) - 1, -1, 0, 1, Int64(Int32.max) + 1,
      9_007_199_254_740_993, .max - 1, .max,
    ]
    let reals: [Double] = [
      -.infinity, -.greatestFiniteMagnitude, -1e300, -.leastNonzeroMagnitude, -0.0, 0, .leastNonzeroMagnitude,
      .leastNormalMagnitude, .ulpOfOne, 0.1, .pi, 9_007_199_254_740_992, 0x1p63, .greatestFiniteMagnitude, .infinity,
    ]
    let things =
      integers.map { Thing(id: 0, integer: $0) } + reals.map { Thing(id: 0, real: $0) }
    try await expectRoundTrip(
      of: things.enumerated().map { Thing(id: $0.offset, integer: $0.element.integer, real: $0.element.real) })
  }

  @Test("Texts and bytes of all sorts, up to 5 MB")
  func texts() async throws {
    let texts = [
      "", " ", "'", "\"", "\\", "\\x41", "\\N", "\\.", "$1", "{a,b}", "NULL", "é", "e\u{301}", "\u{1}", "\r\n",
      "\u{FEFF}a",
      "\u{FFFF}", "\u{10FFFF}", "😀", String(repeating: "aé😀 ", count: 600_000),
    ]
    let blobs: [[UInt8]] = [
      [], [0], [0x5C], Array("\\x41".utf8), Array(0...255), [UInt8](repeating: 0, count: 5_000_000),
    ]
    let things = texts.map { Thing(id: 0, text: $0) } + blobs.map { Thing(id: 0, blob: $0) }
    try await expectRoundTrip(
      of: things.enumerated().map { Thing(id: $0.offset, text: $0.element.text, blob: $0.element.blob) })
  }

  @Test("What can't be stored is refused, alone and amid others, and nothing is saved")
  func refused() async throws {
    try await TestServer.withStore(connections: 1) { store in
      let repository = try store.repository(of: Thing.self)
      let refused: [(Thing, RepositoryError.Code)] = [
        (Thing(id: 2, real: .nan), .invalidValue), (Thing(id: 2, text: "a\0b"), .unsupported),
      ]
      for (thing, code) in refused {
        for batch in [[thing], [Thing(id: 1), thing, Thing(id: 3)]] {
          await expectError(code) { try await repository.save(batch) }
        }
      }
      #expect(try await repository.count() == 0)
      // What is looked for may hold it.
      #expect(try await repository.filter(.equal(key: "text", value: "a\0b")).all() == [])
    }
  }

  @Test("200,000 rows, in full and as far as they are wanted")
  func manyRows() async throws {
    try await TestServer.withStore(connections: 1) { store in
      let label = try await store.label()
      let notes = try store.repository(of: Note.self)
      try await store.sql.execute("INSERT INTO note SELECT i, 'note ' || i FROM generate_series(1, 200000) AS i")
      let found = try await notes.findAll()
      #expect(found.count == 200_000)
      #expect(found.enumerated().allSatisfy { $0.element == Note(id: $0.offset + 1, text: "note \($0.offset + 1)") })
      #expect(try await notes.findAll(FetchRequest(limit: 3, offset: 199_998)).map(\.id) == [199_999, 200_000])
      // A task that is cancelled amid the rows leaves none of them to the next one.
      for _ in 0..<3 {
        let task = Task { try await notes.findAll() }
        try await TestServer.waitForSessions(of: label, "AND state = 'active'", orAfter: .milliseconds(50)) { $0 == 1 }
        task.cancel()
        if case .failure(let error) = await task.result {
          #expect((error as? RepositoryError)?.code == .cancelled, "\(error)")
        }
        #expect(try await store.sql.query("SELECT 2", as: Int.self) == [2])
      }
    }
  }
}

@Suite("Names may be anything in PostgreSQL", .requiresServer)
struct NameTests {
  private static let names = [
    "a\"b", "a'b", "a\\b", "\"", "'", "$1", "$$", "?", ":x", "%s", "%I", "x.y", "a b", " ", "\n", "--", "/*", "select",
    "user", "order", "a", "É", "é", "e\u{301}", "\u{1F600}", "oid", "public", "null",
    String(repeating: "é", count: 31) + "x",
  ]

  /// Makes a table whose name and columns are all odd, and does with it what there is.
  private func use(_ name: String, of store: PostgresStore) async throws {
    let columns = Self.names.map { ColumnSchema($0, .text, isNullable: true, isIndexed: $0 == name) }
    let (first, second, third) = (Self.names[0], Self.names[1], Self.names[2])
    let table = try TableSchema(
      name, columns: [ColumnSchema("id", .integer)] + columns, primaryKey: ["id"], unique: [[first, second]],
      checks: [CheckRule("rule of \(third)", .notEqual(key: third, value: "refused"))])
    let key = Self.names.contains(name) ? name : "a"
    func record(_ id: Int64, _ fields: KeyValuePairs<String, Value> = [:]) -> Record {
      var values: [Value] = [.integer(id)] + columns.map { _ in Value.null }
      for (name, value) in fields {
        if let position = table.columns.firstIndex(where: { Name($0.name) == name }) { values[position] = value }
      }
      return Record(values: values, in: table)
    }
    let records: AnyRepository<Record> = try store.repository(Schema(table))
    try await records.save([record(1, [key: "it's"]), record(2, [key: "\"x\""]), record(3)])
    let found = try await records.findAll(
      FetchRequest(.notEqual(key: key, value: "it's") && .isNotNull(key: key), sortedBy: .descending(key: key)))
    #expect(found.map(\.id) == [2])
    #expect(try await records.update(where: .equal(key: "id", value: 3), set: [Assignment(key, "new")]) == 1)
    #expect(try await records.find(3)?[key] == "new")
    let groups = try await records.aggregate(AggregateRequest([.count, .max(key: "id")], groupedBy: [key]))
    #expect(groups.count == 3)
    let conflict = await #expect(throws: RepositoryError.self) {
      try await records.save([record(4, [first: "a", second: "b"]), record(5, [first: "a", second: "b"])])
    }
    #expect(conflict?.code == .conflict)
    let check = await #expect(throws: RepositoryError.self) { try await records.save([record(6, [third: "refused"])]) }
    #expect(check?.code == .constraint && check?.summary.contains("rule of") == true, "\(String(describing: check))")
    let keys: [RecordKey] = [1, 2]
    #expect(try await records.delete(keys) == 2)
    #expect(try store.schema(ofTable: name).columns.map(\.name) == table.columns.map(\.name))
  }

  @Test("of tables and columns")
  func tables() async throws {
    try await TestServer.withStore { store in
      for name in Self.names { try await use(name, of: store) }
      #expect(Set(try store.tableNames().map(Name.init)) == Set(Self.names.map(Name.init)))
    }
  }

  @Test("of schemas and databases", .tags(.slow), arguments: [" it's a \"schema\" \\", ".é", "$x"])
  func places(suffix: String) async throws {
    try await TestServer.withSchema(suffix: suffix) { connection in
      let store = try PostgresStore(connection, timeout: TestServer.timeout)
      for name in Self.names.prefix(3) { try await use(name, of: store) }
      #expect(try store.tableNames().count == 3)
    }
    try await TestServer.withDatabase(suffix: suffix) { connection in
      try await use("note", of: try PostgresStore(connection, timeout: TestServer.timeout))
    }
  }

  @Test("but longer than 63 bytes, which PostgreSQL would cut")
  func tooLong() async throws {
    try await TestServer.withStore { store in
      let long = String(repeating: "é", count: 32)
      for (name, column) in [(long, "a"), ("a", long)] {
        let table = try TableSchema(
          name, columns: [ColumnSchema("id", .integer), ColumnSchema(column, .text)], primaryKey: ["id"])
        expectError(.invalidSchema) { try store.repository(Schema(table)) }
      }
      #expect(try store.tableNames() == [])
    }
  }
}
