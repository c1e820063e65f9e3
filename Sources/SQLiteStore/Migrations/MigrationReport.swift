/// What ``SQLiteStore/migrate(_:)`` did.
public struct MigrationReport: Hashable, Sendable {
  /// The migrations that were applied by this call, in their order.
  public let applied: [AppliedMigration]
  /// Those that had been applied before, by whomever.
  public let earlier: [AppliedMigration]
}
