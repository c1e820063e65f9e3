import Query

/// The tables of a store in memory. A copy is a snapshot: nothing is copied until one of both changes.
struct MemoryTables: Sendable {
  /// By name; the names are values, which are compared by their bytes.
  private var tables: [Value: MemoryTable] = [:]

  private var names: [String] { tables.values.map(\.schema.name).sorted() }

  /// The table of a schema.
  ///
  /// - Throws: ``RepositoryError`` where there is none: the transaction that created it was undone.
  func table(_ schema: TableSchema) throws(RepositoryError) -> MemoryTable {
    guard let table = tables[.text(schema.name)] else { throw .missingTable(schema.name, among: names) }
    return table
  }

  /// Finds or creates the table of a schema.
  ///
  /// - Throws: ``RepositoryError`` where there is a table of this name that differs.
  mutating func open(_ table: TableSchema) throws(RepositoryError) {
    guard let present = tables[.text(table.name)]?.schema else {
      tables[.text(table.name)] = MemoryTable(table)
      return
    }
    if let error = RepositoryError.mismatch(present: present, expected: table) { throw error }
    // Rows are kept by position.
    if !present.columns.elementsEqual(table.columns, by: { $0.isCalled($1.name) }) {
      throw RepositoryError(
        .schemaMismatch, "table \(table.name) differs from its schema",
        reason: "its columns are \(present.columns.map(\.name).joined(separator: ", "))",
        suggestion: "open it with the same columns in the same order")
    }
  }

  /// Whether a table of this schema's name is there and differs in nothing.
  func holds(_ table: TableSchema) -> Bool { tables[.text(table.name)]?.schema == table }

  /// Changes a table.
  ///
  /// - Parameter keepingCopy: whether the table is copied first, so that it stays as it was where the change throws. A
  ///   change that throws before it changed anything needs no copy, whose cost grows with the table.
  mutating func change<Result>(
    _ schema: TableSchema, keepingCopy: Bool, _ change: (inout MemoryTable) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    let copy = keepingCopy ? tables[.text(schema.name)] : nil
    if tables[.text(schema.name)] == nil { throw .missingTable(schema.name, among: names) }
    do throws(RepositoryError) {
      return try change(&tables[.text(schema.name), default: MemoryTable(schema)])
    } catch {
      if keepingCopy { tables[.text(schema.name)] = copy }
      throw error
    }
  }
}
