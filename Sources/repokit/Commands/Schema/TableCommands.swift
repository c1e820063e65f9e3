import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit table`: creates and changes tables.
struct TableCommand: CommandGroup {
  static let description = CommandDescription(
    name: "table", summary: "Create, rename and drop tables, and delete duplicate rows.",
    examples: [
      .init(
        arguments: "table create pokedex.sqlite trainer \"id integer key\" \"name text required\"",
        meaning: "Create a table with a numbered key."),
      .init(
        arguments: "table rename pokedex.sqlite caught seen", meaning: "Rename a table; references and views follow."),
      .init(arguments: "table drop pokedex.sqlite caught --dry-run", meaning: "Show everything that would be dropped."),
    ],
    subcommands: [
      TableCreateCommand.self, TableRenameCommand.self, TableDropCommand.self, TableDeduplicateCommand.self,
    ])
}

/// `repokit table create`: creates a table.
struct TableCreateCommand: Command {
  static let description = CommandDescription(
    name: "create", group: "table", summary: "Create a table.",
    examples: [
      .init(
        arguments: "table create pokedex.sqlite trainer \"id integer key\" \"name text required unique\"",
        meaning: "Write each column as an argument; repokit creates a missing database file."),
      .init(
        arguments:
          "table create pokedex.sqlite battle \"at text\" \"winner integer references pokemon on delete cascade\"",
        meaning: "Create a reference, which queries follow as a path."),
    ],
    positionals: [.database, name, columns], options: [ChangeConsent.dryRun], notes: [ColumnDefinition.note])

  private static let name = PositionalDescription(name: "TABLE", help: "The name of the table.")
  private static let columns = PositionalDescription(
    name: "COLUMN", help: "A column as one argument (see below).", isRepeated: true)

  private let database: DatabaseLocation
  private let name: String
  private let columns: [ColumnDefinition]
  private let isDryRun: Bool

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    name = try arguments.required(Self.name)
    columns = try arguments.all(Self.columns).map { text throws(Failure) in
      try ColumnDefinition(text, for: arguments.command)
    }
    isDryRun = arguments.has(ChangeConsent.dryRun)
  }

  func run(_ console: Console) async throws {
    try SchemaChanger.create(in: database, isDryRun: isDryRun) { store in
      let table = try schema(in: store)
      if let taken = try store.tableNames().first(foldedNamed: name) {
        throw Failure(
          "the table \(taken) already exists",
          details: ["repokit column changes the table's columns, and table drop drops the table"])
      }
      let clauses = columns.compactMap { column in column.clause.map { (Name(column.name), $0) } }
      return { transaction in
        try transaction.create(table, with: Dictionary(clauses) { first, _ in first })
      }
    }
    let list = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    console.say("\(isDryRun ? "would create" : "created") the table \(name) (\(list))")
  }

  private func schema(in store: SQLDatabase) throws -> TableSchema {
    let key = columns.filter(\.isKey)
    let references = try columns.compactMap { column in
      try column.reference.map { target in
        try target.rule(from: column.name) {
          // The table itself is not there yet.
          Name(target.table) == name
            ? key.map(\.name) : try store.schema(ofTable: target.table).primaryKeyColumns.map(\.name)
        }
      }
    }
    return try TableSchema(
      name,
      columns: columns.map { column in
        column.schema(isNumbered: column.isKey && key.count == 1 && column.type == .integer && column.reference == nil)
      }, primaryKey: key.map(\.name), references: references)
  }
}

extension ReferenceTarget {
  /// Returns the reference of a column to this target.
  ///
  /// - Parameter key: gives the names of the key of the table that is referred to.
  func rule(from name: String, key: () throws -> [String]) throws -> ReferenceRule {
    if let column { return ReferenceRule([name], to: table, key: [column], onDelete: onDelete) }
    let key = try key()
    guard key.count == 1 else {
      throw Failure(
        "\(name) can't refer to \(table)",
        details: [
          key.isEmpty ? "\(table) has no primary key" : "the primary key of \(table) has several columns",
          "write references TABLE.COLUMN with a unique column",
        ])
    }
    return ReferenceRule([name], to: table, key: key, onDelete: onDelete)
  }
}

/// `repokit table rename`: renames a table.
struct TableRenameCommand: Command {
  static let description = CommandDescription(
    name: "rename", group: "table", summary: "Rename a table.",
    examples: [
      .init(
        arguments: "table rename pokedex.sqlite caught seen",
        meaning: "References, views and triggers follow the new name.")
    ],
    positionals: [.database, ChangeArguments.table, newName], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [ChangeConsent.note])

  private static let newName = PositionalDescription(name: "NAME", help: "The new name.")

  private let changer: SchemaChanger
  private let newName: String

  init(_ arguments: Arguments) throws(Failure) {
    changer = try SchemaChanger(arguments)
    newName = try arguments.required(Self.newName)
  }

  func run(_ console: Console) async throws {
    try await changer.run(on: console) { store, definition in
      try definition.checkIsTable()
      if Name(newName) == definition.schema.name { throw Failure("the table already has the name \(newName)") }
      if let taken = try store.tableNames().first(foldedNamed: newName) {
        if Name(taken) != definition.schema.name { throw Failure("the table \(taken) already exists") }
        if changer.database.path != nil {
          throw Failure(
            "to SQLite, \(taken) and \(newName) are the same name", details: ["choose another name first"])
        }
      }
      return .init(
        verb: "rename", participle: "renamed", what: "the table \(changer.table) to \(newName)", isDestructive: false)
    } _: { transaction, definition in
      try transaction.renameTable(definition.schema.name, to: newName)
    }
  }
}

/// `repokit table drop`: drops a table.
struct TableDropCommand: Command {
  static let description = CommandDescription(
    name: "drop", group: "table", summary: "Drop a table and its rows.",
    examples: [
      .init(arguments: "table drop pokedex.sqlite caught", meaning: "Show the number of rows and ask."),
      .init(arguments: "table drop pokedex.sqlite caught --yes", meaning: "Drop the table without asking."),
    ],
    positionals: [.database, ChangeArguments.table], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "If other tables refer to the table, repokit refuses, since rows of those tables could be lost. repokit "
          + "names the views and triggers that use the table."),
      ChangeConsent.note,
    ])

  private let changer: SchemaChanger

  init(_ arguments: Arguments) throws(Failure) {
    changer = try SchemaChanger(arguments)
  }

  func run(_ console: Console) async throws {
    try await changer.run(on: console) { store, definition in
      if definition.kind == .virtual {
        return .init(
          verb: "drop", participle: "dropped", what: "the virtual table \(changer.table)", isDestructive: true)
      }
      try definition.checkIsTable()
      let count = try store.rowCount(ofTable: changer.table)
      let others =
        definition.indexes.filter(\.isDroppable).map { "also drops the index \($0.name)" }
        + definition.triggers.map { "also drops the trigger \($0)" }
      return .init(
        verb: "drop", participle: "dropped", what: "the table \(changer.table) with \(count.of("row"))",
        details: others,
        isDestructive: true)
    } _: { transaction, definition in
      try transaction.dropTable(definition.schema.name)
    }
  }
}

extension SchemaChanger {
  /// - Parameters:
  ///   - isRebuild: whether types change.
  ///   - kind: the kind of object that the name has to be of.
  init(_ arguments: Arguments, isRebuild: Bool = false, kind: TableOverview.Kind = .table) throws(Failure) {
    self.init(
      database: DatabaseLocation(try arguments.required(.database)), consent: ChangeConsent(arguments),
      table: try arguments.required(ChangeArguments.table), isRebuild: isRebuild, kind: kind)
  }
}
