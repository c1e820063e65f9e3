package import Query
package import Repository
import SQL
package import SQLStore

/// What inspection asks of a database's catalog, beyond what queries need.
///
/// The catalog of each engine conforms to it in a module of its own, so that programs which only find and save do without.
package protocol InspectionCatalog: SQLCatalog {
  /// The connection by which it reads.
  var connection: Connection { get }

  /// What tables and views there are, in alphabetical order, as ``SQLDatabase/tableOverviews(measuring:countingViews:)`` says.
  func overviews(measuring: Bool, countingViews: Bool) throws(RepositoryError) -> [TableOverview]

  /// Reads all that there is to say about a table or a view by its name; `nil` where none has exactly this name.
  typealias DefinitionReader = (_ name: String) throws(RepositoryError) -> TableDefinition?

  /// A reader of definitions, which looks once at what concerns all tables.
  func definitionReader() throws(RepositoryError) -> DefinitionReader

  /// The indexes of some tables, by table and name, with their sizes.
  func indexes(ofTables names: [String]) throws(RepositoryError) -> [IndexDescription]

  /// What changes of a table's rows depend on.
  func traits(of table: TableSchema) throws(RepositoryError) -> TableTraits

  /// The columns whose values the database compares in ways of its own, and their types.
  func unsupportedColumns(ofTable name: String) throws(RepositoryError) -> [(column: String, type: String)]

  /// The references of a table, also those that its schema leaves out.
  func references(ofTable name: String) throws(RepositoryError) -> [ReferenceRule]

  /// Refuses a view that takes no rows where the database would ignore them instead.
  func checkInsertion(into view: TableSchema) throws(RepositoryError)

  /// Gives columns of a table other types, within a transaction of the kind `rebuilding`, and keeps all else: indexes, triggers,
  /// checks, references and rights.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where a row holds what would become another value; it names the row.
  func retype(_ columns: [RetypedColumn], of table: TableSchema) throws(RepositoryError)
  /// Adds a reference to a table, whose rows may be copied for that.
  func addReference(_ reference: ReferenceRule, to table: TableSchema) throws(RepositoryError)

  /// The greatest number that was given to a row of a table, where rows that are gone count; `nil` where they do not.
  func sequence(ofTable name: String) throws(RepositoryError) -> Int64?
  /// Has the numbers of such a table go on after one.
  func setSequence(_ sequence: Int64, ofTable name: String) throws(RepositoryError)

  /// How many values of each type a column has in the rows that match a query; `nil` where the values that differ tell that.
  func typeCounts(of column: ColumnSchema, in query: ResolvedQuery) throws(RepositoryError) -> [ValueType: Int]?
}

extension InspectionCatalog {
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

extension Connection {
  /// The catalog of the database, for inspection.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unsupported`` for an engine that
  ///   nothing was written for.
  package var inspection: any InspectionCatalog {
    get throws(RepositoryError) {
      if let catalog = catalog as? any InspectionCatalog { return catalog }
      throw RepositoryError(.unsupported, "this kind of database can't be looked into")
    }
  }

  /// How many rows a table or a view has.
  package func rowCount(ofTable name: String) throws(RepositoryError) -> Int {
    try integer(CompiledStatement(sql: "SELECT count(*) FROM \(quoted(name))", bindings: []))
  }

  /// A name as the database's SQL has it.
  func quoted(_ name: String) -> String { compiler.dialect.quoted(name) }
}
