#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Repository

/// A migration that a database has gone through, as it remembers it in the table `repokit_migrations`.
public struct AppliedMigration: Entity, Hashable {
  /// The place in the order, counted from 1.
  public let id: Int
  /// The migration's name.
  public let name: String
  /// When it was applied.
  public let appliedAt: Date
  /// What tells whether the migration was edited since.
  public let checksum: String

  /// The table in which a database keeps its migrations.
  public static let schema = Schema(
    SQLiteStore.historyTable, AppliedMigration.init, Column("position", \.id, .primaryKey),
    Column("name", \.name, .unique), Column("applied_at", \.appliedAt), Column("checksum", \.checksum))
}

extension SQLiteStore {
  /// The table in which a database keeps the migrations that it has gone through.
  static let historyTable = "repokit_migrations"
}
