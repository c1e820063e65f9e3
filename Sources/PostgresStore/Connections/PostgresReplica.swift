import Query
import Repository
import SQL
import SQLStore
import Synchronization

/// A server that replicates the primary server by streaming replication, and serves `read { }` in its place.
///
/// The commits of this store are seen by each read that begins afterwards. Nothing is queried at a commit: if something was
/// committed since the last check, the next read queries the primary for the end of its log, and then the replica for whether
/// it has replayed the log so far. https://www.postgresql.org/docs/15/functions-admin.html#FUNCTIONS-RECOVERY-CONTROL
final class PostgresReplica: ReadReplica {
  /// The maximum time that a read waits for the replica to catch up, before it uses the primary.
  private static let replayTimeout = Duration.milliseconds(100)
  /// The time without a retry after the replica was unreachable, or too far behind.
  private static let retryDelay = Duration.seconds(1)

  private let server: PostgresServer
  private let primary: PostgresServer
  let connectionCount: Int
  /// The number of possible commits of this store.
  private let commits = Atomic(0)
  private let position = Mutex(Position())
  private let nextTry = Mutex(ContinuousClock.now)

  /// The end of the primary's log after a number of commits.
  private struct Position: @unchecked Sendable {
    var commits = 0
    var text: String?
    /// The session in which the primary is queried.
    var session: ServerSession?
  }

  /// - Throws: ``/Repository/RepositoryError`` if the server refuses the connection, or replicates another server than the
  ///   primary. That the server is temporarily unreachable is no error.
  init(_ server: PostgresServer, of primary: PostgresServer, connections: Int) throws(RepositoryError) {
    (self.server, self.primary, connectionCount) = (server, primary, max(1, connections))
    do throws(RepositoryError) {
      let (own, other) = (try server.connect().databaseIdentity, try primary.connect().databaseIdentity)
      guard own == other else {
        throw RepositoryError(
          .cannotOpen, "the server of \(server.name) is not a replica of \(primary.name)",
          reason: "the server has another database, which does not follow the primary",
          suggestion: "name a streaming replica of the primary, and the same dbname")
      }
    } catch {
      guard error.code == .unreachable || error.code == .busy else { throw error }
      suspendUse()
    }
  }

  func connect() throws(RepositoryError) -> any SQLConnection { PostgresConnection(to: server) }

  func noteCommit() { commits.add(1, ordering: .sequentiallyConsistent) }

  var isAvailable: Bool { .now >= nextTry.withLock(\.self) }

  private func suspendUse() { nextTry.withLock { $0 = .now + Self.retryDelay } }

  func beginSnapshot(on connection: Connection) -> Bool {
    do throws(RepositoryError) {
      guard try awaitReplay(by: connection) else {
        suspendUse()
        return false
      }
      let generation = connection.postgres.generation
      try connection.begin(.reading)
      // A session that was opened meanwhile may be one with another server, whose position in the log was not queried.
      if connection.postgres.generation == generation || position.withLock({ $0.text == nil }) { return true }
      connection.rollBack(.reading)
      return false
    } catch {
      if error.code != .cancelled { suspendUse() }
      return false
    }
  }

  /// Waits until the replica has the commits of this store.
  ///
  /// - Returns: `false` if that takes too long.
  private func awaitReplay(by connection: Connection) throws(RepositoryError) -> Bool {
    guard let position = try committedPosition() else { return true }
    _ = try connection.postgres.sessionForStatement()
    if connection.postgres.replayed?.position == position,
      connection.postgres.replayed?.generation == connection.postgres.generation
    {
      return true
    }
    // A replica that was promoted no longer replicates another server, and may have replaced the primary.
    let look = CompiledStatement(
      sql: """
        SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END \
        >= CAST($1 AS pg_lsn))::int
        """, bindings: [.text(position)])
    var polling = PollingBackoff(until: Deadline(in: Self.replayTimeout))
    repeat {
      if try connection.integer(look) == 1 {
        connection.postgres.replayed = (position, connection.postgres.generation)
        return true
      }
    } while polling.waitBlocking()
    return false
  }

  /// The query for the end of the primary's log. A commit has been flushed to the log when it is acknowledged, unless
  /// `synchronous_commit` is off; a replica receives only what has been flushed.
  private static let look = """
    SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() \
    ELSE pg_current_wal_flush_lsn() END::text
    """

  /// Returns the end of the primary's log after the latest commit of this store; `nil` if it has committed nothing.
  private func committedPosition() throws(RepositoryError) -> String? {
    let count = commits.load(ordering: .sequentiallyConsistent)
    return try position.withLock { position throws(RepositoryError) -> String? in
      // Another read may have queried the position in the meantime.
      if position.commits >= count { return position.text }
      let session: ServerSession
      if let known = position.session, known.checkIsAlive(), primary.isCurrent(known) {
        session = known
      } else {
        position.session = nil
        session = try primary.connect()
        position.session = session
      }
      let asked = commits.load(ordering: .sequentiallyConsistent)
      do throws(PostgresError) {
        position.text = try session.run(Self.look).text(row: 0, column: 0)
        position.commits = asked
        return position.text
      } catch {
        throw RepositoryError(error)
      }
    }
  }
}

extension ServerSession {
  /// The identity of a database and its copies on replicating servers; `nil` if the server does not report it.
  fileprivate var databaseIdentity: String? {
    let sql = """
      SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) \
      FROM pg_control_system()
      """
    return (try? run(sql))?.text(row: 0, column: 0)
  }
}
