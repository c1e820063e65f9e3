package import Query
package import Repository

/// What a database says about its tables.
package protocol SQLCatalog {
  /// The names of the tables and views in alphabetical order, without those of the database and of the migrations.
  func tableNames() throws(RepositoryError) -> [String]
  /// Describes a table or a view; `nil` where no table has exactly this name.
  func schema(ofTable name: String) throws(RepositoryError) -> TableSchema?
  /// Those checks of a schema that its table has.
  func checks(of expected: TableSchema) throws(RepositoryError) -> [CheckRule]
  /// Whether a name is a view's.
  func isView(_ name: String) throws(RepositoryError) -> Bool
  /// Whether a name is that of a table that can be altered, neither a view's nor that of a table of another kind.
  func isAlterable(_ name: String) throws(RepositoryError) -> Bool
  /// The columns that have a value in a row that is added without them.
  func columnsWithDefault(ofTable name: String) throws(RepositoryError) -> Set<Value>
  /// The columns that the database computes, so that they can't be written.
  func computedColumns(ofTable name: String) throws(RepositoryError) -> [String]
  /// The names of the other tables that have a foreign key to a table.
  func tables(referringTo name: String) throws(RepositoryError) -> [String]
  /// What a write to each table may change besides.
  func writeEffects() throws(RepositoryError) -> WriteEffects
  /// A column outside the schema that has rows in the order in which they were added; `nil` where there is none.
  func insertionOrder(of table: TableSchema) throws(RepositoryError) -> String?
  /// How many rows refer to rows that are not there, by the names of both tables.
  func brokenReferenceCounts() throws(RepositoryError) -> [[Value]: Int]
}

extension SQLCatalog {
  /// Describes a table or a view.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where there is none of this name; the error suggests the nearest one.
  package func requiredSchema(ofTable name: String) throws(RepositoryError) -> TableSchema {
    if let table = try schema(ofTable: name) { return table }
    throw .missingTable(name, among: try tableNames())
  }
}
