import Dispatch
import Repository
import SQL
import Synchronization

/// The server of a connection string, and the setup of its sessions.
final class PostgresServer: Sendable {
  private let library: LibPQ
  private let connectionString: String
  private let options: PostgresOptions
  /// The description of the server in the connection string, without secrets.
  let name: String
  private let hasConnectTimeout: Bool
  /// Other requirements in the connection string, for which the library's errors have no code.
  private let checks: [String]
  private let hasFolding = Mutex(false)
  /// The server that this one replicates; `nil` for one that takes the writes.
  private let primary: PostgresServer?
  private let wasReached = Atomic(false)
  private let health: ServerHealth

  /// - Parameters:
  ///   - connectionString: keywords and values, or a URI; the environment provides the rest.
  ///     https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING
  ///   - primary: the server that this one replicates; `nil` for a primary server.
  /// - Throws: ``/Repository/RepositoryError`` if the string can't be parsed, or libpq is not installed.
  init(
    _ connectionString: String, _ options: PostgresOptions, following primary: PostgresServer? = nil
  ) throws(RepositoryError) {
    self.primary = primary
    library = try LibPQ.shared()
    self.connectionString = connectionString
    self.options = options
    // A password with a slash in a URI is parsed as the port.
    guard let given = library.parse(connectionString),
      given.allSatisfy({ $0.keyword != "port" || $0.value.allSatisfy { "0123456789,".contains($0) } })
    else {
      // The library's message quotes the string, which may contain a password.
      throw RepositoryError(
        .cannotOpen, "can't read the connection string",
        reason: "the string is neither `keyword=value …` nor a URI `postgresql://…`, or has an unknown keyword",
        suggestion: library.nearestKeyword(in: connectionString).map { "did you mean the keyword \($0)?" }
          ?? #"write a string such as "host=localhost dbname=pokedex", or "postgresql://localhost/pokedex""#)
    }
    checks = given.compactMap { keyword, value in
      switch keyword {
      case "service": "and that the service file contains the service"
      case "sslmode" where value != "prefer" && value != "allow":
        "and whether the server supports TLS as sslmode requires"
      case "target_session_attrs" where value != "any":
        "and whether the server is \(value), as target_session_attrs requires"
      default: nil
      }
    }
    hasConnectTimeout = given.contains { $0.keyword == "connect_timeout" }
    health = ServerHealth(
      hasFailover: primary == nil
        && given.contains { keyword, value in
          keyword.hasPrefix("host") && value.contains(",") || keyword == "target_session_attrs" && value != "any"
        })
    let shown = given.filter { ["service", "host", "hostaddr", "port", "dbname"].contains($0.keyword) }
    name = shown.isEmpty ? "PostgreSQL" : shown.map { "\($0.keyword)=\($0.value)" }.joined(separator: " ")
  }

  // MARK: Sessions

  /// Opens a session, which blocks the thread until the server has answered.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unreachable``,
  ///   ``/Repository/RepositoryError/Code/cannotOpen`` if the server refuses, and
  ///   ``/Repository/RepositoryError/Code/unsupported`` for a server that is too old, or has an encoding other than UTF-8.
  func connect() throws(RepositoryError) -> ServerSession {
    var parameters = [
      ("dbname", connectionString), ("fallback_application_name", "repository-kit"), ("client_encoding", "UTF8"),
    ]
    if !hasConnectTimeout { parameters.append(("connect_timeout", String(options.connectTimeoutInSeconds))) }
    let session: ServerSession
    do throws(PostgresError) {
      session = try ServerSession(library, parameters, health)
    } catch {
      // With failover, a server that is up, but not in the required role, may take over the role: it counts as unreachable, so
      // that the connection is retried.
      throw .refused(
        error, by: name, isUp: !error.sqlState.isEmpty || !health.hasFailover && isUp(parameters),
        checks: checks)
    }
    if session.version < 140_000 {
      throw RepositoryError(
        .unsupported, "the server of \(name) is PostgreSQL \(session.version / 10_000)",
        reason: "the version lacks features that the store needs", suggestion: "use PostgreSQL 14 or later")
    }
    let encoding = session.parameter("server_encoding") ?? ""
    if encoding != "UTF8" {
      throw RepositoryError(
        .unsupported, "the database stores text as \(encoding)", reason: "only UTF-8 is supported",
        suggestion: "copy the database into a database created with ENCODING 'UTF8'")
    }
    do throws(PostgresError) {
      try session.run(keepsSessions ? "\(Self.forms); \(options.settings)" : Self.forms)
    } catch {
      throw RepositoryError(error)
    }
    // The history is queried now: within a transaction, an error of the query would fail the transaction.
    _ = session.history
    wasReached.store(true, ordering: .relaxed)
    return session
  }

  /// Opens a session. With failover, it waits until another server has replaced a lost one: no statement was sent, so a retry
  /// repeats none.
  ///
  /// - Parameter isStopped: whether waiting is no longer needed.
  /// - Throws: as ``connect()`` does, after up to the store's timeout.
  func connectAgain(unless isStopped: () -> Bool) throws(RepositoryError) -> ServerSession {
    guard health.hasFailover, wasReached.load(ordering: .relaxed) else { return try connect() }
    let deadline = Deadline(in: options.timeout)
    while true {
      do throws(RepositoryError) {
        return try connect()
      } catch {
        guard error.code == .unreachable || error.code == .busy, !isStopped(), !deadline.hasPassed else { throw error }
      }
      Self.retryPause()
    }
  }

  /// Waits between two attempts, briefly, since a failover takes about a second.
  private static func retryPause() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20)) }

  /// Returns whether no session with the server was lost since this one was opened. Otherwise, this session may lead to an
  /// unreachable server, or to one that has been replaced.
  func isCurrent(_ session: ServerSession) -> Bool { session.lossCount == health.lossCount }

  /// The timeout of waits for connections, and for locks of other transactions.
  var timeout: Duration { options.timeout }

  /// Whether a session is exclusive as long as it is open. With a pooler that may use another session for each transaction, no
  /// state may be left in a session.
  var keepsSessions: Bool { options.preparedStatements }

  /// The statement that sets up a transaction in a session that keeps no settings; `nil` if the session has them.
  var transactionSettings: String? {
    if keepsSessions { return nil }
    let settings = options.limits.map { "set_config('\($0.name)', '\($0.value)', true)" }
    return "SELECT \(settings.joined(separator: ", "))"
  }

  /// The formats in which values are sent as texts. PgBouncer preserves these for its clients.
  /// https://www.pgbouncer.org/config.html#track_extra_parameters
  private static let forms =
    "SET datestyle = 'ISO, YMD'; SET timezone = 'UTC'; SET standard_conforming_strings = on"

  /// Returns the statements that set short timeouts in a session, independently of the server's settings.
  func settings(timeout: Duration, lockTimeout: Duration) -> String {
    let timeout = min(timeout, options.statementTimeout ?? timeout)
    return """
      SET statement_timeout = \(max(1, timeout.milliseconds)); SET lock_timeout = \(max(1, lockTimeout.milliseconds))
      """
  }

  /// Returns whether the server accepts connections: if it does, it must have refused the failed one.
  private func isUp(_ parameters: [(keyword: String, value: String)]) -> Bool {
    parameters.map(\.keyword).withCTexts { keywords in
      parameters.map(\.value).withCTexts { values in library.ping(keywords, values, 1) == 0 }
    }
  }

  // MARK: What became of a transaction

  /// Queries a server for the outcome of a transaction whose connection was lost, for up to the store's timeout.
  ///
  /// - Parameters:
  ///   - number: the number of the transaction.
  ///   - history: the history in which the transaction had the number, see ``ServerSession/history``.
  func outcome(ofTransaction number: TransactionNumber, in history: String) -> CommitOutcome {
    var polling = PollingBackoff(until: Deadline(in: options.timeout))
    repeat {
      guard let session = try? connect() else { continue }
      guard session.history == history else { return .unknown }
      do throws(PostgresError) {
        let outcome = try session.run(number.outcomeQuery)
        switch outcome.text(row: 0, column: 0) {
        case "committed": return outcome.text(row: 0, column: 1) == "0" ? .committed : .unknown
        case "aborted": return .undone
        // The session of the transaction may not have detected yet that its client is disconnected.
        case "in progress": continue
        default: return .unknown
        }
      } catch {
        // A server that has lost the number in a crash has not committed the transaction.
        return error.sqlState == TransactionNumber.unknownState ? .undone : .unknown
      }
    } while polling.waitBlocking()
    return .unknown
  }

  /// Returns a prefix for the names of a session's statements.
  static func makeStatementPrefix() -> String { "repokit_\(String(UInt64.random(in: 0...(.max)), radix: 36))_" }

  // MARK: Functions

  /// Creates the function that folds the case of texts, unless it exists.
  func installFolding() throws(RepositoryError) {
    if hasFolding.withLock(\.self) { return }
    if let primary { return try awaitFolding(of: primary) }
    let session = try connect()
    do throws(PostgresError) {
      let isThere = try session.run(Self.foldingLookup)
      if isThere.rowCount == 0 {
        // Two sessions that create the function at the same time would conflict.
        let lock = "SELECT pg_advisory_xact_lock(hashtextextended('\(PostgresFolding.functionName)', 0))"
        try session.run((["BEGIN", lock] + PostgresFolding.definition + ["COMMIT"]).joined(separator: "; "))
      }
    } catch {
      throw RepositoryError(
        .unsupported, "can't create the function for `ignoring case` in \(name)", reason: error.description,
        suggestion: "give the role the permission to create the schema \(PostgresFolding.schema) once",
        underlying: error)
    }
    hasFolding.withLock { $0 = true }
  }

  /// Creates the function on the server that this one replicates, and waits until it has been replicated.
  private func awaitFolding(of primary: PostgresServer) throws(RepositoryError) {
    try primary.installFolding()
    let session = try connect()
    var polling = PollingBackoff(until: Deadline(in: options.timeout))
    repeat {
      guard let found = try? session.run(Self.foldingLookup) else { continue }
      if found.rowCount > 0 { return hasFolding.withLock { $0 = true } }
    } while polling.waitBlocking()
    throw RepositoryError(
      .timeout, "the replica lacks the function for `ignoring case`", suggestion: "try again later")
  }

  private static let foldingLookup =
    "SELECT 1 FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace "
    + "WHERE n.nspname || '.' || proname = '\(PostgresFolding.functionName)'"
}

/// The outcome of a transaction.
enum CommitOutcome: Hashable {
  case committed
  case undone
  /// The outcome is not known.
  case unknown
}
