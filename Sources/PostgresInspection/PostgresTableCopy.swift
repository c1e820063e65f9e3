package import PostgresStore
import Query
package import Repository
import SQL
package import SQLInspection
import SQLStore

// The statements that make a table on another server: https://www.postgresql.org/docs/15/functions-info.html
extension PostgresCatalog {
  package func copiedTable(_ name: String) throws(RepositoryError) -> ServerTable? {
    let quoted = connection.compiler.dialect.quoted(name)
    var table = ServerTable()
    var columns: [String] = []
    var (kind, persistence) = ("r", "p")
    try query(Self.copiedColumns, [Self.parameter(name)]) { row in
      if row.integer(3) == 1 { columns.append(row.text(2)) }
      if row.integer(4) == 1 { table.columns.append(ServerTable.Column(name: row.text(0), type: row.text(1))) }
      (kind, persistence) = (row.text(5), row.text(6))
    }
    table.hasInheritingTables = kind != "p"
    table.preparations = try rows(Self.copiedTypes, name) + rows(Self.copiedSequences, name)
    let ending = try rows(Self.ending, name).joined()
    table.creations = [
      "CREATE \(persistence == "u" ? "UNLOGGED " : "")TABLE \(quoted) (\(columns.joined(separator: ", ")))\(ending)"
    ]
    table.creations += try rows(Self.partitions, name)
    table.completions = try rows(Self.constraints, name) + rows(Self.copiedIndexes, name) + rows(Self.numbers, name)
    try query(Self.copiedReferences, [Self.parameter(name)]) { row in
      table.references.append((row.text(0), ServerTable.Part(name: "the reference \(row.text(1))", sql: row.text(2))))
    }
    try query(Self.copiedTriggers, [Self.parameter(name)]) { row in
      table.triggers.append(ServerTable.Part(name: "the trigger \(row.text(0))", sql: row.text(1)))
    }
    return table
  }

  private func rows(_ sql: String, _ table: String) throws(RepositoryError) -> [String] {
    var rows: [String] = []
    try query(sql, [Self.parameter(table)]) { row in rows.append(row.text(0)) }
    return rows
  }

  /// The columns of the table `$1`: name, type, definition, whether the table declares it, and whether it is written.
  private static let copiedColumns = """
    SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), \
    format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod), \
    CASE WHEN a.attcollation <> y.typcollation THEN format(' COLLATE %s', a.attcollation::regcollation) ELSE '' END, \
    CASE WHEN a.attgenerated = 's' THEN format(' GENERATED ALWAYS AS (%s) STORED', pg_get_expr(d.adbin, d.adrelid)) \
    WHEN d.adbin IS NOT NULL THEN format(' DEFAULT %s', pg_get_expr(d.adbin, d.adrelid)) \
    WHEN a.attidentity <> '' THEN format(' GENERATED %s AS IDENTITY (%s)', \
    CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, (SELECT format( \
    'START %s INCREMENT %s MINVALUE %s MAXVALUE %s CACHE %s%s', q.seqstart, q.seqincrement, q.seqmin, q.seqmax, \
    q.seqcache, CASE WHEN q.seqcycle THEN ' CYCLE' ELSE '' END) FROM pg_catalog.pg_depend p \
    JOIN pg_catalog.pg_sequence q ON q.seqrelid = p.objid WHERE p.classid = 'pg_catalog.pg_class'::regclass \
    AND p.refclassid = 'pg_catalog.pg_class'::regclass AND p.refobjid = t.oid AND p.refobjsubid = a.attnum \
    AND p.deptype = 'i' LIMIT 1)) ELSE '' END, \
    CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END), \
    (a.attislocal OR c.relispartition)::int, (a.attgenerated = '')::int, c.relkind::text, c.relpersistence::text \
    FROM \(visibleTables) t JOIN pg_catalog.pg_class c ON c.oid = t.oid \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped \
    JOIN pg_catalog.pg_type y ON y.oid = a.atttypid \
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum \
    WHERE t.relname = $1::text ORDER BY a.attnum
    """

