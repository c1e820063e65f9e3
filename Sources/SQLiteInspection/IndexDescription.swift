package import Query
package import Repository
import SQL
package import SQLStore
package import SQLiteStore

/// An index of a table, as the database has it.
package struct IndexDescription: Hashable, Sendable, Named {
  /// What made it.
  package enum Origin: String, Hashable, Sendable {
    /// A `CREATE INDEX` statement.
    case created = "c"
    /// A rule of uniqueness in the table's definition.
    case uniqueness = "u"
    /// The table's primary key.
    case primaryKey = "pk"
  }

  package let name: String
  package let table: String
  /// What it sorts by: the names of columns; `nil` for an expression.
  package let columns: [String?]
  package let isUnique: Bool
  /// Whether it is about some of the table's rows alone.
  package let isPartial: Bool
  package let origin: Origin
  /// The statement that made it, empty for an index that goes with its table.
  package let definition: String
  /// How many bytes it takes in the file; `nil` where SQLite was built without a way to tell.
  package let size: Int?

  /// Whether it can be dropped by itself, rather than with a rule of its table.
  package var isDroppable: Bool { origin == .created }

  /// Whether both are the same index, however many rows it has by now.
  package func isSame(as other: IndexDescription) -> Bool {
    Name(name) == other.name && Name(table) == other.table && Name(definition) == other.definition
  }
}

/// Values that several rows share in columns that are to be unique.
package struct DuplicateValues: Hashable, Sendable {
  package let values: [Value]
  /// How many rows there are.
  package let count: Int
}

extension SQLiteStore {
  /// The indexes of a table, or of all, by table and name.
  ///
  /// - Throws: ``RepositoryError`` where there is no such table.
  package func indexes(ofTable table: String? = nil) throws(RepositoryError) -> [IndexDescription] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in
        let catalog = SQLiteCatalog(connection)
        if let table { _ = try catalog.requiredSchema(ofTable: table) }
        return try IndexReader(catalog: catalog).indexes(ofTable: table)
      }
    }
  }

  /// The name that the toolkit gives to an index of columns.
  package static func indexName(of columns: [String], in table: String) -> String {
    SQLiteDriver.compiler.indexName(of: columns, in: table)
  }

  /// How many rows a table has.
  package func rowCount(ofTable name: String) throws(RepositoryError) -> Int {
    let table = try schema(ofTable: name)
    return try runBlocking(.read) { connection throws(RepositoryError) in
      try SQLiteCatalog(connection).rowCount(ofTable: table.name)
    }
  }

  /// The values that more than one row has in some columns, the most frequent first.
  ///
  /// - Parameter limit: how many are told at most.
  package func duplicates(
    of columns: [String], in table: TableSchema, limit: Int
  ) throws(RepositoryError) -> [DuplicateValues] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try IndexReader(catalog: SQLiteCatalog(connection)).duplicates(of: columns, in: table, limit: limit)
    }
  }
}

extension SQLiteTransaction {
  /// Creates an index.
  package func createIndex(
    _ name: String, on columns: [String], of table: TableSchema, isUnique: Bool
  ) throws(RepositoryError) {
    let sql = SQLiteDriver.compiler.index(on: columns, of: table.name, name: name, isUnique: isUnique)
    try performBlocking(.write) { connection throws(RepositoryError) in _ = try connection.execute(sql) }
  }

  /// Drops an index.
  package func dropIndex(_ name: String) throws(RepositoryError) {
    let sql = SQLiteDriver.compiler.drop(index: name)
    try performBlocking(.write) { connection throws(RepositoryError) in _ = try connection.execute(sql) }
  }
}

/// Reads the indexes of tables.
private struct IndexReader {
  let catalog: SQLiteCatalog

  /// The indexes of a table, or of all tables, by table and name.
  func indexes(ofTable table: String? = nil) throws(RepositoryError) -> [IndexDescription] {
    let sizes = try? indexSizes()
    var indexes: [IndexDescription] = []
    var tables: [String] = []
    if let table { tables = [table] } else { tables = try catalog.tableNames() }
    for name in tables {
      let definitions = try catalog.definitions(ofIndexesOf: name)
      for entry in try catalog.indexEntries(ofTable: name).sorted(by: {
        $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
      }) {
        indexes.append(
          IndexDescription(
            name: entry.name, table: name, columns: try catalog.terms(ofIndex: entry.name).map(\.column),
            isUnique: entry.isUnique, isPartial: entry.isPartial, origin: .init(rawValue: entry.origin) ?? .created,
            definition: definitions[.text(entry.name)] ?? "", size: sizes.map { $0[.text(entry.name)] ?? 0 }))
      }
    }
    return indexes
  }

  /// How many bytes each index takes, by its name as a value, which is compared by its bytes. https://www.sqlite.org/dbstat.html
  private func indexSizes() throws(RepositoryError) -> [Value: Int] {
    var sizes: [Value: Int] = [:]
    try catalog.query(
      """
      SELECT name, pgsize FROM temp.dbstat WHERE aggregate = 1 \
      AND name IN (SELECT name FROM sqlite_schema WHERE type = 'index')
      """
    ) { row in
      sizes[.text(row.text(0))] = Int(row.integer(1))
    }
    return sizes
  }

  /// The values that more than one row has in some columns, as an index of them would compare, with the most frequent first.
  func duplicates(
    of columns: [String], in table: TableSchema, limit: Int
  ) throws(RepositoryError) -> [DuplicateValues] {
    let dialect = SQLiteDriver.compiler.dialect
    let names = columns.map(dialect.quoted)
    // Nulls are never the same.
    let condition = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let list = names.joined(separator: ", ")
    var duplicates: [DuplicateValues] = []
    try catalog.query(
      """
      SELECT \(list), count(*) FROM \(dialect.quoted(table.name)) WHERE \(condition) \
      GROUP BY \(list) HAVING count(*) > 1 ORDER BY count(*) DESC, \(list) LIMIT ?
      """, [.integer(Int64(limit))]
    ) { row in
      duplicates.append(
        DuplicateValues(values: row.values(count: names.count), count: Int(row.integer(names.count))))
    }
    return duplicates
  }
}
