import Query
import Repository
import SQL

extension Connection {
  /// The names of the tables and views, in alphabetical order; SQLite's own and the one of the migrations are left out.
  func tableNames() throws(RepositoryError) -> [String] {
    var names: [String] = []
    try query(
      CompiledStatement(
        sql: """
          SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
          AND name <> ? ORDER BY name
          """,
        bindings: [.text(SQLiteStore.historyTable)])
    ) { row in
      names.append(row.text(0))
    }
    return names
  }

  /// Whether a name is a view's.
  func isView(_ name: String) throws(RepositoryError) -> Bool {
    try integer(
      CompiledStatement(
        sql: "SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name = ?", bindings: [.text(name)])) > 0
  }

  /// The names of the other tables that have a foreign key to a table.
  func tables(referringTo name: String) throws(RepositoryError) -> [String] {
    var names: [String] = []
    try query(
      CompiledStatement(
        sql: """
          SELECT DISTINCT tables.name FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) AS keys \
          WHERE tables.type = 'table' AND keys."table" = ?1 COLLATE NOCASE AND tables.name <> ?1 COLLATE NOCASE \
          ORDER BY tables.name
          """,
        bindings: [.text(name)])
    ) { row in
      names.append(row.text(0))
    }
    return names
  }

  /// Creates a table and its indexes.
  func create(_ table: TableSchema) throws(RepositoryError) {
    for sql in SQLiteStore.compiler.create(table) { try execute(sql) }
  }

  /// Describes a table or a view; `nil` where there is none of exactly this name.
  func schema(ofTable name: String) throws(RepositoryError) -> TableSchema? {
    guard let kind = try kind(ofTable: name) else { return nil }
    let indexed = try indexedColumns(ofTable: name)
    let hasKeyIndex = try hasKeyIndex(ofTable: name)
    var columns: [ColumnSchema] = []
    var key: [(position: Int64, column: ColumnSchema)] = []
    try query(
      CompiledStatement(
        sql: """
          SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid
          """,
        bindings: [.text(name)])
    ) { row in
      let (column, declared) = (row.text(0), row.text(1))
      let position = row.integer(3)
      // The row's number goes by this type alone, and needs no index; a key of several columns has one, and so has
      // `INTEGER PRIMARY KEY DESC`: https://www.sqlite.org/lang_createtable.html#rowid
      let isRowNumber = position > 0 && kind.hasRowid && !hasKeyIndex && declared.uppercased() == "INTEGER"
      let isKeyOfStrict = position > 0 && (kind.isStrict || !kind.hasRowid)
      let isNullable = row.integer(2) == 0 && !isRowNumber && !isKeyOfStrict
      let collation = collation(table: name, column: column)
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
      CompiledStatement(
        sql: "SELECT strict, wr, type FROM pragma_table_list WHERE schema = 'main' AND name = ?",
        bindings: [.text(name)])
    ) { row in
      kind = (row.integer(0) == 1, row.integer(1) == 0 && row.text(2) == "table")
    }
    return kind
  }

  /// The name of the column that numbers the rows of a table in the order in which they were added; `nil` where it has no
  /// such numbers, or columns of its own have all of its names. https://www.sqlite.org/lang_createtable.html#rowid
  func rowNumber(of table: TableSchema) throws(RepositoryError) -> String? {
    guard try kind(ofTable: table.name)?.hasRowid == true else { return nil }
    return table.rowidName
  }

  /// How many rows a table or a view has.
  func rowCount(ofTable name: String) throws(RepositoryError) -> Int {
    try integer(
      CompiledStatement(sql: "SELECT count(*) FROM \(SQLiteStore.compiler.dialect.quoted(name))", bindings: []))
  }

  private func hasKeyIndex(ofTable name: String) throws(RepositoryError) -> Bool {
    try integer(
      CompiledStatement(
        sql: "SELECT count(*) FROM pragma_index_list(?) WHERE origin = 'pk'", bindings: [.text(name)])) > 0
  }

  /// For each column that an index begins with: whether an index makes it unique on its own. The names are values, which
  /// are compared by their bytes.
  private func indexedColumns(ofTable name: String) throws(RepositoryError) -> [Value: Bool] {
    var columns: [Value: Bool] = [:]
    try query(
      CompiledStatement(
        sql: """
          SELECT info.name, list."unique" = 1 AND (SELECT count(*) FROM pragma_index_info(list.name)) = 1 \
          FROM pragma_index_list(?) AS list JOIN pragma_index_info(list.name) AS info \
          WHERE info.seqno = 0 AND info.name IS NOT NULL AND list.partial = 0
          """,
        bindings: [.text(name)])
    ) { row in
      let column = Value.text(row.text(0))
      columns[column] = row.integer(1) == 1 || columns[column] == true
    }
    return columns
  }
}

extension TableSchema {
  /// A name of the number that SQLite gives each row; `nil` where columns of those names hide it.
  /// https://www.sqlite.org/lang_createtable.html#rowid
  var rowidName: String? {
    ["rowid", "_rowid_", "oid"].first { name in !columns.contains { Name($0.name).folded == Name(name).folded } }
  }
}

extension Connection {
  /// The text that a statement results in; empty where it results in none.
  func text(_ sql: String) throws(RepositoryError) -> String {
    var text = ""
    try query(CompiledStatement(sql: sql, bindings: [])) { row in text = row.text(0) }
    return text
  }

  /// The number that a statement results in.
  func integer(_ statement: CompiledStatement) throws(RepositoryError) -> Int {
    var integer = 0
    try query(statement) { row in integer = Int(row.integer(0)) }
    return integer
  }
}

extension RawStatement {
  /// The text of a column, empty where it holds none.
  func text(_ position: Int) -> String { text(at: position) ?? "" }

  /// The integer of a column, 0 where it holds none.
  func integer(_ position: Int) -> Int64 { integer(at: position) ?? 0 }
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
