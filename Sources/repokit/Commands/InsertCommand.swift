import Query
import SQLiteStore

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
    positionals: [.database, ChangeArguments.table, WrittenAssignment.positional],
    options: ChangeArguments.options,
    notes: [
      ChangeConsent.note,
      .paragraph(
        "The values of the primary key are printed, with tabs between them if there are more than one; nothing for a "
          + "table without a key."),
      WrittenAssignment.note,
    ])

  private let arguments: ChangeArguments

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = try ChangeArguments(arguments)
  }

  func run(_ console: Console) async throws {
    let words = ChangeWords(
      verb: "insert", participle: "inserted", isDestructive: false, preposition: "into",
      details: arguments.assignments.map(\.description))
    let report = try await RowChanger(arguments: arguments, words: words).run(on: console) { table throws(Failure) in
      .insert(try arguments.assignments(in: table))
    }
    guard let report, let row = report.rows.first?.after, !report.key.isEmpty else { return }
    var output = console.output()
    TSVFormat(report.key.map { ColumnHeading(report.table.columns[$0]) }, console.style, FormatOptions())
      .append(report.key.map { row[$0] }, to: &output)
    try output.flush()
  }
}
