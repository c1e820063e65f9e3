import Query
import SQLiteStore

/// The migrations that a database has gone through, for people: a line for each.
struct MigrationText: CustomStringConvertible {
  private let migrations: [AppliedMigration]

  init(_ migrations: [AppliedMigration]) {
    self.migrations = migrations
  }

  var description: String {
    let lines = migrations.map { migration in
      "  \(time(of: migration))  \(TerminalText.visible(migration.name))\n"
    }
    return "applied migrations\n" + lines.joined()
  }

  /// To the second: 2026-11-20T23:11:00Z.
  private func time(of migration: AppliedMigration) -> String {
    guard case .text(let text)? = try? migration.appliedAt.makeValue() else { return "" }
    return text.prefix { $0 != "." } + "Z"
  }
}
