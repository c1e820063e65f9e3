#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query
import Repository

extension RepositoryError {
  /// Translates what SQLite said.
  init(_ result: ResultCode) {
    let (table, columns) = result.columns
    switch result.meaning {
    case .conflict: self = .conflict(in: table, columns: columns)
    case .nullValue: self = .nullValue(of: columns.joined(separator: " and "), in: table)
    case .check: self = .brokenCheck(result.subject, in: "the table")
    default:
      let (code, summary, suggestion) = Self.meaning(of: result)
      self.init(code, summary, reason: "SQLite says: \(result.message)", suggestion: suggestion)
    }
    self = saying(result)
  }

  /// The error with the SQL and the code of what SQLite said.
  func saying(_ result: ResultCode) -> RepositoryError {
    RepositoryError(
      code, summary, reason: reason, suggestion: suggestion, sql: result.sql, storeCode: Int(result.code),
      underlying: result)
  }

  private static func meaning(of result: ResultCode) -> (code: Code, summary: String, suggestion: String?) {
    switch result.meaning {
    case .busy: (.busy, "the database is in use by somebody else", "try again later")
    case .readOnly:
      (.readOnly, "the database can only be read", "check who may write to the file and its folder")
    case .cannotOpen:
      (.cannotOpen, "the database file can't be opened", "check the path and who may read it")
    case .notADatabase: (.notADatabase, "the file is no SQLite database", nil)
    case .corrupt: (.corrupt, "the database is damaged", "restore it from a copy")
    case .full: (.full, "there is no room left to write", "free some space and try again")
    case .inputOutput: (.inputOutput, "the operating system refused to read or write the database", nil)
    case .reference: (.constraint, "a row refers to one that does not exist", nil)
    case .cascadeTooDeep: (.tooBig, "what the operation sets off goes on for too long", nil)
    case .constraint, .conflict, .nullValue, .check: (.constraint, "a rule of the table is broken", nil)
    case .tooBig: (.tooBig, "a value or a statement is too big for SQLite", nil)
    case .cancelled: (.cancelled, "the task was cancelled", nil)
    case .missingTable: (.missingTable, "the table is missing", nil)
    case .invalidStatement: (.invalidStatement, "SQLite can't make sense of the statement", nil)
    case .tooComplex:
      (.invalidQuery, "the query is too complex for SQLite", "ask for a list of values with `in`, or split it")
    case .other: (.storeFailure, "SQLite refused the operation", nil)
    }
  }
}

extension ResultCode {
  /// The text after the colon: `pokemon.id, pokemon.name`, or the name of a check.
  var subject: String { message.split(separator: ": ", maxSplits: 1).dropFirst().first.map(String.init) ?? "" }

  /// Reads "UNIQUE constraint failed: pokemon.id, pokemon.name".
  var columns: (table: String, columns: [String]) {
    var table = "the table"
    let columns = subject.split(separator: ", ").map { name in
      let parts = name.split(separator: ".", maxSplits: 1)
      if parts.count == 2 { table = String(parts[0]) }
      return parts.last.map(String.init) ?? String(name)
    }
    return (table, columns)
  }
}

extension TableSchema {
  /// Reads "pokemon.id, pokemon.name" by the names that there are, any of which may hold a point or a comma itself.
  ///
  /// - Returns: `nil` where it is no list of this table's columns.
  func columns(listedIn names: String) -> [String]? {
    let separator = Array(", ".utf8)
    var rest = Array(names.utf8)[...]
    var found: [String] = []
    while true {
      // The longest name first, since a name may begin like another.
      let column = columns.map(\.name).sorted { $0.utf8.count > $1.utf8.count }.first { column in
        let entry = Array("\(name).\(column)".utf8)
        return rest.starts(with: entry)
          && (rest.count == entry.count || rest.dropFirst(entry.count).starts(with: separator))
      }
      guard let column else { return nil }
      found.append(column)
      rest = rest.dropFirst("\(name).\(column)".utf8.count)
      if rest.isEmpty { return found }
      rest = rest.dropFirst(separator.count)
    }
  }
}

extension RepositoryError {
  /// The error of opening a file, with the reason where SQLite's own words don't tell it: the files that a write-ahead log
  /// needs beside the database can't be made.
  func explained(forFile path: String) -> RepositoryError {
    guard let storeCode, isOfLog(storeCode, path) else { return self }
    return RepositoryError(
      .cannotOpen, "the database file can't be opened",
      reason: "a write-ahead log needs files beside it (-wal and -shm), which can't be written",
      suggestion: """
        allow its folder to be written, copy the database into one that is, or open one that has no log with the journal \
        unchanged
        """,
      sql: sql, storeCode: storeCode, underlying: self)
  }

  private func isOfLog(_ storeCode: Int, _ path: String) -> Bool {
    if Self.codesOfLog.contains(storeCode) { return true }
    let folder = URL(filePath: path).deletingLastPathComponent().path
    return code == .cannotOpen && FileManager.default.isReadableFile(atPath: path)
      && !FileManager.default.isWritableFile(atPath: folder)
  }

  /// SQLITE_READONLY_RECOVERY, _CANTLOCK, _CANTINIT and _DIRECTORY: https://www.sqlite.org/rescode.html
  private static let codesOfLog = [264, 520, 1288, 1544]
}

extension SQLiteDriver {
  /// What SQLite itself said, where an error came from it.
  package static func message(of error: RepositoryError) -> String? { (error.underlying as? ResultCode)?.message }
}
