/// What a transaction that writes is known by to the server, and when it was told.
struct TransactionNumber: Sendable {
  /// Its number, which is not used again, but for one that was lost in a crash before anything of it was kept.
  /// https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT
  let digits: String
  /// In seconds since 1970, by the server's clock.
  let time: String

  /// Its rows are what this is made of.
  static let question =
    "SELECT pg_current_xact_id_if_assigned()::text, extract(epoch FROM clock_timestamp())::text"

  /// - Returns: `nil` for a transaction that has changed nothing.
  init?(_ result: QueryResult) {
    guard result.rowCount > 0, let digits = result.text(row: 0, column: 0), let time = result.text(row: 0, column: 1)
    else { return nil }
    (self.digits, self.time) = (digits, time)
  }

  /// Asks what became of it; a failure with ``unknownState`` for a number that the server has not given yet.
  ///
  /// The second column tells whether the number may have been given again since: at the end of its recovery the server keeps
  /// the number that it goes on with, as at any checkpoint. Where it is greater than this one's, this one was known; where it
  /// is not, and is from a later time, the server has forgotten this one. Times of checkpoints are whole seconds.
  var fate: String {
    """
    SELECT pg_xact_status('\(digits)'), (checkpoint_time > to_timestamp(\(time)) - interval '1 second' \
    AND split_part(next_xid, ':', 1)::numeric * 4294967296 + split_part(next_xid, ':', 2)::numeric <= \(digits))::int \
    FROM pg_control_checkpoint()
    """
  }

  /// The SQLSTATE of a number that is "in the future".
  static let unknownState = "22023"
}
