import Query
import Synchronization

/// Tables in memory, for tests and for data that nobody needs to keep.
///
/// It gives the same answers and the same errors as a database would. All repositories of one store share its tables, and
/// any number of tasks may use them at once.
public final class MemoryStore: Store {
  private let tables = Mutex<[String: MemoryTable]>([:])

  /// Makes an empty store.
  public init() {}

  /// Opens a repository; the table is created where the store has none of its name.
  ///
  /// - Throws: ``RepositoryError`` where the schema contradicts itself, or differs from the table's.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(try memoryRepository(schema))
  }

  func memoryRepository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> MemoryRepository<Element> {
    let table = try schema.table()
    try tables.withLock { tables throws(RepositoryError) in
      if let present = tables[table.name]?.schema {
        if let error = RepositoryError.mismatch(present: present, expected: table) { throw error }
        // Rows are kept by position.
        if present.columns.map(\.name) != table.columns.map(\.name) {
          throw RepositoryError(
            .schemaMismatch, "table \(table.name) differs from its schema",
            reason: "its columns are \(present.columns.map(\.name).joined(separator: ", "))",
            suggestion: "open it with the same columns in the same order")
        }
      } else {
        tables[table.name] = MemoryTable(table)
      }
    }
    return MemoryRepository(store: self, schema: schema, table: table)
  }

  func read(_ table: TableSchema) -> MemoryTable {
    tables.withLock { $0[table.name] ?? MemoryTable(table) }
  }

  /// Changes a table.
  ///
  /// - Parameter keepingCopy: whether the table is copied first, so that it stays as it was where the change throws. A
  ///   change that throws before it changed anything needs no copy, whose cost grows with the table.
  func write<Result: Sendable>(
    _ table: TableSchema, keepingCopy: Bool, _ change: (inout MemoryTable) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    try tables.withLock { tables throws(RepositoryError) in
      let copy = keepingCopy ? tables[table.name] : nil
      do throws(RepositoryError) {
        return try change(&tables[table.name, default: MemoryTable(table)])
      } catch {
        if keepingCopy { tables[table.name] = copy }
        throw error
      }
    }
  }
}
