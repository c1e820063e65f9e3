import Query
import SQLInspection
import SQLStore

/// The arguments that say which rows of which table.
struct RowArguments {
  let database: DatabaseLocation
  let table: String
  /// The query as it is written, its parameters being texts; see ``query(in:)``.
  let query: AnyQuery
  private let text: String?
  private let parameters: Parameters
  private let engine: Engine

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    table = try arguments.required(.table)
    parameters = try Parameters(arguments)
    text = arguments[.condition]
    if text == nil, !parameters.isEmpty {
      throw arguments.command.usageError("\(OptionDescription.parameter.name) makes no sense without a query")
    }
    query =
      try text.map { [parameters] text throws(Failure) in try parameters.query(text, in: nil, beside: nil) } ?? .true
    engine = try arguments.choice(.engine, of: Engine.self) ?? .database
  }

  /// The query with its parameters, which depend on the columns that they are compared with.
  func query(in table: TableSchema, of store: SQLDatabase) throws(Failure) -> AnyQuery {
    try text.map { text throws(Failure) in
      try parameters.query(text, in: table, beside: OtherTables(of: store))
    } ?? .true
  }

  /// Opens the table, without ever changing the database, and tells of columns that are left out.
  func openTable(_ console: Console) throws(Failure) -> OpenTable {
    let store = try database.open(.readOnly)
    let opened = try Failure.translating { try OpenTable(table, in: store, engine: engine) }
    console.note(opened.table)
    return opened
  }

  /// The table as far as it can be queried, told of in the same way.
  func queriedTable(in store: SQLDatabase, _ console: Console) throws(Failure) -> TableSchema {
    let queried = try Failure.translating { try store.queriedTable(table) }
    console.note(queried)
    return queried.schema
  }
}

extension Console {
  /// Tells which columns of a table are left out.
  func note(_ table: QueriedTable) {
    if table.leftOut.isEmpty { return }
    let columns = table.leftOut.map { "\($0.column) (\($0.type))" }.joined(separator: ", ")
    report(
      TerminalText.visible(
        "note: the database compares these columns of \(table.schema.name) in ways of its own, so queries leave them out: \(columns)"
      )
        + "\n")
  }
}

extension OptionDescription {
  static let engine = OptionDescription(
    name: "--engine", value: "ENGINE",
    help: "Who evaluates the query: database, or memory, which loads the whole table first. Both give the same rows.",
    completion: .words(Engine.allCases.map(\.rawValue)))
}

extension Arguments {
  /// Checks what `--sort` says against a table, to point at what is wrong.
  func checkSort(in table: TableSchema, of store: SQLDatabase) throws(Failure) {
    if let text = self[.sort] { try table.check(try sort(), as: text, beside: store) }
  }
}

extension TableSchema {
  /// Checks keys by which rows are sorted or grouped, and points at what is wrong with them.
  func check(_ sort: AnySort, as text: String, beside store: SQLDatabase) throws(Failure) {
    let others = OtherTables(of: store)
    do throws(QueryError) {
      _ = try FetchRequest(sortedBy: sort).resolved(in: self, with: others.find)
    } catch {
      throw Failure(error, caret: caret(at: error, inSort: text, with: others.find))
    }
  }
}
