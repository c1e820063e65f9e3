public import Repository
public import SQLStore

/// Tables in a PostgreSQL database.
///
/// ```swift
/// let store = try PostgresStore("postgresql:///pokedex")
/// let pokedex: AnyRepository<Pokemon> = try store.repository()
/// ```
///
/// Repositories, queries, transactions and errors are those of an `SQLiteStore`: the same rows in the same order. Each
/// connection waits for the server on a thread of its own, so that tasks are suspended meanwhile; calls without `await` block
/// their thread.
public final class PostgresStore: SQLDatabase, @unchecked Sendable {
  /// Connects to a database.
  ///
  /// - Parameters:
  ///   - connection: keywords and values, `"host=localhost dbname=pokedex"`, or a URI, `"postgresql://localhost/pokedex"`, with
  ///     all that libpq knows: several hosts, TLS, services. What it does not say comes from the environment, `PGHOST` and so
  ///     on, and passwords from `~/.pgpass` too. https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING
  ///   - replica: where a server is that follows the other one by streaming replication, in the same form: `read { }` goes
  ///     there, and sees what this store has committed, and maybe less than others have. While it is gone or late, the
  ///     other server is read.
  ///   - connections: how many connections may be in use at once, to each server. They are opened as they are needed, and so is the one more
  ///     by which all tasks find by key.
  ///   - timeout: how long is waited for a connection, and for locks of others, before an error with the code
  ///     ``/Repository/RepositoryError/Code/busy``.
  ///   - statementTimeout: how long a statement may take before an error with the code
  ///     ``/Repository/RepositoryError/Code/timeout``; `nil` for as long as the server allows.
  ///   - idleTransactionTimeout: how long a transaction may do nothing until the server undoes it; `nil` for as long as the
  ///     server allows.
  ///   - notifies: whether live results of stores in other processes are told of what this one changes, and its own of
  ///     changes by those, which takes one connection more. Programs that don't use this library tell nothing.
  ///   - preparedStatements: whether sessions keep statements and settings. They don't behind PgBouncer in transaction mode, which
  ///     takes `false`: each statement is sent as a whole then, the timeouts hold within transactions alone, and live results
  ///     are not told of changes by other processes.
  ///   - observer: is told of each statement.
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unreachable``;
  ///   ``/Repository/RepositoryError/Code/busy`` where the server takes no more connections, is starting or is stopping;
  ///   ``/Repository/RepositoryError/Code/cannotOpen`` where the server refuses the role or the database, the string can't be
  ///   read, or libpq is not installed; ``/Repository/RepositoryError/Code/unsupported`` for a server before PostgreSQL 14, and
  ///   for a database whose texts are not UTF-8. No error contains a password.
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
