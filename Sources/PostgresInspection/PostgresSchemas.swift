package import PostgresStore
import Query
package import Repository
import SQL
import SQLStore

// Tables that no search path finds. https://www.postgresql.org/docs/15/ddl-schemas.html#DDL-SCHEMAS-PATH
extension PostgresStore {
  /// Returns the search path that finds the tables of some schemas first.
  ///
  /// - Parameter names: names of tables behind those of their schemas, as in `crm.customer`.
  /// - Returns: the path, for each name of a table in a schema the name in the path, and whether another of the names means
  ///   another table in that path. `nil` if the present path finds tables with all of these names, or no schema has them.
  package func searchPath(
    finding names: [String]
  ) throws(RepositoryError) -> (path: String, tables: [String: String], isAmbiguous: Bool)? {
    try runBlocking(.read) { connection throws(RepositoryError) in
      let catalog = PostgresCatalog(connection)
      let known = try catalog.tableNames()
      var (schemas, tables) = ([String](), [String: String]())
      for name in names where !known.contains(named: name) {
        try catalog.query(Self.qualifiedTable, [PostgresCatalog.parameter(name)]) { row in
          schemas.append(row.text(0))
          tables[name] = row.text(1)
        }
      }
      if tables.isEmpty { return nil }
      let others = names.filter { tables[$0] == nil }
      var isAmbiguous = Set(tables.values).count < tables.count || tables.values.contains { others.contains(named: $0) }
      for name in others {
        for schema in schemas where !isAmbiguous {
          try catalog.query(Self.qualifiedTable, [PostgresCatalog.parameter("\(schema).\(name)")]) { _ in
            isAmbiguous = true
          }
        }
      }
      var path = ""
      try catalog.query("SELECT current_setting('search_path')") { row in path = row.text(0) }
      let quoted = schemas.map(connection.compiler.dialect.quoted)
      return ((quoted + (path.isEmpty ? [] : [path])).joined(separator: ", "), tables, isAmbiguous)
    }
  }

  /// The schemas with tables or views that the search path does not find.
  package func otherSchemas() throws(RepositoryError) -> [String] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      var names: [String] = []
      try PostgresCatalog(connection).query(Self.otherSchemas) { row in names.append(row.text(0)) }
      return names
    }
  }

  private static let tables = """
    pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
    AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema') \
    AND n.nspname !~ '^pg_' AND has_schema_privilege(n.oid, 'USAGE')
    """

  private static let qualifiedTable = """
    SELECT n.nspname::text, c.relname::text FROM \(tables) WHERE n.nspname || '.' || c.relname = $1::text \
    ORDER BY n.nspname LIMIT 1
    """

  private static let otherSchemas = """
    SELECT DISTINCT n.nspname::text FROM \(tables) WHERE NOT pg_table_is_visible(c.oid) ORDER BY 1
    """
}
