/// What ``SQLiteStore/migrate(_:)`` would do.
///
/// `print(plan)` shows the SQL, without the values that are bound.
public struct MigrationPlan: Hashable, Sendable {
  /// The migrations that the database has gone through.
  public let applied: [AppliedMigration]
  /// Those that would be applied, in their order.
  public let pending: [PlannedMigration]
}

/// A migration that would be applied.
public struct PlannedMigration: Hashable, Sendable {
  /// The migration's name.
  public let name: String
  /// What would be run, in one transaction. Code stands there as a comment with its description.
  public let statements: [SQLStatement]
}

extension MigrationPlan: CustomStringConvertible {
  /// The SQL of all pending migrations.
  public var description: String {
    pending.isEmpty ? "-- nothing to do\n" : pending.map(\.description).joined(separator: "\n")
  }
}

extension PlannedMigration: CustomStringConvertible {
  /// The name as a comment, and the SQL, each statement from a line of its own.
  public var description: String {
    SQLStatement.comment(name).sql + "\n"
      + statements.map { $0.sql + ($0.sql.hasPrefix("--") ? "\n" : ";\n") }.joined()
  }
}

extension SQLStatement {
  /// Words in a plan. A comment ends with its line, whatever the words are.
  static func comment(_ text: String) -> SQLStatement {
    SQLStatement(verbatim: "-- \(text.split(whereSeparator: \.isNewline).joined(separator: " "))")
  }
}
