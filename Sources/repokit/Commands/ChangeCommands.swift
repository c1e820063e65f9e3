import Query
import SQLInspection
import SQLStore

/// `repokit insert`: adds a row.
struct InsertCommand: Command {
  static let description = CommandDescription(
    name: "insert", summary: "Adds a row to a table, and prints its key.",
    examples: [
      .init(
        arguments: "insert pokedex.sqlite caught pokemon=25",
        meaning: "Columns that are left out have their default, or are null."),
      .init(
        arguments: "insert pokedex.sqlite caught pokemon=25 --yes",
        meaning: "Prints the number that the new row was given."),
    ],
    positionals: [.database, ChangeArguments.table, AssignmentArgument.positional],
    options: ChangeArguments.options,
    notes: [
      ChangeConsent.note,
      .paragraph(
        "The values of the primary key are printed, with tabs between them if there are more than one; nothing for a "
          + "table without a key."),
      AssignmentArgument.note,
    ])

  private let arguments: ChangeArguments

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = try ChangeArguments(arguments)
  }

  func run(_ console: Console) async throws {
    let words = ChangeWords(
      verb: "insert", participle: "inserted", isDestructive: false, preposition: "into",
      details: arguments.assignments.map(\.description))
    let report = try await RowChanger(arguments: arguments, words: words).run(on: console) {
      table, _, others throws(Failure) in
      .insert(try arguments.assignments(in: table, beside: others))
    }
    guard let report, let row = try report.changed.first(1).first?.after, !report.key.isEmpty else { return }
    var output = console.output()
    TSVFormat(report.key.map { ColumnHeading(report.table.columns[$0]) }, console.style, FormatOptions())
      .append(report.key.map { row[$0] }, to: &output)
    try output.flush()
  }
}

/// `repokit set`: changes rows.
struct SetCommand: Command {
  static let description = CommandDescription(
    name: "set", summary: "Sets columns of the rows of a table that match a query.",
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
    options: ChangeArguments.queryOptions, notes: [ChangeConsent.note, AssignmentArgument.note, .queries, .parameters])

  /// With one argument after the table, most likely the condition is missing, not the assignments.
  private static let assignments = AssignmentArgument.positional(
    advice: "first say which rows, such as true for all, and then what they are to hold: true weight=90.5")

  private let arguments: ChangeArguments

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = try ChangeArguments(arguments)
  }

  func run(_ console: Console) async throws {
    let words = ChangeWords(
      verb: "change", participle: "changed", isDestructive: true, details: arguments.assignments.map(\.description))
    _ = try await RowChanger(arguments: arguments, words: words).run(on: console) {
      table, queried, others throws(Failure) in
      let query = try arguments.query(in: queried, beside: others)
      let assignments = try arguments.assignments(in: table, beside: others)
      AssignmentNotes(table: queried, others: others).tell(of: assignments, where: query)
      return .set(query, assignments)
    }
  }
}

/// `repokit delete`: deletes rows.
struct DeleteCommand: Command {
  static let description = CommandDescription(
    name: "delete", summary: "Deletes the rows of a table that match a query.",
    examples: [
      .init(
        arguments: "delete pokedex.sqlite pokemon \"id = 6\"",
        meaning: "Shows the row and what goes with it, and asks."),
      .init(
        arguments: "delete pokedex.sqlite pokemon \"weight is null\" --dry-run --format csv > gone.csv",
        meaning: "The rows that would go; nothing is deleted."),
      .init(arguments: "delete pokedex.sqlite caught true --all --yes", meaning: "All rows, without a question."),
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
    _ = try await RowChanger(arguments: arguments, words: words).run(on: console) {
      _, queried, others throws(Failure) in
      .delete(try arguments.query(in: queried, beside: others))
    }
  }
}
