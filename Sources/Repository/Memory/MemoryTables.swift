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

  /// The table of a name, if there is one.
  func table(named name: String) -> MemoryTable? { tables[.text(name)] }

  /// The tables that have references to a table, in the order of their names, and the references' positions.
  func referrers(to name: String) -> [(table: String, reference: Int)] {
    names.flatMap { table in
      (self.table(named: table)?.schema.references ?? []).enumerated()
        .filter { $1.table.utf8.elementsEqual(name.utf8) }.map { (table, $0.offset) }
    }
  }

  /// Finds or creates the tables of a schema: its own, and those that it refers to.
  ///
  /// - Throws: ``RepositoryError`` where there is a table of one of these names that differs.
  mutating func open(_ schemas: [TableSchema]) throws(RepositoryError) {
    for schema in schemas { try checkPresent(schema) }
    let missing = schemas.filter { table(named: $0.name) == nil }
    for schema in missing {
      try schema.checkReferences(among: names) { name in
        schemas.first { $0.name.utf8.elementsEqual(name.utf8) } ?? table(named: name)?.schema
      }
    }
    for schema in missing { tables[.text(schema.name)] = MemoryTable(schema) }
  }

  private func checkPresent(_ table: TableSchema) throws(RepositoryError) {
    guard let present = self.table(named: table.name)?.schema else { return }
    let differences = table.differences(from: present.generatingKeys)
    if let error = RepositoryError.mismatch(differences, in: table.name) { throw error }
    // Rows are kept by position.
    if !present.columns.elementsEqual(table.columns, by: { $0.isCalled($1.name) }) {
      throw RepositoryError(
        .schemaMismatch, "table \(table.name) differs from its schema",
        reason: "its columns are \(present.columns.map(\.name).joined(separator: ", "))",
        suggestion: "open it with the same columns in the same order")
    }
  }

  /// Whether tables of these names are there and differ in nothing.
  func hold(_ schemas: [TableSchema]) -> Bool { schemas.allSatisfy { table(named: $0.name)?.schema == $0 } }

  /// Changes a table in place, without a copy.
  mutating func change<Result>(
    _ name: String, _ change: (inout MemoryTable) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    guard let index = tables.index(forKey: .text(name)) else { throw .missingTable(name, among: names) }
    return try change(&tables.values[index])
  }

  /// Changes tables all or nothing: as they were, where the change throws.
  ///
  /// It costs a copy of each table that changes. A change that throws before it changed anything needs none.
  mutating func atomically<Result>(
    _ change: (inout MemoryTables) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    let copy = self
    do throws(RepositoryError) {
      return try change(&self)
    } catch {
      self = copy
      throw error
    }
  }
}

extension TableSchema {
  /// The table with a key that can be generated, where a database would make it the row's own number.
  fileprivate var generatingKeys: TableSchema {
    guard primaryKey.count == 1, columns[primaryKey[0]].type == .integer, !columns[primaryKey[0]].isGenerated else {
      return self
    }
    let key = columns[primaryKey[0]]
    var columns = columns
    columns[primaryKey[0]] = ColumnSchema(
      key.name, key.type, isUnique: key.isUnique, isIndexed: key.isIndexed, isGenerated: true, loose: key.loose,
      collation: key.collation)
    let changed = try? TableSchema(
      name, columns: columns, primaryKey: [key.name], unique: uniqueSets.map { $0.map { columns[$0].name } },
      checks: checks, references: references)
    return changed ?? self
  }
}
