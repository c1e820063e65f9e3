package import PostgresStore
package import Query
package import Repository
import SQL
package import SQLInspection
import SQLStore

// What the tool asks of a database, answered by a server; the longer answers have files of their own.
extension PostgresCatalog: InspectionCatalog {
  /// The place of a row: https://www.postgresql.org/docs/15/ddl-system-columns.html
  package func rowIdentity(of table: TableSchema) throws(RepositoryError) -> String? { "ctid" }

  package var language: TableDefinition.Language { .postgres }

  package func inheritingTables() throws(RepositoryError) -> [InheritingTable] {
    var tables: [InheritingTable] = []
    try query(Self.inheritingTables) { row in
      tables.append(
        InheritingTable(
          name: row.text(0), parent: row.text(1), isPartition: row.integer(2) == 1,
          ownColumns: row.text(at: 3).map { [$0] } ?? []))
    }
    return tables
  }

  /// The tables that inherit from others, a row each for every parent, with the names of the columns that it lacks.
  private static let inheritingTables = """
    SELECT child.relname::text, parent.relname::text, c.relispartition::int, \
    (SELECT string_agg(a.attname::text, ', ' ORDER BY a.attnum) FROM pg_catalog.pg_attribute a \
    WHERE a.attrelid = child.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attinhcount = 0) \
    FROM pg_catalog.pg_inherits h JOIN \(visibleTables) child ON child.oid = h.inhrelid \
    JOIN \(visibleTables) parent ON parent.oid = h.inhparent JOIN pg_catalog.pg_class c ON c.oid = child.oid \
    ORDER BY child.relname, h.inhseqno
    """

  package func overviews(measuring: Bool, countingViews: Bool) throws(RepositoryError) -> [TableOverview] {
    var entries: [(name: String, kind: TableOverview.Kind, size: Int?)] = []
    try query(measuring ? Self.measuredTables : Self.tables, [.text(SQLDatabase.migrationsTable)]) { row in
      entries.append((row.text(0), .init(relkind: row.text(1)), row.integer(at: 2).map(Int.init)))
    }
    var overviews: [TableOverview] = []
    for (name, kind, size) in entries {
      // Those of a view are computed, and those of a foreign table are fetched from another server.
      let isCounted = measuring && (countingViews || kind == .table)
      overviews.append(
        TableOverview(
          name: name, kind: kind, rowCount: isCounted ? try knownRowCount(ofTable: name) : .notWanted, byteCount: size))
    }
    return overviews
  }

  private static let tables = """
    SELECT t.relname::text, t.relkind::text, NULL::int8 FROM \(visibleTables) t \
    WHERE t.relname <> $1::text ORDER BY t.relname
    """

  /// The size of a partitioned table is that of its partitions. https://www.postgresql.org/docs/15/functions-admin.html
  private static let measuredTables = """
    SELECT t.relname::text, t.relkind::text, CASE WHEN t.relkind IN ('r', 'p', 'm') THEN COALESCE( \
    (SELECT sum(pg_total_relation_size(part.relid))::int8 FROM pg_partition_tree(t.oid) part), \
    pg_total_relation_size(t.oid)) END FROM \(visibleTables) t WHERE t.relname <> $1::text ORDER BY t.relname
    """

  package func definitionReader() throws(RepositoryError) -> DefinitionReader {
    { name throws(RepositoryError) in try definition(ofTable: name) }
  }

  package func traits(of table: TableSchema) throws(RepositoryError) -> TableTraits {
    var traits = TableTraits()
    traits.isView = try isView(table.name)
    traits.countsChangesExactly = true
    traits.identity = table.primaryKey.isEmpty ? .none : .key
    traits.key = table.primaryKey
    let defaulted = try columnsWithDefault(ofTable: table.name)
    let computed = Set(try computedColumns(ofTable: table.name).map(Name.init))
    for (position, column) in table.columns.enumerated() {
      if defaulted.contains(.text(column.name)) { traits.defaulted.insert(position) }
      if computed.contains(Name(column.name)) { traits.computed.insert(position) }
    }
    return traits
  }
}

extension TableOverview.Kind {
  /// The meaning of `relkind`. https://www.postgresql.org/docs/15/catalog-pg-class.html
  init(relkind: String) {
    switch relkind {
    case "v", "m": self = .view
    case "f": self = .foreign
    default: self = .table
    }
  }
}

// MARK: - Changes

extension PostgresStore {
  /// The snapshot of the server's transactions that have ended: it differs as soon as one has ended that changed something,
  /// of any program.
  /// https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT
  package func snapshot() async throws(RepositoryError) -> String {
    try await sql.query("SELECT pg_current_snapshot()::text", as: String.self).first ?? ""
  }
}
