import Query
import Repository

/// One of an arena's two stores, as a law asks it.
struct LawSubject: Sendable {
  enum Store: String, CaseIterable {
    case memory
    case sqlite = "SQLite"
  }

  let arena: Arena
  /// The same rows, saved in other orders.
  let shuffled: [Arena]
  let store: Store
  let engines: Engines

  var table: TableSchema { arena.table }

  func find(_ request: FetchRequest) throws(RepositoryError) -> [[Value]] {
    try find(request, in: arena)
  }

  func find(_ request: FetchRequest, in arena: Arena) throws(RepositoryError) -> [[Value]] {
    switch store {
    case .memory: try engines.memory(arena, request)
    case .sqlite: try engines.sqlite(arena, request)
    }
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    switch store {
    case .memory: try engines.memoryCount(arena, query)
    case .sqlite: try engines.sqliteCount(arena, query)
    }
  }

  func cursor(at row: [Value], sortedBy sort: AnySort) throws(RepositoryError) -> Cursor {
    do throws(QueryError) {
      return try Cursor(at: row, in: table, sortedBy: sort)
    } catch {
      throw RepositoryError(error)
    }
  }
}
