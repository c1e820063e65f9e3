/// The options of a store for its server.
struct PostgresOptions: Sendable {
  /// The maximum wait for connections, and for locks of other transactions.
  let timeout: Duration
  /// The maximum duration of a statement; `nil` for the server's limit.
  let statementTimeout: Duration?
  /// The maximum time for which a transaction may be idle; `nil` for the server's limit.
  let idleTransactionTimeout: Duration?
  /// Whether sessions keep prepared statements and settings.
  var preparedStatements = true

  /// libpq treats one second as two.
  var connectTimeoutInSeconds: Int64 { max(2, timeout.components.seconds) }

  /// The statements that set up a session.
  ///
  /// A server checks for disconnected clients only while it has data to send, unless it is told to check each second; not
  /// every operating system supports that.
  var settings: String {
    let settings = [
      "SET bytea_output = 'hex'", "SET extra_float_digits = 1",
      """
      DO $$BEGIN PERFORM set_config('client_connection_check_interval', '1s', false); \
      EXCEPTION WHEN OTHERS THEN NULL; END$$
      """,
    ]
    return (settings + limits.map { "SET \($0.name) = \($0.value)" }).joined(separator: "; ")
  }

  /// The maximum durations, in milliseconds.
  var limits: [(name: String, value: Int32)] {
    let limits = [
      ("lock_timeout", timeout), ("statement_timeout", statementTimeout),
      ("idle_in_transaction_session_timeout", idleTransactionTimeout),
    ]
    return limits.compactMap { name, limit in limit.map { (name, max(1, $0.milliseconds)) } }
  }
}

extension Duration {
  /// The duration in milliseconds, within the range of PostgreSQL's settings.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
    return milliseconds.overflow
      ? .max : Int32(clamping: milliseconds.partialValue + attoseconds / 1_000_000_000_000_000)
  }
}
