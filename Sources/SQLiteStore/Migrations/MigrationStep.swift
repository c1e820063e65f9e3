import Query
import Repository

/// One thing that a migration does.
struct MigrationStep: Sendable {
  let work: Work
  /// What was declared, for the checksum: not the SQL that a version of this package makes of it.
  let declaration: [String]

  enum Work: Sendable {
    /// Statements that are the same whatever the database holds.
    case statements([SQLStatement])
    case drop(table: String)
    case rebuild(TableRebuild)
    case code(String, @Sendable (SQLiteTransaction) async throws -> Void)
  }

  var defersForeignKeys: Bool {
    if case .rebuild = work { true } else { false }
  }
}

extension TableSchema {
  /// The table in words, for the checksum. What a column has not is not mentioned, so that columns that could not have it
  /// yet are described as they always were.
  var declaration: [String] {
    var words = ["table", name]
    for column in columns { words += column.declaration }
    return words + ["key"] + primaryKeyColumns.map(\.name)
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
