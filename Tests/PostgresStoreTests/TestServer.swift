import Foundation
import PostgresStore
import Query
import Synchronization
import TestSupport
import Testing

/// The PostgreSQL server of the tests, which `REPOKIT_POSTGRES` names by a connection string, such as `scripts/postgres.sh`
/// prints. The role has to be one that may create databases; a superuser sees all tests run.
enum TestServer {
  /// The connection string; `nil` where no server is named.
  static let connection: String? = {
    let connection = ProcessInfo.processInfo.environment["REPOKIT_POSTGRES"] ?? ""
    return connection.isEmpty ? nil : connection
  }()

  /// Other tests may keep all threads busy for long.
  static let timeout = Duration.seconds(900)

  /// Makes and drops what tests have of their own, and looks at their sessions.
  static let administrator: Result<PostgresStore, any Error> = Result {
    try PostgresStore(connection ?? "", connections: 4, timeout: timeout)
  }

  /// Tests that have sessions at once: each has up to ten of them, and servers take a hundred by default.
  private static let permits = Permits(8)

  // MARK: Databases and schemas of a test's own

  /// Runs a test with a database of its own, which takes some 50 ms.
  ///
  /// It is not to be called within another, which might wait for it.
  ///
  /// - Parameters:
  ///   - suffix: what the database's name ends with.
  ///   - encoding: the encoding of its texts.
  ///   - body: the test. It is given the connection string.
  static func withDatabase<Output>(
    suffix: String = "", encoding: String = "UTF8", _ body: (_ connection: String) async throws -> Output
  ) async throws -> Output {
    let label = makeLabel()
    let name = label + suffix
    return try await with(
      label,
      made: """
        CREATE DATABASE \(identifier: name) TEMPLATE template0 ENCODING \(identifier: encoding) LC_COLLATE 'C' LC_CTYPE 'C'
        """,
      dropped: "DROP DATABASE \(identifier: name) WITH (FORCE)", parameters: ["dbname": name], body)
  }

