package import Query
package import Repository
import SQL
package import SQLStore

/// An index of a table as any database holds it, with all that the tool shows of it: its terms, condition, origin and size.
package struct IndexDescription: Hashable, Sendable, Named {
  /// A part of an index.
  package struct Term: Hashable, Sendable {
    /// The column's name; `nil` for an expression.
    package let column: String?
    /// The expression as SQL, or the column's name.
    package let text: String
    /// Whether the index sorts it in descending order.
    package let isDescending: Bool
    /// The collation, unless it is by bytes.
    package let collation: String?

    package init(column: String?, text: String, isDescending: Bool, collation: String?) {
      (self.column, self.text, self.isDescending, self.collation) = (column, text, isDescending, collation)
    }
  }

  /// The origin of an index.
  package enum Origin: Hashable, Sendable {
    /// A statement of its own.
    case statement
    /// A rule of uniqueness.
    case uniqueRule
    /// The primary key.
    case primaryKey
  }

  /// The name; a database makes one up for an index that no statement names.
  package let name: String
  package let table: String
  /// The terms that it sorts by, in order.
  package let terms: [Term]
  /// Whether no two rows may be equal in all terms.
  package let isUnique: Bool
  /// The condition for the rows that it contains, as SQL; `nil` for all rows.
  package let condition: String?
  package let origin: Origin
  /// The properties that only some databases know.
  package let traits: Traits
  /// The statement that created it; empty for an index that belongs to its table's definition.
  package let definition: String
  /// Its size on disk in bytes; `nil` where it was not requested, and where SQLite was built without a way to measure it.
  package let size: Int?

  /// The properties of an index that only some databases know.
  package struct Traits: Hashable, Sendable {
    /// Whether rows are equal that are null in the same column.
    package var hasEqualNulls = false
    /// Whether the uniqueness may be checked at the end of a transaction.
    package var isDeferrable = false
    /// Whether the index sorts its terms, as indexes of other methods don't.
    package var isSorted = true

    package init() {}
  }

  package init(
    name: String, table: String, terms: [Term], isUnique: Bool, condition: String?, origin: Origin, definition: String,
    size: Int?, traits: Traits = Traits()
  ) {
    self.traits = traits
    (self.name, self.table, self.terms, self.isUnique) = (name, table, terms, isUnique)
    (self.condition, self.origin, self.definition, self.size) = (condition, origin, definition, size)
  }

  /// The names of the columns that it sorts by; `nil` for an expression.
  package var columns: [String?] { terms.map(\.column) }

  /// Whether the index can be dropped by itself, rather than with a rule of its table.
  package var isDroppable: Bool { origin == .statement }

  /// Whether both are the same index, whatever its current size.
  package func isSame(as other: IndexDescription) -> Bool {
    Name(name) == other.name && Name(table) == other.table && Name(definition) == other.definition
  }
}

/// Values that several rows share in columns that are to be unique.
package struct DuplicateValues: Hashable, Sendable {
  package let values: [Value]
  /// The number of rows.
  package let count: Int
}

extension SQLDatabase {
  /// The indexes of a table, or of all, by table and name.
  ///
  /// - Throws: ``RepositoryError`` where there is no such table.
  package func indexes(ofTable table: String? = nil) throws(RepositoryError) -> [IndexDescription] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in
        let catalog = try connection.inspection
        guard let table else { return try catalog.indexes(ofTables: try catalog.tableNames()) }
        return try catalog.indexes(ofTables: [try catalog.requiredSchema(ofTable: table).name])
      }
    }
  }

  /// The name that the toolkit gives to an index of columns.
  package func indexName(of columns: [String], in table: String) -> String {
    driver.compiler.indexName(of: columns, in: table)
  }

  /// Returns the number of a table's rows.
  package func rowCount(ofTable name: String) throws(RepositoryError) -> Int {
    let table = try schema(ofTable: name)
    return try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.rowCount(ofTable: table.name)
    }
  }

  /// The values that more than one row has in some columns, as an index of them would compare, the most frequent first.
  ///
  /// - Parameter limit: the maximum number of values.
  package func duplicates(
    of columns: [String], in table: TableSchema, limit: Int
  ) throws(RepositoryError) -> [DuplicateValues] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      let names = columns.map(connection.quoted)
      // Nulls are never equal.
      let condition = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      let list = names.joined(separator: ", ")
      var duplicates: [DuplicateValues] = []
      let sql = """
        SELECT \(list), count(*) FROM \(connection.quoted(table.name)) WHERE \(condition) \
        GROUP BY \(list) HAVING count(*) > 1 ORDER BY count(*) DESC, \(list) \
        LIMIT \(connection.compiler.dialect.placeholder(1))
        """
      try connection.query(CompiledStatement(sql: sql, bindings: [.integer(Int64(limit))])) { row in
        duplicates.append(
          DuplicateValues(values: row.values(count: names.count), count: Int(row.integer(names.count))))
      }
      return duplicates
    }
  }
}

extension SQLTransaction {
  /// Creates an index.
  ///
  /// - Parameter keys: the columns, and whether each is sorted in descending order.
  package func createIndex(
    _ name: String, on keys: [(column: String, isDescending: Bool)], of table: TableSchema, isUnique: Bool
  ) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      let dialect = connection.compiler.dialect
      let terms = keys.map { key in
        let isNullable = table.columns.first(named: key.column)?.isNullable ?? true
        let term = dialect.indexTerm(key.column, isNullable: isNullable)
        if !key.isDescending { return term }
        // The order of requests, in which null is less than any value.
        let first = " NULLS FIRST"
        return term.hasSuffix(first) ? "\(term.dropLast(first.count)) DESC NULLS LAST" : "\(term) DESC"
      }
      _ = try connection.execute(
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table.name)) "
          + "(\(terms.joined(separator: ", ")))")
    }
  }

  /// Drops an index.
  package func dropIndex(_ name: String) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      _ = try connection.execute(connection.compiler.drop(index: name))
    }
  }
}
