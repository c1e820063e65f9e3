import CSystemSQLite
import Model

/// The table through the C functions of SQLite alone, as somebody would write it who knows them well and needs nothing
/// but this table: the measure of what everything else costs.
///
/// One connection, for one thread at a time. Each statement is prepared once.
package final class RawPokedex: @unchecked Sendable {
  static let columns = Pokemon.CodingKeys.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  static let select = "SELECT \(columns) FROM \"pokemon\""

  let database: OpaquePointer
  private var statements = [RawStatement?](repeating: nil, count: StatementName.allCases.count)

  /// Opens a database file, and makes it if it does not exist.
  ///
  /// - Parameters:
  ///   - pragmas: what is set beside the journal, `synchronous` and foreign keys.
  ///   - definitions: the statements that make the table.
  package init(path: String, pragmas: [String] = [], creating definitions: [String] = []) throws(RawError) {
    var database: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &database, flags, nil)
    guard code == SQLITE_OK, let database else {
      let error = RawError(code, database)
      sqlite3_close_v2(database)
      throw error
    }
    self.database = database
    sqlite3_busy_timeout(database, 5_000)
    for pragma in ["journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"] + pragmas {
      try execute("PRAGMA \(pragma)")
    }
    if definitions.isEmpty { return }
    try execute("BEGIN IMMEDIATE")
    for definition in definitions { try execute(definition) }
    try execute("COMMIT")
  }

  deinit {
    statements = []
    sqlite3_close_v2(database)
  }

  package func execute(_ sql: String) throws(RawError) {
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    if code != SQLITE_OK { throw RawError(code, database) }
  }

  /// The first column of the first row of a statement that is not kept.
  package func scalar(_ sql: String) throws(RawError) -> String? {
    let statement = try RawStatement(sql, in: database)
    return try statement.step() ? statement.optionalText(0) : nil
  }

  /// All first columns of a statement that is not kept.
  package func texts(_ sql: String) throws(RawError) -> [String] {
    let statement = try RawStatement(sql, in: database)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(0)) }
    return texts
  }

  /// The statement of one of the methods, prepared at its first use.
  @inline(__always)
  func statement(_ name: StatementName, _ sql: @autoclosure () -> String) throws(RawError) -> RawStatement {
    if let statement = statements[name.rawValue] { return statement }
    let statement = try RawStatement(sql(), in: database)
    statements[name.rawValue] = statement
    return statement
  }
}

/// What tells the statements apart: a number, since looking one up by its text would cost as much as some of the queries.
enum StatementName: Int, CaseIterable {
  case all, find, findMany, filter, scan, contains, hasPrefix, hasSuffix, namePrefix, count, page
  case offset, list, insert, upsert, begin, commit
  case catchesOfTrainer, catchCount, ratioFilter, ratioCount, numberCount, lengthCount
}
