import Query
import Repository
import SQLInspection
import SQLStore

/// The arguments for a table and a condition on its rows.
struct RowArguments {
  let database: DatabaseLocation
  let table: String
  /// The values of parameters; see ``Parameters/checkUsed()``.
  let parameters: Parameters
  private let text: String?
  private let engine: Engine
  /// The words that call the command.
  private let call: String
  /// The columns that hold dates as numbers.
  let dates: DateColumns

  init(_ arguments: Arguments) throws(Failure) {
    call = arguments.command.call
    database = try DatabaseLocation(source: arguments)
    table = try arguments.required(.table)
    parameters = try Parameters(arguments)
    text = arguments[.condition]
    // An invalid one is reported before anything is opened, though not before a file that is not there.
    do throws(Failure) {
      if let text { _ = try QueryReader(parameters).query(text) }
    } catch {
      try database.checkIsThere()
      throw error
    }
    dates = try DateColumns(arguments)
    engine = try arguments.choice(.engine, of: Engine.self) ?? .database
  }

  /// A reader of the call's texts, whose parameters depend on what they are compared with.
  func reader(in table: TableSchema, of store: SQLDatabase) -> QueryReader {
    QueryReader(parameters, in: table, beside: OtherTables(of: store), dates: dates)
  }

  /// The condition on the rows.
  func query(_ reader: QueryReader) throws(Failure) -> AnyQuery {
    try text.map { text throws(Failure) in try reader.query(text) } ?? .true
  }

  /// Opens the table, without ever changing the database.
  func openTable(_ console: Console) throws(Failure) -> OpenTable {
    let store = try database.open(.readOnly)
    let opened = try hinting(store) { try OpenTable(table, in: store, engine: engine) { dates.marking($0, in: store) } }
    return opened
  }

  /// The table as queries see it.
  func queriedTable(in store: SQLDatabase, _ console: Console) throws(Failure) -> TableSchema {
    let queried = try hinting(store) { try store.queriedTable(table) }
    return dates.marking(queried.schema, in: store)
  }

  /// Tells what shows the definitions of a database to a call that names SQLite's own table of them, and how a call is written
  /// that has SQL in the place of the table.
  private func hinting<Result>(_ store: SQLDatabase, _ open: () throws -> Result) throws(Failure) -> Result {
    var failure: Failure
    do {
      return try open()
    } catch {
      failure = Failure(translating: error)
      if (error as? RepositoryError)?.code == .missingTable {
        let tables = (try? store.tableNames()) ?? []
        let advice = SQLAdvice.forTable(table, of: database.path ?? "DATABASE", tables: tables, command: call)
        if let advice { failure = Failure(failure.summary, details: [advice], status: failure.status) }
      }
    }
    let own = ["sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema"]
    guard own.contains(table.lowercased()), failure.status == .usageError || failure.status == .failed else {
      throw failure
    }
    throw Failure(
      "\(table) is SQLite's internal table of definitions",
      details: [
        "repokit tables lists tables and views, describe summarizes columns, schema shows definitions, dump writes everything"
      ],
      status: failure.status)
  }
}

extension OptionDescription {
  static let engine = OptionDescription(
    name: "--engine", value: "ENGINE",
    help:
      "Choose the evaluator: database, or memory, which loads the whole table first. Both give the same rows.",
    completion: .words(Engine.allCases.map(\.rawValue)))
}
