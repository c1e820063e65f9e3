import Repository

/// A named change of a database, made once in each file.
///
/// ```swift
/// let migrations = [
///   Migration("create pokemon") { try $0.create(firstPokemonTable) },
///   Migration("add nickname") { try $0.addColumn(ColumnSchema("nickname", .text, isNullable: true), to: "pokemon") },
///   Migration("weigh in hectograms") { try $0.execute("UPDATE pokemon SET weight = weight * \(10)") },
/// ]
/// try await store.migrate(migrations)
/// ```
///
/// A migration is a value: its closure notes down what is to be done, and runs when the migration is made. What was noted
/// has a checksum, so that a migration that is edited after it was applied is noticed.
public struct Migration: Sendable {
  /// The name, by which the database remembers it. No two migrations of a program have the same.
  public let name: String
  /// Whether foreign keys are checked once at its end, instead of being kept by each statement.
  let defersForeignKeys: Bool
  private let checkedSteps: Result<[MigrationStep], RepositoryError>

  /// Makes a migration.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - deferringForeignKeys: whether foreign keys are checked once at the end of the migration, and nothing cascades
  ///     meanwhile. It is for statements of your own that replace a table;
  ///     ``MigrationSteps/rebuild(_:as:taking:)`` asks for it by itself.
  ///   - steps: notes down what is to be done, in order. What it throws is thrown when the migration is used.
  public init(_ name: String, deferringForeignKeys: Bool = false, _ steps: (inout MigrationSteps) throws -> Void) {
    self.name = name
    var noted = MigrationSteps()
    do {
      try steps(&noted)
      checkedSteps = .success(noted.steps)
    } catch {
      checkedSteps = .failure(.invalidMigration(name, error))
    }
    defersForeignKeys = deferringForeignKeys || noted.steps.contains { $0.defersForeignKeys }
  }

  /// What is to be done.
  var steps: [MigrationStep] {
    get throws(RepositoryError) { try checkedSteps.get() }
  }

  /// What tells an edited migration from the one that was applied.
  var checksum: String {
    get throws(RepositoryError) { MigrationChecksum(of: try steps).text }
  }
}
