import Query
import SQLiteStore

/// `repokit delete`: deletes rows.
struct DeleteCommand: Command {
  static let description = CommandDescription(
    name: "delete", summary: "Deletes the rows of a table that a query means.",
    examples: [
      .init(
        arguments: "delete pokedex.sqlite pokemon \"id = 6\"",
        meaning: "Shows the row and what goes with it, and asks."),
      .init(
        arguments: "delete pokedex.sqlite pokemon \"weight is null\" --dry-run --format csv > gone.csv",
        meaning: "The rows that would go; nothing is deleted."),
      .init(arguments: "delete pokedex.sqlite caught true --yes", meaning: "All rows, without a question."),
    ],
    positionals: [.database, ChangeArguments.table, ChangeArguments.condition],
    options: ChangeArguments.queryOptions,
    notes: [
      ChangeConsent.note,
      .paragraph(
        "Rows of other tables that refer to the deleted ones go with them, or refer to nothing then, or forbid it, as "
          + "their table was declared. How many that are is part of the question."),
      .queries, .parameters,
    ])

  private let arguments: ChangeArguments

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = try ChangeArguments(arguments)
  }

  func run(_ console: Console) async throws {
    let words = ChangeWords(verb: "delete", participle: "deleted", isDeletion: true, isDestructive: true)
    _ = try await RowChanger(arguments: arguments, words: words).run(on: console) { table throws(Failure) in
      .delete(try arguments.query(in: table))
    }
  }
}
