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
  /// The arguments as those of a deletion by keys.
  private let deletion: ChangeArguments

  init(_ arguments: Arguments) throws(Failure) {
    deletion = try ChangeArguments(arguments)
    database = DatabaseLocation(try arguments.required(.database))
    table = try arguments.required(ChangeArguments.table)
    columns = arguments.all(Self.columns)
    keepsLast = try arguments.choice(Self.keep, of: Kept.self) == .last
    consent = ChangeConsent(arguments)
  }

  func run(_ console: Console) async throws {
    try consent.checkPossible(console)
    let store = try database.open(.existing)
    let (definition, columns, keys) = try database.translating {
      let definition = try store.definition(ofTable: table)
      try definition.checkIsTable()
      let columns = try names(in: definition.schema)
      return (
        definition, columns, try store.duplicateKeys(of: columns, in: definition.schema, keepingLast: keepsLast)
      )
    }
    let name = definition.schema.name
    let list = columns.joined(separator: " and ")
    if let keys, let key = definition.schema.primaryKeyColumns.first?.name {
      if keys.isEmpty { return console.say("no rows of \(name) have the same \(list)") }
      // With a key, the rows are shown, and the rows of other tables that go with them.
      let words = ChangeWords(verb: "delete", participle: "deleted", isDeletion: true, isDestructive: true)
      _ = try await RowChanger(arguments: deletion, words: words).run(on: console) { _, _, _ in
        .delete(.in(key: key, values: keys))
      }
      return
    }
    try checkNoReferences(to: name, in: store)
    let count = try database.translating {
      try store.blocking.dryRun(.writing) { try delete(columns, $0, definition) }
    }
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

  /// Refuses a table whose rows other tables refer to by several columns, since rows that would go with them are not known.
  private func checkNoReferences(to name: String, in store: SQLDatabase) throws(Failure) {
    let tables = try database.translating { try store.definitions() }
    for (other, result) in tables {
      guard case .success(let definition) = result, Name(other) != Name(name),
        definition.references.contains(where: { Name($0.table) == Name(name) })
      else { continue }
      throw Failure(
        "rows of \(other) refer to rows of \(name), and \(name) has no key of one column without nulls",
        details: ["repokit delete deletes rows by a condition, and shows the rows that go with them"])
    }
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
