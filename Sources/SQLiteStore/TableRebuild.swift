import Query
import Repository
import SQL

// SQLite's procedure for changes that it can't make to a table that is there; the steps that are named are its own.
// https://www.sqlite.org/lang_altertable.html#otheralter
// Steps 1, 2, 10, 11 and 12 are the transaction's: foreign keys off, begin, check, commit, foreign keys on.
extension Connection {
  /// Replaces a table by one with another schema.
  ///
  /// - Parameter note: is told each statement that was run.
  func rebuild(_ rebuild: TableRebuild, note: (SQLStatement) -> Void) throws(RepositoryError) {
    func run(_ statement: SQLStatement) throws(RepositoryError) {
      try changeSchema(statement)
      note(statement)
    }
    let compiler = SQLiteStore.compiler
    let name = rebuild.table
    guard let present = try schema(ofTable: name) else { throw .missingTable(name, among: try tableNames()) }
    guard try isPlainTable(name) else {
      throw RepositoryError(.unsupported, "\(name) is a view or a virtual table, and can't be rebuilt")
    }
    // Step 3: what belongs to the table.
    let belongings = try belongings(ofTable: name, in: present)
    let references = try foreignKeys(ofTable: name)
    let broken = try brokenDefinitions()
    let fired = firedTriggers(ofTable: name, present)

    // Steps 4 and 5: the new table, and its rows.
    let temporary = try rebuild.schema.renamed("repokit_new_\(name)")
    for sql in compiler.create(temporary).prefix(1) { try run(SQLStatement(verbatim: sql)) }
    let lost = references.subtracting(try foreignKeys(ofTable: temporary.name))
    if let reference = lost.sorted().first {
      throw RepositoryError(
        .unsupported, "\(name) would lose a foreign key: \(reference)", reason: "the new schema has none there",
        suggestion: "replace the table by statements, in a migration that is deferringForeignKeys")
    }
    try run(try copying(rebuild, from: present, to: temporary.name))

    // Steps 6 and 7. Views and triggers that name the table are in nobody's way: it is there again at once.
    try run(SQLStatement(verbatim: compiler.drop(table: name)))
    try run("PRAGMA legacy_alter_table = ON")
    defer { uninterruptibly { _ = try? execute("PRAGMA legacy_alter_table = OFF") } }
    try run(SQLStatement(verbatim: compiler.rename(table: temporary.name, to: name)))
    try run("PRAGMA legacy_alter_table = OFF")

    // Step 8: what belonged to the table.
    for sql in compiler.create(rebuild.schema).dropFirst() { try run(SQLStatement(verbatim: sql)) }
    for belonging in belongings {
      do throws(RepositoryError) {
        // Another program may have written a text in double quotes into it.
        try allowingDoubleQuotedTexts { () throws(RepositoryError) in try execute(belonging.sql) }
        note(SQLStatement(verbatim: belonging.sql))
      } catch {
        throw .inTheWay("\(belonging.type) \(belonging.name)", of: name, error)
      }
    }
    // Step 9: views and triggers, of other tables too, that make no sense any more.
    for (definition, error) in try brokenDefinitions().sorted(by: { $0.key < $1.key })
    where broken[definition] == nil {
      throw .inTheWay(definition, of: name, error)
    }
    if let trigger = fired.subtracting(firedTriggers(ofTable: name, rebuild.schema)).sorted().first {
      throw .inTheWay(
        "trigger \(trigger)", of: name,
        RepositoryError(.unsupported, "no update of the new columns would fire it"))
    }
  }

  private func copying(
    _ rebuild: TableRebuild, from present: TableSchema, to table: String
  ) throws(RepositoryError) -> SQLStatement {
    var (names, sources) = (SQLStatement(), SQLStatement())
    for column in rebuild.schema.columns {
      guard let source = try rebuild.source(of: column, in: present) else { continue }
      if !names.sql.isEmpty {
        names.write(", ")
        sources.write(", ")
      }
      names.append("\(identifier: column.name)")
      sources.append(source)
    }
    if names.sql.isEmpty {
      throw RepositoryError(
        .invalidSchema, "nothing of \(rebuild.table) would be kept", suggestion: "drop the table, and create another")
    }
    return """
      INSERT INTO \(identifier: table) (\(part: names)) SELECT \(part: sources) FROM \(identifier: rebuild.table)
      """
  }

  /// The indexes and triggers of a table, without the indexes that a schema asks for by its columns.
  private func belongings(
    ofTable name: String, in table: TableSchema
  ) throws(RepositoryError) -> [(type: String, name: String, sql: String)] {
    let own = Set(table.columns.map { Value.text(SQLiteStore.compiler.indexName(of: [$0.name], in: name)) })
    var belongings: [(type: String, name: String, sql: String)] = []
    try query(
      CompiledStatement(
        sql: """
          SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('index', 'trigger') \
          AND sql IS NOT NULL ORDER BY type, rowid
          """,
        bindings: [.text(name)])
    ) { row in
      if row.text(0) == "index", own.contains(.text(row.text(1))) { return }
      belongings.append((row.text(0), row.text(1), row.text(2)))
    }
    return belongings
  }

