import Query
import SQLiteStore

/// The arguments that say which rows of which table.
struct RowArguments {
  let database: DatabaseFile
  let table: String
  /// The query as it is written, its parameters being texts; see ``query(in:)``.
  let query: AnyQuery
  private let text: String?
  private let parameters: Parameters
  private let engine: Engine

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
    table = try arguments.required(.table)
    parameters = try Parameters(arguments)
    text = arguments[.condition]
    if text == nil, !parameters.isEmpty {
      throw arguments.command.misused("\(OptionDescription.parameter.name) makes no sense without a query")
    }
    query = try text.map { [parameters] text throws(Failure) in try parameters.query(text, in: nil) } ?? .true
    engine = try arguments.choice(.engine, of: Engine.self) ?? .sqlite
  }

  /// The query with its parameters, which depend on the columns that they are compared with.
  func query(in table: TableSchema) throws(Failure) -> AnyQuery {
    try text.map { text throws(Failure) in try parameters.query(text, in: table) } ?? .true
  }

  /// Opens the table, without ever changing the database.
  func openTable() throws(Failure) -> OpenTable {
    let store = try database.open(.readOnly)
    return try Failure.translating { try OpenTable(table, in: store, engine: engine) }
  }
}
