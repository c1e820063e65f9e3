import Query
import Repository
import SQLiteStore

/// A table that is asked in SQLite and in memory.
struct ArenaTable: Sendable {
  let schema: TableSchema
  let sqlite: BlockingRepository<Record>
  let memory: BlockingMemoryRepository<Record>

  /// Asks both engines, which have to find the same rows or refuse for the same reason.
  ///
  /// - Returns: the rows; `nil` where the request is refused.
  func ask(_ request: FetchRequest) -> [[Value]]? {
    var evidence: String { "\(schema.name): \(request)" }
    func answer(_ find: (FetchRequest) throws(RepositoryError) -> [Record]) -> Result<[[Value]], RepositoryError> {
      Result { () throws(RepositoryError) in try find(request).map(\.values) }
    }
    let answers = (answer(sqlite.findAll), answer(memory.findAll))
    switch answers {
    case (.success(let stored), .success(let inMemory)):
      Law.require(stored == inMemory, "both engines find the same rows", [evidence, "\(stored)", "\(inMemory)"])
      return stored
    case (.failure(let stored), .failure(let inMemory)):
      Law.require(stored.code == .invalidQuery, "what resolves is prepared", [evidence, "\(stored)"])
      Law.require(stored.description == inMemory.description, "both engines refuse alike", [evidence])
      return nil
    default:
      Law.require(false, "both engines answer or refuse", [evidence, "\(answers)"])
      return nil
    }
  }
}
