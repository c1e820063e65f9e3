#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query
public import Repository
import SQL

extension SQLiteStore {
  /// Opens a database file and applies the migrations that it has not gone through yet.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mode: whether it is made if it does not exist, and may be written.
  ///   - migrations: all migrations of the program, the oldest first.
  ///   - timeout: how long is waited for other tasks of the program, and for locks of other programs.
  /// - Throws: as ``init(path:mode:journal:synchronous:readers:timeout:)`` and ``migrate(_:)`` do.
  public convenience init(
    path: String, mode: OpenMode = .create, migrations: [Migration], timeout: Duration = .seconds(5)
  ) async throws(RepositoryError) {
    try self.init(path: path, mode: mode, timeout: timeout)
    try await migrate(migrations)
  }

  /// Applies the migrations that the database has not gone through yet, each in a transaction of its own.
  ///
  /// Which ones those are the database itself remembers, in the table `repokit_migrations`. Several processes may migrate
  /// at once: one of them does, the others wait and find it done.
  ///
  /// - Parameter migrations: all migrations of the program, the oldest first. New ones are put at the end; those that may
  ///   have been applied somewhere keep their names, their places and what they do.
  /// - Returns: what was applied.
  /// - Throws: ``RepositoryError``: with the code ``RepositoryError/Code/newerVersion`` where the database has gone through
  ///   all of them and more, ``RepositoryError/Code/migrationMismatch`` and ``RepositoryError/Code/migrationChanged`` where
  ///   it has gone through others, and nothing is changed then; ``RepositoryError/Code/migrationFailed`` where one failed,
  ///   of which nothing is kept, while those before it are.
  @discardableResult
  @concurrent
  public func migrate(_ migrations: [Migration]) async throws(RepositoryError) -> MigrationReport {
    if transaction(boundTo: nil) != nil {
      throw RepositoryError(
        .unsupported, "migrations can't run within a transaction", reason: "each of them is one of its own",
        suggestion: "migrate before the transaction")
    }
    var done: [AppliedMigration] = []
    while true {
      let history = MigrationHistory(applied: try appliedMigrations())
      guard let next = try history.pending(of: migrations).first else {
        return MigrationReport(applied: done, earlier: history.applied.filter { !done.contains($0) })
      }
      do {
        let level = next.defersForeignKeys ? Connection.Level.rebuilding : .writing
        let applied = try await run(level, with: pool.writer) { transaction in
          try await transaction.apply(next, of: migrations)
        }
        if let applied { done.append(applied) }
      } catch {
        throw .migrationFailed(next.name, RepositoryError(translating: error), after: done.map(\.name))
      }
    }
  }

  /// Says what ``migrate(_:)`` would do, and changes nothing.
  ///
  /// The migrations are run on a copy of the schema in memory, which has no rows: so it takes no time, locks nobody out,
  /// and shows statements that make no sense. What depends on rows it can't show, such as two that conflict. Code is not
  /// run.
  ///
  /// - Returns: the names and the SQL of the migrations that would be applied.
  /// - Throws: as ``migrate(_:)`` does.
  public func migrationPlan(_ migrations: [Migration]) throws(RepositoryError) -> MigrationPlan {
    let history = MigrationHistory(applied: try appliedMigrations())
    let pending = try history.pending(of: migrations)
    if pending.isEmpty { return MigrationPlan(applied: history.applied, pending: []) }
    let copy = try runBlocking(.read) { connection throws(RepositoryError) in try connection.copySchemaInMemory() }
    var planned: [PlannedMigration] = []
    for migration in pending {
      var statements: [SQLStatement] = []
      do throws(RepositoryError) {
        for step in try migration.steps { try copy.perform(step.work) { statements.append($0) } }
      } catch {
        throw .migrationFailed(migration.name, error, after: [])
      }
      planned.append(PlannedMigration(name: migration.name, statements: statements))
    }
    return MigrationPlan(applied: history.applied, pending: planned)
  }

  /// The migrations that the database has gone through, in their order.
  ///
  /// - Throws: ``RepositoryError`` where the database can't be read, or keeps something else in `repokit_migrations`.
  public func appliedMigrations() throws(RepositoryError) -> [AppliedMigration] {
    let isThere = try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.schema(ofTable: Self.historyTable) != nil
    }
    return isThere ? try repository(of: AppliedMigration.self).findAll(FetchRequest()) : []
  }
}

