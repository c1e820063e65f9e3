import Query
import Repository
import SQL
public import SQLStore

extension SQLiteStore {
  /// Checks the database for damaged pages, rows that violate constraints, foreign keys to missing rows, texts that are not
  /// UTF-8, columns whose UUIDs or dates are written in several forms, and views and triggers that name missing objects.
  ///
  /// Everything is read, so the time is proportional to the size of the database. Checks are not evaluated in a file that
  /// the program may not write. A changed bit within a value can't be detected: SQLite stores no checksums. The check is interrupted
  /// when its task is cancelled.
  ///
  /// - Returns: the problems, at most a hundred of damage and violated constraints; empty if there are none. For a damaged
  ///   file, only the damage is reported.
  /// - Throws: ``/Repository/RepositoryError`` if the file can't be read.
  @concurrent
  public func integrityCheck() async throws(RepositoryError) -> [IntegrityProblem] {
    try await run(.read) { connection throws(RepositoryError) in
      try SQLiteCatalog(connection).integrityReport().problems
    }
  }

  /// Returns the problems, and the values that other programs store in other forms.
  package func integrityReport() throws(RepositoryError) -> IntegrityReport {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try SQLiteCatalog(connection).integrityReport()
    }
  }
}

extension BlockingStore<SQLiteStore> {
  /// Checks the database as ``SQLiteStore/integrityCheck()`` does.
  ///
  /// - Throws: as ``SQLiteStore/integrityCheck()`` does.
  public func integrityCheck() throws(RepositoryError) -> [IntegrityProblem] { try base.integrityReport().problems }
}

/// The problems of a database, with notes that are not problems.
package struct IntegrityReport: Sendable {
  package var problems: [IntegrityProblem] = []
  /// The columns that hold UUIDs or dates in one form which is not the format of their type, or something else in a few rows,
  /// the collations that are not known here, and the views and triggers that can't be used here though all that they name is there.
  package var notes: [IntegrityProblem] = []
}

/// A problem of a database.
public struct IntegrityProblem: Hashable, Sendable {
  /// The kind of the problem.
  public let kind: Kind
  /// The table, if the problem concerns a single table.
  public let table: String?
  /// The description of the problem, in one sentence without any stored value.
  public let summary: String

  init(_ kind: Kind, table: String? = nil, _ summary: String) {
    self.kind = kind
    self.table = table
    self.summary = summary
  }

  /// The kind of a problem; later versions may add kinds, so switch with a default.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String

    /// Makes a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind of the problem for a damaged file.
    public static let damage = Kind(rawValue: "damage")
    /// The kind of the problem for a row that violates a check of its table, or holds a value that its column forbids.
    public static let brokenRule = Kind(rawValue: "brokenRule")
    /// The kind of the problem for a row that refers to a missing one.
    public static let brokenReference = Kind(rawValue: "brokenReference")
    /// The kind of the problem for a view or a trigger that names a missing table or column.
    public static let brokenDefinition = Kind(rawValue: "brokenDefinition")
    /// The kind of the problem for a text that is not UTF-8, so that its row can't be read.
    public static let invalidText = Kind(rawValue: "invalidText")
    /// The kind of the problem for a column that holds UUIDs or dates in several forms, which don't compare with each
    /// other.
    public static let mixedForms = Kind(rawValue: "mixedForms")
    /// The kind of the note on a column that holds UUIDs or dates in one form, which is not the format of their type.
    package static let otherForm = Kind(rawValue: "otherForm")
    /// The kind of the problem for a collation that only the program knows that made the database: neither the order of
    /// an index by it nor checks of its table are examined.
    package static let missingCollation = Kind(rawValue: "missingCollation")
    /// The kind of the problem for a view or a trigger that names nothing missing, and can't be used here nevertheless:
    /// it calls a function that only the program has which made the database, or one that a file may not call, or joins
    /// too many tables.
    package static let unusableDefinition = Kind(rawValue: "unusableDefinition")
  }
}

extension IntegrityProblem: CustomStringConvertible {
  /// The summary, after the table.
  public var description: String { table.map { "\($0): \(summary)" } ?? summary }
}

