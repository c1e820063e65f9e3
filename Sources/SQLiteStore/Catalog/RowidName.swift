package import Query
package import Repository
import SQLStore

/// The names of the rowid, the number that SQLite gives each row. https://www.sqlite.org/lang_createtable.html#rowid
package enum RowidName {
  /// The columns for which SQLite has room in a result. https://www.sqlite.org/limits.html#max_column
  static let mostColumns = 2_000

  private static let all = ["rowid", "_rowid_", "oid"]

  /// Returns whether a name is one of the rowid, where no column has it.
  package static func isName(_ name: String) -> Bool { all.contains(foldedNamed: name) }

  /// Returns a name of the rowid; `nil` if columns with all names of the rowid hide it.
  static func name(besides columns: [String]) -> String? {
    all.first { name in !columns.contains(foldedNamed: name) }
  }
}

extension SQLiteCatalog {
  /// Returns the name by which a statement reads the rowid of a table beside all its columns; `nil` for a view, for a table without
  /// rowid, where columns have all names of the rowid, and where the columns leave no room for it in a result.
  package func readableRowid(ofTable name: String) throws(RepositoryError) -> String? {
    guard let entry = try tableEntry(name), entry.type != "view", !entry.isWithoutRowid else { return nil }
    let columns = try names("SELECT name FROM temp.pragma_table_xinfo(?)", [.text(name)])
    return columns.count < RowidName.mostColumns ? RowidName.name(besides: columns) : nil
  }

  /// Returns the same name where no column is the rowid, so that the rowid has to be read for a copy of the rows.
  package func hiddenRowid(of table: TableSchema) throws(RepositoryError) -> String? {
    table.columns.contains(where: \.isGenerated) ? nil : try readableRowid(ofTable: table.name)
  }
}
