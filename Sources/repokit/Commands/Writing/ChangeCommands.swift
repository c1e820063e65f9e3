import Query
import SQLInspection
import SQLStore

/// `repokit insert`: adds a row.
struct InsertCommand: Command {
  static let description = CommandDescription(
    name: "insert", summary: "Add a row to a table, and print the row's key.",
    examples: [
      .init(
        arguments: "insert pokedex.sqlite caught pokemon=25",
        meaning: "Columns without a value get the column's default, or null."),
      .init(
        arguments: "insert pokedex.sqlite caught pokemon=25 --yes",
        meaning: "Print the number that the database gave the new row."),
    ],
    positionals: [.database, ChangeArguments.table, AssignmentArgument.positional],
    options: ChangeArguments.options,
    notes: [
      ChangeConsent.note,
      .paragraph(
        "repokit prints the primary key, with tabs between several columns, and nothing for a table without a key."),
      AssignmentArgument.insertNote,
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
    let text = console.settings.rowText
    var format = (text.separator == nil ? FormatName.tsv : .raw).makeFormat(
      report.key.map { ColumnHeading(report.table.columns[$0]) }, console.style, FormatOptions(rowText: text))
    format.append(report.key.map { row[$0] }, to: &output)
    try output.flush()
  }
}

/// `repokit set`: changes rows.
struct SetCommand: Command {
  static let description = CommandDescription(
    name: "set", summary: "Change columns of the rows that match a query.",
    examples: [
      .init(
        arguments: "set pokedex.sqlite pokemon \"id = 6\" weight=100.5 type2=null",
        meaning: "Show the rows and ask."),
      .init(
        arguments: "set pokedex.sqlite pokemon \"type1 = 'fire'\" legendary=false --dry-run",
        meaning: "Show the rows before and after, without a change."),
      .init(
        arguments: "set pokedex.sqlite pokemon \"habitat is null\" habitat=unknown --yes",
        meaning: "Change the rows without asking."),
      .init(
        arguments: "set pokedex.sqlite pokemon \"name = :name\" weight=90.5 --param name=Charizard --yes",
        meaning: "Pass a value safely in a script: repokit never reads the value as a part of the query."),
    ],
    positionals: [.database, ChangeArguments.table, ChangeArguments.condition, assignments],
    options: ChangeArguments.queryOptions, notes: [ChangeConsent.note, AssignmentArgument.note, .queries, .parameters])

  /// With one argument after the table, most likely the condition is missing, not the assignments.
  private static let assignments = AssignmentArgument.positional(
    advice: "write the condition first, such as true for all rows, then the values: true weight=90.5")

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
      for note in arguments.assignments.compactMap({ $0.columnNote(in: table) }) { others.tellOnce("note: \(note)") }
      AssignmentNotes(table: queried, others: others).tell(of: assignments, where: query)
      return .set(query, assignments)
    }
  }
}

/// `repokit delete`: deletes rows.
struct DeleteCommand: Command {
  static let description = CommandDescription(
    name: "delete", summary: "Delete the rows of a table that match a query.",
    examples: [
      .init(
        arguments: "delete pokedex.sqlite pokemon \"id = 6\"",
        meaning: "Show the row and all rows that the deletion affects, and ask."),
      .init(
        arguments: "delete pokedex.sqlite pokemon \"weight is null\" --dry-run --format csv > gone.csv",
        meaning: "Write the matching rows to a file, and delete none."),
      .init(arguments: "delete pokedex.sqlite caught true --all --yes", meaning: "Delete all rows without asking."),
    ],
    positionals: [.database, ChangeArguments.table, ChangeArguments.condition],
    options: ChangeArguments.queryOptions,
    notes: [
      ChangeConsent.note,
      .paragraph(
        "Depending on its declaration, a foreign key deletes referring rows too, sets their column to null, or "
          + "forbids the deletion. The question states how many rows the deletion affects."),
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
