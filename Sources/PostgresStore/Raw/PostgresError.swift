/// The error of a PostgreSQL server, or of the client library about the connection to it.
///
/// It is the underlying error of a ``/Repository/RepositoryError``, for programs that need details beyond the codes there.
public struct PostgresError: Error, Hashable, Sendable {
  /// The five characters of the SQLSTATE, `"23505"`; empty for an error of the library.
  /// https://www.postgresql.org/docs/15/errcodes-appendix.html
  public let sqlState: String
  /// The message, in the server's language.
  public let message: String
  /// The details; they may contain values of rows.
  public let detail: String?
  /// The server's advice.
  public let hint: String?
  /// The table that the error is about.
  public let table: String?
  /// The column that the error is about.
  public let column: String?
  /// The constraint that was violated.
  public let constraint: String?
  /// Whether the connection was lost, so that the outcome of a statement that had been sent is not known.
  public let isConnectionLost: Bool

  /// Makes an error of the library about the connection.
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
  /// The message without the values that a detail may contain.
  public var description: String { sqlState.isEmpty ? message : "\(message) (\(sqlState))" }
}

extension PostgresError {
  /// The first two characters of the SQLSTATE, which are the class of the error.
  var errorClass: Substring { sqlState.prefix(2) }

  /// Whether a sequence has no further number.
  var isExhaustion: Bool { sqlState == "2200H" }

  /// Whether a value is not of its column's type, or outside its range.
  var isMisfit: Bool { ["22001", "22003", "22P02"].contains(sqlState) }
}
