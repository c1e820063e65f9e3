import Dispatch
import Repository
import SQL
import Synchronization

/// The server that a connection string leads to, and how sessions with it are set up.
final class PostgresServer: Sendable {
  private let library: LibPQ
  private let connectionString: String
  private let options: PostgresOptions
  /// What the connection string says about where the server is, without what is secret.
  let name: String
  private let hasConnectTimeout: Bool
  /// What else the connection string asks for, of which a refusal by the library tells no code.
  private let checks: [String]
  private let hasFolding = Mutex(false)
  /// The server that this one follows; `nil` for one that takes the writes.
  private let primary: PostgresServer?
  private let wasReached = Atomic(false)
  private let health: ServerHealth

  /// - Parameters:
  ///   - connectionString: keywords and values, or a URI; what it does not say is taken from the environment.
  ///     https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING
  ///   - primary: the server that it follows.
  /// - Throws: ``/Repository/RepositoryError`` where it can't be read, or libpq is not installed.
  init(
    _ connectionString: String, _ options: PostgresOptions, following primary: PostgresServer? = nil
  ) throws(RepositoryError) {
    self.primary = primary
    library = try LibPQ.shared()
    self.connectionString = connectionString
    self.options = options
    // A password with a slash in a URI ends up in the port.
    guard let given = library.parse(connectionString),
      given.allSatisfy({ $0.keyword != "port" || $0.value.allSatisfy { "0123456789,".contains($0) } })
    else {
      // What the library says quotes the string, in which a password may stand.
      throw RepositoryError(
        .cannotOpen, "the connection string can't be read",
        reason: "it is neither `keyword=value …` nor a URI `postgresql://…`, or one of its keywords is unknown",
        suggestion: library.nearestKeyword(in: connectionString).map { "did you mean the keyword \($0)?" }
          ?? #"write it as in "host=localhost dbname=pokedex", or "postgresql://localhost/pokedex""#)
    }
    checks = given.compactMap { keyword, value in
      switch keyword {
      case "service": "and that the file of services has this one"
      case "sslmode" where value != "prefer" && value != "allow": "and whether it speaks TLS as sslmode asks"
      case "target_session_attrs" where value != "any": "and whether it is \(value), as target_session_attrs asks"
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
  ///   ``/Repository/RepositoryError/Code/cannotOpen`` where the server refuses, and
  ///   ``/Repository/RepositoryError/Code/unsupported`` for a server that is too old, or keeps other texts than UTF-8.
  func connect() throws(RepositoryError) -> ServerSession {
    var parameters = [
      ("dbname", connectionString), ("fallback_application_name", "repository-kit"), ("client_encoding", "UTF8"),
    ]
    if !hasConnectTimeout { parameters.append(("connect_timeout", String(options.connectTimeoutInSeconds))) }
    let session: ServerSession
    do throws(PostgresError) {
      session = try ServerSession(library, parameters, health)
    } catch {
      // One that is up, and not in the role that is asked for, may come to play it.
      throw .refused(
        error, by: name, isUp: !error.sqlState.isEmpty || !health.hasFailover && isUp(parameters),
        checks: checks)
    }
    if session.version < 140_000 {
      throw RepositoryError(
        .unsupported, "the server of \(name) is PostgreSQL \(session.version / 10_000)",
        reason: "it lacks what this store needs", suggestion: "use PostgreSQL 14 or later")
    }
    let encoding = session.parameter("server_encoding") ?? ""
    if encoding != "UTF8" {
      throw RepositoryError(
        .unsupported, "the database keeps its texts as \(encoding)", reason: "only UTF-8 is supported",
        suggestion: "copy it into a database created with ENCODING 'UTF8'")
    }
    do throws(PostgresError) {
      try session.run(keepsSessions ? "\(Self.forms); \(options.settings)" : Self.forms)
    } catch {
      throw RepositoryError(error)
    }
    // Within a transaction, an error would end that.
    _ = session.history
    wasReached.store(true, ordering: .relaxed)
    return session
  }

  /// Opens a session, and waits until another server has taken the place of one that is lost, where that is to be expected:
  /// nothing was sent that might be repeated.
  ///
  /// - Parameter isStopped: whether it is not worth waiting any more.
  /// - Throws: as ``connect()`` does, for as long as the store's timeout says.
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

  /// A server that takes over needs a second or so.
  private static func retryPause() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20)) }

  /// Whether no session with the server was lost since this one was opened. One of those that were open then may lead to where
  /// nothing answers any more, or to a server that has been replaced.
  func isCurrent(_ session: ServerSession) -> Bool { session.era == health.era }

  /// How long is waited for connections, and for locks of others.
  var timeout: Duration { options.timeout }

  /// Whether a session is the server's own for as long as it is open. Where a pool of sessions is in between, which gives each
  /// transaction another one, nothing may be left in a session that is not asked for again.
  var keepsSessions: Bool { options.preparedStatements }

  /// The statement that sets a transaction up in a session that keeps no settings; `nil` where the session has them.
  var transactionSettings: String? {
    if keepsSessions { return nil }
    let settings = options.limits.map { "set_config('\($0.name)', '\($0.value)', true)" }
    return "SELECT \(settings.joined(separator: ", "))"
  }

  /// The forms in which values are sent as texts. PgBouncer keeps these for its clients.
  /// https://www.pgbouncer.org/config.html#track_extra_parameters
  private static let forms =
    "SET datestyle = 'ISO, YMD'; SET timezone = 'UTC'; SET standard_conforming_strings = on"

  /// Statements that give a session little time for each statement, however much the store gives others.
  func settings(timeout: Duration, lockTimeout: Duration) -> String {
    let timeout = min(timeout, options.statementTimeout ?? timeout)
    return """
      SET statement_timeout = \(max(1, timeout.milliseconds)); SET lock_timeout = \(max(1, lockTimeout.milliseconds))
      """
  }

  /// Whether the server takes connections, so that it must have refused this one.
  private func isUp(_ parameters: [(keyword: String, value: String)]) -> Bool {
    parameters.map(\.keyword).withCTexts { keywords in
      parameters.map(\.value).withCTexts { values in library.ping(keywords, values, 1) == 0 }
    }
  }

  // MARK: What became of a transaction

  /// Asks a server what became of a transaction whose connection was lost, for as long as the store's timeout says.
  ///
  /// - Parameters:
  ///   - number: of the transaction.
  ///   - history: in which it had the number, see ``ServerSession/history``.
  func outcome(ofTransaction number: TransactionNumber, in history: String) -> CommitOutcome {
    var polling = PollingBackoff(until: Deadline(in: options.timeout))
    repeat {
      guard let session = try? connect() else { continue }
      guard session.history == history else { return .unknown }
      do throws(PostgresError) {
        let fate = try session.run(number.fate)
        switch fate.text(row: 0, column: 0) {
        case "committed": return fate.text(row: 0, column: 1) == "0" ? .committed : .unknown
        case "aborted": return .undone
        // Its session may not have noticed yet that its client is gone.
        case "in progress": continue
        default: return .unknown
        }
      } catch {
        // A server that has lost it in a crash has not committed it.
        return error.sqlState == TransactionNumber.unknownState ? .undone : .unknown
      }
    } while polling.waitBlocking()
    return .unknown
  }

  /// What the names of a session's statements begin with.
  static func makeStatementPrefix() -> String { "repokit_\(String(UInt64.random(in: 0...(.max)), radix: 36))_" }

  // MARK: Functions

  /// Sees to it that the function is there which folds the case of texts.
  func installFolding() throws(RepositoryError) {
    if hasFolding.withLock(\.self) { return }
    if let primary { return try awaitFolding(of: primary) }
    let session = try connect()
    do throws(PostgresError) {
      let isThere = try session.run(Self.foldingLookup)
      if isThere.rowCount == 0 {
        // Two that create it at once would be in each other's way.
        let lock = "SELECT pg_advisory_xact_lock(hashtextextended('\(PostgresFolding.functionName)', 0))"
        try session.run((["BEGIN", lock] + PostgresFolding.definition + ["COMMIT"]).joined(separator: "; "))
      }
    } catch {
      throw RepositoryError(
        .unsupported, "the function that ignores case can't be created in \(name)", reason: error.description,
        suggestion: "give the role the right to create the schema \(PostgresFolding.schema) once", underlying: error)
    }
    hasFolding.withLock { $0 = true }
  }

  /// Has the function created on the server that this one follows, and waits for it.
  private func awaitFolding(of primary: PostgresServer) throws(RepositoryError) {
    try primary.installFolding()
    let session = try connect()
    var polling = PollingBackoff(until: Deadline(in: options.timeout))
    repeat {
      guard let found = try? session.run(Self.foldingLookup) else { continue }
      if found.rowCount > 0 { return hasFolding.withLock { $0 = true } }
    } while polling.waitBlocking()
    throw RepositoryError(
      .timeout, "the function that ignores case has not arrived at the replica", suggestion: "try again later")
  }

  private static let foldingLookup =
    "SELECT 1 FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace "
    + "WHERE n.nspname || '.' || proname = '\(PostgresFolding.functionName)'"
}

/// What became of a transaction.
enum CommitOutcome: Hashable {
  case committed
  case undone
  /// It may be the one or the other.
  case unknown
}