  /// The enumerations and domains of the columns of the table `$1`, the lowest domain first, and the extensions of other types.
  private static let copiedTypes = """
    WITH RECURSIVE used AS (SELECT CASE WHEN y.typelem <> 0 AND y.typlen = -1 THEN y.typelem ELSE y.oid END AS oid, \
    0 AS depth FROM \(visibleTables) t \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped \
    JOIN pg_catalog.pg_type y ON y.oid = a.atttypid WHERE t.relname = $1::text \
    UNION SELECT y.typbasetype, depth + 1 FROM used JOIN pg_catalog.pg_type y ON y.oid = used.oid AND y.typtype = 'd'), \
    found AS (SELECT oid, max(depth) AS depth FROM used WHERE oid >= 16384 GROUP BY oid) \
    SELECT CASE WHEN x.extname IS NOT NULL THEN format('CREATE EXTENSION IF NOT EXISTS %I', x.extname) ELSE \
    format('DO %L', format('BEGIN IF to_regtype(%L) IS NULL THEN CREATE %s; END IF; END', format('%I', y.typname), \
    CASE y.typtype WHEN 'e' THEN format('TYPE %I AS ENUM (%s)', y.typname, (SELECT \
    string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e \
    WHERE e.enumtypid = y.oid)) \
    ELSE format('DOMAIN %I AS %s%s%s%s', y.typname, format_type(y.typbasetype, y.typtypmod), \
    COALESCE(' DEFAULT ' || y.typdefault, ''), CASE WHEN y.typnotnull THEN ' NOT NULL' ELSE '' END, \
    (SELECT string_agg(format(' CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), '') \
    FROM pg_catalog.pg_constraint k WHERE k.contypid = y.oid)) END)) END \
    FROM found JOIN pg_catalog.pg_type y ON y.oid = found.oid \
    LEFT JOIN pg_catalog.pg_depend p ON p.classid = 'pg_catalog.pg_type'::regclass AND p.objid = y.oid AND p.deptype = 'e' \
    LEFT JOIN pg_catalog.pg_extension x ON x.oid = p.refobjid \
    WHERE x.oid IS NOT NULL OR y.typtype IN ('e', 'd') ORDER BY found.depth DESC, y.typname
    """

  /// The sequences from which defaults of the table `$1` take numbers.
  private static let copiedSequences = """
    SELECT DISTINCT format('CREATE SEQUENCE IF NOT EXISTS %I AS %s INCREMENT %s MINVALUE %s MAXVALUE %s START %s CACHE %s%s', \
    s.relname, format_type(q.seqtypid, NULL), q.seqincrement, q.seqmin, q.seqmax, q.seqstart, q.seqcache, \
    CASE WHEN q.seqcycle THEN ' CYCLE' ELSE '' END) FROM \(visibleTables) t \
    JOIN pg_catalog.pg_attrdef d ON d.adrelid = t.oid \
    JOIN pg_catalog.pg_depend p ON p.classid = 'pg_catalog.pg_attrdef'::regclass AND p.objid = d.oid \
    AND p.refclassid = 'pg_catalog.pg_class'::regclass \
    JOIN pg_catalog.pg_class s ON s.oid = p.refobjid AND s.relkind = 'S' \
    JOIN pg_catalog.pg_sequence q ON q.seqrelid = s.oid WHERE t.relname = $1::text
    """

  /// What follows the columns of the table `$1`: the tables that it inherits from, and how it is divided.
  private static let ending = """
    SELECT COALESCE((SELECT format(' INHERITS (%s)', string_agg(h.inhparent::regclass::text, ', ' ORDER BY h.inhseqno)) \
    FROM pg_catalog.pg_inherits h WHERE h.inhrelid = t.oid AND NOT c.relispartition HAVING count(*) > 0), '') \
    || CASE WHEN t.relkind = 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(t.oid) ELSE '' END \
    FROM \(visibleTables) t JOIN pg_catalog.pg_class c ON c.oid = t.oid WHERE t.relname = $1::text
    """

  /// The partitions of the table `$1`, at all levels.
  private static let partitions = """
    SELECT format('CREATE TABLE %I PARTITION OF %s %s%s', c.relname, p.parentrelid::regclass, \
    pg_get_expr(c.relpartbound, c.oid), \
    CASE WHEN c.relkind = 'p' THEN ' PARTITION BY ' || pg_get_partkeydef(c.oid) ELSE '' END) \
    FROM \(visibleTables) t CROSS JOIN LATERAL pg_partition_tree(t.oid) p \
    JOIN pg_catalog.pg_class c ON c.oid = p.relid AND p.level > 0 \
    WHERE t.relname = $1::text AND t.relkind = 'p' ORDER BY p.level, c.relname
    """

