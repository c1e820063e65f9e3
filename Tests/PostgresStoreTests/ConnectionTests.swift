import PostgresStore
import Query
import TestSupport
import Testing

@Suite("A connection that can't be made is an error that helps", .requiresServer)
struct RefusedConnectionTests {
  /// A connection string that leads nowhere.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: RepositoryError.Code
    /// What the error has to name.
    let name: String
    let connection: String

    init(_ description: String, _ code: RepositoryError.Code, naming name: String = "", _ connection: String) {
      testDescription = description
      self.code = code
      self.name = name
      self.connection = connection
    }

    static let all: [Refusal] = {
      let server = TestServer.connection ?? ""
      return [
        Refusal("a port at which no server listens", .unreachable, naming: "127.0.0.1", "host=127.0.0.1 port=1"),
        // Either of them may take the other one's place, which is waited for once a session has been there.
        Refusal(
          "two ports at which no server listens", .unreachable, naming: "127.0.0.1,localhost",
          "host=127.0.0.1,localhost port=1,1"),
        Refusal("a folder without a socket", .unreachable, naming: "/nowhere", "host=/nowhere"),
        Refusal(
          "an unknown database", .cannotOpen, naming: "no such one",
          ConnectionString.extended(server, by: ["dbname": "no such one"])),
        Refusal(
          "an unknown role", .cannotOpen, naming: "nobody's",
          ConnectionString.extended(server, by: ["user": "nobody's"])),
        Refusal("a word", .cannotOpen, "pokedex"), Refusal("an unknown keyword", .cannotOpen, "host=a hots=b"),
        Refusal("a quote without an end", .cannotOpen, "host='a"), Refusal("no value", .cannotOpen, "host=a dbname"),
        Refusal("an address without an end", .cannotOpen, "postgresql://[::1/postgres"),
        Refusal("an unknown parameter", .cannotOpen, "postgresql://localhost/postgres?hots=b"),
        Refusal("an escape that is none", .cannotOpen, "postgresql://localhost/%zz"),
        Refusal("U+0000", .cannotOpen, "host=a\0 dbname=b"),
      ]
    }()
  }

  @Test("of where it leads, or of how it is written", arguments: Refusal.all)
  func refused(refusal: Refusal) async throws {
    let error = try #require(await Self.failure(refusal.connection))
    #expect(error.code == refusal.code, "\(error)")
    #expect("\(error)".contains(refusal.name), "\(error)")
    #expect(error.reason != nil && error.suggestion != nil, "\(error)")
  }

  @Test(
    "says what else the connection string asks for",
    arguments: [
      ("host=127.0.0.1 port=1 hots=b", "did you mean the keyword host?"),
      ("postgresql://h/d?sslmod=require", "did you mean the keyword sslmode?"),
      ("service=nope", "the service file contains the service"),
      ("host=127.0.0.1 port=1 sslmode=require", "whether the server supports TLS"),
      ("target_session_attrs=standby", "whether the server is standby"),
    ])
  func advice(parameters: String, advice: String) async throws {
    let isWhole = parameters.contains("ho") || parameters.contains("//")
    let server = try #require(TestServer.connection)
    // A server of the tests speaks no TLS over its socket.
    let error = await Self.failure(isWhole ? parameters : "\(server) \(parameters)")
    if !isWhole, server.contains("//") { return }
    #expect(error?.suggestion?.contains(advice) == true, "\(String(describing: error))")
  }

  @Test(
    "and never tells a password",
    arguments: [
      "host=127.0.0.1 port=1 password=geheim", "host=/nowhere password=geheim", "password='geheim", "password=ge heim",
      "password=geheim port", "password=geheim hots=b", "geheim", "password=geheim host=a\0b",
      "postgresql://repokit:geheim@127.0.0.1:1/postgres", "postgresql://repokit@127.0.0.1:1/postgres?password=geheim",
      "postgresql://repokit:geheim@[::1/postgres", "postgresql://repokit:geh%zzeim@127.0.0.1:1/postgres",
      "postgresql://repokit:geheim@127.0.0.1:one/postgres", "postgresql://repokit:geheim@127.0.0.1:1/postgres?hots=b",
      "postgresql://repokit:geheim@127.0.0.1:1/postgres?hots",
    ])
  func secret(connection: String) async throws {
    let error = try #require(await Self.failure(connection))
    let text = Self.everything(of: error)
    #expect(!text.contains("geh") && !text.contains("heim"), "\(text)")
  }

  @Test("nor do the errors and the statements of a store that was opened with one")
  func secretOfOpenStore() async throws {
    let server = try #require(TestServer.connection)
    let events = Journal<String>()
    let store = try PostgresStore(
      ConnectionString.extended(server, by: ["password": "geheim"]), connections: 1,
      observer: StatementObserver { events.note("\($0)") })
    var texts: [String] = []
    for statement in [
      "SELEC 1", "SELECT * FROM missing", "SELECT 1 / 0", "SELECT pg_terminate_backend(pg_backend_pid())",
    ] {
      let error = await #expect(throws: RepositoryError.self) {
        try await store.sql.query(SQLStatement(verbatim: statement))
      }
      texts.append(Self.everything(of: error as Any))
    }
    for text in texts + events.entries { #expect(!text.contains("geheim"), "\(text)") }
    #expect(!events.entries.isEmpty)
  }

  @Test("of an encoding that is not UTF-8")
  func encoding() async throws {
    let error = try await TestServer.withDatabase(encoding: "LATIN1") { connection in
      await Self.failure(connection)
    }
    #expect(error?.code == .unsupported && error?.summary.contains("LATIN1") == true, "\(String(describing: error))")
  }

  @Test(
    "of a wrong password",
    .enabled("the server asks no role for a password") { try await TestServer.checksPasswords() })
  func wrongPassword() async throws {
    let sql = try TestServer.administrator.get().sql
    let server = try #require(TestServer.connection)
    try await sql.execute("DROP ROLE IF EXISTS repokit_password")
    try await sql.execute("CREATE ROLE repokit_password LOGIN PASSWORD 'richtig'")
    func failure(_ password: String) async -> RepositoryError? {
      await Self.failure(ConnectionString.extended(server, by: ["user": "repokit_password", "password": password]))
    }
    let (right, wrong) = (await failure("richtig"), await failure("geheim"))
    try await sql.execute("DROP ROLE repokit_password")
    #expect(right == nil, "\(String(describing: right))")
    #expect(
      wrong?.code == .cannotOpen && wrong?.suggestion?.contains("password") == true, "\(String(describing: wrong))")
    #expect(!Self.everything(of: wrong as Any).contains("geheim"))
  }

  /// The error of a store that can't be opened, or can't be asked.
  static func failure(_ connection: String) async -> RepositoryError? {
    do throws(RepositoryError) {
      // A refusal is told at once: what waits for it in vain, waits for longer than a test may.
      let store = try PostgresStore(connection, connections: 1, timeout: .seconds(3_600))
      _ = try await store.sql.query("SELECT 1", as: Int.self)
      return nil
    } catch {
      return error
    }
  }

  /// All that a log could hold of an error.
  private static func everything(of error: Any) -> String {
    var text = "\(error) \(String(reflecting: error))"
    dump(error, to: &text)
    return text
  }
}

