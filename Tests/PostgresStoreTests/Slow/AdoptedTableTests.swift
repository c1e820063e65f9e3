import Foundation
import PostgresStore
import Query
import Repository
import SQL
import SQLStore
import TestSupport
import Testing

/// What other programs declare, in types that this toolkit gives to no column of its own.
@Suite("Tables of other programs in PostgreSQL", .requiresServer)
struct AdoptedTableTests {
  private struct Order: Entity, Hashable {
    struct Address: Codable, Hashable {
      var city: String
      var lines: [String]
    }

    let id: UUID
    var isPaid: Bool
    var placed: Date
    var due: String?
    var price: Double
    var count: Int
    var state: String
    var address: Address
    var code: String

    static let schema = Schema(
      "order", Order.init, Column("id", \.id), Column("paid", \.isPaid), Column("placed", \.placed),
      Column("due", \.due),
      Column("price", \.price), Column("count", \.count), Column("state", \.state), Column("address", json: \.address),
      Column("code", \.code))
  }

  private static let table: [SQLStatement] = [
    "CREATE TYPE state AS ENUM ('new', 'sent', 'done')",
    """
    CREATE TABLE "order" (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), paid boolean NOT NULL DEFAULT false, \
    placed timestamptz NOT NULL DEFAULT now(), due date, price numeric(12,2) NOT NULL, count numeric(6) NOT NULL, \
    state state NOT NULL, address jsonb NOT NULL, code char(4) NOT NULL)
    """, #"CREATE INDEX ON "order" (placed)"#, #"CREATE INDEX ON "order" (price)"#, #"CREATE INDEX ON "order" (due)"#,
    #"CREATE INDEX ON "order" (code)"#,
  ]

