package import Query
package import Repository
import SQL
package import SQLStore

/// The requirements of inspection for a database's catalog, beyond those of queries.
///
/// Each engine's catalog conforms to it in a module of its own, so that programs which only query and save do without.
package protocol InspectionCatalog: SQLCatalog {
  /// The connection by which it reads.
  var connection: Connection { get }

  /// The language in which it writes definitions.
  var language: TableDefinition.Language { get }

  /// Returns the tables and views in alphabetical order, as described in
  /// ``SQLDatabase/tableOverviews(measuring:countingViews:)``.
  func overviews(measuring: Bool, countingViews: Bool) throws(RepositoryError) -> [TableOverview]

  /// Reads the full definition of a table or a view by its name; `nil` where none has exactly this name.
  typealias DefinitionReader = (_ name: String) throws(RepositoryError) -> TableDefinition?

  /// Returns the number of rows of a table or a view.
  func rowCount(ofTable name: String) throws(RepositoryError) -> Int

  /// Views and triggers that can't be used, each with the reason.
  func unusableDefinitions() throws(RepositoryError) -> [String]

  /// The tables whose rows other tables show, too: partitions, and tables that inherit.
  func inheritingTables() throws(RepositoryError) -> [InheritingTable]

  /// Returns the statements by which another database of the same kind gets tables as they are; `nil` where the definitions of
  /// the tables tell them.
  func copiedTable(_ name: String) throws(RepositoryError) -> ServerTable?

  /// A reader of definitions, which looks once at what concerns all tables.
  func definitionReader() throws(RepositoryError) -> DefinitionReader

  /// The indexes of some tables, by table and name, with their sizes.
  func indexes(ofTables names: [String]) throws(RepositoryError) -> [IndexDescription]

  /// Returns the traits on which changes of a table's rows depend.
  func traits(of table: TableSchema) throws(RepositoryError) -> TableTraits

  /// Returns the name by which a statement reads the rowid of a table beside all its columns; `nil` where a column is the rowid, and
  /// where there is none that a statement reads.
  func hiddenRowid(of table: TableSchema) throws(RepositoryError) -> String?

  /// Returns the SQL of a value that identifies a row of a table without a key; `nil` where the database has none.
  func rowIdentity(of table: TableSchema) throws(RepositoryError) -> String?

  /// The columns whose values the database compares in ways of its own, and their types.
  func unsupportedColumns(ofTable name: String) throws(RepositoryError) -> [(column: String, type: String)]

  /// The references of a table, also those that its schema leaves out.
  func references(ofTable name: String) throws(RepositoryError) -> [ReferenceRule]

  /// Refuses a view that accepts no rows where the database would silently ignore them.
  func checkInsertion(into view: TableSchema) throws(RepositoryError)

  /// Changes the types of a table's columns, within a transaction of the kind `rebuilding`, and keeps all else: indexes,
  /// triggers, checks, references and rights.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where a row holds what would become another value; it names the row.
  func retype(_ columns: [RetypedColumn], of table: TableSchema) throws(RepositoryError)
  /// Adds a column, with more clauses at the end of its definition.
  ///
  /// - Parameter isConstant: whether existing rows get a value that is the same for all of them, or that the database computes.
  func add(
    _ column: ColumnSchema, to table: TableSchema, with clauses: String, isConstant: Bool) throws(RepositoryError)
  /// Makes a column refuse nulls, or accept them.
  func setRequired(_ column: String, _ isRequired: Bool, of table: TableSchema) throws(RepositoryError)
  /// Adds a reference to a table, whose rows may be copied for that.
  func addReference(_ reference: ReferenceRule, to table: TableSchema) throws(RepositoryError)

  /// Drops a column with its values, unless a definition is in the way.
  func drop(column: String, of table: String) throws(RepositoryError)

  /// The greatest number that was given to a row of a table, where rows that are gone count; `nil` where they do not.
  func sequence(ofTable name: String) throws(RepositoryError) -> Int64?
  /// Has the numbers of such a table go on after one.
  func setSequence(_ sequence: Int64, ofTable name: String) throws(RepositoryError)

  /// Returns the number of values of each type of a column in the rows that match a query; `nil` where the distinct values
  /// tell that.
  func typeCounts(of column: ColumnSchema, in query: ResolvedQuery) throws(RepositoryError) -> [ValueType: Int]?
}

extension InspectionCatalog {
  package func rowCount(ofTable name: String) throws(RepositoryError) -> Int {
    try connection.integer(
      CompiledStatement(sql: "SELECT count(*) FROM \(connection.quoted(name))", bindings: []))
  }

  package func unusableDefinitions() throws(RepositoryError) -> [String] { [] }

  package func add(
    _ column: ColumnSchema, to table: TableSchema, with clauses: String, isConstant: Bool
  ) throws(RepositoryError) {
    let sql = connection.compiler.addColumn(column, to: table.name, with: clauses)
    try connection.driver.changeSchema(SQLStatement(verbatim: sql), on: connection)
  }

  package func inheritingTables() throws(RepositoryError) -> [InheritingTable] { [] }

  package func copiedTable(_ name: String) throws(RepositoryError) -> ServerTable? { nil }

  package func drop(column: String, of table: String) throws(RepositoryError) {
    let sql = connection.compiler.dropColumn(column, from: table)
    try connection.driver.changeSchema(SQLStatement(verbatim: sql), on: connection)
  }

  package func hiddenRowid(of table: TableSchema) throws(RepositoryError) -> String? { nil }

  package func rowIdentity(of table: TableSchema) throws(RepositoryError) -> String? {
    try hiddenRowid(of: table).map(connection.quoted)
  }

  package func unsupportedColumns(
    ofTable name: String
  ) throws(RepositoryError) -> [(column: String, type: String)] { [] }

  package func checkInsertion(into view: TableSchema) throws(RepositoryError) {}

  package func sequence(ofTable name: String) throws(RepositoryError) -> Int64? { nil }

  package func setSequence(_ sequence: Int64, ofTable name: String) throws(RepositoryError) {}

  package func typeCounts(
    of column: ColumnSchema, in query: ResolvedQuery
  ) throws(RepositoryError) -> [ValueType: Int]? { nil }
}

extension SQLTransaction {
  /// Returns the number of rows of a table or a view.
  package func rowCount(ofTable name: String) throws(RepositoryError) -> Int {
    try performBlocking(.read) { connection throws(RepositoryError) in try connection.rowCount(ofTable: name) }
  }
}

extension Connection {
  /// The catalog of the database, for inspection.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unsupported`` for an engine that
  ///   nothing was written for.
  package var inspection: any InspectionCatalog {
    get throws(RepositoryError) {
      if let catalog = catalog as? any InspectionCatalog { return catalog }
      throw RepositoryError(.unsupported, "this kind of database does not support inspection")
    }
  }

  /// Returns the number of rows of a table or a view.
  package func rowCount(ofTable name: String) throws(RepositoryError) -> Int {
    // An import counts rows in programs that inspect nothing else.
    guard let catalog = catalog as? any InspectionCatalog else {
      return try integer(CompiledStatement(sql: "SELECT count(*) FROM \(quoted(name))", bindings: []))
    }
    return try catalog.rowCount(ofTable: name)
  }

  /// Returns a name as the database's SQL spells it.
  func quoted(_ name: String) -> String { compiler.dialect.quoted(name) }
}
