import Query
package import Repository
import SQL
import SQLInspection
import SQLStore
package import SQLiteStore

/// The statements that recreate an SQLite database, without its rows.
package struct DatabaseScript {
  /// The tables with the statements that make them, in the order in which they were made.
  package let tables: [(name: String, statement: String)]
  /// What follows when they have their rows: indexes, triggers and views, then the numbers that `AUTOINCREMENT` goes on with,
  /// and the database's version.
  package let rest: [String]
}

extension SQLiteStore {
  /// Returns the statements that recreate the database, without its rows.
  package func scriptParts() throws(RepositoryError) -> DatabaseScript {
    try runBlocking(.read) { connection throws(RepositoryError) in
      let catalog = SQLiteCatalog(connection)
      // A virtual table creates the tables in which it stores its data.
      let shadows = Set(try catalog.tableEntries().filter { $0.type == "shadow" }.map { Name($0.name) })
      var tables: [(name: String, statement: String)] = []
      var rest: [String] = []
      try catalog.query(
        """
        SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
        ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 2 WHEN 'trigger' THEN 3 ELSE 1 END, rowid
        """
      ) { row in
        if shadows.contains(Name(row.text(2))) { return }
        let statement = DefinitionText(row.text(3)).statement
        if row.text(0) == "table" { tables.append((row.text(1), statement)) } else { rest.append(statement) }
      }
      if try catalog.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'") > 0 {
        rest.append("DELETE FROM sqlite_sequence")
        try catalog.query("SELECT name, seq FROM sqlite_sequence ORDER BY name") { row in
          let name = SQLiteScript.literal(.text(row.text(0)))
          rest.append("INSERT INTO sqlite_sequence (name, seq) VALUES (\(name), \(row.integer(1)))")
        }
      }
      for pragma in ["user_version", "application_id"] {
        let value = try catalog.integer("PRAGMA \(pragma)")
        if value != 0 { rest.append("PRAGMA \(pragma) = \(value)") }
      }
      return DatabaseScript(tables: tables, rest: rest)
    }
  }
}
