package import Query
package import Repository
import SQL
package import SQLStore

/// The catalogue of a PostgreSQL database: all reads of its system tables are made here.
///
/// A name is that of the table which a statement finds by it, in whichever schema of the search path. System tables are
/// named with their schema, since a temporary table of the same name would take precedence. Columns of system tables that
/// were added after version 14 are read from the row as JSON, so that older servers accept the statement.
/// https://www.postgresql.org/docs/15/runtime-config-client.html#GUC-SEARCH-PATH
package struct PostgresCatalog: SQLCatalog {
  package let connection: Connection

  package init(_ connection: Connection) {
    self.connection = connection
  }

  /// The tables and views that statements find by their unqualified names, without system tables. No two of them have the same
  /// name.
  package static let visibleTables = """
    (SELECT c.oid, c.relname, c.relkind \
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema') \
    AND pg_table_is_visible(c.oid))
    """

  // MARK: Tables

  /// Returns the names of the tables and views, in the order of their bytes, without that of the migrations.
  package func tableNames() throws(RepositoryError) -> [String] {
    try names(
      "SELECT t.relname::text FROM \(Self.visibleTables) t WHERE t.relname <> $1::text ORDER BY t.relname",
      [.text(SQLDatabase.migrationsTable)])
  }

  /// Returns whether a name is that of a view, materialized or not.
  package func isView(_ name: String) throws(RepositoryError) -> Bool { ["v", "m"].contains(try kind(ofTable: name)) }

  /// Returns whether a name is that of a table which is neither a view nor a foreign table.
  package func isAlterable(_ name: String) throws(RepositoryError) -> Bool {
    ["r", "p"].contains(try kind(ofTable: name))
  }

  /// Returns the `relkind` of a table. https://www.postgresql.org/docs/15/catalog-pg-class.html
  private func kind(ofTable name: String) throws(RepositoryError) -> String? {
    try names(
      "SELECT t.relkind::text FROM \(Self.visibleTables) t WHERE t.relname = $1::text", [Self.parameter(name)]
    ).first
  }

  /// Returns the names of the other tables that have a foreign key to a table.
  package func tables(referringTo name: String) throws(RepositoryError) -> [String] {
    try names(
      """
      SELECT child.relname::text FROM \(Self.visibleTables) t \
      JOIN pg_catalog.pg_constraint k ON k.confrelid = t.oid AND k.contype = 'f' \
      JOIN \(Self.visibleTables) child ON child.oid = k.conrelid AND child.oid <> t.oid \
      WHERE t.relname = $1::text GROUP BY child.relname ORDER BY child.relname
      """, [Self.parameter(name)])
  }

  /// Returns the side effects of a write to each table. Tables that inherit, or are inherited from, share rows with others.
  package func writeEffects() throws(RepositoryError) -> WriteEffects {
    var tables: [WriteEffects.Table] = []
    let all = """
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
      """
    try query(
      """
      SELECT c.relname::text, c.relkind = 'r' AND NOT EXISTS \
      (SELECT FROM pg_catalog.pg_inherits i WHERE c.oid IN (i.inhrelid, i.inhparent)), EXISTS \
      (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal) OR EXISTS \
      (SELECT FROM pg_catalog.pg_rewrite w WHERE w.ev_class = c.oid AND w.rulename <> '_RETURN') \(all)
      """
    ) { row in
      tables.append(
        WriteEffects.Table(row.text(0), hasOwnRows: row.integer(1) == 1, hasTriggers: row.integer(2) == 1))
    }
    var cascades: [(from: String, to: String)] = []
    try query(
      """
      SELECT parent.relname::text, child.relname::text FROM pg_catalog.pg_constraint k \
      JOIN pg_catalog.pg_class parent ON parent.oid = k.confrelid JOIN pg_catalog.pg_class child ON child.oid = k.conrelid \
      WHERE k.contype = 'f' AND NOT (k.confupdtype IN ('a', 'r') AND k.confdeltype IN ('a', 'r'))
      """
    ) { row in cascades.append((row.text(0), row.text(1))) }
    return WriteEffects(tables, cascades: cascades)
  }

  /// Returns the description of a table or a view; `nil` if no table has exactly this name.
  package func schema(ofTable name: String) throws(RepositoryError) -> TableSchema? {
    let columns = try columns(ofTable: name)
    if columns.isEmpty { return nil }
    let rules = try rules(ofTable: name)
    let nullable = Set(columns.filter { !$0.isNotNull }.map { Name($0.name) })
    let references = rules.references.compactMap { reference -> ReferenceRule? in
      let columns = reference.columns.map(Name.init)
      if Set(columns).count < columns.count { return nil }
      // A table of another program may have a foreign key that sets a not-null column to null: the rows that it refers to
      // can't be deleted.
      let isKept = reference.onDelete != .setNull || nullable.isSuperset(of: columns)
      return isKept
        ? reference
        : ReferenceRule(
          reference.columns, to: reference.table, key: reference.key, onDelete: .restrict,
          isDeferred: reference.isDeferred)
    }
    return try RepositoryError.translating { () throws(QueryError) in
      try TableSchema(
        name, columns: columns.map { $0.schema(under: rules) }, primaryKey: rules.primaryKey.map(\.text),
        unique: rules.uniqueSets.map { $0.map(\.text) }, references: references)
    }
  }

  /// Returns `nil`: a row of PostgreSQL has no number in the order of insertion.
  package func insertionOrder(of table: TableSchema) throws(RepositoryError) -> String? { nil }

  // MARK: Columns

  /// Returns the columns that get a value when an insert omits them.
  package func columnsWithDefault(ofTable name: String) throws(RepositoryError) -> Set<Value> {
    Set(try columns(ofTable: name).filter(\.hasDefault).map { .text($0.name) })
  }

  /// Returns the columns that the database computes from others. An identity column does not count, `GENERATED ALWAYS` or
  /// not: its values are stored, and an insert may set them, with `OVERRIDING SYSTEM VALUE`.
  package func computedColumns(ofTable name: String) throws(RepositoryError) -> [String] {
    try columns(ofTable: name).filter(\.isComputed).map(\.name)
  }

  /// Returns the columns whose values this toolkit does not read and compare as PostgreSQL does, with their types.
  package func unsupportedColumns(ofTable name: String) throws(RepositoryError) -> [(column: String, type: String)] {
    let columns = try columns(ofTable: name)
    let key = columns.isEmpty ? [] : try rules(ofTable: name).primaryKey
    return columns.filter { !$0.isSupported(isInKey: key.contains(Name($0.name))) }.map { ($0.name, $0.declaredType) }
  }

  // MARK: Rules

  /// Returns whether rows may be written to a table together: the table has no rules and does not refer to itself, and other
  /// tables refer only to its primary key. Otherwise it matters whether references are checked after each row.
  func canWriteRowsTogether(_ name: String) throws(RepositoryError) -> Bool {
    try connection.integer(
      CompiledStatement(
        sql: """
          SELECT count(*) FROM \(Self.visibleTables) t LEFT JOIN pg_catalog.pg_constraint k \
          ON k.confrelid = t.oid AND k.contype = 'f' AND (k.conrelid = t.oid OR NOT (SELECT i.indisprimary \
          FROM pg_catalog.pg_index i WHERE i.indexrelid = k.conindid)) \
          WHERE t.relname = $1::text AND (k.oid IS NOT NULL OR EXISTS \
          (SELECT 1 FROM pg_catalog.pg_rewrite r WHERE r.ev_class = t.oid))
          """, bindings: [Self.parameter(name)])) == 0
  }

  /// Returns those checks of a schema that the table has under their names, and that all of its rows satisfy. PostgreSQL
  /// stores a check in its own notation, so it is recognised by its comment; see
  /// ``SQL/Dialect/comment(_:onConstraint:of:)``.
  package func checks(of expected: TableSchema) throws(RepositoryError) -> [CheckRule] {
    if expected.checks.isEmpty { return [] }
    var found: Set<[Value]> = []
    try query(
      """
      SELECT k.conname::text, obj_description(k.oid, 'pg_constraint') FROM \(Self.visibleTables) t \
      JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid AND k.contype = 'c' AND k.convalidated \
      WHERE t.relname = $1::text
      """, [Self.parameter(expected.name)]
    ) { row in
      found.insert([.text(row.text(0)), .text(row.text(1))])
    }
    return connection.compiler.checkConstraints(of: expected).filter { rule, sql in
      found.contains([.text(rule.name), .text(sql)])
    }.map(\.rule)
  }

  /// Returns those partial unique constraints of a schema that the table has as valid indexes, recognised by their comments as
  /// checks are.
  package func partialUnique(of expected: TableSchema) throws(RepositoryError) -> [PartialUniqueRule] {
    if expected.partialUnique.isEmpty { return [] }
    let found = try names(
      """
      SELECT obj_description(i.indexrelid, 'pg_class') FROM \(Self.visibleTables) t \
      JOIN pg_catalog.pg_index i ON i.indrelid = t.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NOT NULL \
      WHERE t.relname = $1::text
      """, [Self.parameter(expected.name)])
    return connection.compiler.partialUniqueIndexes(of: expected).filter { index in
      found.contains { Name($0) == index.definition }
    }.map(\.rule)
  }

  /// Returns the numbers of rows that refer to missing rows, by the names of both tables: only a foreign key that has not
  /// been validated allows such rows.
  package func brokenReferenceCounts() throws(RepositoryError) -> [[Value]: Int] {
    var keys: [(tables: [Value], count: String)] = []
    try query(Self.brokenReferences) { row in
      keys.append(([.text(row.text(0)), .text(row.text(1))], row.text(2)))
    }
    var counts: [[Value]: Int] = [:]
    for key in keys {
      let count = try connection.integer(CompiledStatement(sql: key.count, bindings: []))
      if count > 0 { counts[key.tables, default: 0] += count }
    }
    return counts
  }

  /// Both tables of each foreign key that has not been validated, and the statement that counts the rows which violate it.
  /// `VALIDATE CONSTRAINT` finds them in the same way: with the collation of the key, and without the rows of tables that
  /// inherit from either one. https://www.postgresql.org/docs/15/ddl-inherit.html#DDL-INHERIT-CAVEATS
  private static let brokenReferences = """
    SELECT child.relname::text, parent.relname::text, \
    format('SELECT count(*) FROM %s c WHERE %s AND NOT EXISTS (SELECT FROM %s p WHERE %s)', \
    CASE child.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END || child.oid::regclass, \
    string_agg(format('c.%I IS NOT NULL', a.attname), ' AND '), \
    CASE parent.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END || parent.oid::regclass, \
    string_agg(format('p.%I = c.%I%s', b.attname, a.attname, \
    ' COLLATE ' || NULLIF(b.attcollation, 0)::regcollation), ' AND ')) \
    FROM pg_catalog.pg_constraint k JOIN \(visibleTables) child ON child.oid = k.conrelid \
    JOIN \(visibleTables) parent ON parent.oid = k.confrelid \
    CROSS JOIN LATERAL unnest(k.conkey, k.confkey) AS u(number, key) \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number \
    JOIN pg_catalog.pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = u.key \
    WHERE k.contype = 'f' AND NOT k.convalidated AND k.conparentid = 0 \
    GROUP BY k.oid, child.oid, child.relname, child.relkind, parent.oid, parent.relname, parent.relkind ORDER BY k.oid
    """

  // MARK: Queries

  /// Runs a statement and passes it to a closure at each row of its result.
  package func query(
    _ sql: String, _ bindings: [Value] = [], _ body: (any PreparedStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try connection.query(CompiledStatement(sql: sql, bindings: bindings), body)
  }

  /// Returns the texts of the first column of a statement's result.
  private func names(_ sql: String, _ bindings: [Value]) throws(RepositoryError) -> [String] {
    var names: [String] = []
    try query(sql, bindings) { row in names.append(row.text(0)) }
    return names
  }

  /// Returns a table's name as a parameter. Statements compare the name as a text, since the type `name` would truncate it. A
  /// name with a NUL can't be sent, and is replaced by the empty one, which no table has.
  package static func parameter(_ name: String) -> Value { .text(name.utf8.contains(0) ? "" : name) }
}
