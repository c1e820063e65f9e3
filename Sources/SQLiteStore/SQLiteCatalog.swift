package import Query
package import Repository
import SQL
package import SQLStore

/// The catalog of a SQLite database: all reads of its schema table and its pragmas go through here.
package struct SQLiteCatalog: SQLCatalog {
  package let connection: Connection

  package init(_ connection: Connection) {
    self.connection = connection
  }

  /// The names of the tables and views, in alphabetical order; SQLite's own and the one of the migrations are left out.
  package func tableNames() throws(RepositoryError) -> [String] {
    var names: [String] = []
    try query(
      """
      SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
      AND name <> ? ORDER BY name
      """, [.text(SQLDatabase.migrationsTable)]
    ) { row in
      names.append(row.text(0))
    }
    return names
  }

  /// Whether a name is a view's.
  package func isView(_ name: String) throws(RepositoryError) -> Bool {
    try integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name = ?", [.text(name)]) > 0
  }

  /// The names of the other tables that have a foreign key to a table.
  package func tables(referringTo name: String) throws(RepositoryError) -> [String] {
    var names: [String] = []
    try query(
      """
      SELECT DISTINCT tables.name FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) AS keys \
      WHERE tables.type = 'table' AND keys."table" = ?1 COLLATE NOCASE AND tables.name <> ?1 COLLATE NOCASE \
      ORDER BY tables.name
      """, [.text(name)]
    ) { row in
      names.append(row.text(0))
    }
    return names
  }

  /// Describes a table or a view; `nil` where there is none of exactly this name.
  package func schema(ofTable name: String) throws(RepositoryError) -> TableSchema? {
    guard let kind = try kind(ofTable: name) else { return nil }
    let indexed = try indexedColumns(ofTable: name)
    let hasKeyIndex = try hasKeyIndex(ofTable: name)
    var columns: [ColumnSchema] = []
    var key: [(position: Int64, column: ColumnSchema)] = []
    try query(
      """
      SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid
      """, [.text(name)]
    ) { row in
      let (column, declared) = (row.text(0), row.text(1))
      let position = row.integer(3)
      // The row's number goes by this type alone, and needs no index; a key of several columns has one, and so has
      // `INTEGER PRIMARY KEY DESC`: https://www.sqlite.org/lang_createtable.html#rowid
      let isRowNumber = position > 0 && kind.hasRowid && !hasKeyIndex && declared.uppercased() == "INTEGER"
      let isKeyOfStrict = position > 0 && (kind.isStrict || !kind.hasRowid)
      let isNullable = row.integer(2) == 0 && !isRowNumber && !isKeyOfStrict
      let collation = connection.database.collation(table: name, column: column)
      let schema = ColumnSchema(
        column, DeclaredType.valueType(declared, isStrict: kind.isStrict), isNullable: isNullable,
        isUnique: indexed[.text(column)] ?? false, isIndexed: indexed[.text(column)] != nil,
        isGenerated: isRowNumber, declaredType: kind.isStrict || isRowNumber ? nil : declared,
        // A view's columns don't tell their collation, so it is set each time.
        collation: collation == "BINARY" ? nil : collation ?? ColumnSchema.unknownCollation)
      columns.append(schema)
      if position > 0 { key.append((position, schema)) }
    }
    // What is no row number may be null in SQLite, and nulls tell nothing apart.
    let names = key.sorted { $0.position < $1.position }.map(\.column)
    let identifying = names.contains(where: \.isNullable) ? [] : names.map(\.name)
    let known = { (names: [String]) in names.allSatisfy { name in columns.contains(named: name) } }
    // A table of another program may declare what can't be kept, such as a column that is to become null and may not.
    let references = try references(ofTable: name).filter { reference in
      known(reference.columns) && reference.columns.count == reference.key.count
        && (reference.onDelete != .setNull
          || reference.columns.allSatisfy { name in columns.first(named: name)?.isNullable == true })
    }
    let unique = try uniqueSets(ofTable: name).filter { set in
      known(set) && !set.elementsEqual(identifying) { Name($0) == $1 }
    }
    do throws(QueryError) {
      return try TableSchema(
        name, columns: columns, primaryKey: identifying, unique: unique, references: references)
    } catch {
      throw RepositoryError(error)
    }
  }

  private func kind(ofTable name: String) throws(RepositoryError) -> (isStrict: Bool, hasRowid: Bool)? {
    var kind: (isStrict: Bool, hasRowid: Bool)?
    try query(
      "SELECT strict, wr, type FROM pragma_table_list WHERE schema = 'main' AND name = ?", [.text(name)]
    ) { row in
      kind = (row.integer(0) == 1, row.integer(1) == 0 && row.text(2) == "table")
    }
    return kind
  }

  /// The name of the column that numbers the rows of a table in the order in which they were added; `nil` where it has no
  /// such numbers, or columns of its own have all of its names. https://www.sqlite.org/lang_createtable.html#rowid
  package func insertionOrder(of table: TableSchema) throws(RepositoryError) -> String? {
    guard try kind(ofTable: table.name)?.hasRowid == true else { return nil }
    return table.rowidName
  }

  /// How many rows a table or a view has.
  package func rowCount(ofTable name: String) throws(RepositoryError) -> Int {
    try integer(
      "SELECT count(*) FROM \(SQLiteDriver.compiler.dialect.quoted(name))")
  }

  private func hasKeyIndex(ofTable name: String) throws(RepositoryError) -> Bool {
    try integer(
      "SELECT count(*) FROM pragma_index_list(?) WHERE origin = 'pk'", [.text(name)]) > 0
  }

  /// For each column that an index begins with: whether an index makes it unique on its own. The names are values, which
  /// are compared by their bytes.
  private func indexedColumns(ofTable name: String) throws(RepositoryError) -> [Value: Bool] {
    var columns: [Value: Bool] = [:]
    try query(
      """
      SELECT info.name, list."unique" = 1 AND (SELECT count(*) FROM pragma_index_info(list.name)) = 1 \
      FROM pragma_index_list(?) AS list JOIN pragma_index_info(list.name) AS info \
      WHERE info.seqno = 0 AND info.name IS NOT NULL AND list.partial = 0
      """, [.text(name)]
    ) { row in
      let column = Value.text(row.text(0))
      columns[column] = row.integer(1) == 1 || columns[column] == true
    }
    return columns
  }

  // MARK: Rules of a table

  /// The references of a table, in the order in which they were declared.
  package func references(ofTable name: String) throws(RepositoryError) -> [ReferenceRule] {
    var parts: [(number: Int64, table: String, column: String, key: String?, action: String)] = []
    try query(
      "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq",
      [.text(name)]
    ) { row in
      parts.append((row.integer(0), row.text(1), row.text(2), row.text(at: 3), row.text(4)))
    }
    var references: [ReferenceRule] = []
    while let first = parts.first {
      let own = parts.prefix { $0.number == first.number }
      parts.removeFirst(own.count)
      var key = own.compactMap(\.key)
      if key.count < own.count { key = try self.key(ofTable: first.table) }
      references.append(
        ReferenceRule(own.map(\.column), to: first.table, key: key, onDelete: DeleteRule(action: first.action)))
    }
    return references
  }

  /// The names of the columns that are unique together, of each index of several columns.
  package func uniqueSets(ofTable name: String) throws(RepositoryError) -> [[String]] {
    var sets: [(index: String, columns: [String])] = []
    try query(
      """
      SELECT list.name, info.name FROM pragma_index_list(?) AS list JOIN pragma_index_info(list.name) AS info \
      WHERE list."unique" = 1 AND list.partial = 0 AND list.origin <> 'pk' ORDER BY list.seq DESC, info.seqno
      """, [.text(name)]
    ) { row in
      // An index of an expression has no name for it, and is left out below.
      let (index, column) = (row.text(0), row.text(1))
      if sets.last?.index == index {
        sets[sets.count - 1].columns.append(column)
      } else {
        sets.append((index, [column]))
      }
    }
    var seen: Set<[String]> = []
    return sets.map(\.columns).filter { $0.count > 1 && !$0.contains("") && seen.insert($0).inserted }
  }

  /// Those checks of a schema that the table has, in the same words: SQLite keeps checks as SQL, which nothing but SQLite
  /// can read. One that another program wrote in other words counts as missing.
  package func checks(of expected: TableSchema) throws(RepositoryError) -> [CheckRule] {
    if expected.checks.isEmpty { return [] }
    var sql = ""
    try query(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(expected.name)]
    ) { row in
      sql = row.text(0)
    }
    return SQLiteDriver.compiler.constraints(of: expected).filter { sql.contains($0.sql) }.map(\.rule)
  }

  private func key(ofTable name: String) throws(RepositoryError) -> [String] {
    var names: [String] = []
    try query(
      "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", [.text(name)]
    ) { row in
      names.append(row.text(0))
    }
    return names
  }

  // MARK: What migrations and imports ask

  /// Whether a name is that of a table which is neither virtual nor a view's.
  package func isAlterable(_ name: String) throws(RepositoryError) -> Bool {
    try integer(
      "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name = ?", [.text(name)]) > 0
  }

  /// The columns that have a value where a row is added without them: those with a default, and generated ones.
  package func columnsWithDefault(ofTable name: String) throws(RepositoryError) -> Set<Value> {
    Set(
      try names("SELECT name FROM pragma_table_xinfo(?) WHERE dflt_value IS NOT NULL OR hidden > 1", [.text(name)])
        .map(Value.text))
  }

  /// The columns that the database computes. https://www.sqlite.org/pragma.html#pragma_table_xinfo
  package func computedColumns(ofTable name: String) throws(RepositoryError) -> [String] {
    try names("SELECT name FROM pragma_table_xinfo(?) WHERE hidden IN (2, 3) ORDER BY cid", [.text(name)])
  }

  /// How many rows refer to rows that are not there, by the names of both tables.
  package func brokenReferenceCounts() throws(RepositoryError) -> [[Value]: Int] {
    var counts: [[Value]: Int] = [:]
    try query(
      """
      SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY "table", parent ORDER BY "table", parent
      """
    ) { row in
      counts[[.text(row.text(0)), .text(row.text(1))]] = Int(row.integer(2))
    }
    return counts
  }

  // MARK: Queries

  /// Runs a statement and gives it to a closure at each row of its result.
  package func query(
    _ sql: String, _ bindings: [Value] = [], _ body: (any PreparedStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try connection.query(CompiledStatement(sql: sql, bindings: bindings), body)
  }

  /// The number that a statement results in.
  package func integer(_ sql: String, _ bindings: [Value] = []) throws(RepositoryError) -> Int {
    try connection.integer(CompiledStatement(sql: sql, bindings: bindings))
  }

  /// The texts of a statement's first column.
  package func names(_ sql: String, _ bindings: [Value] = []) throws(RepositoryError) -> [String] {
    var names: [String] = []
    try query(sql, bindings) { row in names.append(row.text(0)) }
    return names
  }
}

