#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query
public import Repository
import SQL

extension SQLDatabase {
  /// Applies the migrations that have not been applied to the database yet, each in a transaction of its own.
  ///
  /// The database itself records them, in the table `repokit_migrations`. Several processes may migrate at the same time:
  /// one of them applies the migrations, the others wait and then have nothing to do.
  ///
  /// - Parameter migrations: all migrations of the program, the oldest first. New ones are appended; those that may have
  ///   been applied somewhere keep their names, their positions and their steps.
  /// - Returns: the migrations that were applied by this call, in their order.
  /// - Throws: ``/Repository/RepositoryError``, without any change: with the code
  ///   ``/Repository/RepositoryError/Code/newerVersion`` if the database has all of the migrations and more,
  ///   ``/Repository/RepositoryError/Code/migrationMismatch`` and ``/Repository/RepositoryError/Code/migrationChanged`` if it
  ///   has others. With the code ``/Repository/RepositoryError/Code/migrationFailed`` if a migration failed: that one is rolled
  ///   back, and those before it remain applied.
  @discardableResult
  @concurrent
  public func migrate(_ migrations: [Migration]) async throws(RepositoryError) -> [AppliedMigration] {
    if transaction(boundTo: nil) != nil {
      throw RepositoryError(
        .unsupported, "migrations can't run within a transaction", reason: "each migration is a transaction",
        suggestion: "migrate before the transaction")
    }
    var done: [AppliedMigration] = []
    while true {
      let history = MigrationHistory(applied: try appliedMigrations())
      guard let next = try history.pending(of: migrations).first else { return done }
      do {
        var isDone = false
        if let index = try next.steps.first?.concurrentIndex { isDone = try await driver.buildConcurrently(index) }
        let kind: TransactionKind = next.defersForeignKeys ? .rebuilding : .migrating
        let applied = try await run(TransactionSteps(of: kind, in: self)) { transaction in
          try await transaction.apply(next, of: migrations, isDone: isDone)
        }
        if let applied { done.append(applied) }
      } catch {
        throw .migrationFailed(next.name, RepositoryError(translating: error), after: done.map(\.name))
      }
    }
  }

  /// Returns what ``migrate(_:)`` would do, and changes nothing.
  ///
  /// In SQLite the migrations are run on an in-memory copy of the schema without rows, so the call is fast, blocks no other
  /// connection, and detects invalid statements; it can't detect failures that depend on rows, such as a conflict between two
  /// rows. A server runs the migrations and rolls them back, and holds all their locks meanwhile. Code is not run.
  ///
  /// - Returns: the names and the SQL of the migrations that would be applied.
  /// - Throws: as ``migrate(_:)`` does.
  public func migrationPlan(_ migrations: [Migration]) throws(RepositoryError) -> MigrationPlan {
    let history = MigrationHistory(applied: try appliedMigrations())
    let pending = try history.pending(of: migrations)
    if pending.isEmpty { return MigrationPlan(pending: []) }
    var planned: [MigrationPlan.Step] = []
    try runBlocking(.read) { connection throws(RepositoryError) in
      planned = []
      try driver.tryOut(on: connection) { copy throws(RepositoryError) in
        for migration in pending {
          var statements: [SQLStatement] = []
          do throws(RepositoryError) {
            for step in try migration.steps { try copy.perform(step.work) { statements.append($0) } }
          } catch {
            throw .migrationFailed(migration.name, error, after: [])
          }
          planned.append(MigrationPlan.Step(name: migration.name, statements: statements))
        }
      }
    }
    return MigrationPlan(pending: planned)
  }

  /// Returns the migrations that were applied to the database, in their order.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if the database can't be read, or has other content in `repokit_migrations`.
  public func appliedMigrations() throws(RepositoryError) -> [AppliedMigration] {
    let isThere = try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.catalog.schema(ofTable: Self.migrationsTable) != nil
    }
    return isThere ? try sqlRepository(AppliedMigration.schema).blocking.findAll(FetchRequest()) : []
  }
}

