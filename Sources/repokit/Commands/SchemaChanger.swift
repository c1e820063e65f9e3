import Query
import Repository
import SQLInspection
import SQLStore

/// Changes what a table is made of, after the user has confirmed exactly that.
///
/// A dry run makes the change and undoes it, so that all that is in the way of it is told.
struct SchemaChanger {
  let database: DatabaseLocation
  let consent: ChangeConsent
  /// The table that is changed.
  let table: String
  /// Whether types change, which takes a table of SQLite that is made anew.
  var isRebuild = false

  /// What is to be done, in words.
  struct Words {
    /// `drop`, and `dropped`.
    let verb: String
    let participle: String
    /// What, in one line.
    let what: String
    /// What goes with it, a line each.
    var details: [String] = []
    let isDestructive: Bool
  }

  /// Tries the change or makes it, as the arguments say.
  ///
  /// - Parameters:
  ///   - plan: looks at the table, and says what is to be done.
  ///   - change: does it.
  func run(
    on console: Console, _ plan: (SQLDatabase, TableDefinition) throws -> Words,
    _ change: (SQLTransaction, TableDefinition) throws -> Void
  ) async throws {
    try consent.checkPossible(console)
    let store = try database.open(.existing)
    let (before, words) = try database.translating {
      let definition = try store.definition(ofTable: table)
      return (definition, try plan(store, definition))
    }
    if !consent.isGiven {
      try database.translating { try store.dryRun(kind) { transaction in try apply(change, before, transaction) } }
    }
    if consent.isDryRun {
      let lines = ["would \(words.verb) \(words.what)"] + words.details.map { "  \($0)" }
      return console.report(lines.map { TerminalText.visible($0) + "\n" }.joined())
    }
    let action = words.verb.prefix(1).uppercased() + words.verb.dropFirst()
    try await consent.confirm(
      Confirmation(
        summary: words.what, details: words.details, action: "\(action) it", isDestructive: words.isDestructive),
      on: console)
    Interruption.postpone()
    let bar = ProgressBar(console)
    bar.begin("changing \(table)", total: nil, isSlow: false)
    defer { bar.end() }
    try database.translating {
      try store.transaction(kind) { transaction in
        guard try store.definition(ofTable: table) == before else { throw ChangeConsent.outdated(table) }
        try apply(change, before, transaction)
      }
    }
    bar.end()
    console.report(TerminalText.visible("\(words.participle) \(words.what)") + "\n")
  }

  private var kind: TransactionKind { isRebuild ? .rebuilding : .writing }

  private func apply(
    _ change: (SQLTransaction, TableDefinition) throws -> Void, _ definition: TableDefinition,
    _ transaction: SQLTransaction
  ) throws {
    if isRebuild {
      try transaction.checkingReferences { try change(transaction, definition) }
    } else {
      try change(transaction, definition)
    }
  }
}

extension TableDefinition {
  /// Refuses a column that is not there.
  func column(_ name: String) throws(QueryError) -> Column { columns[try schema.position(of: name)] }

  /// Refuses what is no table.
  func checkIsTable() throws(Failure) {
    if kind == .table { return }
    throw Failure(
      "\(schema.name) is \(kind == .view ? "a view" : "a table of another kind"), which can't be changed so",
      details: [
        kind == .view ? "its columns are those of its query" : "the module that it belongs to makes its columns"
      ])
  }
}
