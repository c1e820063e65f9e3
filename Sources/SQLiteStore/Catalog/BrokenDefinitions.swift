import Query
import Repository
import SQL
import SQLStore

// Definitions that name missing objects.
extension SQLiteCatalog {
  /// Returns whether a message is about a missing table or column of the database. Missing functions, collations and modules
  /// are not counted: they belong to the program that made the file.
  func isMissing(_ message: String) throws(RepositoryError) -> Bool {
    if message.hasPrefix("no such table: ") { return true }
    guard message.hasPrefix("no such column: ") else { return false }
    // Other programs may use "text" in double quotes as a text if there is no such column.
    // https://www.sqlite.org/quirks.html#dblquote
    let name = message.dropFirst("no such column: ".count).prefix { $0 != " " }.filter { $0 != "\"" }
    return try integer(
      "SELECT count(*) FROM sqlite_schema WHERE instr(sql, ?) > 0", [.text("\"\(name)\"")]) == 0
  }
}

extension SQLiteCatalog {
  /// Returns the views and triggers that are not valid, with the errors.
  func brokenDefinitions() throws(RepositoryError) -> [Name: RepositoryError] {
    var views: [String] = []
    var tables: Set<Name> = []
    try query(
      "SELECT type, CASE type WHEN 'view' THEN name ELSE tbl_name END FROM sqlite_schema "
        + "WHERE type IN ('view', 'trigger') ORDER BY rowid"
    ) { row in
      if row.text(0) == "view" { views.append(row.text(1)) } else { tables.insert(Name(row.text(1))) }
    }
    var broken: [Name: RepositoryError] = [:]
    func check(_ definition: String, _ sql: SQLStatement) throws(RepositoryError) {
      do throws(RepositoryError) {
        try connection.check(sql.sql)
      } catch {
        if [.cancelled, .busy].contains(error.code) { throw error }
        // A view without a trigger for that.
        if (error.underlying as? ResultCode)?.message.hasPrefix("cannot modify ") == true { return }
        broken[Name(definition)] = broken[Name(definition)] ?? error
      }
    }
    for view in views { try check("view \(view)", "SELECT * FROM \(identifier: view)") }
    for table in tables.map(\.text) {
      // A trigger is compiled with the statements that fire it.
      let columns = (try? columnEntries(ofTable: table))?.filter { !$0.isComputed } ?? []
      try check("trigger on insert of \(table)", "INSERT INTO \(identifier: table) DEFAULT VALUES")
      try check("trigger on delete of \(table)", "DELETE FROM \(identifier: table)")
      for column in columns {
        try check(
          "trigger on update of \(table), column \(column.name)",
          "UPDATE \(identifier: table) SET \(identifier: column.name) = \(identifier: column.name)")
      }
    }
    return broken
  }
}

// Foreign keys that no row can satisfy.
extension SQLiteCatalog {
  /// A foreign key that is not valid, whatever the rows hold.
  package struct ReferenceFault {
    /// SQLite's number of the foreign key.
    package let number: Int
    package let columns: [String]
    package let parent: String
    /// The description of the error, in one clause.
    package let problem: String

    var summary: String { "the reference of \(columns.joined(separator: " and ")) is broken: \(problem)" }
  }

  /// Returns the foreign keys of a table that refer to no existing key. https://www.sqlite.org/foreignkeys.html#fk_indexes
  ///
  /// - Parameter tables: all tables of the file.
  package func referenceFaults(
    ofTable name: String, among tables: TableEntries
  ) throws(RepositoryError) -> [ReferenceFault] {
    var faults: [ReferenceFault] = []
    for reference in try foreignKeyEntries(ofTable: name) {
      guard let problem = try problem(of: reference, to: tables[referredToAs: reference.table]) else { continue }
      faults.append(
        ReferenceFault(
          number: reference.number, columns: reference.columns, parent: reference.table, problem: problem))
    }
    return faults
  }