extension SQLiteTransaction {
  /// Applies a migration.
  ///
  /// - Returns: `nil` where somebody else has done so meanwhile.
  fileprivate func apply(_ migration: Migration, of migrations: [Migration]) async throws -> AppliedMigration? {
    let history = try repository(of: AppliedMigration.self)
    let applied = try await history.findAll(FetchRequest())
    let pending = try MigrationHistory(applied: applied).pending(of: migrations)
    guard let next = pending.first, Name(next.name) == migration.name else { return nil }
    let before =
      migration.defersForeignKeys
      ? try await perform(.write, isLong: true) { connection in try? connection.brokenReferenceCounts() } : nil
    for step in try migration.steps {
      if case .code(_, let body) = step.work {
        try await body(self)
      } else {
        try await perform(.write, isLong: true) { connection throws(RepositoryError) in
          try connection.perform(step.work)
        }
      }
    }
    if let before {
      try await perform(.write, isLong: true) { connection throws(RepositoryError) in
        try connection.checkReferences(since: before)
      }
    }
    let entry = AppliedMigration(
      id: applied.count + 1, name: migration.name, appliedAt: .now, checksum: try migration.checksum)
    try await history.save([entry])
    return entry
  }
}

extension Connection {
  /// Does a step of a migration that is no code.
  ///
  /// - Parameter note: is told each statement that was run.
  func perform(_ work: MigrationStep.Work, note: (SQLStatement) -> Void = { _ in }) throws(RepositoryError) {
    switch work {
    case .statements(let statements):
      for statement in statements {
        try changeSchema(statement)
        note(statement)
      }
    case .drop(let table):
      try drop(table: table)
      note(SQLStatement(verbatim: SQLiteStore.compiler.drop(table: table)))
    case .rebuild(let rebuild):
      try self.rebuild(rebuild, note: note)
    case .code(let description, _):
      note(.comment("code: \(description)"))
    }
  }

  /// Runs a statement, which may change a table that another program made.
  func changeSchema(_ statement: SQLStatement) throws(RepositoryError) {
    guard StatementKeyword(of: statement.sql).text == "ALTER" else {
      _ = try change(statement)
      return
    }
    // SQLite looks through all definitions then, in which others may have written texts in double quotes.
    try allowingDoubleQuotedTexts { () throws(RepositoryError) in _ = try change(statement) }
  }

  /// Drops a table.
  ///
  /// - Throws: ``RepositoryError`` for a view, and for a table to which others refer: SQLite would delete its rows first,
  ///   and theirs with them where the foreign key cascades (https://www.sqlite.org/foreignkeys.html#fk_schemacommands).
  func drop(table: String) throws(RepositoryError) {
    if try isView(table) {
      throw RepositoryError(
        .unsupported, "\(table) is a view, not a table", reason: "its rows belong to the tables it reads from")
    }
    let referring = try tables(referringTo: table)
    if !referring.isEmpty {
      throw RepositoryError(
        .constraint, "other tables refer to \(table)",
        reason: "rows of \(referring.joined(separator: ", ")) could be deleted with it")
    }
    try execute(SQLiteStore.compiler.drop(table: table))
  }

  /// How many rows refer to rows that are not there, by the names of both tables.
  func brokenReferenceCounts() throws(RepositoryError) -> [[Value]: Int] {
    var counts: [[Value]: Int] = [:]
    try query(
      CompiledStatement(
        sql: """
          SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY "table", parent ORDER BY "table", parent
          """,
        bindings: [])
    ) { row in
      counts[[.text(row.text(0)), .text(row.text(1))]] = Int(row.integer(2))
    }
    return counts
  }

  /// Checks that no more rows refer to rows that are not there than did before.
  func checkReferences(since before: [[Value]: Int]) throws(RepositoryError) {
    let broken = try brokenReferenceCounts().filter { $0.value > before[$0.key] ?? 0 }
    guard let (key, count) = broken.min(by: { "\($0.key)" < "\($1.key)" }), case .text(let table) = key[0],
      case .text(let parent) = key[1]
    else { return }
    throw RepositoryError(
      .constraint,
      "\(count == 1 ? "a row" : "\(count) rows") of \(table) would refer to rows of \(parent) that are not there",
      reason: "foreign keys are checked at the end of a migration that replaces a table")
  }
}
