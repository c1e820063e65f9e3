import Query

/// `repokit count`: counts rows.
struct CountCommand: Command {
  static let description = CommandDescription(
    name: "count", summary: "Counts the rows of a table that a query means.",
    examples: [
      .init(arguments: "count pokedex.sqlite pokemon \"legendary = true\"", meaning: "A number, and nothing else.")
    ],
    positionals: [.database, .table, .condition], options: [.engine], notes: [.queries])

  private let rows: RowArguments

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
  }

  func run(_ console: Console) async throws {
    let table = try rows.openTable()
    let count = try Failure.translating { try table.count(rows.query) }
    try console.print("\(count)\n")
  }
}