  /// The foreign keys of a table, in words.
  private func foreignKeys(ofTable name: String) throws(RepositoryError) -> Set<String> {
    var references: Set<String> = []
    try query(
      CompiledStatement(
        sql: """
          SELECT group_concat("from", ', '), "table" FROM (SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq) \
          GROUP BY id
          """,
        bindings: [.text(name)])
    ) { row in
      references.insert("\(row.text(0)) refers to \(row.text(1))")
    }
    return references
  }

  /// The triggers that an update of all columns fires. SQLite does not mind one that waits for a column that is not there.
  private func firedTriggers(ofTable name: String, _ table: TableSchema) -> Set<String> {
    var triggers: Set<String> = []
    for column in table.columns {
      let (name, column): (SQLStatement, SQLStatement) = ("\(identifier: name)", "\(identifier: column.name)")
      // The program of a trigger begins with its name. https://www.sqlite.org/opcode.html#Trace
      let explanation: SQLStatement = "EXPLAIN UPDATE \(part: name) SET \(part: column) = \(part: column)"
      _ = try? query(CompiledStatement(sql: explanation.sql, bindings: [])) { row in
        let text = row.text(5)
        if text.hasPrefix("-- TRIGGER ") { triggers.insert(String(text.dropFirst("-- TRIGGER ".count))) }
      }
    }
    return triggers
  }

  /// The views and triggers that SQLite can't make sense of, and why.
  func brokenDefinitions() throws(RepositoryError) -> [String: RepositoryError] {
    var views: [String] = []
    var tables: [String] = []
    try query(
      CompiledStatement(
        sql: "SELECT type, CASE type WHEN 'view' THEN name ELSE tbl_name END FROM sqlite_schema "
          + "WHERE type IN ('view', 'trigger') ORDER BY rowid",
        bindings: [])
    ) { row in
      if row.text(0) == "view" { views.append(row.text(1)) } else { tables.append(row.text(1)) }
    }
    var broken: [String: RepositoryError] = [:]
    func check(_ definition: String, _ sql: SQLStatement) {
      do throws(RepositoryError) {
        try compile(sql.sql)
      } catch {
        broken[definition] = broken[definition] ?? error
      }
    }
    for view in views { check("view \(view)", "SELECT * FROM \(identifier: view)") }
    for table in Set(tables) {
      // A trigger is compiled with the statements that fire it.
      let columns = (try? schema(ofTable: table))??.columns ?? []
      check("trigger on insert of \(table)", "INSERT INTO \(identifier: table) DEFAULT VALUES")
      check("trigger on delete of \(table)", "DELETE FROM \(identifier: table)")
      for column in columns {
        check(
          "trigger on update of \(table), column \(column.name)",
          "UPDATE \(identifier: table) SET \(identifier: column.name) = \(identifier: column.name)")
      }
    }
    return broken
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

extension Connection {
  /// An empty copy of the database in memory, with everything that the schema names.
  func copySchemaInMemory() throws(RepositoryError) -> Connection {
    var definitions: [(sql: String, isVirtual: Bool)] = []
    try query(CompiledStatement(sql: Self.definitions, bindings: [])) { row in
      definitions.append((row.text(0), row.integer(1) == 1))
    }
    let database = try Self.translating { () throws(ResultCode) in
      try RawDatabase(path: ":memory:", mode: .create)
    }
    let copy = Connection(database)
    // Other programs may have written texts in double quotes into their definitions.
    try Self.translating { () throws(ResultCode) in try database.setDoubleQuotedTexts(allowed: true) }
    for definition in definitions {
      do throws(RepositoryError) {
        try copy.execute(definition.sql)
      } catch {
        // A virtual table whose module is not here can't be used in the file either.
        if !definition.isVirtual { throw error }
      }
    }
    try Self.translating { () throws(ResultCode) in try database.setDoubleQuotedTexts(allowed: false) }
    return copy
  }

  private static func translating<Result>(
    _ body: () throws(ResultCode) -> Result
  ) throws(RepositoryError) -> Result {
    do throws(ResultCode) {
      return try body()
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Tables before what names them. The tables that a virtual one keeps its things in are made by itself.
  private static let definitions = """
    SELECT sql, sql LIKE 'CREATE VIRTUAL %' FROM sqlite_schema WHERE sql IS NOT NULL \
    AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow') \
    ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, rowid
    """
}
