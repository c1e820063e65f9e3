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
          .invalidSchema, "an index is built concurrently beside other steps",
          reason: "it can't be undone together with them", suggestion: "put it into a migration of its own")
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
    case rebuild(TableRebuild)
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

extension TableSchema {
  /// The table in words, for the checksum. Absent properties are not mentioned, so that the description of older tables does not
  /// change with new properties.
  var declaration: [String] {
    var words = ["table", name]
    for column in columns { words += column.declaration }
    words += ["key"] + primaryKeyColumns.map(\.name)
    for set in uniqueSets { words += ["unique together"] + set.map { columns[$0].name } }
    for check in checks { words += ["check", check.name, check.query.description] }
    for reference in references { words += reference.declaration }
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
    if isGenerated { words.append("generated") }
    if let declaredType { words += ["declared as", declaredType] }
    return words
  }
}

extension ReferenceRule {
  /// The foreign key in words, for the checksum.
  fileprivate var declaration: [String] {
    ["reference"] + columns + ["to", table] + key + ["on delete", onDelete.rawValue]
  }
}

extension SQLStatement {
  /// The statement and its values in words, for the checksum.
  var declaration: [String] { ["sql", sql] + bindings.map { "\($0.kind) \($0)" } }
}

/// A checksum that changes, in practice, when a migration is edited.
struct MigrationChecksum {
  let text: String

  init(of steps: [MigrationStep]) {
    var hash = FNVHash()
    for step in steps {
      for word in step.declaration {
        hash.add(word)
        // A byte that no text contains, so that distinct lists of words have distinct bytes.
        hash.add(0xFF)
      }
      hash.add(0xFE)
    }
    text = Hexadecimal.digits(of: hash.value, atLeast: 16)
  }
}
