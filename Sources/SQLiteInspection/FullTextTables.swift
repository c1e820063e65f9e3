import Query
package import Repository
import SQL
import SQLStore
package import SQLiteStore

// Tables whose words an index finds. https://www.sqlite.org/fts5.html, https://www.sqlite.org/fts3.html
extension SQLiteStore {
  /// The names of the full-text tables, in alphabetical order.
  package func fullTextTables() throws(RepositoryError) -> [String] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      var names: [String] = []
      try SQLiteCatalog(connection).query("SELECT name, sql FROM sqlite_schema WHERE rootpage = 0 ORDER BY name") {
        row in
        if Self.isFullText(row.text(1)) { names.append(row.text(0)) }
      }
      return names
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

  /// Whether the statement that made a table names a module such as `fts5`.
  private static func isFullText(_ definition: String) -> Bool {
    let words = definition.lowercased().split { " \t\r\n(".contains($0) }
    guard words.prefix(3) == ["create", "virtual", "table"], let using = words.firstIndex(of: "using") else {
      return false
    }
    return words[using...].dropFirst().first?.hasPrefix("fts") == true
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
