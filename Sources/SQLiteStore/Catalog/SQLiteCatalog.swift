package import Query
package import Repository
import SQL
package import SQLStore

/// The catalogue of a SQLite database: all reads of its schema table and its pragmas are made here.
package struct SQLiteCatalog: SQLCatalog {
  package let connection: Connection

  /// The condition on `sqlite_schema` that leaves out SQLite's own objects, whose names begin with `sqlite_`.
  /// https://www.sqlite.org/fileformat2.html#intschema
  package static let isNotInternal = #"name NOT LIKE 'sqlite\_%' ESCAPE '\'"#

  package init(_ connection: Connection) {
    self.connection = connection
  }

  /// Returns the names of the tables and views, in alphabetical order, without SQLite's own and that of the migrations.
  package func tableNames() throws(RepositoryError) -> [String] {
    var names: [String] = []
    try query(
      """
      SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND \(Self.isNotInternal) \
      AND name <> ? ORDER BY name
      """, [.text(SQLDatabase.migrationsTable)]
    ) { row in
      names.append(row.text(0))
    }
    return names
  }

  /// Returns whether a name is that of a view.
  package func isView(_ name: String) throws(RepositoryError) -> Bool { try tableEntry(name)?.type == "view" }

  /// Returns the names of the other tables that have a foreign key to a table.
  package func tables(referringTo name: String) throws(RepositoryError) -> [String] {
    var names: [String] = []
    for table in try tableEntries() where table.type == "table" && !Name(table.name).equalsFolded(name) {
      let keys = try foreignKeyEntries(ofTable: table.name)
      if keys.contains(where: { Name($0.table).equalsFolded(name) }) { names.append(table.name) }
    }
    return names
  }

  /// Returns the side effects of a write to each table.
  package func writeEffects() throws(RepositoryError) -> WriteEffects {
    let triggered = Set(try tablesWithTriggers().map { Name($0).folded })
    var tables: [WriteEffects.Table] = []
    var cascades: [(from: String, to: String)] = []
    for entry in try tableEntries() {
      tables.append(
        WriteEffects.Table(
          entry.name, hasOwnRows: entry.type == "table", hasTriggers: triggered.contains(Name(entry.name).folded)))
      guard entry.type == "table" else { continue }
      cascades += try foreignKeyEntries(ofTable: entry.name).filter(\.changesRows).map { ($0.table, entry.name) }
    }
    return WriteEffects(tables, cascades: cascades)
  }

  /// Returns the description of a table or a view; `nil` if no table has exactly this name.
  package func schema(ofTable name: String) throws(RepositoryError) -> TableSchema? {
    guard let table = try tableEntry(name) else { return nil }
    return try schema(of: table)
  }

  /// Describes a table or a view.
  package func schema(of table: TableEntry) throws(RepositoryError) -> TableSchema {
    let indexes = try indexes(ofTable: table.name)
    let entries = try columnEntries(of: table)
    let columns = columns(entries, of: table, indexes)
    // A key that is not an alias of the rowid may be null in SQLite, and nulls identify no row.
    let key = zip(entries, columns).filter { $0.0.keyPosition > 0 }.sorted { $0.0.keyPosition < $1.0.keyPosition }
    let identifying = key.contains(where: \.1.isNullable) ? [] : key.map(\.1.name)
    let known = { (names: [String]) in names.allSatisfy { name in columns.contains(named: name) } }
    let references = try references(ofTable: table.name).filter { reference in
      known(reference.columns) && reference.columns.count == reference.key.count
    }
    let unique = uniqueSets(indexes).filter { set in
      known(set) && !set.elementsEqual(identifying) { Name($0) == $1 }
    }
    return try RepositoryError.translating { () throws(QueryError) in
      try TableSchema(
        table.name, columns: columns, primaryKey: identifying, unique: unique,
        references: references.map { enforced($0, on: columns) })
    }
  }

  private func columns(_ entries: [ColumnEntry], of table: TableEntry, _ indexes: [Index]) -> [ColumnSchema] {
    let indexed = indexedColumns(indexes)
    let hasKeyIndex = indexes.contains { $0.entry.origin == "pk" }
    return entries.map { entry in
      // A key column is an alias of the rowid if its type is exactly `INTEGER` and the key has no index. A key of several
      // columns has an index, and so has `INTEGER PRIMARY KEY DESC`: https://www.sqlite.org/lang_createtable.html#rowid
      let isInKey = entry.keyPosition > 0
      let isRowid =
        isInKey && table.hasRowid && !hasKeyIndex && entry.declaredType.uppercased() == "INTEGER"
      let isKeyOfStrict = isInKey && (table.isStrict || !table.hasRowid)
      let isNullable = !entry.isNotNull && !isRowid && !isKeyOfStrict
      let collation = connection.database.collation(table: table.name, column: entry.name)
      let type = DeclaredType(entry.declaredType, isStrict: table.isStrict)
      return ColumnSchema(
        entry.name, type.valueType, isNullable: isNullable,
        isUnique: indexed[.text(entry.name)] ?? false, isIndexed: indexed[.text(entry.name)] != nil,
        isGenerated: isRowid, declaredType: table.isStrict || isRowid ? nil : entry.declaredType,
        // The collation of a view's columns is not known, so every comparison sets it.
        collation: collation == "BINARY" ? nil : collation ?? ColumnSchema.unknownCollation
      ).holdingJSON(type.mayBeJSON)
        // A view stores nothing.
        .storing(by: table.isStrict || isRowid || table.type == "view" ? nil : type.affinity)
    }
  }

  /// Returns a reference as it has effect. A table of another program may have a foreign key that sets a not-null column to null:
  /// the rows that it refers to can't be deleted.
  private func enforced(_ reference: ReferenceRule, on columns: [ColumnSchema]) -> ReferenceRule {
    guard reference.onDelete == .setNull,
      !reference.columns.allSatisfy({ name in columns.first(named: name)?.isNullable == true })
    else { return reference }
    return ReferenceRule(
      reference.columns, to: reference.table, key: reference.key, onDelete: .restrict, isDeferred: reference.isDeferred)
  }

  /// Returns the columns of a table or a view.
  ///
  /// - Throws: ``/Repository/RepositoryError`` that names the view if its definition is not valid.
  private func columnEntries(of table: TableEntry) throws(RepositoryError) -> [ColumnEntry] {
    do throws(RepositoryError) {
      return try columnEntries(ofTable: table.name)
    } catch {
      guard table.type == "view", let result = error.underlying as? ResultCode,
        [.missingTable, .invalidStatement, .untrusted, .other].contains(result.meaning)
      else { throw error }
      throw .unusable("view \(table.name)", result)
    }
  }

  /// Returns the name of a table's rowid, whose order is that of the rows' insertion; `nil` if the table has no rowid, or has
  /// columns with all names of the rowid. https://www.sqlite.org/lang_createtable.html#rowid
  package func insertionOrder(of table: TableSchema) throws(RepositoryError) -> String? {
    guard try tableEntry(table.name)?.hasRowid == true else { return nil }
    // The table may have columns that the schema leaves out.
    return RowidName.name(besides: try names("SELECT name FROM temp.pragma_table_xinfo(?)", [.text(table.name)]))
  }

  /// Returns the number of rows of a table or a view.
  package func rowCount(ofTable name: String) throws(RepositoryError) -> Int {
    let count = "SELECT count(*) FROM \(connection.compiler.dialect.quoted(name))"
    do throws(RepositoryError) {
      return try integer(count)
    } catch {
      // SQLite counts by an index, which it can't open without its collation.
      guard error.isOfMissingCollation, try tableEntry(name)?.type == "table" else { throw error }
      return try integer("\(count) NOT INDEXED")
    }
  }

  private typealias Index = (entry: IndexEntry, columns: [String?])

  private func indexes(ofTable name: String) throws(RepositoryError) -> [Index] {
    var indexes: [Index] = []
    for entry in try indexEntries(ofTable: name) {
      indexes.append((entry, try terms(ofIndex: entry.name).map(\.column)))
    }
    return indexes
  }

  /// Returns, for each column that an index begins with, whether an index makes it unique on its own. The names are values,
  /// which are compared by their bytes.
  private func indexedColumns(_ indexes: [Index]) -> [Value: Bool] {
    var columns: [Value: Bool] = [:]
    for index in indexes where !index.entry.isPartial {
      guard let first = index.columns.first, let first else { continue }
      let isUnique = index.entry.isUnique && index.columns.count == 1
      columns[.text(first)] = isUnique || columns[.text(first)] == true
    }
    return columns
  }

  // MARK: Rules of a table

  /// Returns the names of the columns that are unique together, of each index of several columns.
  private func uniqueSets(_ indexes: [Index]) -> [[String]] {
    var seen: Set<[Name]> = []
    return indexes.compactMap { index in
      // A term that is an expression has no name.
      guard index.entry.isUnique, !index.entry.isPartial, index.entry.origin != "pk", index.columns.count > 1,
        !index.columns.contains(nil)
      else { return nil }
      let columns = index.columns.compactMap(\.self)
      return seen.insert(columns.map(Name.init)).inserted ? columns : nil
    }
  }

  // MARK: Lookups of migrations and imports

  /// Returns whether a name is that of a table which is neither virtual nor a view.
  package func isAlterable(_ name: String) throws(RepositoryError) -> Bool { try tableEntry(name)?.type == "table" }

  /// Returns the columns that get a value when an insert omits them: those with a default, and generated ones.
  package func columnsWithDefault(ofTable name: String) throws(RepositoryError) -> Set<Value> {
    Set(
      try columnEntries(ofTable: name).filter { $0.defaultExpression != nil || $0.isComputed }.map { .text($0.name) })
  }

  /// Returns the columns that the database computes.
  package func computedColumns(ofTable name: String) throws(RepositoryError) -> [String] {
    try columnEntries(ofTable: name).filter(\.isComputed).map(\.name)
  }

  /// Returns the numbers of rows that refer to missing rows, by the names of both tables.
  package func brokenReferenceCounts() throws(RepositoryError) -> [[Value]: Int] {
    var counts: [[Value]: Int] = [:]
    for table in try tableNames() {
      for broken in try brokenReferences(ofTable: table) {
        counts[[.text(table), .text(broken.parent)], default: 0] += broken.count
      }
    }
    return counts
  }

  /// Returns the greatest number that `AUTOINCREMENT` gave in a table; `nil` for a table without `AUTOINCREMENT`.
  /// https://www.sqlite.org/autoinc.html
  package func sequence(ofTable name: String) throws(RepositoryError) -> Int64? {
    var sequence: Int64?
    guard try integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'") > 0 else { return nil }
    try query("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(name)]) { row in sequence = row.integer(0) }
    return sequence
  }

  /// Sets the greatest number that `AUTOINCREMENT` gave in a table, after which the next row is numbered.
  package func setSequence(_ sequence: Int64, ofTable name: String) throws(RepositoryError) {
    let name = connection.compiler.dialect.literal(.text(name))
    try connection.execute("DELETE FROM sqlite_sequence WHERE name = \(name)")
    try connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (\(name), \(sequence))")
  }

  // MARK: Queries

  /// Runs a statement and passes it to a closure at each row of its result.
  package func query(
    _ sql: String, _ bindings: [Value] = [], _ body: (any PreparedStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try connection.query(CompiledStatement(sql: sql, bindings: bindings), body)
  }

  /// Returns the number that is the result of a statement.
  package func integer(_ sql: String, _ bindings: [Value] = []) throws(RepositoryError) -> Int {
    try connection.integer(CompiledStatement(sql: sql, bindings: bindings))
  }

  /// Returns the texts of the first column of a statement's result.
  package func names(_ sql: String, _ bindings: [Value] = []) throws(RepositoryError) -> [String] {
    var names: [String] = []
    try query(sql, bindings) { row in names.append(row.text(0)) }
    return names
  }
}

/// SQLite's interpretation of a column's declared type.
struct DeclaredType {
  /// The type of a strict column, or the type that is closest to the affinity of one that is not strict.
  let valueType: ValueType
  /// What SQLite makes of values in a column that is not strict; `nil` if it stores each as it is.
  let affinity: ColumnAffinity?
  /// Whether the texts of the column may be JSON: SQLite has no type of its own for it, and treats `JSON` as a number's.
  let mayBeJSON: Bool

  /// Source: SQLite, "Datatypes In SQLite", section 3.1 (the rules in their order) and "STRICT Tables".
  init(_ declared: String, isStrict: Bool) {
    let name = declared.utf8.map { byte in UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 32 : byte }
    func has(_ word: StaticString) -> Bool {
      word.withUTF8Buffer { word in
        name.count >= word.count
          && (0...name.count - word.count).contains { name[$0..<$0 + word.count].elementsEqual(word) }
      }
    }
    valueType =
      if isStrict && name.elementsEqual("ANY".utf8) {
        .any
      } else if has("INT") {
        .integer
      } else if has("CHAR") || has("CLOB") || has("TEXT") {
        .text
      } else if has("BLOB") || name.isEmpty {
        isStrict ? .blob : .any
      } else {
        .real
      }
    affinity =
      switch valueType {
      case .integer: .numeric
      case .real: has("REAL") || has("FLOA") || has("DOUB") ? .real : .numeric
      case .text: .text
      case .blob, .any: nil
      }
    mayBeJSON = valueType == .text || valueType == .any || has("JSON")
  }
}
