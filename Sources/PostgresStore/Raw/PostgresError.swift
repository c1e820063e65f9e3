/// What a PostgreSQL server, or the client library about the connection to it, says about a failure.
///
/// It is the underlying error of a ``/Repository/RepositoryError``, for what a program wants to tell that the codes there
/// don't.
public struct PostgresError: Error, Hashable, Sendable {
  /// The five letters of the SQLSTATE, `"23505"`; empty where the library and not the server speaks.
  /// https://www.postgresql.org/docs/15/errcodes-appendix.html
  public let sqlState: String
  /// What happened, in the server's language.
  public let message: String
  /// More about it; it may hold values of rows.
  public let detail: String?
  /// What might be done.
  public let hint: String?
  /// The table that the error is about.
  public let table: String?
  /// The column that the error is about.
  public let column: String?
  /// The constraint that was violated.
  public let constraint: String?
  /// Whether the connection was lost, so that it is not known what became of a statement that had been sent.
  public let isConnectionLost: Bool

  /// An error of the library, which speaks of the connection.
  init(ofConnection message: String, isLost: Bool) {
    self.init(sqlState: "", message: message, isConnectionLost: isLost)
  }

  init(
    sqlState: String, message: String, detail: String? = nil, hint: String? = nil, table: String? = nil,
    column: String? = nil, constraint: String? = nil, isConnectionLost: Bool = false
  ) {
    self.sqlState = sqlState
    self.message = message
    self.detail = detail
    self.hint = hint
    self.table = table
    self.column = column
    self.constraint = constraint
    self.isConnectionLost = isConnectionLost
  }
}

extension PostgresError: CustomStringConvertible {
  /// The message without the values that a detail may hold.
  public var description: String { sqlState.isEmpty ? message : "\(message) (\(sqlState))" }
}

extension PostgresError {
  /// The first two letters of the SQLSTATE, which tell the kind.
  var errorClass: Substring { sqlState.prefix(2) }

  /// Whether a value is not of its column's type, or outside its range.
  var isMisfit: Bool { ["22001", "22003", "22P02"].contains(sqlState) }
}
