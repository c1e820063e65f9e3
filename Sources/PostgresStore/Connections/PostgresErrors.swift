import Repository

extension RepositoryError {
  /// Translates an error of PostgreSQL.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - wasInterrupted: whether this program interrupted the statement.
  ///   - mayBeDone: whether the statement could have committed before the connection was lost.
  init(_ error: PostgresError, sql: String? = nil, wasInterrupted: Bool = false, mayBeDone: Bool = false) {
    let table = error.table ?? "the table"
    switch error.sqlState {
    case "23502": self = .nullValue(of: error.column ?? "a column", in: table)
    case "23505", "23P01": self = .unnamedConflict(error)
    case "23514" where error.constraint == nil:
      self.init(
        .constraint, "no partition of \(table) accepts the row", reason: "PostgreSQL says: \(error.said)",
        suggestion: "create a partition for the row")
    case "2200H": self = .exhaustedKeys(of: table)
    case "23514": self = .brokenCheck(error.constraint ?? "of a check", in: table)
    case "57014" where wasInterrupted: self = .cancelled
    default:
      let (code, summary, suggestion) = Self.meaning(of: error, mayBeDone: mayBeDone)
      // A message about a value that does not fit its type may quote the value, which may be private. Only the detail names
      // the objects that prevent a drop.
      let isPrivate =
        ["22P02", "22007", "22008"].contains(error.sqlState) || error.errorClass == "22" && error.hasQuotation
      let said = error.sqlState == "2BP01" ? error.detail.map(PostgresError.line) ?? error.said : error.said
      self.init(
        code, summary, reason: isPrivate ? nil : "PostgreSQL says: \(said)", suggestion: suggestion ?? error.hint)
    }
    self = attaching(error, sql: sql)
  }

  /// Returns the error with PostgreSQL's message.
  func attaching(_ error: PostgresError, sql: String? = nil) -> RepositoryError {
    RepositoryError(
      code, summary, reason: reason, suggestion: suggestion, sql: sql ?? self.sql, storeCode: Int(error.sqlState),
      underlying: error
    ).breaking(brokenConstraint)
  }

  /// Returns the error for a sequence that has no further number.
  /// https://www.postgresql.org/docs/15/sql-createsequence.html
  static func exhaustedKeys(of table: String) -> RepositoryError {
    RepositoryError(
      .full, "\(table) has no further key to generate",
      reason: "the sequence of the key has reached its greatest number",
      suggestion: "insert the row with a key that no other row has, or restart the sequence at a lower number")
  }

  /// Returns the error for a conflict in unknown columns.
  static func unnamedConflict(_ error: PostgresError) -> RepositoryError {
    RepositoryError(
      .conflict, "another row of \(error.table ?? "the table") has the same unique values",
      reason: "PostgreSQL says: \(error.said)")
  }

  /// https://www.postgresql.org/docs/15/errcodes-appendix.html
  private static func meaning(
    of error: PostgresError, mayBeDone: Bool
  ) -> (code: Code, summary: String, suggestion: String?) {
    switch error.sqlState {
    case "22003": return (.overflow, "a number is too large for the server", nil)
    case "22021":
      return (
        .unsupported, "PostgreSQL can't store U+0000 in text", "remove the character, or save the bytes as a blob"
      )
    case "23503": return (.foreignKeyViolation, "a row refers to a row that does not exist", nil)
    case "428C9":
      return (
        .unsupported, "can't write a column whose values the server generates",
        "omit the column, or write with a schema without the column"
      )
    case "23001": return (.restrictViolation, "can't delete a row, because rows of other tables refer to the row", nil)
    case "2BP01":
      return (.constraint, "can't drop an object that other objects depend on", "drop the dependent objects first")
    case "25006": return (.readOnly, "the server is read-only", "connect to the primary server")
    case "25P03": return (.timeout, "the transaction was idle for longer than the store allows", nil)
    case "40001", "40P01":
      return (.busy, "can't serialize the transaction with a concurrent transaction", "try the whole transaction again")
    // A standby ends a transaction that conflicts with what it has to apply. Where that one does nothing at the moment, libpq
    // drops the error, and the next statement finds the transaction undone: "message arrived from server while idle" in
    // https://github.com/postgres/postgres/blob/REL_15_STABLE/src/interfaces/libpq/fe-protocol3.c
    case "25P02": return (.busy, "the server rolled back the transaction", "try the whole transaction again")
    case "55P03": return (.busy, "another transaction held a lock for longer than the timeout", "try again later")
    case "53300", "57P03": return (.busy, "the server accepts no more connections", "try again later")
    // The error for a view that is not automatically updatable.
    case "55000" where error.message.contains(" view "):
      return (.unsupported, "can't change rows of the view", "change the rows of the tables that the view reads")
    // https://www.postgresql.org/docs/15/sql-set-constraints.html
    case "55006" where error.message.contains("pending trigger events"):
      return (
        .storeFailure, "can't change a table whose deferred references are not checked yet",
        "run SET CONSTRAINTS ALL IMMEDIATE before the change, or change the table in another transaction"
      )
    case "57014":
      return (.timeout, "the statement ran longer than the timeout", "request less, or set a longer timeout")
    case "57P01", "57P02", "57P05": return lost(mayBeDone)
    case "42P01": return (.missingTable, "the table is missing", nil)
    case "42P07":
      return (
        .invalidSchema, "a table or an index of this name already exists",
        "choose another name: the index of a column has the name table.column"
      )
    case "42501":
      return (
        .cannotOpen, "the role lacks the permission for the statement",
        "grant the permission to the role of the program"
      )
    case "3F000":
      return (
        .storeFailure, "there is no schema for the new object",
        "create the schema of the search path, or name another schema: options=-csearch_path=… in the connection string"
      )
    case "42P05", "26000":
      return (
        .unsupported, "the server's prepared statements differ from those of this session",
        "behind a pool that shares sessions, such as PgBouncer in transaction mode, open the store with "
          + "preparedStatements: false, or repokit with postgresql://…?prepared_statements=false"
      )
    case "53100": return (.full, "the server's disk is full", "free space on the server, and try again")
    case "54001": return (.invalidQuery, "the query is too complex for PostgreSQL", "split the query")
    case "P0001": return (.constraint, error.message, nil)
    case "XX001", "XX002": return (.corrupt, "the database is damaged", "restore a backup")
    default: break
    }
    switch error.errorClass {
    case "" where error.isConnectionLost, "08": return lost(mayBeDone)
    case "0A": return (.unsupported, "PostgreSQL can't do this", nil)
    case "22": return (.invalidValue, "a value does not fit the type", nil)
    case "23": return (.constraint, "the operation breaks a rule of the table", nil)
    case "28", "3D":
      return (.cannotOpen, "the server rejects the connection", "check the role, its password and the database")
    case "42": return (.invalidStatement, "PostgreSQL rejected the statement", nil)
    case "53": return (.full, "the server lacks resources, such as memory", nil)
    case "54": return (.tooBig, "a value or a statement is too big for PostgreSQL", nil)
    case "58": return (.inputOutput, "the server's operating system refused to read or write", nil)
    default: return (.storeFailure, "PostgreSQL refused the operation", nil)
    }
  }

