import ErrorDetails
import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit table deduplicate`: deletes rows that repeat the values of another row.
struct TableDeduplicateCommand: Command {
  static let description = CommandDescription(
    name: "deduplicate", group: "table", summary: "Delete all but one of the rows with equal values in some columns.",
    examples: [
      .init(
        arguments: "table deduplicate pokedex.sqlite caught pokemon --dry-run",
        meaning: "Count the rows that have the same pokemon as an earlier row."),
      .init(
        arguments: "table deduplicate pokedex.sqlite caught pokemon --keep last",
        meaning: "Keep the latest row of each pokemon, and ask before the deletion."),
    ],
    positionals: [.database, ChangeArguments.table, columns],
    options: [keep, ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "Nulls are equal here. index add --unique then prevents further duplicates. Foreign keys act as for delete: they "
          + "can delete referring rows too, or forbid the deletion."),
      ChangeConsent.note,
    ])

  private static let columns = PositionalDescription(
    name: "COLUMN", help: "The columns whose values must be equal.", isRepeated: true, completion: .column)
  private static let keep = OptionDescription(
    name: "--keep", value: "WHICH",
    help: "Keep the first row (default) or the last: by primary key or, without a key, by insertion.",
    completion: .words(["first", "last"]))

  private enum Kept: String, CaseIterable { case first, last }

  private let database: DatabaseLocation
  private let table: String
  private let columns: [String]
  private let keepsLast: Bool
  private let consent: ChangeConsent

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    table = try arguments.required(ChangeArguments.table)
    columns = arguments.all(Self.columns)
    keepsLast = try arguments.choice(Self.keep, of: Kept.self) == .last
    consent = ChangeConsent(arguments)
  }

  func run(_ console: Console) async throws {
    try consent.checkPossible(console)
    let store = try database.open(.existing)
    let (definition, columns, count) = try database.translating {
      let definition = try store.definition(ofTable: table)
      try definition.checkIsTable()
      let columns = try names(in: definition.schema)
      return (definition, columns, try store.blocking.dryRun(.writing) { try delete(columns, $0, definition) })
    }
    let name = definition.schema.name
    let list = columns.joined(separator: " and ")
    if count == 0 { return console.say("no rows of \(name) have the same \(list)") }
    let what = "\(count.of("row")) of \(name) with the same \(list) as another row"
    if consent.isDryRun { return console.say("would delete \(what)") }
    try await consent.confirm(
      Confirmation(
        summary: what, details: ["the \(keepsLast ? "last" : "first") row of each kind stays"],
        action: "Delete the rows", isDestructive: true), on: console)
    Interruption.postpone()
    try database.translating {
      try store.blocking.transaction(.writing) { transaction in
        let deleted = try delete(columns, transaction, definition)
        if deleted != count, !consent.isGiven { throw ChangeConsent.outdated(name) }
      }
    }
    console.say("deleted \(what)")
  }

  /// The columns, which may be given with commas.
  private func names(in table: TableSchema) throws(QueryError) -> [String] {
    let all = columns.flatMap { column in
      table.columns.contains(named: column) ? [column] : column.split(separator: ",").map(String.init)
    }
    return try all.map { name throws(QueryError) in table.columns[try table.position(of: name)].name }
  }

  private func delete(
    _ columns: [String], _ transaction: SQLTransaction, _ definition: TableDefinition
  ) throws -> Int {
    try transaction.deleteDuplicates(of: columns, in: definition.schema, keepingLast: keepsLast)
  }
}
