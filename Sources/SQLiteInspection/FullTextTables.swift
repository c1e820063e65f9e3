import Query
package import Repository
import SQL
import SQLInspection
import SQLStore
package import SQLiteStore

/// A table whose words an index finds.
package struct FullTextTable: Sendable {
  package let name: String
  package let columns: [String]
  /// The table or view whose rows the index finds; `nil` where the table has the texts itself, or none.
  package let content: String?
  /// The column of ``content`` by which the index finds its rows; `nil` for the rowid.
  package let contentRowid: String?
  /// Whether the table has no texts.
  package let isContentless: Bool
  /// Whether the table has a column of ranks, as those of FTS5 have.
  let hasRanks: Bool

  /// The columns of ``content`` that the index reads.
  package var readColumns: [String] { content == nil ? [] : columns + (contentRowid.map { [$0] } ?? []) }
}

extension SQLiteCatalog {
  fileprivate func fullTextTables() throws(RepositoryError) -> [FullTextTable] {
    var definitions: [(name: String, text: DefinitionText)] = []
    try query("SELECT name, sql FROM sqlite_schema WHERE rootpage = 0 ORDER BY name") { row in
      let text = DefinitionText(row.text(1))
      if text.module?.hasPrefix("fts") == true { definitions.append((row.text(0), text)) }
    }
    return try definitions.map { name, text throws(RepositoryError) in
      var columns: [String] = []
      try query("SELECT name FROM pragma_table_info(?)", [.text(name)]) { columns.append($0.text(0)) }
      return FullTextTable(
        name: name, columns: columns, content: text.contentTable, contentRowid: text.contentRowid,
        isContentless: text.isContentless, hasRanks: text.module == "fts5")
    }
  }

  fileprivate func missingSource(of table: FullTextTable) throws(RepositoryError) -> String? {
    guard let content = table.content else { return nil }
    var columns: [String] = []
    // A view of a missing table has no columns, either.
    try? query("SELECT name FROM pragma_table_xinfo(?)", [.text(content)]) { columns.append($0.text(0)) }
    if columns.isEmpty { return content }
    let missing = table.readColumns.first { !columns.contains(named: $0) && !RowidName.isName($0) }
    return missing.map { "\($0) of \(content)" }
  }
}

extension SQLTransaction {
  /// The full-text tables of SQLite that read a missing table or column, each with what is missing, in words.
  package func brokenFullTextTables() throws(RepositoryError) -> [(table: String, missing: String)] {
    try performBlocking(.read) { connection throws(RepositoryError) in
      guard connection.catalog is SQLiteCatalog else { return [] }
      let catalog = SQLiteCatalog(connection)
      var broken: [(table: String, missing: String)] = []
      for table in try catalog.fullTextTables() {
        if let missing = try? catalog.missingSource(of: table) { broken.append((table.name, missing)) }
      }
      return broken
    }
  }

  /// Builds the index of a full-text table again from its texts.
  package func rebuild(_ table: FullTextTable) throws(RepositoryError) {
    let name = SQLiteDialect().quoted(table.name)
    try execute("INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
  }

  /// Builds all indexes of a table again.
  package func reindex(_ table: String, isServer: Bool) throws(RepositoryError) {
    let name = SQLiteDialect().quoted(table)
    try execute(isServer ? "REINDEX TABLE \(name)" : "REINDEX \(name)")
  }
}

// Tables whose words an index finds. https://www.sqlite.org/fts5.html, https://www.sqlite.org/fts3.html
extension SQLiteStore {
  /// The full-text tables, in alphabetical order.
  package func fullTextTables() throws(RepositoryError) -> [FullTextTable] {
    try runBlocking(.read) { connection throws(RepositoryError) in try SQLiteCatalog(connection).fullTextTables() }
  }

  /// Returns the table or the column that a full-text table reads and that is missing, in words; `nil` if all are there.
  package func missingSource(of table: FullTextTable) throws(RepositoryError) -> String? {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try SQLiteCatalog(connection).missingSource(of: table)
    }
  }

  /// Compares the index of each full-text table with the texts.
  ///
  /// SQLite does so in a statement that counts as a write, so this store has to be open for writing. The transaction ends without
  /// a change. https://www.sqlite.org/fts5.html#the_integrity_check_command
  ///
  /// - Returns: the names of the tables whose indexes differ from their texts.
  package func differingFullTextTables(among tables: [FullTextTable]) throws -> [FullTextTable] {
    try tables.filter { table in
      let name = SQLiteDialect().quoted(table.name)
      let command =
        table.hasRanks ? "(\(name), rank) VALUES ('integrity-check', 1)" : "(\(name)) VALUES ('integrity-check')"
      do {
        try blocking.dryRun(.writing) { try $0.execute("INSERT INTO \(name)\(command)") }
        return false
      } catch let error as RepositoryError where error.code == .corrupt {
        return true
      }
    }
  }

  /// A full-text table, and the table whose rows it finds by their rowids.
  package struct ContentIndex {
    package let name: String
    package let content: String
  }

  /// The full-text tables that would find other rows after `VACUUM`, which may change the rowids of a table without any index.
  /// https://www.sqlite.org/lang_vacuum.html
  package func indexesLostByVacuum() throws(RepositoryError) -> [ContentIndex] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      let catalog = SQLiteCatalog(connection)
      var indexes: [ContentIndex] = []
      try catalog.query("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND rootpage = 0 ORDER BY name") {
        row in
        if let content = DefinitionText(row.text(1)).contentTableOfRowids {
          indexes.append(ContentIndex(name: row.text(0), content: content))
        }
      }
      var lost: [ContentIndex] = []
      for index in indexes {
        guard let schema = try catalog.schema(ofTable: index.content),
          let rowid = try catalog.hiddenRowid(of: schema), try catalog.indexEntries(ofTable: index.content).isEmpty
        else { continue }
        if try !catalog.isCounted(table: index.content, by: rowid) { lost.append(index) }
      }
      return lost
    }
  }

  /// Has the index of a full-text table look for words.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where the words make no sense to it.
  package func checkMatch(of words: String, inTable name: String) throws(RepositoryError) {
    try runBlocking(.read) { connection throws(RepositoryError) in
      let table = SQLiteDriver.compiler.dialect.quoted(name)
      try SQLiteCatalog(connection).query("SELECT 1 FROM \(table) WHERE \(table) MATCH ? LIMIT 1", [.text(words)]) {
        _ in
      }
    }
  }
}

extension ConnectionSetup {
  /// Replaces a full-text table by the rows in which words are found, with their rowids as a first column: a temporary view
  /// hides a table of the same name. https://www.sqlite.org/lang_naming.html
  package func showMatches(of words: String, inTable name: String) throws(RepositoryError) {
    try execute(
      """
      CREATE TEMP VIEW \(identifier: name) AS SELECT rowid, * FROM main.\(identifier: name) \
      WHERE \(identifier: name) MATCH \(words)
      """)
  }
}
