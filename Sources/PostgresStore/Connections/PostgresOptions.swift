/// How a store uses its server.
struct PostgresOptions: Sendable {
  /// How long connections, and locks of others, are waited for.
  let timeout: Duration
  /// How long a statement may take; `nil` for as long as the server allows.
  let statementTimeout: Duration?
  /// How long a transaction may do nothing; `nil` for as long as the server allows.
  let idleTransactionTimeout: Duration?
  /// Whether sessions keep prepared statements and settings.
  var preparedStatements = true

  /// libpq takes a second for two.
  var connectTimeoutInSeconds: Int64 { max(2, timeout.components.seconds) }

  /// Statements that set a session up.
  ///
  /// A server looks for clients that are gone only while it has something to send, unless it is told to look each second; not
  /// every operating system can.
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

  /// How long something may take at most, in milliseconds.
  var limits: [(name: String, value: Int32)] {
    let limits = [
      ("lock_timeout", timeout), ("statement_timeout", statementTimeout),
      ("idle_in_transaction_session_timeout", idleTransactionTimeout),
    ]
    return limits.compactMap { name, limit in limit.map { (name, max(1, $0.milliseconds)) } }
  }
}

extension Duration {
  /// As many whole milliseconds as PostgreSQL's settings take.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
    return milliseconds.overflow
      ? .max : Int32(clamping: milliseconds.partialValue + attoseconds / 1_000_000_000_000_000)
  }
}
