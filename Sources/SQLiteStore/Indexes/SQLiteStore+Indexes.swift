package import Query
package import Repository
import SQL

extension SQLiteStore {
  /// The indexes of a table, or of all, by table and name.
  ///
  /// - Throws: ``RepositoryError`` where there is no such table.
  package func indexes(ofTable table: String? = nil) throws(RepositoryError) -> [IndexDescription] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inOneState { () throws(RepositoryError) in
        if let table, try connection.schema(ofTable: table) == nil {
          throw .missingTable(table, among: try connection.tableNames())
        }
        return try connection.indexes(ofTable: table)
      }
    }
  }

  /// The name that the toolkit gives to an index of columns.
  package static func indexName(of columns: [String], in table: String) -> String {
    compiler.indexName(of: columns, in: table)
  }

  /// How many rows a table has.
  package func rowCount(ofTable name: String) throws(RepositoryError) -> Int {
    let table = try schema(ofTable: name)
    return try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.rowCount(ofTable: table.name)
    }
  }

  /// The values that more than one row has in some columns, the most frequent first.
  ///
  /// - Parameter limit: how many are told at most.
  package func duplicates(
    of columns: [String], in table: TableSchema, limit: Int
  ) throws(RepositoryError) -> [DuplicateValues] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.duplicates(of: columns, in: table, limit: limit)
    }
  }
}

extension SQLiteTransaction {
  /// Creates an index.
  package func createIndex(
    _ name: String, on columns: [String], of table: TableSchema, isUnique: Bool
  ) throws(RepositoryError) {
    let sql = SQLiteStore.compiler.index(on: columns, of: table.name, name: name, isUnique: isUnique)
    try performBlocking(.write) { connection throws(RepositoryError) in _ = try connection.execute(sql) }
  }

  /// Drops an index.
  package func dropIndex(_ name: String) throws(RepositoryError) {
    let sql = SQLiteStore.compiler.drop(index: name)
    try performBlocking(.write) { connection throws(RepositoryError) in _ = try connection.execute(sql) }
  }
}
