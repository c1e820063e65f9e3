/// The number by which the server identifies a write transaction, with the time at which the number was queried.
struct TransactionNumber: Sendable {
  /// The number, which is not reused, unless it was lost in a crash before any of its changes was stored.
  /// https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT
  let digits: String
  /// The time in seconds since 1970, by the server's clock.
  let time: String

  /// The query for the number.
  static let query =
    "SELECT pg_current_xact_id_if_assigned()::text, extract(epoch FROM clock_timestamp())::text"

  /// - Returns: `nil` for a transaction that has changed nothing.
  init?(_ result: QueryResult) {
    guard result.rowCount > 0, let digits = result.text(row: 0, column: 0), let time = result.text(row: 0, column: 1)
    else { return nil }
    (self.digits, self.time) = (digits, time)
  }

  /// The query for the outcome of the transaction; it fails with ``unknownState`` for a number that the server has not assigned
  /// yet.
  ///
  /// The second column shows whether the number may have been reused since: at each checkpoint, and so at the end of a recovery,
  /// the server stores the next number that it will assign. If the stored number is greater than this one, the server knew this
  /// one; if it is not, and the checkpoint is later than this number, the server has lost this one. Times of checkpoints are
  /// whole seconds.
  var outcomeQuery: String {
    """
    SELECT pg_xact_status('\(digits)'), (checkpoint_time > to_timestamp(\(time)) - interval '1 second' \
    AND split_part(next_xid, ':', 1)::numeric * 4294967296 + split_part(next_xid, ':', 2)::numeric <= \(digits))::int \
    FROM pg_control_checkpoint()
    """
  }

  /// The SQLSTATE for a number that the server has not assigned yet: "transaction ID … is in the future".
  static let unknownState = "22023"
}
