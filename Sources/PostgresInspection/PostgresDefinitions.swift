import PostgresStore
import Query
package import Repository
import SQL
package import SQLInspection
import SQLStore

// The full definition of a table, from the system catalogs: https://www.postgresql.org/docs/15/catalogs.html
extension PostgresCatalog {
  /// Reads the full definition of a table; `nil` where no table has exactly this name.
  func definition(ofTable name: String) throws(RepositoryError) -> TableDefinition? {
    guard let schema = try schema(ofTable: name) else { return nil }
    let kind = try texts("SELECT t.relkind::text FROM \(Self.visibleTables) t WHERE t.relname = $1::text", name)
    return TableDefinition(
      .postgres, schema: schema, kind: .init(relkind: kind.first ?? ""), columns: try columnDetails(of: schema),
      indexes: try indexes(ofTables: [name]), references: try referenceDetails(ofTable: name),
      checks: try texts(Self.checks, name), triggers: try texts(Self.triggers, name))
  }

  /// Returns the texts of a statement's first column, with a table as its parameter.
  private func texts(_ sql: String, _ table: String) throws(RepositoryError) -> [String] {
    var texts: [String] = []
    try query(sql, [Self.parameter(table)]) { row in texts.append(row.text(0)) }
    return texts
  }

  private static let checks = """
    SELECT pg_get_expr(k.conbin, k.conrelid) FROM \(visibleTables) t \
    JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid AND k.contype = 'c' WHERE t.relname = $1::text ORDER BY k.conname
    """

  private static let triggers = """
    SELECT g.tgname::text FROM \(visibleTables) t \
    JOIN pg_catalog.pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal WHERE t.relname = $1::text ORDER BY g.tgname
    """

  // MARK: Columns

  /// The database's own collation is not shown, as in psql.
  private func columnDetails(of table: TableSchema) throws(RepositoryError) -> [TableDefinition.Column] {
    var columns: [TableDefinition.Column] = []
    let checks = try domainChecks(ofTable: table.name)
    try query(Self.columnDetails, [Self.parameter(table.name)]) { row in
      guard let schema = table.columns.first(named: row.text(0)) else { return }
      let expression = row.text(at: 2)
      let generated = row.text(3)
      columns.append(
        TableDefinition.Column(
          schema: schema, declaredType: row.text(1), defaultExpression: generated.isEmpty ? expression : nil,
          collation: [ColumnSchema.unknownCollation, "default"].contains(schema.collation) ? nil : schema.collation,
          generatedBy: generated.isEmpty ? nil : expression, isStored: generated == "s",
          serverType: .init(
            base: row.text(4), labels: Self.texts(ofList: row.text(5)),
            checks: checks.filter { Name($0.column) == schema.name }.map(\.sql))))
    }
    return columns
  }

  /// An identity column has the next number of its sequence by default, which is no expression of its own.
  private static let columnDetails = """
    SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, d.adrelid), a.attgenerated::text, \
    format_type(base.oid, base.modifier), COALESCE(e.labels::text, '') \
    FROM \(visibleTables) t \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped \
    CROSS JOIN LATERAL (\(baseType)) base CROSS JOIN LATERAL (\
    SELECT json_agg(l.enumlabel::text ORDER BY l.enumsortorder) AS labels \
    FROM pg_catalog.pg_enum l WHERE l.enumtypid = base.oid) e \
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum \
    WHERE t.relname = $1::text ORDER BY a.attnum
    """

  /// Returns the texts of a list in JSON.
  private static func texts(ofList json: String) -> [String] {
    guard case .array(let values)? = try? JSONValue(parsing: json).form else { return [] }
    return values.compactMap { if case .text(let text) = $0.form { text } else { nil } }
  }

  private func domainChecks(ofTable name: String) throws(RepositoryError) -> [(column: String, sql: String)] {
    var checks: [(column: String, sql: String)] = []
    try query(Self.domainChecks, [Self.parameter(name)]) { row in checks.append((row.text(0), row.text(1))) }
    return checks
  }

  /// The checks of the domains of the columns of the table `$1`, a row each.
  private static let domainChecks = """
    WITH RECURSIVE chain AS (SELECT a.attname, a.attnum, a.atttypid AS type FROM \(visibleTables) t \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped \
    WHERE t.relname = $1::text UNION ALL SELECT chain.attname, chain.attnum, y.typbasetype FROM chain \
    JOIN pg_catalog.pg_type y ON y.oid = chain.type AND y.typtype = 'd') \
    SELECT chain.attname::text, pg_get_expr(k.conbin, 0) FROM chain \
    JOIN pg_catalog.pg_constraint k ON k.contypid = chain.type AND k.contype = 'c' ORDER BY chain.attnum, k.conname
    """

  // MARK: Indexes

