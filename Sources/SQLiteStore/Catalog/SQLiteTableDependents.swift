import Query
import Repository
import SQL
import SQLStore

/// The objects that name a table, and are restored after the table was replaced: its indexes and triggers are created again,
/// because SQLite drops them with the table. Views, triggers of other tables and references to the table are kept, and have
/// to be valid with the new table.
struct SQLiteTableDependents: TableDependents {
  /// An index or a trigger of the table.
  fileprivate struct Object {
    let type: String
    let name: String
    let sql: String
  }

  private let name: String
  private let columns: [ColumnSchema]
  private let objects: [Object]
  /// The views and triggers that were already broken before the replacement.
  private let broken: Set<Name>
  private let fired: Set<Name>
  /// The number of references to missing rows for each table that refers to this one; `nil` if its foreign key refers to no
  /// key.
  private let references: [Name: Int?]
  /// The operation on the table, for messages.
  private let work: String

  /// Collects the dependents of a table that still exists.
  ///
  /// - Parameters:
  ///   - work: the operation on the table, for messages.
  ///   - leavesOut: whether an index is left out, by its name.
  init(
    of table: TableSchema, on connection: Connection, _ work: String,
    leavingOut leavesOut: (String) -> Bool = { _ in false }
  ) throws(RepositoryError) {
    let catalog = SQLiteCatalog(connection)
    (name, columns, self.work) = (table.name, table.columns, work)
    var objects: [Object] = []
    try catalog.query(
      """
      SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('index', 'trigger') \
      AND sql IS NOT NULL ORDER BY type, rowid
      """, [.text(table.name)]
    ) { row in
      if row.text(0) == "index", leavesOut(row.text(1)) { return }
      objects.append(Object(type: row.text(0), name: row.text(1), sql: row.text(2)))
    }
    self.objects = objects
    broken = Set(try catalog.brokenDefinitions().keys)
    fired = catalog.firedTriggers(of: table)
    references = try catalog.brokenReferences(to: table.name)
  }

  func restoreIndexes(of table: TableSchema, on connection: Connection) throws(RepositoryError) {
    try restore(for: table, on: connection, where: { $0 == "index" })
  }

  func restoreRest(of table: TableSchema, on connection: Connection) throws(RepositoryError) {
    try restore(for: table, on: connection, where: { $0 != "index" })
    try checkDefinitions(of: table, on: connection)
    let catalog = SQLiteCatalog(connection)
    let present = try catalog.brokenReferences(to: name)
    for (child, count) in present.sorted(by: { $0.key.text < $1.key.text }) {
      guard let before = references[child] ?? nil else { continue }
      guard let count else {
        let tables = try SQLiteCatalog.TableEntries(catalog)
        let fault = try catalog.referenceFaults(ofTable: child.text, among: tables).first {
          Name($0.parent).equalsFolded(name)
        }
        throw dependentError(
          "reference of \(child.text)", reason: fault?.problem ?? "the reference would have no key to refer to")
      }
      if count > before { throw .brokenReferences(count, of: child.text, to: name) }
    }
  }

  /// Creates indexes or triggers.
  ///
  /// - Parameter note: called with each statement that was run.
  func restore(
    for table: TableSchema, on connection: Connection, note: (SQLStatement) -> Void = { _ in },
    where isWanted: (String) -> Bool = { _ in true }
  ) throws(RepositoryError) {
    let lost = columns.map(\.name).filter { !table.columns.contains(named: $0) }
    for object in objects where isWanted(object.type) {
      do throws(RepositoryError) {
        // Definitions of other programs may contain texts in double quotes, which are allowed here; but in an index, the quoted
        // name of a lost column would become such a text instead of an error.
        if object.type == "index", lost.contains(where: { object.names($0) }) {
          try connection.execute(object.sql)
        } else {
          try connection.allowingDoubleQuotedTexts { () throws(RepositoryError) in try connection.execute(object.sql) }
        }
        note(SQLStatement(verbatim: object.sql))
      } catch {
        throw dependentError("\(object.type) \(object.name)", reason: error.reason ?? error.summary, error)
      }
    }
  }

  /// Checks for views and triggers, also of other tables, that are no longer valid.
  func checkDefinitions(of table: TableSchema, on connection: Connection) throws(RepositoryError) {
    let catalog = SQLiteCatalog(connection)
    for (definition, error) in try catalog.brokenDefinitions().sorted(by: { $0.key.text < $1.key.text })
    where !broken.contains(definition) {
      throw dependentError(definition.text, reason: error.reason ?? error.summary, error)
    }
    if let trigger = fired.subtracting(catalog.firedTriggers(of: table)).min()?.text {
      throw dependentError("trigger \(trigger)", reason: "no update of the new columns would fire the trigger")
    }
  }

  /// Returns the error for an object that names the table and is not valid with its new schema.
  private func dependentError(_ definition: String, reason: String, _ error: RepositoryError? = nil) -> RepositoryError
  {
    RepositoryError(
      .unsupported, "the \(definition) prevents \(work) \(name)", reason: reason,
      suggestion: "drop the \(definition) first, and create it again afterwards", sql: error?.sql, underlying: error)
  }
}

extension SQLiteTableDependents.Object {
  /// Returns whether the definition may name a column in double quotes.
  fileprivate func names(_ column: String) -> Bool {
    Name(sql).folded.contains(Name("\"\(column.replacing("\"", with: "\"\""))\"").folded)
  }
}

extension SQLiteCatalog {
  /// Passes the operands of the steps of a statement's program to a closure.
  ///
  /// The `EXPLAIN` is prepared each time instead of being cached. SQLite checks the schema again when it runs a program, but not
  /// when it explains one, whose tables may no longer exist: `sqlite3VdbeList` in
  /// https://www.sqlite.org/src/file/src/vdbeaux.c.
  package func explain(_ sql: String, _ body: (String) -> Void) throws(RepositoryError) {
    let program: RawStatement
    do throws(ResultCode) {
      program = try connection.database.prepare("EXPLAIN \(sql)")
    } catch {
      throw RepositoryError(error)
    }
    while try program.step() { body(program.text(5)) }
  }

  /// Returns the triggers that an update of all columns fires. A trigger on a column that does not exist is not among them:
  /// SQLite accepts it, but nothing fires it.
  fileprivate func firedTriggers(of table: TableSchema) -> Set<Name> {
    var triggers: Set<Name> = []
    for column in table.columns {
      let (name, column): (SQLStatement, SQLStatement) = ("\(identifier: table.name)", "\(identifier: column.name)")
      // The program of a trigger begins with its name. https://www.sqlite.org/opcode.html#Trace
      let update: SQLStatement = "UPDATE \(part: name) SET \(part: column) = \(part: column)"
      try? explain(update.sql) { text in
        if text.hasPrefix("-- TRIGGER ") { triggers.insert(Name(String(text.dropFirst("-- TRIGGER ".count)))) }
      }
    }
    return triggers
  }

  /// Returns the number of references to missing rows for each other table that refers to a table; `nil` if the foreign key
  /// refers to no key.
  fileprivate func brokenReferences(to name: String) throws(RepositoryError) -> [Name: Int?] {
    var counts: [Name: Int?] = [:]
    for child in try tables(referringTo: name) {
      do throws(RepositoryError) {
        let broken = try brokenReferences(ofTable: child).filter { Name($0.parent).equalsFolded(name) }
        counts[Name(child)] = .some(broken.reduce(0) { $0 + $1.count })
      } catch {
        guard error.isForeignKeyMismatch else { throw error }
        counts[Name(child)] = .some(nil)
      }
    }
    return counts
  }
}