extension SQLTransaction {
  /// Applies a migration.
  ///
  /// - Parameter isDone: whether the migration's steps were done before, so that it is only recorded.
  /// - Returns: `nil` if another process has applied it in the meantime.
  fileprivate func apply(
    _ migration: Migration, of migrations: [Migration], isDone: Bool
  ) async throws -> AppliedMigration? {
    let history = try repository(of: AppliedMigration.self)
    let applied = try await history.findAll(FetchRequest())
    let pending = try MigrationHistory(applied: applied).pending(of: migrations)
    guard let next = pending.first, Name(next.name) == migration.name else { return nil }
    let before =
      migration.defersForeignKeys
      ? try await perform(.write, isLong: true) { connection in
        try? connection.catalog.brokenReferenceCounts()
      } : nil
    for step in isDone ? [] : try migration.steps {
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
  /// Runs a step of a migration that is not code.
  ///
  /// - Parameter note: called with each statement that was run.
  fileprivate func perform(
    _ work: MigrationStep.Work, note: (SQLStatement) -> Void = { _ in }
  ) throws(RepositoryError) {
    switch work {
    case .statements(let statements):
      for statement in statements {
        try driver.changeSchema(statement, on: self)
        note(statement)
      }
    case .definition(let write):
      for sql in write(compiler) {
        let statement = SQLStatement(verbatim: sql)
        try driver.changeSchema(statement, on: self)
        note(statement)
      }
    case .baseline(let table):
      for sql in try additions(for: table) {
        let statement = SQLStatement(verbatim: sql)
        try driver.changeSchema(statement, on: self)
        note(statement)
      }
    case .drop(let table):
      try drop(table: table)
      note(SQLStatement(verbatim: compiler.drop(table: table)))
    case .rebuild(let plan):
      try driver.rebuild(plan, on: self, note: note)
    case .concurrentIndex(let index):
      let statement = index.sql(by: compiler).statement
      try driver.changeSchema(SQLStatement(verbatim: statement), on: self)
      note(SQLStatement(verbatim: driver.concurrentStatement(statement)))
    case .code(let description, _):
      note(.comment("code: \(description)"))
    }
  }

  /// Returns the statements that create a table, or the indexes that it lacks.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/schemaMismatch`` if the table
  ///   exists, and differs.
  private func additions(for table: TableSchema) throws(RepositoryError) -> [String] {
    let differences = try StoredSchema(table, on: self).differences
    let addable = differences.filter { [.missingTable, .missingIndex].contains($0.kind) }
    if let error = RepositoryError.schemaMismatch(differences.filter { !addable.contains($0) }, in: table.name) {
      throw error
    }
    return addable.flatMap(\.statements)
  }

  /// Drops a table.
  ///
  /// - Throws: ``/Repository/RepositoryError`` for a view, and for a table to which others refer: SQLite would first delete the
  ///   rows of the table, and with them the referring rows if the foreign key cascades
  ///   (https://www.sqlite.org/foreignkeys.html#fk_schemacommands).
  package func drop(table: String) throws(RepositoryError) {
    try checkIsNoView(table)
    let referring = try catalog.tables(referringTo: table)
    if !referring.isEmpty {
      let names = referring.joined(separator: ", ")
      throw RepositoryError(
        .constraint, "other tables refer to \(table)", reason: "dropping \(table) could delete rows of \(names)",
        suggestion: "drop \(names) first, or keep \(table)")
    }
    try execute(compiler.drop(table: table))
  }

  func checkIsNoView(_ table: String) throws(RepositoryError) {
    guard try catalog.isView(table) else { return }
    throw RepositoryError(
      .unsupported, "\(table) is a view, not a table",
      reason: "the rows of a view belong to the tables that the view reads")
  }
}
