package import Query
package import Repository
package import SQLStore

// Changes of a table that some databases make by a new table in place of the old one: types, references, dropped columns.

/// A column that gets another type.
package struct RetypedColumn: Hashable, Sendable {
  package let name: String
  package let type: ValueType

  package init(_ name: String, _ type: ValueType) {
    (self.name, self.type) = (name, type)
  }
}

extension SQLTransaction {
  /// Changes the types of a table's columns, in a transaction of the kind `rebuilding`; the rows, and all else that belongs
  /// to the table, stay.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where a row holds what would become another value; it names the row.
  package func retype(_ columns: [RetypedColumn], of table: TableSchema) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.inspection.retype(columns, of: table)
    }
  }

  /// Adds a reference to a table, in a transaction of the kind `rebuilding`, which checks the rows at its end; all else that
  /// belongs to the table stays.
  package func addReference(_ reference: ReferenceRule, to table: TableSchema) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.inspection.addReference(reference, to: table)
    }
  }
}

extension RepositoryError {
  /// A column can't have another type, because a value would be lost.
  ///
  /// - Parameter key: the columns that tell the row from others, with its values.
  package static func notConvertible(
    _ column: RetypedColumn, of table: String, _ value: Value, in key: [(String, Value)]
  ) -> RepositoryError {
    let row = key.map { "\($0.0) = \($0.1.description.prefix(60))" }.joined(separator: " and ")
    return RepositoryError(
      .invalidValue, "\(column.name) of \(table) can't become \(column.type)",
      reason:
        "\(row.isEmpty ? "a row" : "the row with \(row)") contains \(value.description.prefix(60)), which would change",
      suggestion: "change the value first")
  }
}