struct Note: Entity, Hashable {
  let id: Int
  var text: String

  static let schema = Schema("note", Note.init, Column("id", \.id), Column("text", \.text))
}

private struct Undo: Error {}

@Suite("Transactions on connections", .requiresServer)
struct TransactionTests {
  @Test("Two tasks are in transactions at once")
  func parallel() async throws {
    // Where they are not, the second one gives up.
    try await TestServer.withStore(connections: 2, timeout: .seconds(30)) { store in
      let gates = [Gate(), Gate()]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<2 {
          group.addTask {
            defer { gates[number].open() }
            try await store.transaction { transaction in
              let number1 = try await transaction.sql.query("SELECT 1", as: Int.self)
              #expect(number1 == [1])
              gates[number].open()
              await gates[1 - number].wait()
              let number2 = try await transaction.sql.query("SELECT 2", as: Int.self)
              #expect(number2 == [2])
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("What throws is undone, tables included")
  func undone() async throws {
    try await TestServer.withStore { store in
      let notes = try store.repository(of: Note.self)
      await #expect(throws: Undo.self) {
        try await store.transaction { transaction in
          try await notes.save(Note(id: 1, text: "a"))
          try await transaction.sql.execute("CREATE TABLE gone (id int8)")
          throw Undo()
        }
      }
      #expect(try await notes.count() == 0)
      #expect(try store.tableNames() == ["note"])
    }
  }

  @Test("One within another is undone alone")
  func nested() async throws {
    try await TestServer.withStore { store in
      let notes = try store.repository(of: Note.self)
      try await store.transaction { outer in
        try await notes.save(Note(id: 1, text: "a"))
        await #expect(throws: Undo.self) {
          try await outer.transaction { _ in
            try await notes.save(Note(id: 2, text: "b"))
            throw Undo()
          }
        }
        try await outer.transaction { inner in
          try await notes.save(Note(id: 3, text: "c"))
          _ = try? await inner.transaction { _ in
            try await notes.save(Note(id: 4, text: "d"))
            throw Undo()
          }
        }
      }
      #expect(try await notes.findAll().map(\.id) == [1, 3])
    }
  }

  @Test("A conflict in a part of one undoes the failed statement alone")
  func conflictInPart() async throws {
    try await TestServer.withStore { store in
      let notes = try store.repository(of: Note.self)
      try await store.transaction { outer in
        try await notes.insert([Note(id: 1, text: "a")])
        try await outer.transaction { inner in
          try await notes.insert([Note(id: 2, text: "b")])
          for _ in 0..<2 {
            await expectError(.conflict) { try await notes.insert([Note(id: 1, text: "c")]) }
          }
          try await inner.transaction { _ in
            try await notes.insert([Note(id: 3, text: "d")])
            await #expect(throws: RepositoryError.self) { try await notes.insert([Note(id: 2, text: "e")]) }
          }
        }
        try await notes.insert([Note(id: 4, text: "f")])
      }
      #expect(try await notes.findAll().map(\.text) == ["a", "b", "d", "f"])
    }
  }

  @Test("Of two that lock two rows in opposite orders one is repeated, and both are committed")
  func deadlock() async throws {
    try await TestServer.withStore(connections: 2) { store in
      let notes = try store.repository(of: Note.self)
      try await notes.save([Note(id: 0, text: ""), Note(id: 1, text: "")])
      let hasLocked = [Gate(), Gate()]
      let attempts = Journal<Int>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<2 {
          group.addTask {
            // A task that fails does not make the other one wait for ever.
            defer { hasLocked[number].open() }
            try await store.transaction(attempts: 20) { transaction in
              attempts.note(number)
              let mark = String(number)
              for id in [number, 1 - number] {
                try await transaction.sql.execute("UPDATE note SET text = text || \(mark) WHERE id = \(id)")
                hasLocked[number].open()
                await hasLocked[1 - number].wait()
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(attempts.entries.count > 2)
      let texts = try await notes.findAll().map(\.text)
      #expect(texts == ["01", "01"] || texts == ["10", "10"])
    }
  }

  @Test("It goes on after a statement that failed")
  func goesOn() async throws {
    try await TestServer.withStore { store in
      let notes = try store.repository(of: Note.self)
      try await store.transaction { transaction in
        try await notes.insert([Note(id: 1, text: "a")])
        for statement in ["SELEC 1", "SELECT * FROM missing", "SELECT 1 / 0", "INSERT INTO note VALUES (1, 'again')"] {
          await #expect(throws: RepositoryError.self, "\(statement)") {
            try await transaction.sql.query(SQLStatement(verbatim: statement))
          }
        }
        await #expect(throws: RepositoryError.self) { try await notes.insert([Note(id: 1, text: "again")]) }
        await #expect(throws: RepositoryError.self) { try await notes.filter(.equal(key: "txt", value: "a")).all() }
        try await notes.insert([Note(id: 2, text: "b")])
      }
      #expect(try await notes.findAll() == [Note(id: 1, text: "a"), Note(id: 2, text: "b")])
    }
  }
}
