import SQL
public import Query
import Repository

/// A named change of a database, made once in each database.
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
public struct Migration: Sendable, Named {
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
      if noted.steps.contains(where: { $0.concurrentIndex != nil }), noted.steps.count > 1 {
        throw RepositoryError(
          .invalidSchema, "an index is built concurrently beside other steps",
          reason: "it can't be undone together with them", suggestion: "put it into a migration of its own")
      }
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

  /// The checksum that detects that a migration was edited after it was applied.
  var checksum: String {
    get throws(RepositoryError) { MigrationChecksum(of: try steps).text }
  }
}

/// One thing that a migration does.
struct MigrationStep: Sendable {
  let work: Work
  /// What was declared, for the checksum: not the SQL that a version of this package makes of it.
  let declaration: [String]

  enum Work: Sendable {
    /// Statements of the program.
    case statements([SQLStatement])
    /// Statements that define something, in the database's SQL.
    case definition(@Sendable (Compiler) -> [String])
    /// Creates a table, or checks the one that is there.
    case baseline(TableSchema)
    case drop(table: String)
    case rebuild(TableRebuild)
    case code(String, @Sendable (SQLTransaction) async throws -> Void)
    /// Builds an index while others write.
    case concurrentIndex(MigratedIndex)
  }

  var defersForeignKeys: Bool {
    if case .rebuild = work { true } else { false }
  }

  /// The index that it builds while others write, if it does that.
  var concurrentIndex: MigratedIndex? {
    if case .concurrentIndex(let index) = work { index } else { nil }
  }
}

extension TableSchema {
  /// The table in words, for the checksum. What a column has not is not mentioned, so that columns that could not have it
  /// yet are described as they always were.
  var declaration: [String] {
    var words = ["table", name]
    for column in columns { words += column.declaration }
    words += ["key"] + primaryKeyColumns.map(\.name)
    switch distribution {
    case nil: return words
    case .by(let column): return words + ["distributed by", column]
    case .reference: return words + ["distributed as reference"]
    }
  }
}

extension ColumnSchema {
  /// The column in words, for the checksum.
  var declaration: [String] {
    var words = ["column", name, type.rawValue]
    if isNullable { words.append("nullable") }
    if isUnique { words.append("unique") }
    if isIndexed { words.append("indexed") }
    if let defaultValue { words += ["default", "\(defaultValue)"] }
    return words
  }
}

extension SQLStatement {
  /// The statement and its values in words, for the checksum.
  var declaration: [String] { ["sql", sql] + bindings.map { "\($0.kind) \($0)" } }
}

/// A number that is another one as soon as a migration is edited, in practice.
struct MigrationChecksum {
  let text: String

  init(of steps: [MigrationStep]) {
    var hash = FNVHash()
    for step in steps {
      for word in step.declaration {
        hash.add(word)
        // A byte of no text, so that no two lists of words run into the same bytes.
        hash.add(0xFF)
      }
      hash.add(0xFE)
    }
    text = Hexadecimal.digits(of: hash.value, atLeast: 16)
  }
}
