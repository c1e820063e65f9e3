import Query
import SQL

/// An index that is not there.
package struct IndexDefinition: Hashable, Sendable {
  /// A column of an index.
  package struct Column: Hashable, Sendable {
    /// The column's name.
    package let name: String
    /// Whether the index holds it from great to small.
    package let isDescending: Bool
    /// Whether texts have to be told to be compared by their bytes, because the column compares them otherwise.
    package let isToldBinary: Bool
  }

  /// The table of which it is.
  package let table: String
  /// The columns, in order.
  package let columns: [Column]
  /// The name by which it would be called.
  package let name: String

  /// - Parameter name: `nil` for the one that this package gives indexes.
  init(on columns: [Column], of table: String, name: String? = nil) {
    self.table = table
    self.columns = columns
    usualName = SQLiteStore.compiler.indexName(of: columns.map(\.name), in: table)
    self.name = name ?? usualName
  }

  /// The name that is made of the table's and the columns'.
  let usualName: String

  /// Whether it has the name that is made of the table's and the columns', rather than one that was still free.
  package var isCalledAsUsual: Bool { name == usualName }

  /// The same index under another name.
  func called(_ name: String) -> IndexDefinition { IndexDefinition(on: columns, of: table, name: name) }

  /// The statement that makes it.
  package var sql: String {
    let dialect = SQLiteStore.compiler.dialect
    let columns = columns.map { column in
      dialect.quoted(column.name) + (column.isToldBinary ? " COLLATE BINARY" : "")
        + (column.isDescending ? " DESC" : "")
    }
    return "CREATE INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table)) (\(columns.joined(separator: ", ")))"
  }

  /// Whether the columns' names alone say all of it.
  package var isPlain: Bool { columns.allSatisfy { !$0.isDescending && !$0.isToldBinary } }
}
