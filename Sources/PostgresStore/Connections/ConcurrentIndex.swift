import Query
import Repository
import SQL
import SQLStore

// https://www.postgresql.org/docs/15/sql-createindex.html#SQL-CREATEINDEX-CONCURRENTLY
extension PostgresDriver {
  /// Builds an index while other connections may write. An invalid index, which slows down writes and serves no query, is
  /// dropped: before the build if an earlier build has left it, and after a build that fails.
  func buildConcurrently(_ index: MigratedIndex) async throws(RepositoryError) -> Bool {
    guard server.keepsSessions else {
      throw RepositoryError(
        .unsupported, "sessions of a shared pool can't build an index concurrently",
        reason: "the store allows one process at a time to build the index, by a lock of the session",
        suggestion: "migrate with a store that connects to the server directly")
    }
    // The build has a session of its own: its settings and its lock end with the session.
    let connection = Connection(PostgresConnection(to: server), of: self)
    return try await connection.cancellable { connection throws(RepositoryError) in
      // The build waits for all transactions that began before it, however long they take.
      try connection.execute("SET lock_timeout = 0")
      try connection.execute("SET statement_timeout = 0")
      try lockForBuild(on: connection)
      try build(index, on: connection)
      return true
    }
  }

  func concurrentStatement(_ statement: String) -> String {
    statement.replacing("INDEX ", with: "INDEX CONCURRENTLY ", maxReplacements: 1)
  }

  /// Waits until no other process migrates. The lock is polled: a concurrent build waits for running statements, so a statement
  /// that waits for the lock of the building process would never end.
  private func lockForBuild(on connection: Connection) throws(RepositoryError) {
    var polling = PollingBackoff(until: Deadline(in: server.timeout))
    let lock = CompiledStatement(sql: "SELECT pg_try_advisory_lock(\(Self.migrationLock))::int", bindings: [])
    while try connection.integer(lock) == 0 {
      try connection.checkInterruption()
      guard polling.waitBlocking() else { throw Self.migrationIsRunning }
    }
  }

  private func build(_ index: MigratedIndex, on connection: Connection) throws(RepositoryError) {
    let (name, statement) = index.sql(by: compiler)
    let drop = "DROP INDEX CONCURRENTLY IF EXISTS \(compiler.dialect.quoted(name))"
    switch try state(of: index, named: name, on: connection) {
    case .valid: return
    case .invalid: try connection.execute(drop)
    case .missing: break
    }
    do throws(RepositoryError) {
      try connection.execute(concurrentStatement(statement))
    } catch {
      // The drop waits for other transactions, which a cancelled task must not do: the next build drops the invalid index.
      if error.code != .cancelled, (try? state(of: index, named: name, on: connection)) == .invalid {
        _ = try? connection.execute("SET lock_timeout = '1s'")
        _ = try? connection.execute(drop)
      }
      throw error
    }
  }

  private enum IndexState {
    case valid
    /// A build has failed, or the process that built it has ended.
    case invalid
    /// There is no such index. The name may be that of another object, which the server will report.
    case missing
  }

  private func state(
    of index: MigratedIndex, named name: String, on connection: Connection
  ) throws(RepositoryError) -> IndexState {
    let look = CompiledStatement(
      sql: """
        SELECT i.indisvalid::int, a.attname::text FROM pg_catalog.pg_index i \
        JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid JOIN pg_catalog.pg_class t ON t.oid = i.indrelid \
        CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS u(number, position) \
        LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = u.number \
        WHERE x.relname = $1::text AND pg_catalog.pg_table_is_visible(x.oid) AND t.relname = $2::text \
        AND i.indpred IS NULL AND i.indisunique::int = $3 ORDER BY u.position
        """, bindings: [.text(name), .text(index.table), .integer(index.isUnique ? 1 : 0)])
    var found: [String] = []
    var isValid = false
    try connection.query(look) { row in
      isValid = row.integer(0) == 1
      found.append(row.text(1))
    }
    return found != index.columns ? .missing : isValid ? .valid : .invalid
  }
}
