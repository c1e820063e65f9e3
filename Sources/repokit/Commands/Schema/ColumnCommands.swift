import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit column`: changes the columns of a table.
struct ColumnCommand: CommandGroup {
  static let description = CommandDescription(
    name: "column", summary: "Add, rename, drop, retype and require columns, and add references.",
    examples: [
      .init(arguments: "column add pokedex.sqlite pokemon \"seen integer default 0\"", meaning: "Add a column."),
      .init(arguments: "column rename pokedex.sqlite pokemon name english_name", meaning: "Rename a column."),
      .init(arguments: "column retype pokedex.sqlite pokemon legendary text", meaning: "Change the type of a column."),
    ],
    subcommands: [
      ColumnAddCommand.self, ColumnRenameCommand.self, ColumnDropCommand.self, ColumnRetypeCommand.self,
      ColumnRequireCommand.self, ColumnOptionalCommand.self, ColumnReferenceCommand.self,
    ])
}

extension PositionalDescription {
  static let column = PositionalDescription(
    name: "COLUMN", help: "The column.", mayBeEmpty: true, completion: .column)
}

/// `repokit column add`: adds a column.
struct ColumnAddCommand: Command {
  static let description = CommandDescription(
    name: "add", group: "column", summary: "Add a column to a table.",
    examples: [
      .init(
        arguments: "column add pokedex.sqlite pokemon \"seen integer required default 0\"",
        meaning: "Existing rows get the default."),
      .init(
        arguments: "column add pokedex.sqlite pokemon \"note text\" --dry-run",
        meaning: "Check whether the table accepts the column."),
    ],
    positionals: [.database, ChangeArguments.table, definition], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [ColumnDefinition.note, ChangeConsent.note])

  private static let definition = PositionalDescription(
    name: "COLUMN", help: "The column as one argument (see below).")

  private let changer: SchemaChanger
  private let column: ColumnDefinition

  init(_ arguments: Arguments) throws(Failure) {
    column = try ColumnDefinition(try arguments.required(Self.definition), for: arguments.command)
    changer = try SchemaChanger(arguments, isRebuild: column.clause == .currentTime)
    if column.isKey || column.reference != nil {
      throw arguments.command.usageError(
        "\(column.name) can't be \(column.isKey ? "a key" : "a reference")",
        reason: "a new column can't be a key or a reference",
        suggestion: "repokit table create makes another table, and repokit export and import move the rows")
    }
  }

  func run(_ console: Console) async throws {
    try await changer.run(on: console) { store, definition in
      try definition.checkIsTable()
      if definition.schema.columns.contains(foldedNamed: column.name) {
        throw Failure("\(changer.table) already has a column \(column.name)")
      }
      let schema = column.schema()
      if !schema.isNullable, schema.defaultValue == nil, column.clause == nil {
        throw Failure(
          "\(column.name) has no value for existing rows",
          details: [
            "the column is required and has no default",
            "add a default: \"\(column.name) \(column.type) required default …\"",
          ],
          status: .usageError)
      }
      return .init(
        verb: "add", participle: "added", what: "the column \(column.name) (\(column.type)) to \(changer.table)",
        isDestructive: false)
    } _: { transaction, definition in
      try transaction.addColumn(column.schema(), to: definition.schema, with: column.clause)
    }
  }
}

/// `repokit column rename`: renames a column.
struct ColumnRenameCommand: Command {
  static let description = CommandDescription(
    name: "rename", group: "column", summary: "Rename a column.",
    examples: [
      .init(
        arguments: "column rename pokedex.sqlite pokemon name english_name",
        meaning: "Indexes, views and triggers follow the new name.")
    ],
    positionals: [.database, ChangeArguments.table, .column, newName],
    options: [ChangeConsent.dryRun, ChangeConsent.yes], notes: [ChangeConsent.note])

  private static let newName = PositionalDescription(name: "NAME", help: "The new name.")

  private let changer: SchemaChanger
  private let column: String
  private let newName: String

  init(_ arguments: Arguments) throws(Failure) {
    changer = try SchemaChanger(arguments)
    column = try arguments.required(.column)
    newName = try arguments.required(Self.newName)
  }

  func run(_ console: Console) async throws {
    try await changer.run(on: console) { _, definition in
      try definition.checkIsTable()
      _ = try definition.column(column)
      return .init(
        verb: "rename", participle: "renamed", what: "the column \(column) of \(changer.table) to \(newName)",
        isDestructive: false)
    } _: { transaction, definition in
      try transaction.renameColumn(column, to: newName, of: definition.schema.name)
    }
  }
}

/// `repokit column drop`: drops a column.
struct ColumnDropCommand: Command {
  static let description = CommandDescription(
    name: "drop", group: "column", summary: "Drop a column and its values.",
    examples: [
      .init(
        arguments: "column drop pokedex.sqlite pokemon habitat", meaning: "Show the number of values and ask.")
    ],
    positionals: [.database, ChangeArguments.table, .column], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "Dropping a column drops an index on that column alone. If a key, reference, check, view, trigger or other "
          + "index uses the column, repokit refuses and names that object."),
      ChangeConsent.note,
    ])

  private static let wayAround =
    "repokit table create makes a table without the column, and repokit export and import move the rows"

  private let changer: SchemaChanger
  private let column: String

  init(_ arguments: Arguments) throws(Failure) {
    changer = try SchemaChanger(arguments)
    column = try arguments.required(.column)
  }

  func run(_ console: Console) async throws {
    try await changer.run(on: console) { store, definition in
      try definition.checkIsTable()
      _ = try definition.column(column)
      if let reference = definition.references.first(where: { $0.columns.contains(named: column) }) {
        throw Failure(
          "\(column) refers to \(reference.table), so repokit can't drop the column",
          details: [Self.wayAround])
      }
      try checkRules(of: definition)
      // Other columns may be of types that are only shown.
      let table = try store.queriedTable(definition.schema.name).schema
      let count = try store.blocking.repository(Schema(table)).count(.isNotNull(key: column))
      return .init(
        verb: "drop", participle: "dropped",
        what: "the column \(column) of \(changer.table) with \(count.of("value"))",
        details: indexes(of: definition).map { "also drops the index \($0)" }, isDestructive: true)
    } _: { transaction, definition in
      try transaction.dropColumn(column, of: definition.schema.name, indexes: indexes(of: definition))
    }
  }

  /// Refuses to drop what rules of the table are about.
  private func checkRules(of definition: TableDefinition) throws(Failure) {
    let table = definition.schema
    // A server drops an index of several columns, and a rule of uniqueness, with any of them.
    let rule =
      changer.database.path == nil
      ? nil
      : definition.indexes.first {
        $0.origin == .uniqueRule && $0.columns.contains { $0.map(Name.init) == Name(column) }
      }
    if table.columns.count == 1 {
      throw Failure(
        "can't drop \(column)",
        details: ["\(column) is the only column of \(table.name)", "repokit table drop drops the table"])
    }
    let reason: String? =
      if table.primaryKeyColumns.contains(named: column) {
        "\(column) is in the primary key of \(table.name)"
      } else if let rule {
        "\(rule.columnList) is in a unique constraint of \(table.name)"
      } else {
        nil
      }
    guard let reason else { return }
    throw Failure(
      "can't drop \(column)",
      details: [reason, Self.wayAround])
  }

  private func indexes(of definition: TableDefinition) -> [String] {
    definition.indexes.filter {
      $0.isDroppable && $0.columns.count == 1 && $0.columns[0].map(Name.init) == Name(column)
    }
    .map(\.name)
  }
}

/// `repokit column retype`: changes a column's type.
struct ColumnRetypeCommand: Command {
  static let description = CommandDescription(
    name: "retype", group: "column", summary: "Change the type of a column.",
    examples: [
      .init(
        arguments: "column retype pokedex.sqlite pokemon legendary text",
        meaning: "repokit converts every value; if a value can't be converted, nothing changes.")
    ],
    positionals: [.database, ChangeArguments.table, .column, type], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "Indexes, checks, references, views and triggers stay. In SQLite, this copies the table, which takes time "
          + "and disk space."),
      ChangeConsent.note,
    ])

  private static let type = PositionalDescription(
    name: "TYPE", help: "The new type: integer, real, text, blob or any.",
    completion: .words(ValueType.allCases.map(\.rawValue)))

  private let changer: SchemaChanger
  private let column: String
  private let type: ValueType

  init(_ arguments: Arguments) throws(Failure) {
    changer = try SchemaChanger(arguments, isRebuild: true)
    column = try arguments.required(.column)
    let name = try arguments.required(Self.type)
    guard let type = ValueType(rawValue: name) else {
      throw arguments.command.usageError(
        "unknown type \(TerminalText.quoted(name))",
        suggestion: .among(ValueType.allCases.map(\.rawValue), nearestTo: name))
    }
    self.type = type
  }

  func run(_ console: Console) async throws {
    try await changer.run(on: console) { store, definition in
      try definition.checkIsTable()
      let present = try definition.column(column)
      let kind = present.schema.type.rawValue
      let declared = present.schema.nativeType == nil ? present.schema.declaredType ?? kind : present.declaredType
      let old = declared.lowercased() == kind ? kind : declared
      if old == type.rawValue { throw Failure("\(column) of \(changer.table) is already \(type)") }
      try checkReferences(of: definition.schema, in: store)
      return .init(
        verb: "change", participle: "changed",
        what: "the column \(column) of \(changer.table) from \(old) to \(type)", isDestructive: true)
    } _: { transaction, definition in
      try transaction.retype([RetypedColumn(column, type)], of: definition.schema)
    }
  }

  /// Refuses a type by which references would lead to no row: those of the column, and those to it.
  private func checkReferences(of table: TableSchema, in store: SQLDatabase) throws {
    for name in try store.tableNames() {
      // What can't be read refers to nothing.
      guard let other = Name(name) == table.name ? table : try? store.schema(ofTable: name) else { continue }
      for reference in other.references {
        for (from, to) in zip(reference.columns, reference.key) {
          // A table's own columns have exact names; SQLite leaves the names that a reference has beyond it as they were written.
          let isOwn = Name(name) == table.name && Name(from) == column
          guard isOwn || Name(reference.table).equalsFolded(table.name) && Name(to).equalsFolded(column) else {
            continue
          }
          let end = isOwn ? try? store.schema(ofTable: reference.table) : other
          let beyond = isOwn ? end?.columns.first(foldedNamed: to) : end?.columns.first(named: from)
          if beyond?.type == type { continue }
          throw Failure(
            "\(from) of \(name) refers to \(to) of \(reference.table), and the types would differ",
            details: ["repokit table create makes both tables with the new type, and repokit import fills both"])
        }
      }
    }
  }
}
