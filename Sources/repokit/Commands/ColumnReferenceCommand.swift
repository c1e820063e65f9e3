import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit column reference`: has a column refer to the rows of a table.
struct ColumnReferenceCommand: Command {
  static let description = CommandDescription(
    name: "reference", group: "column",
    summary: "Has a column refer to the rows of a table, which queries follow as a path.",
    examples: [
      .init(
        arguments: "column reference pokedex.sqlite caught pokemon pokemon",
        meaning: "By its key; from then on, each row refers to one that is there."),
      .init(
        arguments: "column reference pokedex.sqlite caught pokemon \"pokemon.id on delete cascade\" --dry-run",
        meaning: "Rows that refer to one that is deleted go with it."),
    ],
    positionals: [.database, ChangeArguments.table, .column, target],
    options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "What is referred to is a primary key, or a column that a unique index tells apart. All rows are checked. In SQLite, the "
          + "table is copied for that, and its indexes, checks, views and triggers stay."),
      ChangeConsent.note,
    ])

  private static let target = PositionalDescription(
    name: "TARGET", help: "A table, or TABLE.COLUMN; also with: on delete cascade, set null or restrict.",
    completion: .table)

  private let changer: SchemaChanger
  private let column: String
  private let target: ReferenceTarget

  init(_ arguments: Arguments) throws(Failure) {
    changer = try SchemaChanger(arguments, isRebuild: true)
    column = try arguments.required(.column)
    let text = try arguments.required(Self.target)
    func fail(_ problem: String, _ suggestion: String?) -> Failure {
      arguments.command.usageError("\(TerminalText.quoted(text)): \(problem)", suggestion: suggestion)
    }
    var words = QuotedWords(text)
    target = try ReferenceTarget(&words, fail)
    if let word = words.next() {
      throw fail("\(word.text) is no word of a reference", "write TABLE or TABLE.COLUMN, and on delete with its rule")
    }
  }

  func run(_ console: Console) async throws {
    var reference: ReferenceRule?
    try await changer.run(on: console) { store, table in
      try table.checkIsTable()
      _ = try table.column(column)
      if let present = table.references.first(where: { $0.columns.map(Name.init) == [Name(column)] }) {
        throw Failure("\(column) of \(changer.table) refers to \(present.table) already")
      }
      let rule = try target.rule(from: column) {
        try store.schema(ofTable: target.table).primaryKeyColumns.map(\.name)
      }
      try checkIsUnique(rule, in: store)
      reference = rule
      return .init(
        verb: "have", participle: "made",
        what: "\(column) of \(changer.table) refer to \(rule.table) (\(rule.key.joined(separator: ", ")))",
        isDestructive: false)
    } _: { transaction, table in
      if let reference { try transaction.addReference(reference, to: table.schema) }
    }
  }

  /// Refuses columns that don't tell rows apart.
  private func checkIsUnique(_ rule: ReferenceRule, in store: SQLDatabase) throws {
    let target = try store.definition(ofTable: rule.table)
    for column in rule.key { _ = try target.column(column) }
    let key = rule.key.map(Name.init)
    let isKey = target.schema.primaryKeyColumns.map { Name($0.name) } == key
    let isUnique = target.indexes.contains { index in
      index.isUnique && index.condition == nil && index.columns.map { $0.map(Name.init) } == key
    }
    if isKey || isUnique { return }
    throw Failure(
      "\(rule.key.joined(separator: ", ")) of \(rule.table) may be the same in several rows",
      details: ["repokit index add … \(rule.table) \(rule.key.joined(separator: " ")) --unique tells them apart"])
  }
}
