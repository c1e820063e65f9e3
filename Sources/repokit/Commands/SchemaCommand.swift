import Query
import SQLiteStore

/// `repokit schema`: describes tables.
struct SchemaCommand: Command {
  static let description = CommandDescription(
    name: "schema", summary: "Describes the columns of one table, or of all.",
    examples: [
      .init(
        arguments: "schema pokedex.sqlite pokemon", meaning: "The columns, their types, the key, indexes and rules."),
      .init(
        arguments: "schema pokedex.sqlite",
        meaning: "The same for all tables and views, and the applied migrations."),
      .init(arguments: "schema pokedex.sqlite pokemon --sql", meaning: "The statements that made it."),
      .init(arguments: "schema pokedex.sqlite --format json", meaning: "The columns of all tables for other programs."),
    ],
    positionals: [.database, optionalTable], options: [sql, .rowFormatForPrograms])

  private static let optionalTable = PositionalDescription(
    name: "TABLE", help: "The table or view; all if it is left out.", isOptional: true, completion: .table)
  private static let sql = OptionDescription(
    name: "--sql", help: "The statements of SQL that make tables, indexes and triggers.", excluded: ["--format"])

  private let database: DatabaseFile
  private let table: String?
  private let wantsSQL: Bool
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
    table = arguments[Self.optionalTable]
    wantsSQL = arguments.has(Self.sql)
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let store = try database.open(.readOnly)
    var tables: [SchemaText] = []
    if let table {
      tables = [SchemaText(try Failure.translating { try store.definition(ofTable: table) })]
    } else {
      for name in try Failure.translating({ try store.tableNames() }) {
        do throws(RepositoryError) {
          tables.append(SchemaText(try store.definition(ofTable: name)))
        } catch {
          // Such as a view whose table was dropped, which is no reason to say nothing of the others.
          tables.append(SchemaText(unreadable: name, error))
        }
      }
    }
    if let format {
      return try console.printRows(tables.flatMap(\.rows), under: SchemaText.headings, as: format)
    }
    var texts = tables.map { wantsSQL ? $0.sql(console.style) : $0.description }
    // Another program may keep something else under the name of that table.
    if table == nil, !wantsSQL, let migrations = try? store.appliedMigrations(), !migrations.isEmpty {
      texts.append(MigrationText(migrations).description)
    }
    try console.print(texts.filter { !$0.isEmpty }.joined(separator: "\n"))
  }
}
