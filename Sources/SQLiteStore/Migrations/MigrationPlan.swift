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
  /// The name as a comment, and the SQL, a line for each statement.
  public var description: String {
    "-- \(Self.line(name))\n" + statements.map { Self.line($0.sql) + ($0.isComment ? "\n" : ";\n") }.joined()
  }

  /// A comment ends with its line, wherever its words come from.
  private static func line(_ text: String) -> String {
    text.hasPrefix("--") || !text.contains("\n")
      ? text.split(whereSeparator: \.isNewline).joined(separator: " ") : text
  }
}

extension SQLStatement {
  /// What stands for code in a plan.
  static func comment(_ text: String) -> SQLStatement { SQLStatement(verbatim: "-- code: \(text)") }

  fileprivate var isComment: Bool { sql.hasPrefix("-- code: ") }
}
