import Query
import SQLiteStore

/// `repokit schema`: describes tables.
struct SchemaCommand: Command {
  static let description = CommandDescription(
    name: "schema", summary: "Describes the columns of one table, or of all.",
    examples: [
      .init(arguments: "schema pokedex.sqlite pokemon", meaning: "The columns, their types, and which are the key."),
      .init(
        arguments: "schema pokedex.sqlite",
        meaning: "The same for all tables and views, and the applied migrations."),
    ],
    positionals: [.database, optionalTable])

  private static let optionalTable = PositionalDescription(
    name: "TABLE", help: "The table or view; all if it is left out.", isOptional: true)

  private let database: DatabaseFile
  private let table: String?

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
    table = arguments[Self.optionalTable]
  }

  func run(_ console: Console) async throws {
    let store = try database.open(.readOnly)
    if let table {
      let schema = try Failure.translating { try store.schema(ofTable: table) }
      return try console.print(SchemaText(schema).description)
    }
    let names = try Failure.translating { try store.tableNames() }
    var texts = names.map { name in
      do throws(RepositoryError) {
        return SchemaText(try store.schema(ofTable: name)).description
      } catch {
        // Such as a view whose table was dropped, which is no reason to say nothing of the others.
        return [name, "  can't be described: \(error.reason ?? error.summary)"]
          .map { TerminalText.visible($0) + "\n" }
          .joined()
      }
    }
    // Another program may keep something else under the name of that table.
    if let migrations = try? store.appliedMigrations(), !migrations.isEmpty {
      texts.append(MigrationText(migrations).description)
    }
    try console.print(texts.joined(separator: "\n"))
  }
}