  /// Runs a test with a schema of its own in the server's database, which takes some milliseconds.
  ///
  /// It is not to be called within another, which might wait for it.
  ///
  /// - Parameters:
  ///   - suffix: what the schema's name ends with.
  ///   - body: the test. It is given the connection string.
  static func withSchema<Output>(
    suffix: String = "", _ body: (_ connection: String) async throws -> Output
  ) async throws -> Output {
    let label = makeLabel()
    let name = label + suffix
    let path = "\"\(name.replacing("\"", with: "\"\""))\""
    return try await with(
      label, made: "CREATE SCHEMA \(identifier: name)", dropped: "DROP SCHEMA \(identifier: name) CASCADE",
      parameters: ["options": ConnectionString.option("search_path", path)], body)
  }

  /// Runs a test with a role of its own, which may own nothing in the end.
  ///
  /// - Parameter options: those of `CREATE ROLE`.
  static func withRole<Output>(_ options: String = "", _ body: (_ role: String) async throws -> Output) async throws
    -> Output
  {
    let (sql, role) = (try administrator.get().sql, makeLabel())
    try await sql.execute("CREATE ROLE \(identifier: role) \(part: SQLStatement(verbatim: options))")
    let result: Result<Output, any Error>
    do {
      result = .success(try await body(role))
    } catch {
      result = .failure(error)
    }
    try await sql.execute("DROP ROLE \(identifier: role)")
    return try result.get()
  }

  /// Runs a test with a store over a schema of its own.
  static func withStore<Output>(
    connections: Int = 4, timeout: Duration = TestServer.timeout, statementTimeout: Duration? = nil,
    idleTransactionTimeout: Duration? = nil, _ body: (PostgresStore) async throws -> Output
  ) async throws -> Output {
    try await withSchema { connection in
      try await body(
        try PostgresStore(
          connection, connections: connections, timeout: timeout, statementTimeout: statementTimeout,
          idleTransactionTimeout: idleTransactionTimeout))
    }
  }

  /// A name that no other test has, of a database or a schema and of the sessions with it.
  private static func makeLabel() -> String { "repokit_test_\(String(UInt64.random(in: 0...(.max)), radix: 36))" }

  private static func with<Output>(
    _ label: String, made: SQLStatement, dropped: SQLStatement, parameters: KeyValuePairs<String, String>,
    _ body: (String) async throws -> Output
  ) async throws -> Output {
    let server = try #require(connection)
    let labelled = ConnectionString.extended(server, by: ["application_name": label])
    await permits.acquire()
    defer { permits.release() }
    try await administrator.get().sql.execute(made)
    do {
      let output = try await body(ConnectionString.extended(labelled, by: parameters))
      let open = await clearAway(label, dropped)
      if open > 0 { Issue.record("\(open) sessions were left in a transaction") }
      return output
    } catch {
      await clearAway(label, dropped)
      throw error
    }
  }

  /// Ends the sessions of a test, and drops what was made for it.
  ///
  /// - Returns: how many of the sessions were idle in a transaction.
  @discardableResult
  private static func clearAway(_ label: String, _ dropped: SQLStatement) async -> Int {
    // The test's own task may have been cancelled.
    let cleaning = Task.detached {
      // The server undoes the transaction of a connection that was lost a moment after it was.
      let isOpen: SQLStatement = "AND state LIKE 'idle in transaction%'"
      try await TestServer.waitForSessions(of: label, isOpen, orAfter: .seconds(5)) { $0 == 0 }
      let open = try await TestServer.sessions(of: label, isOpen)
      try await TestServer.endSessions(of: label)
      try await TestServer.administrator.get().sql.execute(dropped)
      return open
    }
    do {
      return try await cleaning.value
    } catch {
      Issue.record(error, "what was made for the test was not dropped: \(dropped)")
      return 0
    }
  }

  // MARK: Sessions

  /// How many sessions a test has.
  ///
  /// - Parameters:
  ///   - label: the name by which the server knows them.
  ///   - condition: what else has to hold for them, in SQL.
  static func sessions(of label: String, _ condition: SQLStatement = "") async throws -> Int {
    let counts = try await administrator.get().sql.query(
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = \(label) \(part: condition)", as: Int.self)
    return try #require(counts.first)
  }

  /// Waits until the number of a test's sessions is as told.
  ///
  /// - Parameters:
  ///   - condition: which of its sessions count, in SQL.
  ///   - patience: how long is waited; it is an error where the number is not reached then, unless another time is given.
  static func waitForSessions(
    of label: String, _ condition: SQLStatement = "", orAfter patience: Duration? = nil,
    until isReached: (Int) -> Bool
  ) async throws {
    let end = ContinuousClock.now + (patience ?? timeout)
    while true {
      let count = try await sessions(of: label, condition)
      if isReached(count) { return }
      if ContinuousClock.now > end {
        if patience == nil { throw RepositoryError(.timeout, "what the test waits for did not happen") }
        return
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Ends the sessions of a test from outside, and waits until they are gone.
  static func endSessions(of label: String) async throws {
    _ = try await administrator.get().sql.query(
      "SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity WHERE application_name = \(label)",
      as: Int.self)
  }

  /// Runs what asks for the outcome of a transaction, and again until no checkpoint lies within two seconds of it: of numbers
  /// that were given within a second of one, the outcome is not known. Each test that drops a database makes one.
  static func apartFromCheckpoints<Output>(_ body: () async throws -> Output) async throws -> Output {
    let server = try administrator.get()
    while true {
      let start = try #require(try await server.sql.query("SELECT clock_timestamp()::text", as: String.self).first)
      let output = try await body()
      let checkpoints: SQLStatement = """
        SELECT count(*) FROM pg_control_checkpoint() \
        WHERE checkpoint_time > \(start)::timestamptz - interval '2 seconds'
        """
      if try await server.sql.query(checkpoints, as: Int.self) == [0] { return output }
      try await Task.sleep(for: .milliseconds(500))
    }
  }

  /// Whether the server asks the role `repokit_password` for a password, as one of `scripts/postgres.sh` does.
  static func checksPasswords() async throws -> Bool {
    guard connection != nil else { return false }
    let rules = try? await administrator.get().sql.query(
      """
      SELECT count(*) FROM pg_hba_file_rules \
      WHERE auth_method = 'scram-sha-256' AND 'repokit_password' = ANY(user_name) AND error IS NULL
      """, as: Int.self)
    return rules != [0] && rules != nil
  }
}

extension PostgresStore {
  /// The name by which the server knows the sessions of a store.
  func label() async throws -> String {
    let labels = try await sql.query("SELECT current_setting('application_name')", as: String.self)
    return try #require(labels.first)
  }
}

extension SocketProxy {
  /// The Unix socket of a store's server, whose name says its port.
  static func serverSocket(of store: PostgresStore) async throws -> URL {
    let places = try await store.sql.query(
      "SELECT current_setting('unix_socket_directories'), current_setting('port')", as: String.self, String.self)
    let folders = try #require(places.first).0.split(separator: ",")
    let folder = try #require(folders.first).trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
    return URL(filePath: folder).appending(path: ".s.PGSQL.\(places[0].1)")
  }
}

extension Trait where Self == ConditionTrait {
  /// Leaves tests out where no server is named.
  static var requiresServer: Self {
    .enabled(if: TestServer.connection != nil, "REPOKIT_POSTGRES names no server: make test-postgres")
  }
}

/// Lets some go on at once, in the order in which they came.
private final class Permits: Sendable {
  private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  init(_ count: Int) { state = Mutex((free: count, waiting: [])) }

  func acquire() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func release() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}

@Suite("Connection strings are extended")
struct ConnectionStringTests {
  @Test(
    "by parameters after what they say themselves",
    arguments: [
      ("", " dbname='a' host='/tmp'"), ("host=x dbname=y", "host=x dbname=y dbname='a' host='/tmp'"),
      ("postgresql://", "postgresql://?dbname=a&host=%2Ftmp"), ("postgres:///b", "postgres:///b?dbname=a&host=%2Ftmp"),
      ("postgresql:///?", "postgresql:///?dbname=a&host=%2Ftmp"),
      ("postgresql://h:5/b?user=u", "postgresql://h:5/b?user=u&dbname=a&host=%2Ftmp"),
      ("postgresql://u:p?q@h/b", "postgresql://u:p?q@h/b?dbname=a&host=%2Ftmp"),
      ("postgresql://u:p?q@h/b?user=x@y", "postgresql://u:p?q@h/b?user=x@y&dbname=a&host=%2Ftmp"),
    ])
  func forms(connection: String, extended: String) {
    #expect(ConnectionString.extended(connection, by: ["dbname": "a", "host": "/tmp"]) == extended)
  }

  @Test("by values that have to be escaped")
  func escaped() {
    let parameters: KeyValuePairs = ["dbname": #"it's a "b" \ é%"#]
    #expect(ConnectionString.extended("", by: parameters) == #" dbname='it\'s a "b" \\ é%'"#)
    #expect(
      ConnectionString.extended("postgresql://", by: parameters)
        == "postgresql://?dbname=it%27s%20a%20%22b%22%20%5C%20%C3%A9%25")
    #expect(ConnectionString.option("search_path", #""it's a\b""#) == #"-c search_path="it's\ a\\b""#)
  }

  @Test(
    "so that the server understands them, whatever the names", .requiresServer, arguments: ["", " it's a \"b\" \\ é%"])
  func understood(suffix: String) async throws {
    let database = try await TestServer.withDatabase(suffix: suffix) { connection in
      try await PostgresStore(connection).sql.query("SELECT current_database()::text", as: String.self)
    }
    let schema = try await TestServer.withSchema(suffix: suffix) { connection in
      try await PostgresStore(connection).sql.query("SELECT current_schema()::text", as: String.self)
    }
    for name in [database.first, schema.first] {
      #expect(
        name?.hasPrefix("repokit_test_") == true && name?.hasSuffix(suffix) == true, "\(String(describing: name))")
    }
  }
}
