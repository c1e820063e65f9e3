#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query
import Repository

extension RepositoryError {
  /// Translates an error of SQLite.
  init(_ result: ResultCode) {
    switch (result.meaning, result.columns) {
    case (.conflict, let (table, columns)?): self = .conflict(in: table, columns: columns)
    case (.conflict, nil): self = .unnamedConflict(result, in: "the table")
    case (.nullValue, let (table, columns)?): self = .nullValue(of: columns[0], in: table)
    case (.check, _) where !result.subject.isEmpty: self = .brokenCheck(result.subject, in: "the table")
    case (.other, _) where result.message.hasPrefix("object name reserved for internal use: "):
      self.init(
        .invalidSchema, "\(result.subject) can't be the name of a table or an index",
        reason: "SQLite reserves names that begin with sqlite_", suggestion: "choose another name")
    case (.other, _) where result.message.hasPrefix("there is already a"):
      self.init(
        .invalidSchema, "a table and an index would have the same name", reason: "SQLite says: \(result.message)",
        suggestion: "rename the table or the index: the index of a column has the name table.column")
    case (.other, _) where result.brokenDefinition != nil:
      let definition = result.brokenDefinition ?? "a view"
      self.init(
        .unsupported, "\(definition) is broken, so SQLite renames and drops nothing",
        reason: "SQLite says: \(result.message)",
        suggestion: "drop \(definition), and create the definition again after the change")
    case (.other, _) where result.view != nil: self = .unchangeableView(result.view ?? "")
    default:
      let (code, summary, suggestion) = Self.meaning(of: result)
      self.init(code, summary, reason: "SQLite says: \(result.words)", suggestion: suggestion)
    }
    self = attaching(result)
  }

  /// Returns the error with SQLite's SQL and code.
  func attaching(_ result: ResultCode) -> RepositoryError {
    RepositoryError(
      code, summary, reason: reason, suggestion: suggestion, sql: result.sql, storeCode: Int(result.code),
      underlying: result
    ).breaking(brokenConstraint)
  }

  /// Returns the error for a path that is the name of a file of the database next to it, such as its journal.
  static func takenName(_ path: String, by database: String, suggestion: String) -> RepositoryError {
    RepositoryError(
      .cannotOpen, "\(path) is the name of a file of the database \(database)",
      reason:
        "SQLite and the store use files with such names, and delete these files later",
      suggestion: suggestion)
  }

  /// Returns the error for a conflict in columns that SQLite does not name, as in a virtual table, or in an index of expressions.
  static func unnamedConflict(_ result: ResultCode, in table: String) -> RepositoryError {
    RepositoryError(
      .conflict, "another row of \(table) has the same unique values",
      reason: "SQLite says: \(result.message)")
  }

  /// The advice how to allow a file to call functions that it does not trust.
  static let trustAdvice =
    "if a program defines a trusted function for the file, declare the function with isInnocuous: true"

  private static func meaning(of result: ResultCode) -> (code: Code, summary: String, suggestion: String?) {
    switch result.meaning {
    case .busy: (.busy, "the database is in use by another connection", "try again later")
    case .readOnly:
      (
        .readOnly, "the database is read-only",
        "open the database for writing, or check the permissions of the file and its folder"
      )
    case .cannotOpen:
      (.cannotOpen, "can't open the database file", "check the path and its permissions")
    case .notADatabase: (.notADatabase, "the file is not an SQLite database", nil)
    case .corrupt where result.isOfVirtualTable:
      (
        .corrupt, "the index of a virtual table differs from its rows",
        "build the index of a full-text table t again: INSERT INTO t(t) VALUES ('rebuild')"
      )
    case .corrupt: (.corrupt, "the database is damaged", "restore the database from a backup")
    case .full: (.full, "the disk or the database is full", "free space, and try again")
    case .inputOutput: (.inputOutput, "the operating system refused to read or write the database", nil)
    case .reference: (.foreignKeyViolation, "a row refers to a row that does not exist", nil)
    case .cascadeTooDeep: (.tooBig, "the operation triggers too many levels of changes", nil)
    case .constraint, .conflict, .nullValue, .check: (.constraint, "the operation breaks a rule of the table", nil)
    case .tooBig: (.tooBig, "a value or a statement is too big for SQLite", nil)
    case .cancelled: (.cancelled, "the task was cancelled", nil)
    case .missingTable: (.missingTable, "the table is missing", nil)
    case .invalidStatement: (.invalidStatement, "SQLite rejected the statement", nil)
    case .tooComplex:
      (.invalidQuery, "the query is too complex for SQLite", "use a list of values with `in`, or split the query")
    case .untrusted:
      (.unsupported, "a definition in the file uses a function not allowed in a schema", trustAdvice)
    case .other: (.storeFailure, "SQLite refused the operation", nil)
    }
  }
}