  /// The keys and checks of the table `$1` and of its partitions, without those that come from another table.
  private static let constraints = """
    SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) \
    FROM \(visibleTables) t JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid \
    OR t.relkind = 'p' AND k.conrelid IN (SELECT p.relid FROM pg_partition_tree(t.oid) p) \
    WHERE t.relname = $1::text AND k.contype IN ('p', 'u', 'c', 'x') AND k.conparentid = 0 \
    AND (k.coninhcount = 0 OR k.conislocal AND k.contype = 'c' AND k.conrelid = t.oid \
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits h WHERE h.inhrelid = k.conrelid)) \
    ORDER BY k.contype = 'c', k.contype <> 'p', k.oid
    """

  /// The indexes of the table `$1` and of its partitions that no constraint makes.
  private static let copiedIndexes = """
    SELECT CASE x.relkind WHEN 'I' THEN regexp_replace(pg_get_indexdef(x.oid, 0, true), ' ON ONLY ', ' ON ') \
    ELSE pg_get_indexdef(x.oid, 0, true) END FROM \(visibleTables) t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid \
    OR t.relkind = 'p' AND i.indrelid IN (SELECT p.relid FROM pg_partition_tree(t.oid) p) \
    JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid \
    WHERE t.relname = $1::text AND NOT x.relispartition \
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x')) \
    ORDER BY i.indexrelid
    """

  /// The numbers after which those of new rows of the table `$1` go on.
  private static let numbers = """
    SELECT DISTINCT CASE WHEN a.attidentity <> '' THEN format('SELECT setval(pg_get_serial_sequence(%L, %L), %s)', \
    format('%I', t.relname), a.attname, v.value) \
    ELSE format('SELECT setval(%L, %s)', format('%I', s.relname), v.value) END \
    FROM \(visibleTables) t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped \
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum \
    JOIN pg_catalog.pg_depend p ON p.refclassid = 'pg_catalog.pg_class'::regclass AND p.classid = 'pg_catalog.pg_attrdef'::regclass \
    AND p.objid = d.oid \
    OR a.attidentity <> '' AND p.classid = 'pg_catalog.pg_class'::regclass AND p.refobjid = t.oid AND p.refobjsubid = a.attnum \
    AND p.deptype = 'i' \
    JOIN pg_catalog.pg_class s ON s.relkind = 'S' AND s.oid = CASE WHEN a.attidentity <> '' THEN p.objid ELSE p.refobjid END \
    CROSS JOIN LATERAL (SELECT pg_sequence_last_value(s.oid) AS value) v \
    WHERE t.relname = $1::text AND v.value IS NOT NULL
    UNION ALL SELECT format('ALTER SEQUENCE %I OWNED BY %I.%I', s.relname, t.relname, a.attname) \
    FROM \(visibleTables) t JOIN pg_catalog.pg_depend p ON p.refobjid = t.oid AND p.refobjsubid > 0 AND p.deptype = 'a' \
    AND p.classid = 'pg_catalog.pg_class'::regclass \
    JOIN pg_catalog.pg_class s ON s.oid = p.objid AND s.relkind = 'S' \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = p.refobjsubid WHERE t.relname = $1::text
    """

  /// The references of the table `$1`: the table that each leads to, its name, and the statement.
  private static let copiedReferences = """
    SELECT p.relname::text, k.conname::text, format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, \
    pg_get_constraintdef(k.oid)) FROM \(visibleTables) t JOIN pg_catalog.pg_constraint k \
    ON (k.conrelid = t.oid OR t.relkind = 'p' AND k.conrelid IN (SELECT p.relid FROM pg_partition_tree(t.oid) p)) \
    AND k.contype = 'f' AND k.conparentid = 0 JOIN pg_catalog.pg_class p ON p.oid = k.confrelid \
    WHERE t.relname = $1::text ORDER BY k.oid
    """

  private static let copiedTriggers = """
    SELECT g.tgname::text, pg_get_triggerdef(g.oid, true) FROM \(visibleTables) t JOIN pg_catalog.pg_trigger g \
    ON g.tgrelid = t.oid AND NOT g.tgisinternal WHERE t.relname = $1::text ORDER BY g.oid
    """
}
