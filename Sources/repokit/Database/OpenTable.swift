import Query
import SQLiteStore

/// A table whose rows can be read, whatever evaluates the query.
struct OpenTable {
  private enum Rows {
    case inDatabase(SQLiteRepository<Record>)
    case inMemory(MemoryRepository<Record>)
  }

  let schema: TableSchema
  private let rows: Rows

  /// Opens a table of a database, and for the engine in memory, copies it there.
  init(_ name: String, in store: SQLiteStore, engine: Engine) throws(RepositoryError) {
    schema = try store.schema(ofTable: name)
    let recordSchema = Schema(schema)
    let stored = try store.repository(for: recordSchema)
    rows =
      switch engine {
      case .sqlite: .inDatabase(stored)
      case .memory: .inMemory(try MemoryRepository(try stored.findAll(FetchRequest()), schema: recordSchema))
      }
  }

  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Record] {
    switch rows {
    case .inDatabase(let repository): try repository.findAll(request)
    case .inMemory(let repository): try repository.findAll(request)
    }
  }

  func figures(_ request: FigureRequest) throws(RepositoryError) -> [FigureRow] {
    switch rows {
    case .inDatabase(let repository): try repository.figures(request)
    case .inMemory(let repository): try repository.figures(request)
    }
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    switch rows {
    case .inDatabase(let repository): try repository.count(query)
    case .inMemory(let repository): try repository.count(query)
    }
  }
}
