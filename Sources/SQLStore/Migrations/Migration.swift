import SQL
public import Query
import Repository

/// A named change of a database, applied once to each database.
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
/// A migration is a value: its closure records the steps, and runs when the migration is made. The steps have a checksum, so
/// that a migration that is edited after it was applied is detected.
public struct Migration: Sendable, Named {
  /// The name, by which the database records the migration. No two migrations of a program have the same name.
  public let name: String
  /// Whether foreign keys are checked once at the end of the migration, instead of being enforced by each statement.
  let defersForeignKeys: Bool
  private let checkedSteps: Result<[MigrationStep], RepositoryError>

  /// Makes a migration.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - deferringForeignKeys: whether foreign keys are checked once at the end of the migration, without any cascades until
  ///     then. Your own statements that replace a table need this; ``MigrationSteps/rebuild(_:as:taking:)`` implies it.
  ///   - steps: records the steps, in order. An error that it throws is thrown when the migration is used.
  public init(_ name: String, deferringForeignKeys: Bool = false, _ steps: (inout MigrationSteps) throws -> Void) {
    self.name = name
    var noted = MigrationSteps()
    do {
      try steps(&noted)
      if noted.steps.contains(where: { $0.concurrentIndex != nil }), noted.steps.count > 1 {
        throw RepositoryError(
          .invalidSchema, "a migration with a concurrent index has other steps",
          reason: "a concurrent index can't roll back with other steps",
          suggestion: "put the index into a separate migration")
      }
      checkedSteps = .success(noted.steps)
    } catch {
      checkedSteps = .failure(.invalidMigration(name, error))
    }
    defersForeignKeys = deferringForeignKeys || noted.steps.contains { $0.defersForeignKeys }
  }

  /// The steps.
  var steps: [MigrationStep] {
    get throws(RepositoryError) { try checkedSteps.get() }
  }

  /// The checksum that detects that a migration was edited after it was applied.
  var checksum: String {
    get throws(RepositoryError) { MigrationChecksum(of: try steps).text }
  }
}

/// A step of a migration.
struct MigrationStep: Sendable {
  let work: Work
  /// The declaration, from which the checksum is computed: the SQL may differ between versions of this package.
  let declaration: [String]

  enum Work: Sendable {
    /// Statements of the program.
    case statements([SQLStatement])
    /// Statements of data definition, in the database's SQL.
    case definition(@Sendable (Compiler) -> [String])
    /// The creation of a table, or the check of an existing one.
    case baseline(TableSchema)
    case drop(table: String)
    case rebuild(RebuildPlan)
    case code(String, @Sendable (SQLTransaction) async throws -> Void)
    /// The build of an index while other connections may write to the table.
    case concurrentIndex(MigratedIndex)
  }

  var defersForeignKeys: Bool {
    if case .rebuild = work { true } else { false }
  }

  /// The index that is built while other connections may write to the table, if there is one.
  var concurrentIndex: MigratedIndex? {
    if case .concurrentIndex(let index) = work { index } else { nil }
  }
}