extension SQLiteCatalog {
  /// Checks the database for problems.
  func integrityReport() throws(RepositoryError) -> IntegrityReport {
    var report = IntegrityReport(problems: try damagesAndBrokenRules())
    if report.problems.contains(where: { $0.kind == .damage }) { return report }
    do throws(RepositoryError) {
      let missing = try missingCollations()
      report.notes = missing.notes
      return try withStandIns(for: missing) { () throws(RepositoryError) in
        report.problems += try brokenReferences()
        try examineValues(&report)
        let unusable = try definitionProblems()
        report.problems += unusable.filter { $0.kind == .brokenDefinition }
        report.notes += unusable.filter { $0.kind == .unusableDefinition }
        return report
      }
    } catch {
      return IntegrityReport(problems: [try IntegrityProblem(damage: error)])
    }
  }

  /// Checks for damaged pages and indexes. Rows that violate a constraint are no reason to discard a copy.
  func damages() throws(RepositoryError) -> [IntegrityProblem] {
    try damagesAndBrokenRules().filter { $0.kind == .damage }
  }

  /// Checks for damaged pages and indexes, and for rows that violate constraints, which SQLite reports after all damaged
  /// pages. https://www.sqlite.org/pragma.html#pragma_integrity_check
  private func damagesAndBrokenRules() throws(RepositoryError) -> [IntegrityProblem] {
    var problems: [IntegrityProblem] = []
    do throws(RepositoryError) {
      try connection.seeingChecks { catalog throws(RepositoryError) in
        // What damage hides shows by the check itself.
        let missing = (try? catalog.missingCollations()) ?? []
        try catalog.withStandIns(for: missing) { () throws(RepositoryError) in
          // The lines that are left out count, too.
          let limit = missing.isEmpty ? Self.maximumProblemCount : Int(Int32.max)
          try catalog.query("PRAGMA integrity_check(\(limit))") { row in
            if problems.count < Self.maximumProblemCount {
              problems += Self.problems(reported: row.text(0)).filter { !missing.concerns($0.summary) }
            }
          }
        }
      }
    } catch {
      problems.append(try IntegrityProblem(damage: error))
    }
    return problems
  }

  /// The maximum number of problems, that of SQLite itself. https://www.sqlite.org/pragma.html#pragma_integrity_check
  private static let maximumProblemCount = 100

  /// Returns the problems in a row of the report. A row about pages may contain several problems, one per line, below the name
  /// of the database.
  static func problems(reported text: String) -> [IntegrityProblem] {
    let lines = text.split(separator: "\n").map(String.init)
    return lines.filter { $0 != "ok" && !$0.hasPrefix("*** in database ") }.map { line in
      IntegrityProblem(rulePhrases.contains { line.hasPrefix($0) } ? .brokenRule : .damage, line)
    }
  }

  /// The first words of what SQLite reports of rows that violate a rule; a name follows them, which may have any words.
  /// `PragTyp_INTEGRITY_CHECK` in https://www.sqlite.org/src/file/src/pragma.c, and the types of strict tables,
  /// `sqlite3StdType`, in https://www.sqlite.org/src/file/src/global.c
  private static let rulePhrases =
    ["CHECK constraint failed in ", "NULL value in ", "NUMERIC value in ", "TEXT value in "]
    + ["ANY", "BLOB", "INT", "INTEGER", "REAL", "TEXT"].map { "non-\($0) value in " }

  /// Checks one table after the other, since a foreign key that is not valid ends a check.
  private func brokenReferences() throws(RepositoryError) -> [IntegrityProblem] {
    var problems: [IntegrityProblem] = []
    let tables = try TableEntries(self)
    for table in tables.inOrder.map(\.name) where try !foreignKeyEntries(ofTable: table).isEmpty {
      let faults = try referenceFaults(ofTable: table, among: tables)
      problems += faults.map { IntegrityProblem(.brokenReference, table: table, $0.summary) }
      do throws(RepositoryError) {
        for broken in try brokenReferences(ofTable: table) where !faults.contains(where: { $0.number == broken.number })
        {
          let summary = "\(broken.count.of("row")) \(broken.count == 1 ? "refers" : "refer")"
          problems.append(
            IntegrityProblem(
              .brokenReference, table: table, "\(summary) to missing rows of \(broken.parent)"))
        }
      } catch {
        guard error.isForeignKeyMismatch, !faults.isEmpty else { throw error }
      }
    }
    return problems
  }

