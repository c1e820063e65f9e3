import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit view`: creates and drops views.
struct ViewCommand: CommandGroup {
  static let description = CommandDescription(
    name: "view", summary: "Create and drop views, which are named queries.",
    examples: [
      .init(
        arguments:
          "view create pokedex.sqlite heavy pokemon \"weight > 90\" --columns \"id, name, weight * 2 as pounds\"",
        meaning: "Create a query that other programs can read too."),
      .init(arguments: "view drop pokedex.sqlite heavy", meaning: "Drop the view; no row is lost."),
    ],
    subcommands: [ViewCreateCommand.self, ViewDropCommand.self])
}

/// `repokit view create`: saves a query as a view.
struct ViewCreateCommand: Command {
  static let description = CommandDescription(
    name: "create", group: "view", summary: "Save a query of a table as a view.",
    examples: [
      .init(
        arguments: "view create pokedex.sqlite fiery pokemon \"type1 = 'fire'\" --columns id,name,weight",
        meaning: "The view always shows the rows that match now."),
      .init(
        arguments:
          "view create pokedex.sqlite sizes pokemon --columns \"id, name, if(weight > 90, 'heavy', 'light') as size\"",
        meaning: "Add a computed column; a path becomes a column of the referenced row."),
    ],
    positionals: [.database, name, .table, .condition],
    options: [
      ColumnArguments.columns, .distinct, ColumnArguments.top, ColumnArguments.by, .sort, .limit, .parameter,
      ChangeConsent.dryRun,
    ],
    notes: [
      .paragraph(
        "The view contains the database's own SQL, so that every program can read the view. repokit refuses "
          + "functions that SQLite lacks, such as ignoring case, sums of referring rows, and parts of dates."),
      .queries, .parameters,
    ])

  private static let name = PositionalDescription(name: "NAME", help: "The name of the view.")

  private let database: DatabaseLocation
  private let name: String
  private let table: String
  private let condition: String?
  private let parameters: Parameters
  private let shown: RequestArguments
  private let isDryRun: Bool

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    name = try arguments.required(Self.name)
    table = try arguments.required(.table)
    parameters = try Parameters(arguments)
    condition = arguments[.condition]
    if let condition { _ = try QueryReader(parameters).query(condition) }
    shown = try RequestArguments(arguments, parameters)
    isDryRun = arguments.has(ChangeConsent.dryRun)
  }

  func run(_ console: Console) async throws {
    let store = try database.open(.existing)
    let queried = try database.translating { try store.queriedTable(table) }
    let others = OtherTables(of: store)
    let reader = QueryReader(parameters, in: queried.schema, beside: others)
    let query = try condition.map { text throws(Failure) in try reader.query(text) } ?? .true
    let request = try shown.request(query, in: queried.schema, reader)
    let isOrdered = shown.isSorted || request.rows.limit != nil
    try SchemaChanger.create(in: database, .existing, isDryRun: isDryRun) { store in
      if let taken = try store.tableNames().first(foldedNamed: name) {
        let isTable = try store.tableOverviews(measuring: false).contains { $0.kind != .view && Name($0.name) == taken }
        throw Failure(
          "the \(isTable ? "table" : "view") \(taken) already exists",
          details: [isTable ? nil : "repokit view drop drops the view"])
      }
      let projection = try request.resolved(in: queried.schema, with: others.find)
      let names = request.columns.map(\.name)
      return { try $0.createView(name, columns: names, of: projection, isOrdered: isOrdered) }
    }
    let list = request.columns.map(\.name).joined(separator: ", ")
    console.say("\(isDryRun ? "would create" : "created") the view \(name) (\(list))")
  }
}

/// `repokit view drop`: drops a view.
struct ViewDropCommand: Command {
  static let description = CommandDescription(
    name: "drop", group: "view", summary: "Drop a view; the rows stay.",
    examples: [
      .init(arguments: "view drop pokedex.sqlite heavy", meaning: "Ask, and refuse if another view uses the view."),
      .init(arguments: "view drop pokedex.sqlite heavy --yes", meaning: "Drop the view without asking."),
    ],
    positionals: [.database, ChangeArguments.table], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [ChangeConsent.note])

  private let changer: SchemaChanger

  init(_ arguments: Arguments) throws(Failure) {
    changer = try SchemaChanger(arguments, kind: .view)
  }

  func run(_ console: Console) async throws {
    try await changer.run(on: console, reading: view(in:)) { _, view in
      guard view.definition?.kind ?? .view == .view else {
        throw Failure("\(changer.table) is a table, not a view", details: ["repokit table drop drops a table"])
      }
      return .init(verb: "drop", participle: "dropped", what: "the view \(changer.table)", isDestructive: false)
    } _: { transaction, view in
      try transaction.dropView(view.name)
    }
  }

  private struct View: Equatable {
    let name: String
    /// The definition; `nil` for a view of a table that is gone, which only its name tells.
    let definition: TableDefinition?
  }

  private func view(in store: SQLDatabase) throws -> View {
    do {
      let definition = try changer.definition(in: store)
      return View(name: definition.schema.name, definition: definition)
    } catch {
      let views = try store.tableOverviews(measuring: false).filter { $0.kind == .view }.map(\.name)
      guard let name = views.first(foldedNamed: changer.table) else { throw error }
      return View(name: name, definition: nil)
    }
  }
}
