import Query
package import Repository
import SQL
package import SQLStore

// SQLite's procedure for changes that `ALTER TABLE` does not support; the numbered steps are its own.
// https://www.sqlite.org/lang_altertable.html#otheralter Steps 1, 2, 10, 11 and 12 are the transaction's: foreign keys off,
// begin, check, commit, foreign keys on.

/// The rebuild of a table by a plan: its rows are copied into a new table, which takes its place, and what names the old table is
/// restored.
package struct SQLiteTableRebuilder {
  private let plan: RebuildPlan
  private let connection: Connection
  private let catalog: SQLiteCatalog

  package init(_ plan: RebuildPlan, on connection: Connection) {
    self.plan = plan
    self.connection = connection
    catalog = SQLiteCatalog(connection)
  }

  /// Carries out the plan.
  ///
  /// - Parameter note: called with each statement that was run.
  package func run(note: (SQLStatement) -> Void) throws(RepositoryError) {
    func execute(_ statement: SQLStatement) throws(RepositoryError) {
      try connection.driver.changeSchema(statement, on: connection)
      note(statement)
    }
    let compiler = connection.compiler
    let name = plan.table
    let present = try catalog.requiredSchema(ofTable: name)
    guard try catalog.isAlterable(name) else {
      throw RepositoryError(.unsupported, "can't rebuild \(name), which is a view or a virtual table")
    }
    // Step 3: the objects of the table, without the indexes that the old schema declares for columns: the new schema declares
    // its own.
    let own =
      plan.definition == nil
      ? Set(present.columns.map { Value.text(compiler.indexName(of: [$0.name], in: name)) }) : []
    let dependents = try SQLiteTableDependents(of: present, on: connection, "rebuilding") { index in
      own.contains(.text(index)) || plan.definition == nil && compiler.isPartialUniqueIndex(index)
    }
    let references = try foreignKeys(ofTable: name)

    // Steps 4 and 5: the new table, and its rows.
    let temporary = try plan.schema.renamed(try freeName("repokit_new_\(name)"))
    let definition = plan.definition?(temporary.name) ?? compiler.create(temporary)[0]
    try execute(SQLStatement(verbatim: definition))
    let lost = references.subtracting(try foreignKeys(ofTable: temporary.name))
    if let reference = lost.min()?.text {
      throw RepositoryError(
        .unsupported, "\(name) would lose a foreign key: \(reference)", reason: "the new schema lacks the reference",
        suggestion: "replace the table with statements, in a migration that is deferringForeignKeys")
    }
    let rowids = try rowids(of: present, in: temporary.name)
    try execute(try plan.copying(rowsOf: name, as: present, to: temporary.name, keeping: rowids))

    // A definition in SQL may have `AUTOINCREMENT`, whose greatest number SQLite deletes with the dropped table.
    let sequence = plan.definition == nil ? nil : try catalog.sequence(ofTable: name)

    // Steps 6 and 7. With `legacy_alter_table`, the renaming does not fail because of views and triggers that name the dropped
    // table.
    try execute(SQLStatement(verbatim: compiler.drop(table: name)))
    try execute("PRAGMA legacy_alter_table = ON")
    defer { connection.uninterruptibly { _ = try? connection.execute("PRAGMA legacy_alter_table = OFF") } }
    try execute(SQLStatement(verbatim: compiler.rename(table: temporary.name, to: name)))
    try execute("PRAGMA legacy_alter_table = OFF")

    if let sequence { try catalog.setSequence(sequence, ofTable: name) }

    // Step 8: what belonged to the table.
    if plan.definition == nil {
      for sql in compiler.create(plan.schema).dropFirst() { try execute(SQLStatement(verbatim: sql)) }
    }
    try dependents.restore(for: plan.schema, on: connection, note: note)
    // Step 9: views and triggers, also of other tables, that are no longer valid.
    try dependents.checkDefinitions(of: plan.schema, on: connection)
  }

  /// Returns an unused name for a table, view or index, made from a name by appended underscores.
  private func freeName(_ name: String) throws(RepositoryError) -> String {
    try RebuildPlan.freeName(name) { name throws(RepositoryError) in
      try catalog.integer("SELECT count(*) FROM sqlite_schema WHERE name = ? COLLATE NOCASE", [.text(name)]) > 0
    }
  }

  /// Returns the names of the rowid in a table and in the one that replaces it; `nil` where a column is the rowid, and where there
  /// is none.
  ///
  /// The index of a full-text table finds the rows of its content by their rowids.
  /// https://www.sqlite.org/fts5.html#external_content_tables
  private func rowids(
    of present: TableSchema, in replacement: String
  ) throws(RepositoryError) -> (source: String, target: String)? {
    guard let made = try catalog.schema(ofTable: replacement), let target = try catalog.hiddenRowid(of: made),
      let source = try catalog.readableRowid(ofTable: present.name)
    else { return nil }
    return (source, target)
  }

  /// Returns the foreign keys of a table, in words.
  private func foreignKeys(ofTable name: String) throws(RepositoryError) -> Set<Name> {
    Set(
      try catalog.foreignKeyEntries(ofTable: name).map { key in
        Name("\(key.columns.joined(separator: ", ")) refers to \(key.table)")
      })
  }
}

extension TableSchema {
  /// Returns the same table with another name.
  fileprivate func renamed(_ name: String) throws(RepositoryError) -> TableSchema {
    try RepositoryError.translating { () throws(QueryError) in
      try TableSchema(
        name, columns: columns, primaryKey: primaryKeyColumns.map(\.name),
        unique: uniqueSets.map { $0.map { columns[$0].name } }, partialUnique: partialUnique, checks: checks,
        references: references)
    }
  }
}
