package import Query
package import Repository
package import SQLStore

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
  /// - Throws: ``/Repository/RepositoryError`` where a row holds a value that is not one of the new type.
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