  private func problem(of reference: ForeignKeyEntry, to parent: TableEntry?) throws(RepositoryError) -> String? {
    guard let parent else { return "there is no table \(reference.table)" }
    if parent.type == "view" { return "\(parent.name) is a view" }
    let columns = try columnEntries(ofTable: parent.name)
    let key = Set(columns.filter { $0.keyPosition > 0 }.map { Name($0.name).folded })
    let target = Set(reference.key.map { Name($0).folded })
    if target.isEmpty { return key.count == reference.columns.count ? nil : "\(parent.name) has no such primary key" }
    if let missing = reference.key.first(where: { name in
      !columns.contains { Name($0.name).equalsFolded(name) }
    }) {
      return "\(parent.name) has no column \(missing)"
    }
    if target == key { return nil }
    for index in try indexEntries(ofTable: parent.name) where index.isUnique && !index.isPartial {
      if Set(try terms(ofIndex: index.name).compactMap(\.column).map { Name($0).folded }) == target { return nil }
    }
    return "\(reference.key.joined(separator: " and ")) of \(parent.name) "
      + (reference.key.count == 1 ? "is not unique" : "are not unique together")
  }
}

// Statements that fail because of objects that they don't name themselves.
extension SQLiteCatalog {
  /// Returns the error of a statement that could not be prepared because of a view, a trigger or a foreign key; `nil` if the
  /// cause is the statement itself, or anything else.
  func explanation(of error: RepositoryError, preparing sql: String) throws(RepositoryError) -> RepositoryError? {
    guard let result = error.underlying as? ResultCode else { return nil }
    let (isMismatch, words) = (error.isForeignKeyMismatch, StatementWords(sql))
    if !isMismatch {
      guard let missing = result.missingName, !words.name(missing) else { return nil }
    }
    let tables = try TableEntries(self)
    for table in tables.inOrder where table.type == "table" && (isMismatch || words.name(table.name)) {
      for fault in try referenceFaults(ofTable: table.name, among: tables) {
        let message =
          isMismatch
          ? "foreign key mismatch - \"\(table.name)\" referencing \"\(fault.parent)\""
          : "no such table: main.\(fault.parent)"
        if !Name(result.message).equalsFolded(message) { continue }
        return RepositoryError(
          .invalidStatement, "\(table.name): \(fault.summary)", reason: "SQLite says: \(result.message)",
          suggestion: "create the referenced table or column, or create \(table.name) again without the reference"
        ).attaching(result)
      }
    }
    for (definition, broken) in try brokenDefinitions().sorted(by: { $0.key.text < $1.key.text }) {
      guard let other = broken.underlying as? ResultCode, other.message == result.message else { continue }
      return .unusable(definition.text, result)
    }
    return nil
  }
}

extension RepositoryError {
  /// Returns the error for a view or a trigger that is not valid, or is not trusted.
  static func unusable(_ definition: String, _ result: ResultCode) -> RepositoryError {
    if result.meaning == .untrusted {
      return RepositoryError(
        .unsupported, "the \(definition) uses a function not allowed in a schema",
        reason: "SQLite says: \(result.message)",
        suggestion: trustAdvice
      ).attaching(result)
    }
    return RepositoryError(
      .invalidStatement, "SQLite can't use the \(definition)", reason: "SQLite says: \(result.message)",
      suggestion: "create the missing objects, or create the definition again without them"
    ).attaching(result)
  }
}

/// The words of a statement, by which it may name an object.
private struct StatementWords {
  private let sql: String
  private let words: Set<[UInt8]>

  init(_ sql: String) {
    self.sql = sql
    words = Set(
      sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { Name(String($0)).folded })
  }

  func name(_ name: String) -> Bool {
    words.contains(Name(name).folded) || sql.utf8.contains(SQLiteDialect().quoted(name).utf8)
  }
}

extension ResultCode {
  /// The missing table or column, without qualifiers; `nil` for other messages.
  fileprivate var missingName: String? {
    let start = ["no such table: ", "no such column: "].first(where: message.hasPrefix)
    return start.flatMap { message.dropFirst($0.count).split(separator: ".").last.map(String.init) }
  }
}

extension Connection {
  /// Checks whether a statement is valid in the current database, without running it.
  fileprivate func check(_ sql: String) throws(RepositoryError) {
    do throws(ResultCode) {
      _ = try database.prepare(sql)
    } catch {
      throw RepositoryError(error)
    }
  }
}
