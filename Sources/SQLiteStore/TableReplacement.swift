import Query
import Repository
import SQL
import SQLStore

// SQLite's procedure for changes that it can't make to a table that is there; the steps that are named are its own.
// https://www.sqlite.org/lang_altertable.html#otheralter
// Steps 1, 2, 10, 11 and 12 are the transaction's: foreign keys off, begin, check, commit, foreign keys on.

/// Replaces a table by one with another schema.
struct TableReplacement {
  private let rebuild: TableRebuild
  private let connection: Connection
  private let catalog: SQLiteCatalog

  init(_ rebuild: TableRebuild, on connection: Connection) {
    self.rebuild = rebuild
    self.connection = connection
    catalog = SQLiteCatalog(connection)
  }

  /// Replaces a table by one with another schema.
  ///
  /// - Parameter note: is given each statement that was run.
  func run(note: (SQLStatement) -> Void) throws(RepositoryError) {
    func run(_ statement: SQLStatement) throws(RepositoryError) {
      try connection.driver.changeSchema(statement, on: connection)
      note(statement)
    }
    let compiler = connection.compiler
    let name = rebuild.table
    let present = try catalog.requiredSchema(ofTable: name)
    guard try catalog.isAlterable(name) else {
      throw RepositoryError(.unsupported, "\(name) is a view or a virtual table, and can't be rebuilt")
    }
    // Step 3: what belongs to the table.
    let belongings = try belongings(ofTable: name, in: present)
    let references = try foreignKeys(ofTable: name)
    let broken = try catalog.brokenDefinitions()
    let fired = firedTriggers(ofTable: name, present)

    // Steps 4 and 5: the new table, and its rows.
    let temporary = try rebuild.schema.renamed(try freeName("repokit_new_\(name)"))
    for sql in compiler.create(temporary).prefix(1) { try run(SQLStatement(verbatim: sql)) }
    let lost = references.subtracting(try foreignKeys(ofTable: temporary.name))
    if let reference = lost.min()?.text {
      throw RepositoryError(
        .unsupported, "\(name) would lose a foreign key: \(reference)", reason: "the new schema has none there",
        suggestion: "replace the table by statements, in a migration that is deferringForeignKeys")
    }
    try run(try rebuild.copying(rowsOf: name, as: present, to: temporary.name))

    // Steps 6 and 7. Views and triggers that name the table are not in the way: it is there again at once.
    try run(SQLStatement(verbatim: compiler.drop(table: name)))
    try run("PRAGMA legacy_alter_table = ON")
    defer { connection.uninterruptibly { _ = try? connection.execute("PRAGMA legacy_alter_table = OFF") } }
    try run(SQLStatement(verbatim: compiler.rename(table: temporary.name, to: name)))
    try run("PRAGMA legacy_alter_table = OFF")

    // Step 8: what belonged to the table.
    for sql in compiler.create(rebuild.schema).dropFirst() { try run(SQLStatement(verbatim: sql)) }
    for belonging in belongings {
      do throws(RepositoryError) {
        // Another program may have written a text in double quotes into it.
        try connection.allowingDoubleQuotedTexts { () throws(RepositoryError) in try connection.execute(belonging.sql) }
        note(SQLStatement(verbatim: belonging.sql))
      } catch {
        throw .inTheWay("\(belonging.type) \(belonging.name)", of: name, error)
      }
    }
    // Step 9: views and triggers, of other tables too, that make no sense any more.
    for (definition, error) in try catalog.brokenDefinitions().sorted(by: { $0.key.text < $1.key.text })
    where broken[definition] == nil {
      throw .inTheWay(definition.text, of: name, error)
    }
    if let trigger = fired.subtracting(firedTriggers(ofTable: name, rebuild.schema)).min()?.text {
      throw .inTheWay(
        "trigger \(trigger)", of: name,
        RepositoryError(.unsupported, "no update of the new columns would fire it"))
    }
  }

  /// A name that no table, view or index has, made of one by underscores at its end.
  private func freeName(_ name: String) throws(RepositoryError) -> String {
    var name = name
    while try catalog.integer(
      "SELECT count(*) FROM sqlite_schema WHERE name = ? COLLATE NOCASE", [.text(name)]) > 0
    {
      name += "_"
    }
    return name
  }

  /// The indexes and triggers of a table, without the indexes that a schema asks for by its columns.
  private func belongings(
    ofTable name: String, in table: TableSchema
  ) throws(RepositoryError) -> [(type: String, name: String, sql: String)] {
    let own = Set(table.columns.map { Value.text(connection.compiler.indexName(of: [$0.name], in: name)) })
    var belongings: [(type: String, name: String, sql: String)] = []
    try catalog.query(
      """
      SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('index', 'trigger') \
      AND sql IS NOT NULL ORDER BY type, rowid
      """, [.text(name)]
    ) { row in
      if row.text(0) == "index", own.contains(.text(row.text(1))) { return }
      belongings.append((row.text(0), row.text(1), row.text(2)))
    }
    return belongings
  }

  /// The foreign keys of a table, in words.
  private func foreignKeys(ofTable name: String) throws(RepositoryError) -> Set<Name> {
    Set(
      try catalog.foreignKeyEntries(ofTable: name).map { key in
        Name("\(key.columns.joined(separator: ", ")) refers to \(key.table)")
      })
  }

  /// The triggers that an update of all columns fires. SQLite does not mind one that waits for a column that is not there.
  private func firedTriggers(ofTable name: String, _ table: TableSchema) -> Set<Name> {
    var triggers: Set<Name> = []
    for column in table.columns {
      let (name, column): (SQLStatement, SQLStatement) = ("\(identifier: name)", "\(identifier: column.name)")
      // The program of a trigger begins with its name. https://www.sqlite.org/opcode.html#Trace
      let explanation: SQLStatement = "EXPLAIN UPDATE \(part: name) SET \(part: column) = \(part: column)"
      _ = try? catalog.query(explanation.sql) { row in
        let text = row.text(5)
        if text.hasPrefix("-- TRIGGER ") { triggers.insert(Name(String(text.dropFirst("-- TRIGGER ".count)))) }
      }
    }
    return triggers
  }
}

extension TableSchema {
  /// The same table under another name.
  fileprivate func renamed(_ name: String) throws(RepositoryError) -> TableSchema {
    do throws(QueryError) {
      return try TableSchema(
        name, columns: columns, primaryKey: primaryKeyColumns.map(\.name),
        unique: uniqueSets.map { $0.map { columns[$0].name } }, checks: checks, references: references)
    } catch {
      throw RepositoryError(error)
    }
  }
}

extension RepositoryError {
  /// Something that names a table makes no sense with its new schema.
  fileprivate static func inTheWay(
    _ definition: String, of table: String, _ error: RepositoryError
  ) -> RepositoryError {
    RepositoryError(
      .unsupported, "the \(definition) is in the way of rebuilding \(table)", reason: error.reason ?? error.summary,
      suggestion: "drop it before, and create it again as it has to be then", sql: error.sql, underlying: error)
  }
}
