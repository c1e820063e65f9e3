import Query
package import Repository
import SQL
import SQLStore
package import SQLiteStore

/// The statements that recreate an SQLite database, without its rows.
package struct DatabaseScript {
  package struct Table {
    package let name: String
    package let statement: String
    /// The statements for the index of a full-text table before it has rows.
    package let settings: [String]
    /// The columns that are written, those by which rows are found again included: a rowid that the order of the rows does not
    /// give, and the language of a full-text table's row.
    package let columns: [String]
    /// The condition on the rows, as SQL; `nil` for all rows.
    let condition: String?
    /// Whether the rows can be read.
    package let isReadable: Bool
  }

  /// The tables with the statements that make them, in the order in which they were made.
  package let tables: [Table]
  /// The statements that follow when they have their rows: indexes, triggers and views, then the numbers that
  /// `AUTOINCREMENT` goes on with, and the database's version.
  package let rest: [String]
  /// The notes on parts that the statements do not make again, a line each.
  package let notes: [String]
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
        SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND \(SQLiteCatalog.isNotInternal) \
        ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 2 WHEN 'trigger' THEN 3 ELSE 1 END, rowid
        """
      ) { row in
        if shadows.contains(Name(row.text(2))) { return }
        let text = DefinitionText(row.text(3))
        if row.text(0) == "table" { texts.append((row.text(1), text)) } else { rest.append(text.statement) }
      }
      var reader = ScriptTableReader(catalog, entries, contents: texts.compactMap(\.text.contentTableOfRowids))
      let tables = try texts.map { name, text throws(RepositoryError) in try reader.table(name, text) }
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
      let collations = try catalog.missingCollations().map { collation in
        "\(collation.table) needs the collation \(collation.name) of the program that made the database: "
          + (collation.indexes.isEmpty
            ? "without the collation, comparisons of text fail"
            : "without the collation, the statements can't create the index \(collation.indexes.joined(separator: ", "))")
      }
      return DatabaseScript(tables: tables, rest: rest, notes: reader.notes + collations)
    }
  }

  /// Reads the rows of a table of a script.
  ///
  /// - Parameter body: takes the values of a row, and the bytes of each text that is not UTF-8, which is null among the values.
  package func forEachRow(
    of table: DatabaseScript.Table, _ body: ([Value], [[UInt8]?]) throws -> Void
  ) throws {
    let quoted = SQLiteDialect().quoted
    let columns = table.columns.map(quoted).joined(separator: ", ")
    // An index has another order, and needs collations that may be missing here.
    let source = "\(quoted(table.name)) NOT INDEXED" + (table.condition.map { " WHERE \($0)" } ?? "")
    var failure: (any Error)?
    do {
      try runBlocking(.read) { connection throws(RepositoryError) in
        try SQLiteCatalog(connection).query("SELECT \(columns) FROM \(source)") { row throws(RepositoryError) in
          do {
            let (values, texts) = try row.valuesWithInvalidTexts(count: table.columns.count)
            try body(values, texts)
          } catch {
            failure = error
            throw RepositoryError(.cancelled, "canceled reading the rows of \(table.name)")
          }
        }
      }
    } catch {
      throw failure ?? error
    }
  }
}

extension PreparedStatement {
  /// The values of the current row, and the bytes of each text that is not UTF-8.
  fileprivate func valuesWithInvalidTexts(count: Int) throws(ValueError) -> (values: [Value], texts: [[UInt8]?]) {
    var (values, texts) = ([Value](), [[UInt8]?]())
    values.reserveCapacity(count)
    for position in 0..<count {
      do throws(ValueError) {
        values.append(try value(at: position))
      } catch {
        guard error == .invalidUTF8 else { throw error }
        while texts.count < position { texts.append(nil) }
        values.append(.null)
        texts.append(bytes(at: position))
      }
    }
    return (values, texts)
  }
}
