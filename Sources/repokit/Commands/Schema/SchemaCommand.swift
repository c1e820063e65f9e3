import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit schema`: describes tables.
struct SchemaCommand: Command {
  static let description = CommandDescription(
    name: "schema", summary: "Show the columns of a table, or of all tables.",
    examples: [
      .init(
        arguments: "schema pokedex.sqlite pokemon",
        meaning: "Show the columns, types, key, indexes and constraints of a table."),
      .init(
        arguments: "schema pokedex.sqlite",
        meaning: "Show the same for all tables and views, and the applied migrations."),
      .init(arguments: "schema pokedex.sqlite pokemon --sql", meaning: "Show the SQL statements that made a table."),
      .init(arguments: "schema pokedex.sqlite --format json", meaning: "Print the columns of all tables as JSON."),
    ],
    positionals: [.source, optionalTable], options: [sql, .rowFormatForPrograms], notes: [InputArguments.note])

  private static let optionalTable = PositionalDescription(
    name: "TABLE", help: "The table or view (default: all).", isOptional: true, completion: .table)
  private static let sql = OptionDescription(
    name: "--sql", help: "Show the SQL statements of tables, indexes and triggers.", excluded: ["--format"])

  private static let refusal = ServerRefusal(
    summary: "a server does not store the statements that made its tables",
    reason: "repokit schema without --sql shows the tables",
    suggestion: "pg_dump --schema-only writes such statements")

  private let database: DatabaseLocation
  private let table: String?
  private let wantsSQL: Bool
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    database = try DatabaseLocation(source: arguments)
    table = arguments[Self.optionalTable]
    wantsSQL = arguments.has(Self.sql)
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    if wantsSQL, database.path == nil { throw Self.refusal.failure }
    let store = try database.open(.readOnly)
    let tables = try Failure.translating {
      func text(_ definition: TableDefinition) -> SchemaText {
        SchemaText(definition, columnsOfTexts: definition.schema.columnsOfTexts(in: store))
      }
      if let table { return [text(try store.definition(ofTable: table))] }
      return try store.definitions().map { name, result in
        switch result {
        case .success(let definition): text(definition)
        // Such as a view whose table was dropped, which should not prevent the description of the others.
        case .failure(let error): SchemaText(unreadable: name, error)
        }
      }
    }
    if let format {
      return try console.printRows(tables.flatMap(\.rows), under: SchemaText.headings, as: format)
    }
    var texts = tables.map { wantsSQL ? $0.sql(console.style) : $0.description }
    // Another program may use that table name for something else.
    if table == nil, !wantsSQL, let migrations = try? store.appliedMigrations(), !migrations.isEmpty {
      texts.append(MigrationText(migrations).description)
    }
    try console.print(texts.filter { !$0.isEmpty }.joined(separator: "\n"))
  }
}

/// A table's description for people: a line for each column, then its constraints and indexes.
struct SchemaText: CustomStringConvertible {
  private enum Content {
    case table(TableDefinition)
    case unreadable(String, RepositoryError)
  }

  private let content: Content
  /// The columns that contain texts, although their declared types say numbers.
  private let columnsOfTexts: Set<Name>

  init(_ table: TableDefinition, columnsOfTexts: Set<Name> = []) {
    (content, self.columnsOfTexts) = (.table(table), columnsOfTexts)
  }

  /// A table that can't be described, and the reason.
  init(unreadable name: String, _ error: RepositoryError) {
    (content, columnsOfTexts) = (.unreadable(name, error), [])
  }

  private func type(of column: ColumnSchema) -> String {
    (columnsOfTexts.contains(Name(column.name)) ? ValueType.text : column.type).rawValue
  }

  var description: String {
    switch content {
    case .table(let table):
      return ([heading(of: table)] + columnLines(of: table) + SchemaSections(table).lines)
        .map { TerminalText.visible($0) + "\n" }.joined()
    case .unreadable(let name, let error):
      return [name, "  repokit can't describe this table: \(error.reason ?? error.summary)"]
        .map { TerminalText.visible($0) + "\n" }.joined()
    }
  }

  /// The statements that create the table, or a comment that says why they are not there.
  func sql(_ style: TextStyle) -> String {
    guard case .table(let table) = content else {
      return description.split(separator: "\n").map { "-- \($0)\n" }.joined()
    }
    return table.statements.map { statement in
      let lines = statement.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return lines.map(style.raw).joined(separator: "\n") + ";\n"
    }.joined()
  }

  private func heading(of table: TableDefinition) -> String {
    var notes: [String] = []
    switch table.kind {
    case .table: break
    case .view: notes.append("view")
    case .foreign: notes.append("foreign table")
    case .virtual, .shadow: notes.append("virtual table")
    }
    if table.isWithoutRowid { notes.append("without rowid") }
    return table.schema.name + (notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))")
  }

  private func columnLines(of table: TableDefinition) -> [String] {
    let names = table.columns.map { TerminalText.visible($0.schema.name) }
    let widths = names.map(TerminalText.columns)
    let width = widths.max() ?? 0
    return table.columns.indices.map { position in
      let notes = ColumnNotes(position, of: table).texts.joined(separator: ", ")
      let type = type(of: table.columns[position].schema)
      let name = names[position] + String(repeating: " ", count: width - widths[position])
      let typeColumn = type + String(repeating: " ", count: "integer".count - type.count)
      return "  \(name)  " + (notes.isEmpty ? type : "\(typeColumn)  \(notes)")
    }
  }
}

extension SchemaText {
  /// The headings of the columns of ``rows``.
  static let headings = [
    ColumnHeading("table"), ColumnHeading("column"), ColumnHeading("type"), ColumnHeading("declared"),
    ColumnHeading("nullable", isNumeric: true), ColumnHeading("key", isNumeric: true),
    ColumnHeading("unique", isNumeric: true), ColumnHeading("indexed", isNumeric: true), ColumnHeading("default"),
    ColumnHeading("generated"), ColumnHeading("collation"), ColumnHeading("references"),
  ]

  /// A row for each column, for other programs. What can't be described has none.
  var rows: [[Value]] {
    guard case .table(let table) = content else { return [] }
    return table.columns.enumerated().map { position, column in
      let key = table.schema.primaryKey.firstIndex(of: position)
      let reference = table.references.first { $0.columns.map(Name.init) == [Name(column.schema.name)] }
      return [
        .text(table.schema.name), .text(column.schema.name), .text(type(of: column.schema)),
        .text(column.declaredType), .flag(column.schema.isNullable), .count(key.map { $0 + 1 }),
        .flag(column.schema.isUnique), .flag(column.schema.isIndexed), .optional(column.defaultExpression),
        .optional(column.generatedBy), .optional(column.collation),
        .optional(reference.map { ([$0.table] + $0.key).joined(separator: ".") }),
      ]
    }
  }
}

extension TableSchema {
  /// The columns of SQLite with a declared type such as DATETIME, which means numbers there, whose first values are texts.
  fileprivate func columnsOfTexts(in store: SQLDatabase) -> Set<Name> {
    let others = OtherTables(of: store)
    let found = columns.indices.filter { position in
      let column = columns[position]
      guard column.type == .real || column.type == .integer, column.kinds.contains(.text) else { return false }
      let values = others.sample(of: position, in: self, limit: 100)
      return !values.isEmpty && values.allSatisfy { if case .text = $0 { true } else { false } }
    }
    return Set(found.map { Name(columns[$0].name) })
  }
}

extension Value {
  fileprivate static func flag(_ isSet: Bool) -> Value { .integer(isSet ? 1 : 0) }

  fileprivate static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }
}

/// The rules, indexes and triggers of a table, in lines below its columns; a kind of which the table has none is left out.
struct SchemaSections {
  private let table: TableDefinition

  init(_ table: TableDefinition) {
    self.table = table
  }

  var lines: [String] {
    section("unique together", uniqueSets) + section("references", references) + section("checks", table.checks)
      + section("indexes", indexes) + section("triggers", table.triggers)
  }

  private func section(_ title: String, _ entries: [String]) -> [String] {
    entries.isEmpty ? [] : ["  \(title)"] + entries.map { "    \($0)" }
  }

  /// Those that no statement names and no column says of itself.
  private var uniqueSets: [String] {
    table.indexes.filter { $0.origin == .uniqueRule && $0.terms.count > 1 }.map { terms(of: $0) }
  }

  private var indexes: [String] {
    table.indexes.filter { $0.origin == .statement }.map { index in
      let condition = index.condition.map { " where \($0)" } ?? ""
      return "\(index.name): \(index.isUnique ? "unique " : "")\(terms(of: index))\(condition)"
    }
  }

  private func terms(of index: IndexDescription) -> String {
    index.terms.map { term in
      let own = table.columns.first { Name($0.schema.name) == term.column.map(Name.init) }?.collation
      // A collation that is the column's own says nothing.
      let collation = term.collation?.uppercased() == own?.uppercased() ? nil : term.collation ?? "BINARY"
      return term.text + (collation.map { " collation \($0)" } ?? "") + (term.isDescending ? " desc" : "")
    }.joined(separator: ", ")
  }

  private var references: [String] {
    table.references.map { reference in
      let key = reference.key.isEmpty ? "" : " (\(reference.key.joined(separator: ", ")))"
      return "\(reference.columns.joined(separator: ", ")) → \(reference.table)\(key)"
        + action("deleted", reference.onDelete) + action("changed", reference.onUpdate)
        + (isDeferred(reference) ? ", checked at the end of a transaction" : "")
        + (reference.problem.map { "; broken: \($0)" } ?? "")
    }
  }

  private func isDeferred(_ reference: TableDefinition.Reference) -> Bool {
    table.schema.references.contains { rule in
      rule.isDeferred && rule.columns == reference.columns && Name(rule.table) == Name(reference.table)
    }
  }

  private func action(_ event: String, _ action: String) -> String {
    action == "NO ACTION" ? "" : ", when \(event) \(action.lowercased())"
  }
}

/// The properties of a column besides its name and type.
struct ColumnNotes {
  let texts: [String]

  init(_ position: Int, of table: TableDefinition) {
    let (details, schema) = (table.columns[position], table.schema)
    let column = details.schema
    var notes: [String] = []
    if let part = schema.primaryKey.firstIndex(of: position) {
      notes.append(schema.primaryKey.count == 1 ? "key" : "key \(part + 1) of \(schema.primaryKey.count)")
    } else if column.isUnique {
      notes.append("unique")
    } else if column.isIndexed {
      notes.append("indexed")
    }
    if let expression = details.generatedBy {
      notes.append("\(details.isStored ? "stored" : "computed") as \(expression)")
    }
    if column.isNullable { notes.append("may be null") }
    if let expression = details.defaultExpression { notes.append("default \(expression)") }
    if let collation = details.collation { notes.append("collation \(collation)") }
    if let declared = column.declaredType {
      notes.append(declared.isEmpty ? "declared without a type" : "declared \(details.declaredType)")
    } else if column.nativeType != nil {
      notes.append("declared \(details.declaredType)")
    }
    texts = notes
  }
}

/// The migrations that a database has gone through, for people: a line for each.
struct MigrationText: CustomStringConvertible {
  private let migrations: [AppliedMigration]

  init(_ migrations: [AppliedMigration]) {
    self.migrations = migrations
  }

  var description: String {
    let lines = migrations.map { migration in
      "  \(time(of: migration))  \(TerminalText.visible(migration.name))\n"
    }
    return "applied migrations\n" + lines.joined()
  }

  /// To the second: 2026-11-20T23:11:00Z.
  private func time(of migration: AppliedMigration) -> String {
    guard case .text(let text)? = try? migration.appliedAt.makeValue() else { return "" }
    return text.prefix { $0 != "." } + "Z"
  }
}
