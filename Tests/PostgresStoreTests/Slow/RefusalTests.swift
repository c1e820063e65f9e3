import Foundation
import PostgresStore
import Query
import TestSupport
import Testing

@Suite("What a server refuses is told by what it says", .requiresServer)
struct RefusalTests {
  @Test("a role that has as many connections as it may, which may be free later")
  func connectionLimit() async throws {
    let server = try #require(TestServer.connection)
    let error = try await TestServer.withRole("LOGIN CONNECTION LIMIT 0 PASSWORD 'geheim'") { role in
      await RefusedConnectionTests.failure(
        ConnectionString.extended(server, by: ["user": role, "password": "geheim"]))
    }
    #expect(error?.code == .busy, "\(String(describing: error))")
    #expect(error?.storeCode == 53300 && error?.suggestion?.contains("later") == true)
  }

  @Test("a role that may make no function asks for the one that ignores case, which another one has made")
  func folding() async throws {
    try await TestServer.withRole { role in
      try await TestServer.withDatabase { connection in
        let owner = try PostgresStore(connection, connections: 1, notifies: false)
        let notes = try owner.repository(of: Note.self)
        try await notes.save(Note(id: 1, text: "STRASSE"))
        try await owner.sql.execute("GRANT SELECT ON note TO \(identifier: role)")
        func count() async throws -> Int {
          let store = try PostgresStore(
            ConnectionString.extended(connection, by: ["options": ConnectionString.option("role", role)]),
            connections: 1,
            notifies: false)
          let notes = try store.repository(of: Note.self)
          return try await notes.filter { $0.text.hasPrefix("straße", ignoringCase: true) }.count()
        }
        let error = await #expect(throws: RepositoryError.self) { try await count() }
        #expect(error?.code == .unsupported && error?.suggestion?.contains("the permission to create") == true)
        #expect(try await notes.filter { $0.text.hasPrefix("straße", ignoringCase: true) }.count() == 1)
        #expect(try await count() == 1)
      }
    }
  }

