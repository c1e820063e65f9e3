import Query
import SQLiteStore

/// `repokit set`: changes rows.
struct SetCommand: Command {
  static let description = CommandDescription(
    name: "set", summary: "Sets columns of the rows of a table that a query means.",
    examples: [
      .init(
        arguments: "set pokedex.sqlite pokemon \"id = 6\" weight=100.5 type2=null",
        meaning: "Shows how many rows that is about, and asks."),
      .init(
        arguments: "set pokedex.sqlite pokemon \"type1 = 'fire'\" legendary=false --dry-run",
        meaning: "The rows as they are and as they would be; nothing is changed."),
      .init(
        arguments: "set pokedex.sqlite pokemon \"habitat is null\" habitat=unknown --yes",
        meaning: "Without a question."),
      .init(
        arguments: "set pokedex.sqlite pokemon \"name = :name\" weight=90.5 --param name=Charizard --yes",
        meaning: "A value of a script is never read as a part of the query."),
    ],
    positionals: [.database, ChangeArguments.table, ChangeArguments.condition, assignments],
    options: ChangeArguments.queryOptions, notes: [ChangeConsent.note, WrittenAssignment.note, .queries, .parameters])

  /// Whoever gives one argument after the table most likely forgot which rows are meant, not what they are to hold.
  private static let assignments = WrittenAssignment.positional(
    advice: "first say which rows, such as true for all, and then what they are to hold: true weight=90.5")

  private let arguments: ChangeArguments

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = try ChangeArguments(arguments)
  }

  func run(_ console: Console) async throws {
    let words = ChangeWords(
      verb: "change", participle: "changed", isDestructive: true, details: arguments.assignments.map(\.description))
    _ = try await RowChanger(arguments: arguments, words: words).run(on: console) { table throws(Failure) in
      .set(try arguments.query(in: table), try arguments.assignments(in: table))
    }
  }
}