  private static func lost(_ mayBeDone: Bool) -> (code: Code, summary: String, suggestion: String?) {
    mayBeDone
      ? (
        .timeout, "the connection was lost, and it is unknown whether the change happened",
        "check the data before you repeat the change"
      ) : (.unreachable, "the connection to the server was lost, and nothing changed", "try again")
  }

  /// Returns the error of a connection that could not be opened.
  ///
  /// - Parameters:
  ///   - isUp: whether the server accepts other connections.
  ///   - checks: other requirements in the connection string, which may not be met.
  static func refused(_ error: PostgresError, by name: String, isUp: Bool, checks: [String]) -> RepositoryError {
    let (code, summary, suggestion): (Code, String, String) =
      switch error.sqlState {
      case "53300":
        (
          .busy, "accepts no more connections",
          "try again later, open fewer connections, or put a pool in front of the server"
        )
      case "57P03":
        (.busy, "accepts no connections at the moment", "try again in a moment: the server is starting or stopping")
      case "28P01":
        (.cannotOpen, "rejects the password", "check the password, in PGPASSWORD or ~/.pgpass, and the role")
      case "28000":
        (.cannotOpen, "rejects the role", "check the role, and the entries for the role in pg_hba.conf on the server")
      case "3D000": (.cannotOpen, "has no such database", "check its name, or create it with createdb")
      case "42501": (.cannotOpen, "does not let the role connect", "GRANT CONNECT ON DATABASE … TO the role")
      // Errors that libpq finds before it contacts the server: `invalid sslmode value`, `definition of service … not found`.
      case "" where ["invalid ", "definition of service"].contains(where: error.message.hasPrefix):
        (
          .cannotOpen, "does not match the connection string",
          "correct the connection string\(checks.map { ", \($0)" }.joined())"
        )
      default:
        isUp
          ? (
            .cannotOpen, "rejects the connection",
            "check the role, its password and the name of the database\(checks.map { ", \($0)" }.joined())"
          )
          : (
            .unreachable, "is unreachable",
            "check host and port, and whether the server is running\(checks.map { ", \($0)" }.joined())"
          )
      }
    return RepositoryError(
      code, "the server of \(name) \(summary)", reason: error.said, suggestion: suggestion,
      storeCode: Int(error.sqlState), underlying: error)
  }
}

extension PostgresError {
  /// The message in one line.
  ///
  /// libpq asks behind a refused connection whether the server is running, which the suggestion says, too.
  fileprivate var said: String {
    let lines = message.split(whereSeparator: \.isNewline)
    let kept = lines.filter { !$0.drop(while: \.isWhitespace).hasPrefix("Is the server running") }
    return Self.line(kept.joined(separator: "\n"))
  }

  /// Whether the message quotes something, in the marks of any of the server's languages.
  fileprivate var hasQuotation: Bool { message.contains { "\"'`«»‹›„“”‚‘’「」『』".contains($0) } }

  /// Returns a text of several lines, some of which may be indented, in one line.
  fileprivate static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
