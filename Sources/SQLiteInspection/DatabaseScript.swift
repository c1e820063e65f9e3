package import Query
package import Repository
import SQL
import SQLInspection
import SQLStore
package import SQLiteStore

/// The statements that recreate an SQLite database, without its rows.
package struct DatabaseScript {
  package struct Table {
    package let name: String
    package let statement: String
    /// The name of the number by which a virtual table finds its rows, which is no column of it; `nil` for other tables.
    package let rowNumber: String?
  }

  /// The tables with the statements that make them, in the order in which they were made.
  package let tables: [Table]
  /// What follows when they have their rows: indexes, triggers and views, then the numbers that `AUTOINCREMENT` goes on with,
  /// and the database's version.
  package let rest: [String]
}

extension SQLiteStore {
  /// The statements that make the database again, but for its rows.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unsupported`` for a table whose rows
  ///   can't be read.
  package func scriptParts() throws(RepositoryError) -> DatabaseScript {
    try runBlocking(.read) { connection throws(RepositoryError) in
      let catalog = SQLiteCatalog(connection)
      // A virtual table makes those in which it keeps its things.
      let entries = try catalog.tableEntries()
      let shadows = Set(entries.filter { $0.type == "shadow" }.map { Name($0.name) })
      var texts: [(name: String, text: DefinitionText)] = []
      var rest: [String] = []
      try catalog.query(
        """
        SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
        ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 2 WHEN 'trigger' THEN 3 ELSE 1 END, rowid
        """
      ) { row in
        if shadows.contains(Name(row.text(2))) { return }
        let text = DefinitionText(row.text(3))
        if row.text(0) == "table" { texts.append((row.text(1), text)) } else { rest.append(text.statement) }
      }
      let tables = try texts.map { name, text throws(RepositoryError) in
        let isVirtual = entries.contains { $0.type == "virtual" && Name($0.name) == name }
        if isVirtual, text.isContentless { throw .contentless(name) }
        return DatabaseScript.Table(
          name: name, statement: text.statement, rowNumber: isVirtual ? try catalog.rowNumber(ofVirtual: name) : nil)
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

extension SQLiteStore {
  /// Reads columns of a virtual table, also those that are none by its schema, such as the number of a row.
  package func forEachRow(
    ofVirtual table: String, _ columns: [String], _ body: ([Value]) throws -> Void
  ) throws {
    let quoted = SQLiteDialect().quoted
    try forEachRow(
      selectedBy: "SELECT \(columns.map(quoted).joined(separator: ", ")) FROM \(quoted(table))", of: table
    ) { row in try body(row.values(count: columns.count)) }
  }

  /// Returns whether a table has texts that are not UTF-8.
  package func hasInvalidTexts(in table: TableSchema) throws(RepositoryError) -> Bool {
    let dialect = SQLiteDialect()
    // A result has as many columns as a table may have, while a condition on all of them would be too deep.
    // https://www.sqlite.org/limits.html#max_expr_depth
    let counts = table.columns.filter { $0.kinds.contains(.text) }.map {
      "count(\(SQLiteDialect.invalidTextFunction)(\(dialect.quoted($0.name))))"
    }
    if counts.isEmpty { return false }
    return try runBlocking(.read) { connection throws(RepositoryError) in
      var isFound = false
      try SQLiteCatalog(connection).query(
        "SELECT \(counts.joined(separator: ", ")) FROM \(dialect.quoted(table.name))"
      ) { row in isFound = counts.indices.contains { row.integer($0) > 0 } }
      return isFound
    }
  }

  /// Reads columns of a table with texts that are not UTF-8.
  ///
  /// - Parameter body: takes the values of a row, and the bytes of each such text, which is null among the values.
  package func forEachRow(
    ofInvalidTexts table: String, _ columns: [String], _ body: ([Value], [[UInt8]?]) throws -> Void
  ) throws {
    let quoted = SQLiteDialect().quoted
    try forEachRow(
      selectedBy: "SELECT \(columns.map(quoted).joined(separator: ", ")) FROM \(quoted(table))", of: table
    ) { row in
      var (values, texts) = ([Value](), [[UInt8]?]())
      for position in columns.indices {
        do throws(ValueError) {
          values.append(try row.value(at: position))
          texts.append(nil)
        } catch {
          guard error == .invalidUTF8 else { throw error }
          values.append(.null)
          texts.append(row.bytes(at: position))
        }
      }
      try body(values, texts)
    }
  }

  private func forEachRow(
    selectedBy sql: String, of table: String, _ body: (any PreparedStatement) throws -> Void
  ) throws {
    var failure: (any Error)?
    do {
      try runBlocking(.read) { connection throws(RepositoryError) in
        try SQLiteCatalog(connection).query(sql) { row throws(RepositoryError) in
          do {
            try body(row)
          } catch {
            failure = error
            throw RepositoryError(.cancelled, "the rows of \(table) are not wanted any more")
          }
        }
      }
    } catch {
      throw failure ?? error
    }
  }
}

extension SQLiteCatalog {
  /// The name of the number of a virtual table's rows; `nil` where the table has none, or columns hide it.
  fileprivate func rowNumber(ofVirtual name: String) throws(RepositoryError) -> String? {
    if try tableEntry(name)?.isWithoutRowid != false { return nil }
    return RowIDName.name(besides: try names("SELECT name FROM temp.pragma_table_xinfo(?)", [.text(name)]))
  }
}

extension RepositoryError {
  fileprivate static func contentless(_ name: String) -> RepositoryError {
    RepositoryError(
      .unsupported, "the full-text index \(name) can't be written as statements",
      reason: "it does not keep the texts that it was made of", suggestion: "copy the file as a whole, by a backup")
  }
}
