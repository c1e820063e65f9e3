import SQLInspection
import SQLStore
import SQLiteInspection
import SQLiteStore

// Full-text tables read the texts of another table by its name and the names of its columns, which SQLite does not change with
// them. https://www.sqlite.org/fts5.html#external_content_tables
extension SQLDatabase {
  /// Refuses to rename or drop what full-text tables read.
  ///
  /// - Parameter column: the column; `nil` for the table itself.
  func checkNoFullTextTable(reads column: String? = nil, of table: String, to verb: String) throws {
    guard let store = self as? SQLiteStore else { return }
    let readers = try store.fullTextTables().filter { reader in
      reader.content.map { Name($0) == Name(table) } ?? false
        && (column.map { reader.readColumns.contains(named: $0) } ?? true)
    }
    guard let reader = readers.first else { return }
    let subject = column ?? table
    let place = column.map { "\($0) of \(table)" } ?? table
    throw Failure(
      "can't \(verb) \(subject): the full-text table \(reader.name) reads \(place)",
      details: [
        "SQLite can't change the definition of \(reader.name)",
        "drop \(readers.map(\.name).joined(separator: ", ")) first, and create the full-text table again afterwards",
      ])
  }
}
