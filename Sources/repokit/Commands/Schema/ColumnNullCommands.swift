import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit column require`: refuses nulls in a column.
struct ColumnRequireCommand: Command {
  static let description = CommandDescription(
    name: "require", group: "column", summary: "Refuse nulls in a column.",
    examples: [
      .init(
        arguments: "column require pokedex.sqlite pokemon weight",
        meaning: "Fail if a row has no weight; later rows need a weight.")
    ],
    positionals: [.database, ChangeArguments.table, .column], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [NullRule.note, ChangeConsent.note])

  private let rule: NullRule

  init(_ arguments: Arguments) throws(Failure) {
    rule = try NullRule(arguments, isRequired: true)
  }

  func run(_ console: Console) async throws { try await rule.run(on: console) }
}

/// `repokit column optional`: accepts nulls in a column.
struct ColumnOptionalCommand: Command {
  static let description = CommandDescription(
    name: "optional", group: "column", summary: "Accept nulls in a column.",
    examples: [
      .init(
        arguments: "column optional pokedex.sqlite pokemon name", meaning: "Accept rows without a name.")
    ],
    positionals: [.database, ChangeArguments.table, .column], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [NullRule.note, ChangeConsent.note])

  private let rule: NullRule

  init(_ arguments: Arguments) throws(Failure) {
    rule = try NullRule(arguments, isRequired: false)
  }

  func run(_ console: Console) async throws { try await rule.run(on: console) }
}

/// The change of a column that refuses nulls, or accepts them.
private struct NullRule {
  static let note = Note.paragraph(
    "Rows, indexes, checks, references, views and triggers stay. In SQLite, this copies the table, which takes time and disk "
      + "space.")

  private let changer: SchemaChanger
  private let column: String
  private let isRequired: Bool

  init(_ arguments: Arguments, isRequired: Bool) throws(Failure) {
    changer = try SchemaChanger(arguments, isRebuild: true)
    column = try arguments.required(.column)
    self.isRequired = isRequired
  }

  func run(on console: Console) async throws {
    try await changer.run(on: console) { store, definition in
      try definition.checkIsTable()
      let present = try definition.column(column).schema
      let table = definition.schema.name
      if present.isNullable != isRequired {
        throw Failure("\(column) of \(table) \(isRequired ? "already refuses nulls" : "already accepts nulls")")
      }
      if !isRequired, definition.schema.primaryKeyColumns.contains(named: column) {
        throw Failure("\(column) is in the primary key of \(table), which refuses nulls")
      }
      // Other columns may be of types that are only shown.
      let queried = try store.queriedTable(table).schema
      let count = isRequired ? try store.blocking.repository(Schema(queried)).count(.isNull(key: column)) : 0
      if count > 0 {
        let condition = "\(AnyExpression.key(column)) is null"
        throw Failure(
          "\(count.of("row")) of \(table) \(count == 1 ? "has" : "have") no \(column)",
          details: [
            "repokit set \(changer.database.name) \(table) '\(condition)' '\(AnyExpression.key(column))=…' sets a value"
          ])
      }
      return .init(
        verb: isRequired ? "require" : "allow nulls in", participle: isRequired ? "required" : "allowed nulls in",
        what: "the column \(column) of \(table)", isDestructive: false)
    } _: { transaction, definition in
      try transaction.setRequired(column, isRequired, of: definition.schema)
    }
  }
}
