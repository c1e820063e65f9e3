import Repository

extension RepositoryError {
  /// Translates what SQLite said.
  init(_ result: ResultCode) {
    let (code, summary, suggestion) = Self.meaning(of: result)
    if code == .conflict {
      let (table, columns) = Self.uniqueColumns(in: result.message)
      let conflict = RepositoryError.conflict(in: table, columns: columns)
      self.init(
        code, conflict.summary, reason: conflict.reason, sql: result.sql, storeCode: Int(result.code))
    } else {
      self.init(
        code, summary, reason: "SQLite says: \(result.message)", suggestion: suggestion, sql: result.sql,
        storeCode: Int(result.code))
    }
  }

  private static func meaning(of result: ResultCode) -> (code: Code, summary: String, suggestion: String?) {
    switch result.meaning {
    case .conflict: (.conflict, "another row has the same values", nil)
    case .busy: (.busy, "the database is in use by somebody else", "try again later")
    case .readOnly:
      (.readOnly, "the database can only be read", "check who may write to the file and its folder")
    case .cannotOpen:
      (.cannotOpen, "the database file can't be opened", "check the path and who may read it")
    case .notADatabase: (.notADatabase, "the file is no SQLite database", nil)
    case .corrupt: (.corrupt, "the database is damaged", "restore it from a copy")
    case .full: (.full, "there is no room left to write", "free some space and try again")
    case .inputOutput: (.inputOutput, "the operating system refused to read or write the database", nil)
    case .constraint: (.constraint, "a rule of the table is broken", nil)
    case .tooBig: (.tooBig, "a value or a statement is too big for SQLite", nil)
    case .cancelled: (.cancelled, "the task was cancelled", nil)
    case .missingTable: (.missingTable, "the table is missing", nil)
    case .invalidStatement: (.invalidStatement, "SQLite can't make sense of the statement", nil)
    case .tooComplex:
      (.invalidQuery, "the query is too complex for SQLite", "ask for a list of values with `in`, or split it")
    case .other: (.storeFailure, "SQLite refused the operation", nil)
    }
  }

  /// Reads "UNIQUE constraint failed: pokemon.id, pokemon.name".
  private static func uniqueColumns(in message: String) -> (table: String, columns: [String]) {
    let names = message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? ""
    var table = "the table"
    let columns = names.split(separator: ", ").map { name in
      let parts = name.split(separator: ".", maxSplits: 1)
      if parts.count == 2 { table = String(parts[0]) }
      return parts.last.map(String.init) ?? String(name)
    }
    return (table, columns)
  }
}