  @Test(
    "the SQLSTATE that the server tells, decides, in whichever language",
    arguments: [
      ("53300", .busy), ("57P03", .busy), ("28P01", .cannotOpen), ("28000", .cannotOpen), ("3D000", .cannotOpen),
      ("42501", .cannotOpen), ("XX000", .cannotOpen),
    ] as [(String, RepositoryError.Code)])
  func states(_ state: String, _ code: RepositoryError.Code) async throws {
    let folder = "/tmp/repokit-state\(UInt32.random(in: 0...(.max)))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let target = try await SocketProxy.serverSocket(of: try TestServer.administrator.get())
    // An ErrorResponse: https://www.postgresql.org/docs/15/protocol-message-formats.html
    let fields = Array("SFATALE\0VFATAL\0C\(state)\0Mnon, c’est complet\0\0".utf8)
    let answer = [UInt8(ascii: "E"), 0, 0, 0, UInt8(fields.count + 4)] + fields
    let proxy = try SocketProxy(at: "\(folder)/.s.PGSQL.5432", to: target.path()) { _, _ in .answer(answer) }
    defer { proxy.stop() }
    let error = await RefusedConnectionTests.failure("host=\(folder) user=a dbname=a")
    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.reason?.contains("complet") == true && error?.reason?.contains("57P03") == false)
    #expect((error?.underlying as? PostgresError)?.sqlState == state && error?.suggestion != nil)
  }

  /// Types, and texts of which the server makes no value of theirs.
  static let unfitTexts: KeyValuePairs = [
    "integer": "4711x", "smallint": "47114711", "integer": "47114711471147114711", "bigint": "47114711471147114711",
    "real": "4711e4711", "double precision": "4711e4711", "numeric": "4711x", "boolean": "4711", "uuid": "4711",
    "date": "4711-47-11", "date": "4711x", "timestamptz": "2026-01-01 00:00:00+4711", "interval": "4711 x",
    "json": "{4711}", "inet": "4711.1", "bit(3)": "4711", "int4range": "4711",
  ]

  @Test("a value that does not fit its type is not told", arguments: unfitTexts.map { ($0.key, $0.value) })
  func unfitText(type: String, text: String) async throws {
    let sql = try TestServer.administrator.get().sql
    let error = await #expect(throws: RepositoryError.self) {
      _ = try await sql.query("SELECT ((\(text)::text)::\(part: SQLStatement(verbatim: type)))::text", as: String.self)
    }
    #expect(error.map { "\($0)".contains("4711") } == false, "\(String(describing: error))")
  }

  @Test("a row that a trigger writes elsewhere, which is not blamed on the row that fires it")
  func triggeredRow() async throws {
    try await TestServer.withStore { store in
      for sql: SQLStatement in [
        "CREATE TABLE parent (id int PRIMARY KEY)", "INSERT INTO parent VALUES (1)",
        "CREATE TABLE log (p int CONSTRAINT link REFERENCES parent)",
        "CREATE TABLE visit (id int PRIMARY KEY, p int CONSTRAINT link REFERENCES parent)",
        """
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO log VALUES (NEW.p + NEW.id); RETURN NEW; END $$
        """,
        "CREATE TRIGGER note AFTER INSERT ON visit FOR EACH ROW EXECUTE FUNCTION note()",
      ] { try await store.sql.execute(sql) }
      let table = try store.schema(ofTable: "visit")
      let visits = try store.sqlRepository(Schema<Record>(table))
      let error = await #expect(throws: RepositoryError.self) {
        try await visits.insert([Record(values: [7, 1], in: table)])
      }
      #expect(error.map { "\($0)".contains("of visit") } == false, "\(String(describing: error))")
      try await visits.insert([Record(values: [0, 1], in: table)])
      await expectError(summary: "p (number) of visit refers to a row of parent that does not exist") {
        try await visits.insert([Record(values: [8, 9], in: table)])
      }
    }
  }

  @Test("a path into JSON, which has no type here, though memory follows it")
  func jsonPath() async throws {
    let query = try AnyQuery(parsing: "address.city = 'Rome'")
    let person = Resident(id: 1, address: Resident.Address(city: "Rome"))
    let memory = try MemoryRepository<Resident>()
    try await memory.save([person])
    #expect(try await memory.count(query) == 1)
    try await TestServer.withStore { store in
      let residents = try store.repository(of: Resident.self)
      try await residents.save(person)
      let error = await #expect(throws: RepositoryError.self) { try await residents.count(query) }
      #expect((error?.underlying as? QueryError)?.code == .unknownRelation)
      #expect(error?.reason?.hasSuffix("and JSON columns, in memory and in SQLite") == true)
    }
  }

  @Test("a role without rights, which may read, does not write")
  func rights() async throws {
    let role = "repokit_reader_\(UInt32.random(in: 0...(.max)))"
    try await TestServer.withStore { store in
      let notes = try store.repository(of: Note.self)
      try await notes.save([Note(id: 1, text: "a")])
      let schema = try #require(try await store.sql.query("SELECT current_schema()::text", as: String.self).first)
      try await store.sql.execute("CREATE ROLE \(identifier: role) LOGIN PASSWORD 'geheim'")
      try await store.sql.execute("GRANT USAGE ON SCHEMA \(identifier: schema) TO \(identifier: role)")
      try await store.sql.execute("GRANT SELECT ON note TO \(identifier: role)")
      do {
        let server = try #require(TestServer.connection)
        let parameters: KeyValuePairs = [
          "user": role, "password": "geheim", "options": ConnectionString.option("search_path", schema),
        ]
        let reader = try PostgresStore(ConnectionString.extended(server, by: parameters), notifies: false)
        let found = try reader.repository(of: Note.self)
        #expect(try await found.findAll() == [Note(id: 1, text: "a")])
        let writes: [() async throws -> Void] = [
          { try await found.save([Note(id: 2, text: "b")]) },
          { try await found.save((2..<500).map { Note(id: $0, text: "b") }) },
          { try await found.update(where: .true, set: [Assignment("text", "c")]) },
          { try await found.delete(1) },
          { _ = try await reader.transaction { try await $0.sql.execute("INSERT INTO note VALUES (3, 'c')") } },
        ]
        for write in writes {
          let error = await #expect(throws: RepositoryError.self) { try await write() }
          #expect(error?.code == .cannotOpen && error?.suggestion?.contains("grant") == true)
          #expect(error?.storeCode == 42501)
        }
      }
      #expect(try await notes.findAll() == [Note(id: 1, text: "a")])
      try await store.sql.execute("DROP OWNED BY \(identifier: role)")
      try await store.sql.execute("DROP ROLE \(identifier: role)")
    }
  }

  @Test("a server that only reads")
  func readOnlyServer() async throws {
    try await TestServer.withSchema { connection in
      let notes = try PostgresStore(connection).repository(of: Note.self)
      try await notes.save([Note(id: 1, text: "a")])
      let store = try PostgresStore(
        connection.replacing("-c search_path", with: "-c default_transaction_read_only=on -c search_path"))
      #expect(try await store.sql.query("SHOW default_transaction_read_only", as: String.self) == ["on"])
      let found = try store.repository(of: Note.self)
      #expect(try await found.count() == 1)
      for count in [1, 500] {
        let error = await #expect(throws: RepositoryError.self) {
          try await found.save((0..<count).map { Note(id: $0, text: "b") })
        }
        #expect(error?.code == .readOnly && error?.suggestion != nil)
      }
      await expectError(.readOnly) {
        try await store.transaction { try await $0.sql.execute("DELETE FROM note") }
      }
      #expect(try await notes.findAll() == [Note(id: 1, text: "a")])
    }
  }

  /// The select list and the expressions of the order share the limit: https://www.postgresql.org/docs/current/limits.html
  @Test(
    "a sort by more expressions than a server takes beside the columns of its widest table is refused before it is asked"
  )
  func longestSort() async throws {
    let columns = (0..<1_600).map { ColumnSchema("c\($0)", .integer) }
    let schema = Schema(try TableSchema("wide", columns: columns, primaryKey: ["c0"]))
    func request(_ count: Int) -> FetchRequest {
      FetchRequest(
        sortedBy: AnySort((0..<count).map { SortTerm(.key("c1") + .value($0), direction: .descending, nulls: .first) }))
    }
    try await TestServer.withStore { store in
      let table = try store.repository(schema)
      let found = try await table.findAll(request(AnySort.maximumExpressionCount))
      #expect(found.isEmpty)
      let error = await #expect(throws: RepositoryError.self) {
        try await table.findAll(request(AnySort.maximumExpressionCount + 1))
      }
      #expect(error?.code == .invalidQuery && error?.storeCode == nil)
    }
  }
}

private struct Resident: Entity {
  struct Address: Codable, Hashable { var city: String }

  let id: Int
  var address: Address
  static let schema = Schema("resident", Resident.init, Column("id", \.id), Column("address", json: \.address))
}
