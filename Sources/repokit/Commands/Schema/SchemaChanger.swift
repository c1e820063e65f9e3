import Query
import Repository
import SQLInspection
import SQLiteInspection
import SQLStore

/// Changes the definition of a table, after the user has confirmed exactly that change.
///
/// A dry run makes the change and undoes it, so that every obstacle is reported.
struct SchemaChanger {
  let database: DatabaseLocation
  let consent: ChangeConsent
  /// The table that is changed.
  let table: String
  /// Whether types change, for which an SQLite table is recreated.
  var isRebuild = false

  /// Whether a table or a view is changed.
  var kind = TableOverview.Kind.table

  /// The plan of a change.
  struct Plan {
    /// `drop`, and `dropped`.
    let verb: String
    let participle: String
    /// The change, in one line.
    let what: String
    /// Its consequences, a line each.
    var details: [String] = []
    let isDestructive: Bool
  }

  /// Tries the change or makes it, as the arguments say.
  ///
  /// - Parameters:
  ///   - makePlan: looks at the table, and says what is to be done.
  ///   - change: does it.
  func run(
    on console: Console, _ makePlan: (SQLDatabase, TableDefinition) throws -> Plan,
    _ change: (SQLTransaction, TableDefinition) throws -> Void
  ) async throws {
    try await run(on: console, reading: definition(in:), makePlan, change)
  }

  /// Tries the change or makes it, as the arguments say.
  ///
  /// - Parameter read: reads what is changed; if that has changed when the user confirms, the change is refused.
  func run<Object: Equatable>(
    on console: Console, reading read: (SQLDatabase) throws -> Object,
    _ makePlan: (SQLDatabase, Object) throws -> Plan, _ change: (SQLTransaction, Object) throws -> Void
  ) async throws {
    try consent.checkPossible(console)
    let store = try database.open(.existing)
    let (before, plan) = try database.translating {
      let object = try read(store)
      return (object, try makePlan(store, object))
    }
    let losses = try DefinitionLosses(of: plan, isRebuild: isRebuild, in: store, database)
    var details = plan.details
    if !consent.isGiven {
      details += try database.translating {
        try store.blocking.dryRun(transactionKind) { transaction in
          try apply(change, before, plan, transaction)
          return try losses.found(in: transaction).map { "then \($0)" }
        }
      }
    }
    if consent.isDryRun {
      let lines = ["would \(plan.verb) \(plan.what)"] + details.map { "  \($0)" }
      return console.report(lines.map { TerminalText.visible($0) + "\n" }.joined())
    }
    let action = plan.verb.prefix(1).uppercased() + plan.verb.dropFirst()
    try await consent.confirm(
      Confirmation(
        summary: plan.what, details: details, action: "\(action) it", isDestructive: plan.isDestructive),
      on: console)
    Interruption.postpone()
    let bar = ProgressBar(console)
    bar.begin("changing \(table)", total: nil, isSlow: false)
    defer { bar.end() }
    try database.translating {
      try store.blocking.transaction(transactionKind) { transaction in
        guard try read(store) == before else { throw ChangeConsent.outdated(table) }
        try apply(change, before, plan, transaction)
        let lost = try losses.found(in: transaction)
        bar.end()
        if consent.isGiven {
          for detail in plan.details { console.say("note: \(detail)") }
        }
        for loss in lost { console.say("note: \(loss)") }
      }
    }
    bar.end()
    console.say("\(plan.participle) \(plan.what)")
  }

  private var transactionKind: TransactionKind { isRebuild ? .rebuilding : .writing }

  func definition(in store: SQLDatabase) throws -> TableDefinition {
    do throws(RepositoryError) {
      return try store.definition(ofTable: table)
    } catch {
      guard kind == .view, error.code == .missingTable else { throw error }
      let views = try store.tableOverviews(measuring: false).filter { $0.kind == .view }.map(\.name)
      throw Failure(
        "there is no view \(table)", details: [views.isEmpty ? nil : .among(views, nearestTo: table)],
        status: .usageError)
    }
  }

  private func apply<Object>(
    _ change: (SQLTransaction, Object) throws -> Void, _ object: Object, _ plan: Plan, _ transaction: SQLTransaction
  ) throws {
    let broken = try transaction.brokenFullTextTables().map(\.table)
    if isRebuild {
      try transaction.checkingReferences { try change(transaction, object) }
    } else {
      try change(transaction, object)
    }
    // SQLite does not change the definition of a full-text table with the table that it reads.
    // https://www.sqlite.org/fts5.html#external_content_tables
    if let reader = try transaction.brokenFullTextTables().first(where: { !broken.contains($0.table) }) {
      throw Failure(
        "can't \(plan.verb) \(plan.what): the full-text table \(reader.table) reads \(reader.missing)",
        details: ["drop \(reader.table) first, and create the full-text table again afterwards"])
    }
  }
}

extension SchemaChanger {
  /// Makes something new in a database, or tries to; a file that is made for it is gone where that fails, and after a dry run.
  ///
  /// - Parameters:
  ///   - mode: whether the database may be made, too.
  ///   - plan: looks at the database, and gives what makes it.
  static func create<Result>(
    in database: DatabaseLocation, _ mode: DatabaseLocation.Mode = .create, isDryRun: Bool,
    _ kind: TransactionKind = .writing, _ plan: (SQLDatabase) throws -> (SQLTransaction) throws -> Result
  ) throws(Failure) -> Result {
    let file = database.path.map(NewFile.init)
    do {
      let store = try database.open(mode)
      let make = try plan(store)
      let result = try isDryRun ? store.blocking.dryRun(kind, make) : store.blocking.transaction(kind, make)
      if isDryRun { file?.removeIfEmpty() }
      return result
    } catch {
      file?.removeIfEmpty()
      throw database.failure(translating: error)
    }
  }
}

/// The views and triggers that a change leaves without what they name.
private struct DefinitionLosses {
  /// Those that can't be used before; `nil` for a change that takes nothing away, or refuses to.
  private let before: [String]?

  init(
    of plan: SchemaChanger.Plan, isRebuild: Bool, in store: SQLDatabase, _ database: DatabaseLocation
  ) throws(Failure) {
    before = try plan.isDestructive && !isRebuild ? database.translating { try store.unusableDefinitions() } : nil
  }

  func found(in transaction: SQLTransaction) throws -> [String] {
    guard let before else { return [] }
    return try transaction.unusableDefinitions().filter { !before.contains($0) }
  }
}

extension TableDefinition {
  /// Refuses a missing column.
  func column(_ name: String) throws(QueryError) -> Column { columns[try schema.position(of: name)] }

  /// Refuses an object that is not a table.
  func checkIsTable() throws(Failure) {
    if kind == .table { return }
    throw Failure(
      "repokit can't change \(schema.name), which is \(kind == .view ? "a view" : "a virtual table")",
      details: [
        kind == .view ? "the query of the view makes its columns" : "the table's module makes its columns"
      ])
  }
}
