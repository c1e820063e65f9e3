import Repository
import SQLiteStore

/// A way in which a program writes.
enum WayOfWriting: CaseIterable {
  case save, saveBlocking, transaction, transactionBlocking

  func errorCode(_ store: SQLiteStore, _ entries: SQLiteRepository<Entry>) async -> RepositoryError.Code? {
    do {
      switch self {
      case .save: try await entries.save(Entry.batch(1))
      case .saveBlocking: try Self.blocking { try entries.save(Entry.batch(1)) }
      case .transaction: try await store.transaction { _ in try await entries.save(Entry.batch(1)) }
      case .transactionBlocking: try Self.blocking { try store.transaction { _ in try entries.save(Entry.batch(1)) } }
      }
      return nil
    } catch {
      return (error as? RepositoryError)?.code
    }
  }

  private static func blocking(_ body: () throws -> Void) throws { try body() }
}
