import Query
import SQLiteStore

/// The arguments that say which rows of which table.
struct RowArguments {
  let database: DatabaseFile
  let table: String
  let query: AnyQuery
  private let engine: Engine

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
    table = try arguments.required(.table)
    do throws(ParseError) {
      query = try arguments[.condition].map { text throws(ParseError) in try AnyQuery(parsing: text) } ?? .true
    } catch {
      throw Failure(error)
    }
    engine = try arguments.choice(.engine, of: Engine.self) ?? .sqlite
  }

  /// Opens the table, without ever changing the database.
  func openTable() throws(Failure) -> OpenTable {
    let store = try database.open(.readOnly)
    return try Failure.translating { try OpenTable(table, in: store, engine: engine) }
  }
}