  package func indexes(ofTables names: [String]) throws(RepositoryError) -> [IndexDescription] {
    struct Entry {
      let index: String
      let table: String
      let isUnique: Bool
      let condition: String?
      let origin: IndexDescription.Origin
      let definition: String
      let size: Int
      let traits: IndexDescription.Traits
      var terms: [IndexDescription.Term] = []
    }
    var entries: [Entry] = []
    let list = BoundList(position: 0, values: names.map(Self.parameter), type: .text)
    try connection.query(CompiledStatement(sql: Self.indexes, bindings: [.null], lists: [list])) { row in
      if row.integer(7) == 1 {
        let origin: IndexDescription.Origin =
          switch row.text(4) {
          case "p": .primaryKey
          case "": .statement
          default: .uniqueRule
          }
        var traits = IndexDescription.Traits()
        traits.hasEqualNulls = row.integer(12) == 1
        traits.isDeferrable = row.integer(13) == 1
        traits.isSorted = row.integer(14) == 1
        entries.append(
          Entry(
            index: row.text(1), table: row.text(0), isUnique: row.integer(2) == 1, condition: row.text(at: 3),
            origin: origin, definition: row.text(5), size: Int(row.integer(6)), traits: traits))
      }
      entries[entries.count - 1].terms.append(
        IndexDescription.Term(
          column: row.text(at: 8), text: row.text(at: 8) ?? row.text(9), isDescending: row.integer(10) == 1,
          collation: row.text(at: 11)))
    }
    return entries.map { entry in
      IndexDescription(
        name: entry.index, table: entry.table, terms: entry.terms, isUnique: entry.isUnique, condition: entry.condition,
        origin: entry.origin, definition: entry.definition, size: entry.size,
        traits: entry.traits)
    }
  }

  /// The terms of the indexes of the tables `$1`, a row each, index by index.
  private static let indexes = """
    SELECT t.relname::text, x.relname::text, i.indisunique::int, pg_get_expr(i.indpred, i.indrelid, true), \
    COALESCE(k.contype::text, ''), pg_get_indexdef(i.indexrelid), pg_relation_size(i.indexrelid), u.position, \
    a.attname::text, pg_get_indexdef(i.indexrelid, u.position::int, true), i.indoption[u.position - 1] & 1, \
    CASE WHEN l.oid IS NULL OR l.collname = 'default' OR \(isByBytes) THEN NULL ELSE l.collname::text END, \
    COALESCE((to_jsonb(i) ->> 'indnullsnotdistinct')::bool, false)::int, COALESCE(k.condeferrable, false)::int, \
    (m.amname = 'btree')::int FROM \(visibleTables) t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid \
    JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid JOIN pg_catalog.pg_am m ON m.oid = x.relam \
    LEFT JOIN pg_catalog.pg_constraint k ON k.conindid = i.indexrelid AND k.conrelid = i.indrelid \
    AND k.contype IN ('p', 'u', 'x') \
    CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS u(number, position) \
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = u.number \
    LEFT JOIN pg_catalog.pg_collation l ON l.oid = i.indcollation[u.position - 1] \
    WHERE t.relname = ANY($1::text[]) AND u.position <= i.indnkeyatts ORDER BY t.relname, x.relname, u.position
    """

  // MARK: Foreign keys

  private func referenceDetails(ofTable name: String) throws(RepositoryError) -> [TableDefinition.Reference] {
    typealias Part = (
      number: Int64, table: String, column: String, key: String, onDelete: String, onUpdate: String,
      deferral: TableDefinition.Deferral, isFullMatch: Bool
    )
    var parts: [Part] = []
    try query(Self.references, [Self.parameter(name)]) { row in
      let deferral: TableDefinition.Deferral =
        row.integer(7) == 1 ? .deferred : row.integer(6) == 1 ? .immediate : .notDeferrable
      parts.append(
        (
          row.integer(0), row.text(1), row.text(2), row.text(3), row.text(4), row.text(5), deferral,
          row.integer(8) == 1
        ))
    }
    var references: [TableDefinition.Reference] = []
    while let first = parts.first {
      let own = parts.prefix { $0.number == first.number }
      parts.removeFirst(own.count)
      references.append(
        TableDefinition.Reference(
          columns: own.map(\.column), table: first.table, key: own.map(\.key), onDelete: Self.action(first.onDelete),
          onUpdate: Self.action(first.onUpdate), deferral: first.deferral, isFullMatch: first.isFullMatch))
    }
    return references
  }

  /// The meaning of `confdeltype` and `confupdtype`. https://www.postgresql.org/docs/15/catalog-pg-constraint.html
  private static func action(_ letter: String) -> String {
    switch letter {
    case "c": "CASCADE"
    case "n": "SET NULL"
    case "d": "SET DEFAULT"
    case "r": "RESTRICT"
    default: "NO ACTION"
    }
  }

  /// The columns of the foreign keys of the table `$1`, a row each, key by key.
  private static let references = """
    SELECT k.oid::int8, CASE WHEN pg_table_is_visible(p.oid) THEN '' ELSE n.nspname || '.' END || p.relname, \
    a.attname::text, b.attname::text, k.confdeltype::text, k.confupdtype::text, \
    k.condeferrable::int, k.condeferred::int, (k.confmatchtype = 'f' AND cardinality(k.conkey) > 1)::int FROM \(visibleTables) t \
    JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f' \
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint w WHERE w.oid = k.conparentid AND w.conrelid = k.conrelid) \
    JOIN pg_catalog.pg_class p ON p.oid = k.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace \
    CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS u(number, key, position) \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = u.number \
    JOIN pg_catalog.pg_attribute b ON b.attrelid = p.oid AND b.attnum = u.key \
    WHERE t.relname = $1::text ORDER BY k.oid, u.position
    """
}