extension RepositoryError {
  /// Whether the index of a virtual table, such as a full-text table, differs from its rows.
  package var isOfVirtualTable: Bool { (underlying as? ResultCode)?.isOfVirtualTable == true }

  /// Returns the error for a view without a trigger that accepts its rows.
  package static func unchangeableView(_ name: String) -> RepositoryError {
    RepositoryError(
      .unsupported, "can't change rows of \(name)", reason: "\(name) is a view, which shows rows of tables",
      suggestion: "change the rows of those tables")
  }
}

extension ResultCode {
  /// The text after the colon of the message: `pokemon.id, pokemon.name`, or the name of a check.
  var subject: String { message.split(separator: ": ", maxSplits: 1).dropFirst().first.map(String.init) ?? "" }

  /// The definition in "error in view heavy: no such table: main.pokemon"; `nil` for other messages.
  fileprivate var brokenDefinition: String? {
    guard message.hasPrefix("error in view ") || message.hasPrefix("error in trigger ") else { return nil }
    // "… after drop column: …" is about a definition that the statement itself would break.
    guard let end = message.firstRange(of: ": ")?.lowerBound, !message[..<end].contains(" after ") else { return nil }
    return "the " + message[..<end].dropFirst("error in ".count)
  }

  /// The name in "cannot modify strong because it is a view"; `nil` for other messages.
  fileprivate var view: String? {
    if message == "cannot UPSERT a view" { return "the view" }
    let (start, end) = ("cannot modify ", " because it is a view")
    guard message.hasPrefix(start), message.hasSuffix(end) else { return nil }
    return String(message.dropFirst(start.count).dropLast(end.count))
  }

  /// The columns in "UNIQUE constraint failed: pokemon.id, pokemon.name"; `nil` if no columns are named, or if names contain
  /// points or commas themselves, so that only the table's own names determine where a name ends.
  var columns: (table: String, columns: [String])? {
    let names = subject.split(separator: ", ", omittingEmptySubsequences: false).map { $0.split(separator: ".") }
    guard let table = names.first?.first, names.allSatisfy({ $0.count == 2 && $0[0] == table }) else { return nil }
    let columns = names.map { String($0[1]) }
    return Set(columns).count == columns.count ? (String(table), columns) : nil
  }
}

extension TableSchema {
  /// Returns the columns that a subject such as "pokemon.id, pokemon.name" names, by the table's unique constraints.
  ///
  /// - Returns: `nil` if the subject names no such columns.
  func uniqueColumns(namedBy subject: String) -> [String]? {
    let single = columns.indices.filter { columns[$0].isUnique }.map { [$0] }
    let complete = ([primaryKey] + uniqueSets + single).map { set in set.map { columns[$0].name } }
    return (complete + partialUnique.map(\.columns)).first { names in
      !names.isEmpty && Name(names.map { "\(name).\($0)" }.joined(separator: ", ")) == subject
    }
  }
}

extension RepositoryError {
  private static let unwritableLogReason =
    "a write-ahead log needs writable files beside the database (-wal and -shm)"

  /// Whether a file can't be opened because the files of its write-ahead log can't be made beside it.
  package var isOfUnwritableLog: Bool { code == .cannotOpen && reason == Self.unwritableLogReason }

  /// Returns the error of opening a file, with the reason if it is not in SQLite's message: the file itself, or those that a
  /// write-ahead log needs next to it, can't be made.
  func explained(forFile path: String) -> RepositoryError {
    if (underlying as? ResultCode)?.isOfMissingFile == true, FileKind(ofPath: path) == .missing {
      let folder = FileIdentity.folder(of: path)
      // SQLite tries to read a file that it can't make, and gets the error that it does not exist.
      let isThere = FileKind(ofPath: folder) == .directory
      return RepositoryError(
        .cannotOpen, summary,
        reason: isThere ? "the folder \(folder) is not writable" : "there is no folder \(folder)",
        suggestion: isThere ? "check the permissions of the folder" : "create the folder, or check the path", sql: sql,
        storeCode: storeCode, underlying: self)
    }
    guard let storeCode, isOfLog(storeCode, path) else { return self }
    return RepositoryError(
      .cannotOpen, "can't open the database file",
      reason: Self.unwritableLogReason,
      suggestion: """
        make the folder writable, or copy the database into a writable folder; open a database without a log with \
        the journal mode `.unchanged`
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

extension RepositoryError {
  /// Whether a foreign key refers to columns that are not a key.
  var isForeignKeyMismatch: Bool {
    (underlying as? ResultCode)?.message.hasPrefix("foreign key mismatch") == true
  }
}
