import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit column reference`: has a column refer to the rows of a table.
struct ColumnReferenceCommand: Command {
  static let description = CommandDescription(
    name: "reference", group: "column",
    summary: "Make a column refer to another table, so that queries can follow the path.",
    examples: [
      .init(
        arguments: "column reference pokedex.sqlite caught pokemon pokemon",
        meaning: "Refer to the table by key; the database then rejects other values."),
      .init(
        arguments: "column reference pokedex.sqlite caught pokemon \"pokemon.id on delete cascade\" --dry-run",
        meaning: "Delete the referring rows with the row that they refer to."),
    ],
    positionals: [.database, ChangeArguments.table, .column, target],
    options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "The target is a primary key or a column with a unique index. repokit checks all rows. In SQLite, this "
          + "copies the table; indexes, checks, views and triggers stay."),
      ChangeConsent.note,
    ])

  private static let target = PositionalDescription(
    name: "TARGET", help: "TABLE or TABLE.COLUMN; optionally on delete cascade, set null or restrict.",
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
      throw fail(
        "unexpected word \(TerminalText.quoted(word.text))",
        "write TABLE or TABLE.COLUMN, optionally with on delete and a rule")
    }
  }

  func run(_ console: Console) async throws {
    var reference: ReferenceRule?
    try await changer.run(on: console) { store, table in
      try table.checkIsTable()
      _ = try table.column(column)
      if let present = table.references.first(where: { $0.columns.map(Name.init) == [Name(column)] }) {
        throw Failure("\(column) of \(changer.table) already refers to \(present.table)")
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
      "\(rule.key.joined(separator: " and ")) of \(rule.table) "
        + (rule.key.count == 1 ? "is not unique" : "are not unique together"),
      details: ["repokit index add … \(rule.table) \(rule.key.joined(separator: " ")) --unique adds a unique index"])
  }
}
