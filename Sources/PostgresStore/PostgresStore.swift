public import Repository
public import SQLStore

/// A store of tables in a PostgreSQL database.
///
/// ```swift
/// let store = try PostgresStore("postgresql:///pokedex")
/// let pokedex = try store.repository(of: Pokemon.self)
/// ```
///
/// Repositories, queries, transactions and errors are those of an `SQLiteStore`: the same rows in the same order. Each
/// connection waits for the server on its own thread, so that tasks are suspended meanwhile; calls of
/// `blocking` block their thread.
public final class PostgresStore: SQLDatabase, @unchecked Sendable {
  /// Connects to a database.
  ///
  /// - Parameters:
  ///   - connection: keywords and values, `"host=localhost dbname=pokedex"`, or a URI, `"postgresql://localhost/pokedex"`, with
  ///     all features of libpq: several hosts, TLS, services. The environment provides the rest, `PGHOST` and so on, and
  ///     `~/.pgpass` passwords. https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING
  ///   - replica: a server that replicates the primary server by streaming replication, in the same form: `read { }` uses it,
  ///     and sees the commits of this store, and possibly not the latest of other programs. While the replica is unreachable or
  ///     late, the primary is used.
  ///   - connections: the maximum number of connections in use at the same time, to each server. They are opened when they are
  ///     needed, and so is one more, over which all tasks find by key.
  ///   - timeout: the maximum wait for a connection, and for locks of other transactions, before an error with the code
  ///     ``/Repository/RepositoryError/Code/busy``.
  ///   - statementTimeout: the maximum duration of a statement before an error with the code
  ///     ``/Repository/RepositoryError/Code/timeout``; `nil` for the server's limit.
  ///   - idleTransactionTimeout: the maximum time for which a transaction may be idle until the server rolls it back; `nil`
  ///     for the server's limit.
  ///   - notifies: whether this store notifies live results in other processes of its changes, and is notified of theirs,
  ///     which takes one connection more. Programs that don't use this library do not notify.
  ///   - preparedStatements: whether sessions keep statements and settings. With PgBouncer in transaction mode they don't, which
  ///     requires `false`: each statement is then sent in full, the timeouts apply only within transactions, and live results are
  ///     not notified of changes by other processes.
  ///   - observer: the observer of statements.
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unreachable``;
  ///   ``/Repository/RepositoryError/Code/busy`` if the server accepts no more connections, is starting or is stopping;
  ///   ``/Repository/RepositoryError/Code/cannotOpen`` if the server refuses the role or the database, the string can't be
  ///   parsed, or libpq is not installed; ``/Repository/RepositoryError/Code/unsupported`` for a server before PostgreSQL 14,
  ///   and for a database whose texts are not UTF-8. No error contains a password.
  public init(
    _ connection: String = "", replica: String? = nil, connections: Int = 8, timeout: Duration = .seconds(5),
    statementTimeout: Duration? = nil, idleTransactionTimeout: Duration? = nil, notifies: Bool = true,
    preparedStatements: Bool = true, observer: StatementObserver? = nil
  ) throws(RepositoryError) {
    let options = PostgresOptions(
      timeout: timeout, statementTimeout: statementTimeout, idleTransactionTimeout: idleTransactionTimeout,
      preparedStatements: preparedStatements)
    let server = try PostgresServer(connection, options)
    let first = PostgresConnection(to: server)
    _ = try first.sessionForStatement()
    var follower: PostgresReplica?
    if let replica {
      let server = (primary: server, replica: try PostgresServer(replica, options, following: server))
      follower = try PostgresReplica(server.replica, of: server.primary, connections: connections)
    }
    let driver = PostgresDriver(server, follower, connections: connections, notifies: notifies, observer)
    super.init(ConnectionPool(driver, first: first, timeout: timeout))
  }
}
