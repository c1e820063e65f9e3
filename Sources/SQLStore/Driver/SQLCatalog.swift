package import Query
package import Repository

/// The catalogue of a database: the descriptions of its tables.
package protocol SQLCatalog {
  /// Returns the names of the tables and views in alphabetical order, without the database's own and that of the migrations.
  func tableNames() throws(RepositoryError) -> [String]
  /// Returns the description of a table or a view; `nil` if no table has exactly this name.
  func schema(ofTable name: String) throws(RepositoryError) -> TableSchema?
  /// Returns those checks of a schema that the table in the database also has.
  func checks(of expected: TableSchema) throws(RepositoryError) -> [CheckRule]
  /// Returns those partial unique constraints of a schema that the table in the database also has.
  func partialUnique(of expected: TableSchema) throws(RepositoryError) -> [PartialUniqueRule]
  /// Returns whether a name is that of a view.
  func isView(_ name: String) throws(RepositoryError) -> Bool
  /// Returns whether a name is that of a table that can be altered, and not of a view or another kind of table.
  func isAlterable(_ name: String) throws(RepositoryError) -> Bool
  /// Returns the columns that get a value when an insert omits them.
  func columnsWithDefault(ofTable name: String) throws(RepositoryError) -> Set<Value>
  /// Returns the columns that the database computes, so that they can't be written.
  func computedColumns(ofTable name: String) throws(RepositoryError) -> [String]
  /// Returns the names of the other tables that have a foreign key to a table.
  func tables(referringTo name: String) throws(RepositoryError) -> [String]
  /// Returns the side effects of a write to each table.
  func writeEffects() throws(RepositoryError) -> WriteEffects
  /// Returns a column outside the schema whose order is that of the rows' insertion; `nil` if there is none.
  func insertionOrder(of table: TableSchema) throws(RepositoryError) -> String?
  /// Returns the numbers of rows that refer to missing rows, by the names of both tables.
  func brokenReferenceCounts() throws(RepositoryError) -> [[Value]: Int]
}

extension SQLCatalog {
  /// Returns the description of a table or a view.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if no table has this name; the error suggests the nearest name.
  package func requiredSchema(ofTable name: String) throws(RepositoryError) -> TableSchema {
    if let table = try schema(ofTable: name) { return table }
    throw .missingTable(name, among: try tableNames())
  }
}
