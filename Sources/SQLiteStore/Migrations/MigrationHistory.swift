import Repository

/// The migrations that a database has gone through, compared with those of the program.
struct MigrationHistory {
  let applied: [AppliedMigration]

  /// The migrations that are still to be applied.
  ///
  /// - Throws: ``RepositoryError`` where what was applied is not the beginning of the program's list.
  func pending(of migrations: [Migration]) throws(RepositoryError) -> ArraySlice<Migration> {
    try checkNames(of: migrations)
    for (position, (applied, migration)) in zip(applied, migrations).enumerated() {
      if !migration.isCalled(applied.name) {
        throw .migrationMismatch(applied.name, at: position, in: migrations, after: self.applied.map(\.name))
      }
      if try migration.checksum != applied.checksum { throw .migrationChanged(migration.name) }
    }
    let unknown = applied.dropFirst(migrations.count).map(\.name)
    if !unknown.isEmpty { throw .newerVersion(unknown) }
    // A mistake in a later migration is told before an earlier one is applied.
    for migration in migrations { _ = try migration.steps }
    return migrations.dropFirst(applied.count)
  }

  private func checkNames(of migrations: [Migration]) throws(RepositoryError) {
    for (position, migration) in migrations.enumerated() {
      if migration.name.isEmpty {
        throw RepositoryError(.invalidSchema, "migration \(position + 1) has no name")
      }
      if migrations[..<position].contains(where: { $0.isCalled(migration.name) }) {
        throw RepositoryError(
          .invalidSchema, "two migrations are called \(migration.name)",
          reason: "the database remembers them by their names")
      }
    }
  }
}

extension Migration {
  /// Compares bytes, as names of tables and columns are.
  func isCalled(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}
