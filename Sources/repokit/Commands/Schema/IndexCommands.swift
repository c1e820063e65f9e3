import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit index`: the group of commands for indexes.
struct IndexCommand: CommandGroup {
  static let description = CommandDescription(
    name: "index", summary: "Add, drop, rebuild and list indexes.",
    examples: [
      .init(arguments: "index list pokedex.sqlite", meaning: "List all indexes with columns and sizes."),
      .init(
        arguments: "index add pokedex.sqlite pokemon type1 weight",
        meaning: "Speed up queries by type1, or by type1 and weight."),
      .init(arguments: "index drop pokedex.sqlite pokemon.type1.weight", meaning: "Drop the index again."),
    ],
    subcommands: [IndexAddCommand.self, IndexDropCommand.self, IndexRebuildCommand.self, IndexListCommand.self])
}

/// `repokit index add`: creates an index.
struct IndexAddCommand: Command {
  static let description = CommandDescription(
    name: "add", group: "index", summary: "Add an index to a table.",
    examples: [
      .init(arguments: "index add pokedex.sqlite pokemon type1", meaning: "Add an index called pokemon.type1."),
      .init(
        arguments: "index add pokedex.sqlite pokemon name --unique --dry-run",
        meaning: "Check whether several rows have the same name."),
      .init(
        arguments: "index add pokedex.sqlite pokemon type1 \"weight desc\"",
        meaning: "Sort descending within a type, as --sort=type1,-weight does."),
    ],
    positionals: [.database, ChangeArguments.table, columns],
    options: [unique, name, ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "An index speeds up queries that compare or sort by its columns or by its first columns. Each index takes "
          + "disk space and slows down writes. While repokit builds the index, no other program can write to the "
          + "table, or to the SQLite file."
      ),
      ChangeConsent.note,
    ])

  private static let columns = PositionalDescription(
    name: "COLUMN",
    help: "The columns to sort by, most selective first; \"weight desc\" sorts descending.",
    isRepeated: true,
    completion: .column)
  private static let unique = OptionDescription(
    name: "--unique", help: "Reject rows with equal values in these columns.")
  private static let name = OptionDescription(
    name: "--name", value: "NAME", help: "Set the name (default: table.column).")

  private let database: DatabaseLocation
  private let table: String
  /// The columns as they were written, which may have an order behind them.
  private let texts: [String]
  /// The columns, once the table is known.
  private var keys: [IndexKey] = []
  private var columns: [String] { keys.map(\.column) }
  private let isUnique: Bool
  private let name: String?
  private let consent: ChangeConsent

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    table = try arguments.required(ChangeArguments.table)
    texts = arguments.all(Self.columns)
    isUnique = arguments.has(Self.unique)
    name = arguments[Self.name]
    consent = ChangeConsent(arguments)
    if name?.isEmpty == true { throw arguments.command.usageError("--name: the name is empty") }
    let names = texts.flatMap { IndexKey.keys($0, in: nil) }.map(\.column)
    if let repeated = names.indices.first(where: { names[..<$0].contains(named: names[$0]) }) {
      throw arguments.command.usageError("\(names[repeated]) is given twice")
    }
  }

  func run(_ console: Console) async throws {
    try consent.checkPossible(console)
    let store = try database.open(.existing)
    let schema = try database.translating { try store.schema(ofTable: table) }
    var command = self
    command.keys = texts.flatMap { IndexKey.keys($0, in: schema) }
    try await command.add(in: store, console)
  }

  private func add(in store: SQLDatabase, _ console: Console) async throws {
    let index = name ?? store.indexName(of: columns, in: table)
    // With consent given before, rows are checked for duplicates only when they can't change any more.
    if !consent.isGiven {
      _ = try table(for: index, in: store)
      if isUnique, let failure = try duplicates(in: store) { throw failure }
    }
    let what =
      "\(isUnique ? "unique index" : "index") \(index) of \(table) (\(keys.map(\.text).joined(separator: ", ")))"
    if consent.isDryRun {
      let count = try database.translating { try store.rowCount(ofTable: table) }
      console.say("would add the \(what) over \(count.of("row"))")
      return
    }
    if consent.isQuestion {
      let count = try database.translating { try store.rowCount(ofTable: table) }
      try await consent.confirm(
        Confirmation(
          summary: "the \(what)", details: ["the index covers \(count.of("row"))"],
          action: "Add the index", isDestructive: false), on: console)
    }
    Interruption.postpone()
    let bar = ProgressBar(console)
    bar.begin("sorting the rows of \(table)", total: nil, isSlow: database.isLarge)
    defer { bar.end() }
    do {
      try store.blocking.transaction(.writing) { transaction in
        // The table may have changed since the question.
        let schema = try self.table(for: index, in: store)
        try transaction.createIndex(
          index, on: keys.map { ($0.column, $0.isDescending) }, of: schema, isUnique: isUnique)
      }
      bar.end()
    } catch let error as RepositoryError where error.code == .conflict {
      throw try duplicates(in: store) ?? Failure(error)
    } catch {
      throw database.failure(translating: error)
    }
    console.say("added the \(what)")
  }

  /// The table to be indexed.
  ///
  /// - Throws: a failure where there is no room for it.
  private func table(for index: String, in store: SQLDatabase) throws(Failure) -> TableSchema {
    let schema = try database.translating { try store.schema(ofTable: table) }
    for column in columns { _ = try database.translating { try schema.position(of: column) } }
    let present = try database.translating { try store.indexes() }
    if let taken = present.first(where: { Name($0.name).equalsFolded(index) }) {
      throw Failure(
        "the index \(taken.name) already exists",
        details: ["\(taken.name) is an index of \(taken.table) (\(taken.columnList))", "--name sets another name"])
    }
    let same = present.first { index in
      Name(index.table) == table && index.condition == nil && (index.isUnique || !isUnique)
        && IndexKey.areEqual(keys, index)
    }
    if let same {
      throw Failure(
        "\(table) already has this index", details: ["the index \(same.name) has the same columns"])
    }
    return schema
  }

  /// Returns the failure for columns that can't be unique; `nil` for columns that can.
  private func duplicates(in store: SQLDatabase) throws(Failure) -> Failure? {
    let shown = 5
    let duplicates = try database.translating {
      try store.duplicates(of: columns, in: try store.schema(ofTable: table), limit: shown + 1)
    }
    if duplicates.isEmpty { return nil }
    let lines = duplicates.prefix(shown).map { duplicate in
      let values = duplicate.values.map { String($0.description.prefix(60)) }.joined(separator: ", ")
      return "\(duplicate.count) rows: \(values)"
    }
    return Failure(
      "\(columns.joined(separator: " and ")) can't be unique: rows of \(table) have equal values",
      details: lines + (duplicates.count > shown ? ["and more"] : []))
  }
}

/// `repokit index drop`: drops an index.
struct IndexDropCommand: Command {
  static let description = CommandDescription(
    name: "drop", group: "index", summary: "Drop an index; the rows stay.",
    examples: [
      .init(
        arguments: "index drop pokedex.sqlite pokemon.type1",
        meaning: "Drop an index by the name that index list shows.")
    ],
    positionals: [.database, name], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "Queries by the index's columns become slower, and without a unique index, the table accepts repeated "
          + "values. The index of a primary key or of a unique constraint exists as long as its table."),
      ChangeConsent.note,
    ])

  private static let name = PositionalDescription(name: "NAME", help: "The index.")

  private let database: DatabaseLocation
  private let name: String
  private let consent: ChangeConsent

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    name = try arguments.required(Self.name)
    consent = ChangeConsent(arguments)
  }

  func run(_ console: Console) async throws {
    try consent.checkPossible(console)
    let store = try database.open(.existing)
    let index = try index(in: store)
    let what = "\(index.isUnique ? "unique index" : "index") \(index.name) of \(index.table) (\(index.columnList))"
    if consent.isDryRun {
      console.say("would drop the \(what)")
      return
    }
    let details = index.isUnique ? ["\(index.table) then accepts repeated values in these columns"] : []
    try await consent.confirm(
      Confirmation(summary: "the \(what)", details: details, action: "Drop the index", isDestructive: true),
      on: console)
    try database.translating {
      try store.blocking.transaction(.writing) { transaction in
        guard try self.index(in: store).isSame(as: index) else {
          throw ChangeConsent.outdated(index.name)
        }
        try transaction.dropIndex(index.name)
      }
    }
    console.say("dropped the \(what)")
  }

  private func index(in store: SQLDatabase) throws(Failure) -> IndexDescription {
    let indexes = try database.translating { try store.indexes() }
    guard let index = indexes.first(named: name) else {
      let names = indexes.filter(\.isDroppable).map(\.name)
      throw Failure(
        "there is no index \(name)",
        details: [names.isEmpty ? "the database has no index to drop" : .among(names, nearestTo: name)],
        status: .usageError)
    }
    guard index.isDroppable else {
      let maker = index.origin == .primaryKey ? "the primary key" : "a unique constraint"
      throw Failure("can't drop \(name)", details: ["the index belongs to \(maker) of \(index.table)"])
    }
    return index
  }
}

/// `repokit index list`: lists indexes.
struct IndexListCommand: Command {
  static let description = CommandDescription(
    name: "list", group: "index", summary: "List the indexes of a table, or of all tables.",
    examples: [
      .init(arguments: "index list pokedex.sqlite", meaning: "List the indexes of all tables."),
      .init(
        arguments: "index list pokedex.sqlite pokemon --format json",
        meaning: "List the indexes of one table for a program."),
    ],
    positionals: [.database, optionalTable], options: [format],
    notes: [
      .list(
        "Columns",
        [
          ("columns", "the columns to sort by, first column first"),
          ("unique", "whether the index rejects equal values in these columns"),
          ("made_by", "index: CREATE INDEX; rule: a unique constraint; key: the primary key"),
          ("rows", "all, or some for a partial index"),
          ("bytes", "the size on disk; null if SQLite does not report sizes"),
        ])
    ])

  private static let optionalTable = PositionalDescription(
    name: "TABLE", help: "The table (default: all tables).", isOptional: true, completion: .table)
  private static let format = OptionDescription.format("Set the format: \(FormatName.list).")

  private let database: DatabaseLocation
  private let table: String?
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    table = arguments[Self.optionalTable]
    format = try arguments.choice(Self.format, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let store = try database.open(.readOnly)
    let indexes = try database.translating { try store.indexes(ofTable: table) }
    let headings = ["name", "table", "columns", "unique", "made_by", "rows"].map { ColumnHeading($0) }
    let rows = indexes.map { index -> [Value] in
      [
        .text(index.name), .text(index.table), .text(index.columnList), .text(index.isUnique ? "yes" : "no"),
        .text(index.origin.word), .text(index.condition == nil ? "all" : "some"), .count(index.size),
      ]
    }
    try console.printRows(
      rows, under: headings + [ColumnHeading("bytes", isNumeric: true)], as: format ?? console.format)
  }
}

extension IndexDescription {
  /// The columns between commas.
  var columnList: String { columns.map { $0 ?? "(expression)" }.joined(separator: ", ") }
}

extension IndexDescription.Origin {
  /// The origin of the index, in a word.
  fileprivate var word: String {
    switch self {
    case .statement: "index"
    case .uniqueRule: "rule"
    case .primaryKey: "key"
    }
  }
}
