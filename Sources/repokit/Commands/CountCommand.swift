import Query
import SQLiteStore

/// `repokit count`: counts rows.
struct CountCommand: Command {
  static let description = CommandDescription(
    name: "count", summary: "Counts the rows of a table that a query means.",
    examples: [
      .init(arguments: "count pokedex.sqlite pokemon \"legendary = true\"", meaning: "A number, and nothing else."),
      .init(
        arguments: "count pokedex.sqlite pokemon --columns type1,type2 --distinct", meaning: "How many pairs there are."
      ),
    ],
    positionals: [.database, .table, .condition], options: [.distinct, .columns, .parameter, .engine],
    notes: [.queries, .parameters])

  private let rows: RowArguments
  private let columns: [String]?
  private let isDistinct: Bool

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    columns = try arguments.names(.columns)
    isDistinct = arguments.has(.distinct)
    if columns != nil, !isDistinct {
      throw arguments.command.misused(
        "--columns makes no sense without --distinct", reason: "a row counts whatever its columns hold")
    }
  }

  func run(_ console: Console) async throws {
    let table = try rows.openTable()
    let query = try rows.query(in: table.schema)
    let count = try Failure.translating {
      guard isDistinct else { return try table.count(query) }
      return try table.countRows(
        try RowRequest(FetchRequest(query), columns: columns, isDistinct: true, in: table.schema))
    }
    try console.print("\(count)\n")
    if count == 0 {
      for hint in EmptyResultHints(of: table).hints(for: query) { console.report("hint: \(hint)\n") }
    }
  }
}