extension TableSchema {
  /// A name of the number that SQLite gives each row; `nil` where columns of those names hide it.
  /// https://www.sqlite.org/lang_createtable.html#rowid
  package var rowidName: String? {
    ["rowid", "_rowid_", "oid"].first { name in !columns.contains { Name($0.name).folded == Name(name).folded } }
  }
}

/// What SQLite makes of a column's declared type.
enum DeclaredType {
  /// The type of a strict column, or the type that comes nearest to the affinity of a loose one.
  ///
  /// Source: SQLite, "Datatypes In SQLite", section 3.1 (the rules in their order) and "STRICT Tables".
  static func valueType(_ declared: String, isStrict: Bool) -> ValueType {
    let name = declared.uppercased()
    if isStrict && name == "ANY" { return .any }
    if name.contains("INT") { return .integer }
    if ["CHAR", "CLOB", "TEXT"].contains(where: name.contains) { return .text }
    if name.contains("BLOB") || name.isEmpty { return isStrict ? .blob : .any }
    return .real
  }
}

extension DeleteRule {
  /// What SQLite calls a rule; one that sets a default has no name here, and restricts nothing less.
  fileprivate init(action: String) {
    switch action {
    case "CASCADE": self = .cascade
    case "SET NULL": self = .setNull
    default: self = .restrict
    }
  }
}