  private static func order(_ number: Int) throws -> Order {
    Order(
      id: try #require(
        UUID(uuidString: "00000000-0000-4000-8000-" + String(repeating: "0", count: 11) + "\(number % 10)")),
      isPaid: number.isMultiple(of: 2), placed: Date(timeIntervalSinceReferenceDate: Double(number) * 1000 + 0.5),
      due: number == 3 ? nil : "2026-11-0\(number % 10)", price: Double(number) + 0.1, count: number,
      state: ["new", "sent", "done"][number % 3], address: .init(city: "Ürümqi", lines: ["\"", "b"]), code: "a\(number)"
    )
  }

  @Test("are read, found, sorted and written by a schema of Swift's own types")
  func typed() async throws {
    try await TestServer.withStore { store in
      for statement in Self.table { try await store.sql.execute(statement) }
      let orders = try store.repository(of: Order.self)
      let all = try (1...9).map(Self.order)
      try await orders.insert(Array(all[..<2]))
      try await orders.save(all)
      let third = try #require(try await orders.find(all[2].id))
      #expect(third == all[2])
      #expect(try await orders.findAll() == all)
      func ids(_ query: (Fields<Order>) -> AnyQuery) async throws -> [Int] {
        try await orders.filter(query).all().map(\.count)
      }
      #expect(try await ids { $0.isPaid == true } == [2, 4, 6, 8])
      #expect(try await ids { $0.placed > all[6].placed } == [8, 9])
      #expect(try await ids { $0.price <= 3.1 } == [1, 2, 3])
      #expect(try await ids { $0.price == 3.1 } == [3])
      #expect(try await ids { $0.price == 3.1000000000000005 } == [])
      #expect(try await ids { $0.count > 7 } == [8, 9])
      #expect(try await ids { $0.due >= "2026-11-08" && $0.due < "2026-12" } == [8, 9])
      #expect(try await ids { $0.due == nil } == [3])
      #expect(try await ids { $0.state > "new" } == [1, 4, 7])
      #expect(try await ids { $0.code.in(["a1", "a2", "a3", "a4", "a5", "a6 "]) } == [1, 2, 3, 4, 5])
      #expect(try await ids { $0.id.in(all.prefix(7).map(\.id)) } == Array(1...7))
      #expect(try await orders.findAll(sortedBy: { $0.state.descending }, limit: 1).map(\.state) == ["sent"])
      #expect(try await orders.delete(all[0].id) == 1)
      // The default of the table is left to other programs.
      #expect(try await store.sql.query("SELECT count(*) FROM \"order\" WHERE paid", as: Int.self) == [4])
    }
  }

  @Test("take a thousand rows at once")
  func bulk() async throws {
    try await TestServer.withStore { store in
      for statement in Self.table { try await store.sql.execute(statement) }
      let table = try store.schema(ofTable: "order")
      let orders = try store.sqlRepository(Schema<Record>(table))
      let records = (0..<1_000).map { number in
        let text = String(number + 1_000)
        return Record(
          values: [
            .text("00000000-0000-4000-8000-00000000\(text)"), .integer(Int64(number % 2)),
            .text("2026-11-23T10:00:00.00\(text)000Z"), number == 5 ? .null : "infinity",
            .real(Double(number - 300) / 100), .integer(Int64(number)), "new", "{}", .text(text),
          ], in: table)
      }
      try await orders.insert(records)
      #expect(try await orders.findAll() == records)
      try await orders.save(records)
      #expect(try await orders.findAll() == records)
      #expect(try await orders.count(.lessThan(key: "price", value: -2.5)) == 50)
    }
  }

  @Test(
    "refuse what they can't hold before it is sent",
    arguments: [
      ("paid", 2), ("id", "00000000-0000-4000-8000-00000000000A"), ("placed", "2026-11-23"), ("due", "2026-02-30"),
      ("price", 0.125), ("price", 1e10), ("count", 1_000_000), ("code", "a "),
    ] as [(String, Value)])
  func refusals(_ column: String, _ value: Value) async throws {
    try await TestServer.withStore { store in
      for statement in Self.table { try await store.sql.execute(statement) }
      let table = try store.schema(ofTable: "order")
      let orders = try store.sqlRepository(Schema<Record>(table))
      let values: [Value] = [
        "00000000-0000-4000-8000-000000000001", 0, "2026-11-23T10:00:00.000000000Z", .null, 1.5, 1, "new", "{}", "a",
      ]
      let record = Record(values: values, in: table)
      try await orders.insert([record])
      var changed = values
      changed[try table.position(of: column)] = value
      var error = await #expect(throws: RepositoryError.self) {
        try await orders.save([Record(values: changed, in: table)])
      }
      #expect(error?.code == .invalidValue)
      #expect(error?.suggestion != nil)
      error = await #expect(throws: RepositoryError.self) {
        try await orders.update(where: .true, set: [Assignment(column, value)])
      }
      #expect(error?.code == .invalidValue || error?.code == .invalidQuery)
      #expect(try await orders.findAll() == [record])
    }
  }

  @Test("round a time to what their column keeps, as the server does")
  func precision() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TABLE log (id int PRIMARY KEY, fine timestamp, coarse timestamptz(0))")
      let table = try store.schema(ofTable: "log")
      let log = try store.sqlRepository(Schema<Record>(table))
      let time: Value = "2026-12-31T23:59:59.999999500Z"
      try await log.save([Record(["id": 1, "fine": time, "coarse": time], for: table)])
      let kept: Value = "2027-01-01T00:00:00.000000000Z"
      #expect(try await log.findAll().map(\.values) == [[1, kept, kept]])
      #expect(try await log.count(.equal(key: "coarse", value: kept)) == 1)
    }
  }

  @Test(
    "read a real as the same number, whatever is beside it",
    arguments: [
      "integer", "double precision", "uuid", "timestamptz", "jsonb", "numeric(6,2)", "numeric(6)", "json", "mood",
      "boolean", "bytea", "char(3)", "date",
    ])
  func reals(beside type: String) async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TYPE mood AS ENUM ('sad')")
      try await store.sql.execute(
        SQLStatement(verbatim: "CREATE TABLE t (id int PRIMARY KEY, r real, r2 real, beside \(type))"))
      let reals: [Double] = [0.1, -0.7, 3.4e38, 1e-45, 16_777_217, .infinity, -.infinity, 0]
      for (id, real) in reals.enumerated() { try await store.sql.execute("INSERT INTO t VALUES (\(id), \(real), 0.3)") }
      let table = try store.schema(ofTable: "t")
      let repository = try store.repository(Schema(table))
      let records = try await repository.findAll(FetchRequest())
      #expect(records.map { $0.values[1] } == reals.map { .real(Double(Float($0))) })
      let memory = try MemoryRepository(records, schema: Schema(table))
      var requests = try ["r + r2 = 0.4", "r + r2 > 0.4", "r * r2 > 0.03", "-r / r2 < -0.33", "r > r2"].map {
        FetchRequest(try AnyQuery(parsing: $0))
      }
      for record in records {
        requests.append(FetchRequest(.equal(key: "r", value: record.values[1])))
        let sort = AnySort([SortTerm(.key("r"), direction: .descending, nulls: .last)])
        let after = try Cursor(at: record.values, in: table, sortedBy: sort)
        requests.append(FetchRequest(sortedBy: sort, limit: 2, after: after))
      }
      for request in requests {
        let expected = try await memory.findAll(request).map(\.values)
        #expect(try await repository.findAll(request).map(\.values) == expected, "\(request)")
      }
      let sums = AggregateRequest(
        [.sum(key: "r2"), .min(key: "r2"), .average(key: "r")], of: .lessThan(key: "r", value: 5))
      #expect(try await repository.aggregate(sums) == (try await memory.aggregate(sums)))
    }
  }

  @Test("refer to rows by columns that a deletion would make null against their own rule")
  func contradictoryReference() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TABLE artist (id int PRIMARY KEY, name text)")
      try await store.sql.execute(
        "CREATE TABLE album (id int PRIMARY KEY, artist int NOT NULL REFERENCES artist ON DELETE SET NULL)")
      try await store.sql.execute("INSERT INTO artist VALUES (1, 'Ann'), (2, 'Bob')")
      try await store.sql.execute("INSERT INTO album VALUES (1, 1), (2, 2)")
      let table = try store.schema(ofTable: "album")
      #expect(table.references.map(\.onDelete) == [.restrict])
      let albums = try store.sqlRepository(Schema<Record>(table))
      #expect(try await albums.count(try AnyQuery(parsing: "artist.name = 'Ann'")) == 1)
    }
  }

  @Test("serve comparisons by the indexes of their columns")
  func indexes() async throws {
    try await TestServer.withStore { store in
      for statement in Self.table { try await store.sql.execute(statement) }
      try await store.sql.execute(
        """
        INSERT INTO "order" SELECT gen_random_uuid(), i % 2 = 0, now() + i * interval '1 day', date '2026-01-01' + i, \
        i, i, 'new', '{}', to_hex(i) FROM generate_series(1, 20000) i
        """)
      try await store.sql.execute(#"ANALYZE "order""#)
      let table = try store.schema(ofTable: "order")
      let questions: [AnyQuery] = [
        .equal(key: "id", value: "00000000-0000-4000-8000-000000000001"),
        .in(key: "id", values: (0..<9).map { "00000000-0000-4000-8000-00000000000\($0)" }),
        .lessThan(key: "id", value: "0000"), .greaterThan(key: "placed", value: "2080-12"),
        .lessThan(key: "due", value: "2026-01-05"), .equal(key: "price", value: 12.5),
        .greaterThan(key: "price", value: 19999.001), .equal(key: "code", value: "a1"),
      ]
      for question in questions {
        let request = try FetchRequest(question).resolved(in: table)
        var plan: [String] = []
        try store.runBlocking(.read) { connection throws(RepositoryError) in
          let statement = connection.compiler.select(request)
          try connection.query(
            CompiledStatement(sql: "EXPLAIN \(statement.sql)", bindings: statement.bindings, lists: statement.lists)
          ) { row in plan.append(row.text(at: 0) ?? "") }
        }
        #expect(plan.contains { $0.contains("Index") }, "\(question)\n\(plan.joined(separator: "\n"))")
      }
    }
  }

  // MARK: Keys and columns that the server makes

  private struct Note: Entity, Hashable {
    var id: Int?
    var text: String

    static let schema = Schema("note", Note.init, Column("id", \.id, .generated), Column("text", \.text))
  }

  @Test(
    "take keys that are given, and go on after them",
    arguments: [
      "bigint GENERATED ALWAYS AS IDENTITY", "int GENERATED BY DEFAULT AS IDENTITY", "smallserial",
      "smallint GENERATED ALWAYS AS IDENTITY (START WITH 5)",
    ])
  func keys(_ type: String) async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute(
        SQLStatement(verbatim: "CREATE TABLE note (id \(type) PRIMARY KEY, text text NOT NULL UNIQUE)"))
      let notes = try store.repository(of: Note.self)
      let first = try #require(try await notes.insert([Note(text: "a")]).first?.id)
      try await notes.insert([Note(id: 20, text: "b")])
      #expect(try await notes.insert([Note(text: "c")]).map(\.id) == [21])
      try await notes.save([Note(id: first, text: "d"), Note(id: 30, text: "e")])
      #expect(try await notes.insert([Note(text: "f")]).map(\.id) == [31])
      // As many as are written by one statement.
      let many = try await notes.insert((0..<500).map { Note(text: "g\($0)") })
      #expect(many.map(\.id) == (32..<532).map { $0 })
      try await notes.save(many.map { Note(id: $0.id, text: "h\($0.id ?? -1)") })
      try await notes.insert((1_000..<1_500).map { (id: Int) in Note(id: id, text: "i\(id)") })
      #expect(try await notes.insert([Note(text: "j")]).map(\.id) == [1_500])
      #expect(try await notes.findAll(where: { $0.id <= 31 }).map(\.text) == ["d", "b", "c", "e", "f"])
      await expectError(.conflict) { try await notes.insert([Note(id: 20, text: "k")]) }
    }
  }

  @Test("read a column that the server computes, and say that it can't be written")
  func computedColumns() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute(
        "CREATE TABLE note (id int PRIMARY KEY, text text NOT NULL, size int GENERATED ALWAYS AS (length(text)) STORED)"
      )
      try await store.sql.execute("INSERT INTO note VALUES (1, 'abc')")
      let table = try store.schema(ofTable: "note")
      let notes = try store.sqlRepository(Schema<Record>(table))
      #expect(try await notes.filter(.greaterThan(key: "size", value: 2)).all().map(\.values) == [[1, "abc", 3]])
      for count in [1, 500] {
        let records = (0..<count).map { Record(values: [.integer(Int64($0)), "a", 1], in: table) }
        let error = await #expect(throws: RepositoryError.self) { try await notes.save(records) }
        #expect(error?.code == .unsupported)
        #expect(error?.storeCode == nil && (error?.underlying as? PostgresError)?.sqlState == "428C9")
      }
      #expect(try await notes.count() == 1)
    }
  }
}
