import CSQLite
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

  /// Source of the codes: https://www.sqlite.org/rescode.html
  private static func meaning(of result: ResultCode) -> (code: Code, summary: String, suggestion: String?) {
    switch Int(result.code) {
    case CSQLITE_CONSTRAINT_UNIQUE, CSQLITE_CONSTRAINT_PRIMARYKEY, CSQLITE_CONSTRAINT_ROWID:
      return (.conflict, "", nil)
    default: break
    }
    switch result.primary {
    case SQLITE_BUSY, SQLITE_LOCKED:
      return (.busy, "the database is in use by somebody else", "try again later")
    case SQLITE_READONLY:
      return (.readOnly, "the database can only be read", "check who may write to the file and its folder")
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      return (.cannotOpen, "the database file can't be opened", "check the path and who may read it")
    case SQLITE_NOTADB: return (.notADatabase, "the file is no SQLite database", nil)
    case SQLITE_CORRUPT: return (.corrupt, "the database is damaged", "restore it from a copy")
    case SQLITE_FULL: return (.full, "there is no room left to write", "free some space and try again")
    case SQLITE_IOERR: return (.inputOutput, "the operating system refused to read or write the database", nil)
    case SQLITE_CONSTRAINT: return (.constraint, "a rule of the table is broken", nil)
    case SQLITE_TOOBIG: return (.tooBig, "a value or a statement is too big for SQLite", nil)
    case SQLITE_INTERRUPT, SQLITE_ABORT: return (.interrupted, "the operation was interrupted", nil)
    default: break
    }
    if result.message.hasPrefix("no such table") {
      return (.missingTable, "the table is missing", nil)
    }
    if ["parser stack overflow", "Expression tree is too large", "too many SQL variables"].contains(
      where: result.message.contains)
    {
      return (.invalidQuery, "the query is too complex for SQLite", "ask for a list of values with `in`, or split it")
    }
    return (.storeFailure, "SQLite refused the operation", nil)
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
