import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit index`: the group of commands for indexes.
struct IndexCommand: CommandGroup {
  static let description = CommandDescription(
    name: "index", summary: "Adds, drops and lists indexes.",
    examples: [
      .init(arguments: "index list pokedex.sqlite", meaning: "Every index with its columns and its size."),
      .init(
        arguments: "index add pokedex.sqlite pokemon type1 weight",
        meaning: "Makes queries by type1, or by type1 and weight, fast."),
      .init(arguments: "index drop pokedex.sqlite pokemon.type1.weight", meaning: "Takes it away again."),
    ],
    subcommands: [IndexAddCommand.self, IndexDropCommand.self, IndexListCommand.self])
}

/// `repokit index add`: creates an index.
struct IndexAddCommand: Command {
  static let description = CommandDescription(
    name: "add", group: "index", summary: "Adds an index to a table.",
    examples: [
      .init(arguments: "index add pokedex.sqlite pokemon type1", meaning: "An index called pokemon.type1."),
      .init(
        arguments: "index add pokedex.sqlite pokemon name --unique --dry-run",
        meaning: "Whether there are names that more than one row has."),
      .init(
        arguments: "index add pokedex.sqlite pokemon type1 \"weight desc\"",
        meaning: "Descending within a type, as --sort=-weight of one asks."),
    ],
    positionals: [.database, ChangeArguments.table, columns],
    options: [unique, name, ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "An index makes queries fast that compare or sort by its columns, or by the first of them, and takes room and "
          + "time where rows are written. No other program can write to the table while it is made, nor to anything else in its file."
      ),
      ChangeConsent.note,
    ])

  private static let columns = PositionalDescription(
    name: "COLUMN",
    help: "What to sort by: one column, or more, the most selective first; \"weight desc\" is descending.",
    isRepeated: true,
    completion: .column)
  private static let unique = OptionDescription(
    name: "--unique", help: "No two rows may be the same in these columns from now on.")
  private static let name = OptionDescription(
    name: "--name", value: "NAME", help: "What to call it; table.column if it is left out.")

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
    let names = texts.map { IndexKey($0, in: nil).column }
    if let repeated = names.indices.first(where: { names[..<$0].contains(named: names[$0]) }) {
      throw arguments.command.usageError("\(names[repeated]) is given twice")
    }
  }

  func run(_ console: Console) async throws {
    try consent.checkPossible(console)
    let store = try database.open(.existing)
    let schema = try database.translating { try store.schema(ofTable: table) }
    var command = self
    command.keys = texts.map { IndexKey($0, in: schema) }
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
      console.report(TerminalText.visible("would add the \(what) over \(count.of("row"))") + "\n")
      return
    }
    if consent.isQuestion {
      let count = try database.translating { try store.rowCount(ofTable: table) }
      try await consent.confirm(
        Confirmation(
          summary: "the \(what)", details: ["it takes in \(count.of("row"))"],
          action: "Add the index", isDestructive: false), on: console)
    }
    Interruption.postpone()
    let bar = ProgressBar(console)
    bar.begin("sorting the rows of \(table)", total: nil, isSlow: database.isLarge)
    defer { bar.end() }
    do {
      try store.transaction { transaction in
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
    console.report(TerminalText.visible("added the \(what)") + "\n")
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
        "there is an index \(taken.name) already",
        details: ["it is one of \(taken.table) (\(taken.columnList))", "--name gives the new one another name"])
    }
    let same = present.first { index in
      Name(index.table) == table && index.condition == nil && (index.isUnique || !isUnique)
        && IndexKey.areEqual(keys, index)
    }
    if let same {
      throw Failure(
        "\(table) has such an index already", details: ["\(same.name) sorts by the same columns"])
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
      "rows of \(table) are the same in \(columns.joined(separator: " and ")), so no index can make them unique",
      details: lines + (duplicates.count > shown ? ["and more"] : []))
  }
}

/// `repokit index drop`: drops an index.
struct IndexDropCommand: Command {
  static let description = CommandDescription(
    name: "drop", group: "index", summary: "Drops an index; the rows stay.",
    examples: [
      .init(arguments: "index drop pokedex.sqlite pokemon.type1", meaning: "By the name that index list shows.")
    ],
    positionals: [.database, name], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "Queries by its columns are slow from then on, and what a unique index kept out is let in. The index of a "
          + "primary key, or of a rule of uniqueness, goes with its table alone."),
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
      console.report(TerminalText.visible("would drop the \(what)") + "\n")
      return
    }
    let details = index.isUnique ? ["rows that are the same in these columns can be added then"] : []
    try await consent.confirm(
      Confirmation(summary: "the \(what)", details: details, action: "Drop the index", isDestructive: true),
      on: console)
    try database.translating {
      try store.transaction { transaction in
        guard try self.index(in: store).isSame(as: index) else {
          throw ChangeConsent.outdated(index.name)
        }
        try transaction.dropIndex(index.name)
      }
    }
    console.report(TerminalText.visible("dropped the \(what)") + "\n")
  }

  private func index(in store: SQLDatabase) throws(Failure) -> IndexDescription {
    let indexes = try database.translating { try store.indexes() }
    guard let index = indexes.first(named: name) else {
      let names = indexes.filter(\.isDroppable).map(\.name)
      throw Failure(
        "there is no index \(name)",
        details: [names.isEmpty ? "there is none that can be dropped" : .among(names, nearestTo: name)],
        status: .usageError)
    }
    guard index.isDroppable else {
      let maker = index.origin == .primaryKey ? "its primary key" : "a rule of uniqueness"
      throw Failure("\(name) can't be dropped", details: ["\(index.table) has it for \(maker)"])
    }
    return index
  }
}

/// `repokit index list`: lists indexes.
struct IndexListCommand: Command {
  static let description = CommandDescription(
    name: "list", group: "index", summary: "Lists the indexes of a table, or of all.",
    examples: [
      .init(arguments: "index list pokedex.sqlite", meaning: "Those of all tables."),
      .init(arguments: "index list pokedex.sqlite pokemon --format json", meaning: "Those of one, for a program."),
    ],
    positionals: [.database, optionalTable], options: [format],
    notes: [
      .list(
        "Columns",
        [
          ("columns", "what the index sorts by, the first column first"),
          ("unique", "whether no two rows may be the same in these columns"),
          ("made_by", "index: CREATE INDEX; rule: a rule of uniqueness of the table; key: its primary key"),
          ("rows", "all, or some for an index with a condition"),
          ("bytes", "the size on the disk; null where SQLite can't tell"),
        ])
    ])

  private static let optionalTable = PositionalDescription(
    name: "TABLE", help: "The table; all if it is left out.", isOptional: true, completion: .table)
  private static let format = OptionDescription.format("How they are shown: \(FormatName.list).")

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
