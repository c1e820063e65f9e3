import Query
import Repository

@testable import SQLiteStore

/// One table with the same rows in SQLite and in memory.
struct Arena: Sendable {
  let store: SQLiteStore
  let table: TableSchema
  let sqlite: SQLiteRepository<Record>
  let memory: MemoryRepository<Record>
  /// The rows that memory holds, in the order in which they were saved.
  let rows: [[Value]]

  /// Makes the table and writes the rows; a row that the table refuses is left out.
  ///
  /// - Parameter order: puts the rows that memory is given in an order; that of SQLite's answer by default.
  init(_ definition: TableDefinition, rows: [[Value]], order: ([Record]) -> [Record] = { $0 }) throws {
    store = try SQLiteStore.inMemory()
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for sql in definition.sql { try connection.execute(sql) }
    }
    let base = try store.schema(ofTable: definition.base)
    let writer = try store.repository(for: Schema(base))
    for row in rows {
      do throws(RepositoryError) {
        try writer.save([Record(values: row, in: base)])
      } catch {
        // Random rows break the table's own rules now and then: a unique column, or the kind of a row's number.
        guard [.conflict, .constraint, .storeFailure].contains(error.code) else { throw error }
      }
    }
    table = try store.schema(ofTable: definition.name)
    sqlite = try store.repository(for: Schema(table))
    if !rows.isEmpty, try sqlite.count(.true) == 0 { throw RepositoryError(.storeFailure, "no row was written") }
    let saved = order(try sqlite.findAll(FetchRequest()))
    self.rows = saved.map(\.values)
    memory = try MemoryRepository(saved, schema: Schema(table))
  }

  /// Asks both; `nil` where they agree, rows, order and errors.
  func disagreement(_ request: FetchRequest, _ engines: Engines) -> Disagreement? {
    let memory = Engines.Answer { () throws(RepositoryError) in try engines.memory(self, request) }
    let sqlite = Engines.Answer { () throws(RepositoryError) in try engines.sqlite(self, request) }
    switch (memory, sqlite) {
    case (.success(let memory), .success(let sqlite)) where memory == sqlite: return nil
    case (.failure(let memory), .failure(let sqlite)) where memory.description == sqlite.description: return nil
    default: return Disagreement(memory: memory, sqlite: sqlite)
    }
  }
}

/// Two answers to one request.
struct Disagreement {
  let memory: Engines.Answer
  let sqlite: Engines.Answer
}
