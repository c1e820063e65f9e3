#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
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
    guard let next = pending.first, next.isCalled(migration.name) else { return nil }
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