  /// Checks each value. Another program may have stored bytes as a text, which SQLite accepts, or UUIDs and dates in another
  /// form.
  private func examineValues(_ report: inout IntegrityReport) throws(RepositoryError) {
    for entry in try tableEntries() where entry.type == "table" {
      let table = entry.name
      var columns: [IntegrityColumn] = []
      let keyNames = (try? schema(ofTable: table))?.primaryKeyColumns.map(\.name) ?? []
      var key: [Int] = []
      var number = 0
      try query("SELECT * FROM \(SQLiteDialect().quoted(table))") { row in
        if columns.isEmpty {
          columns = row.columnNames.map { IntegrityColumn(name: $0, isStrict: entry.isStrict) }
          key = keyNames.compactMap(row.columnNames.firstIndex(named:))
        }
        number += 1
        for position in columns.indices {
          columns[position].add(
            try? row.value(at: position),
            in: ColumnForms.name(ofRow: key.compactMap { try? row.value(at: $0) }) ?? "row \(number) of the table")
        }
      }
      for column in columns { column.report(in: table, to: &report) }
    }
  }
}

extension Connection {
  /// Passes a connection that knows the checks of tables to a closure.
  ///
  /// SQLite leaves checks out of a schema that it reads from a read-only file (`sqlite3AddCheckConstraint` in its source), so
  /// another connection opens the file for writing, and neither changes it nor checkpoints the log. A write-protected file
  /// can't be opened so, and its checks remain unknown.
  fileprivate func seeingChecks(_ body: (SQLiteCatalog) throws(RepositoryError) -> Void) throws(RepositoryError) {
    guard database.isReadOnly,
      let writable = try? RawDatabase(
        path: database.path, mode: .existing, (driver as? SQLiteDriver)?.hooks ?? StoreHooks()),
      !writable.isReadOnly, (try? writable.promiseNotToWrite()) != nil
    else { return try body(SQLiteCatalog(self)) }
    let other = SQLiteConnection(writable)
    try unsafeDowncast(raw, to: SQLiteConnection.self).interrupting(other) { () throws(RepositoryError) in
      try body(SQLiteCatalog(Connection(other, of: driver)))
    }
  }
}

extension IntegrityProblem {
  /// Makes the problem of a file that is damaged so badly that it can't be checked.
  ///
  /// - Throws: the error, if it is of another kind.
  fileprivate init(damage error: RepositoryError) throws(RepositoryError) {
    guard error.code == .corrupt || error.code == .notADatabase else { throw error }
    self.init(.damage, error.reason ?? error.summary)
  }
}

extension SQLiteCatalog {
  /// Returns the views and triggers that can't be used, because a table or a column is missing.
  package func brokenDefinitionProblems() throws(RepositoryError) -> [IntegrityProblem] {
    try definitionProblems().filter { $0.kind == .brokenDefinition }
  }

  /// Returns the views and triggers that can't be used: because a table or a column is missing, or because SQLite refuses
  /// them here.
  private func definitionProblems() throws(RepositoryError) -> [IntegrityProblem] {
    var definitions: [IntegrityProblem] = []
    for (definition, error) in try brokenDefinitions().sorted(by: { $0.key.text < $1.key.text }) {
      guard let result = error.underlying as? ResultCode else { continue }
      let kind: IntegrityProblem.Kind = try isMissing(result.message) ? .brokenDefinition : .unusableDefinition
      definitions.append(IntegrityProblem(kind, "SQLite can't use the \(definition.text): \(result.message)"))
    }
    return definitions
  }
}

extension [MissingCollation] {
  /// The parts of a table that are not checked.
  var notes: [IntegrityProblem] {
    map { missing in
      let order =
        missing.indexes.isEmpty
        ? "no program can compare the text of the table without the collation"
        : "the check skips the order of the index \(missing.indexes.joined(separator: ", "))"
      return IntegrityProblem(
        .missingCollation, table: missing.table,
        "the collation \(missing.name), which the program that made the database defines, is missing here: \(order)"
          + (missing.mayHaveChecks ? ", and the check skips the table's CHECK constraints" : "")
      )
    }
  }
}
