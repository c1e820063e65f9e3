import Query

/// Columns that are unique together, and which row has which values.
struct UniqueIndex: Sendable {
  let columns: [Int]
  /// Whether this is the primary key, which the table finds by itself.
  let isKey: Bool
  private(set) var owners = KeyIndex<MemoryTable.Identity>()

  private init(_ columns: [Int], isKey: Bool = false) {
    self.columns = columns
    self.isKey = isKey
  }

  /// The rules of uniqueness of a table in SQLite's order: a number that is the row's own first, and of the others the
  /// last one that the definition names. https://www.sqlite.org/src/file/src/insert.c
  static func all(of schema: TableSchema) -> [UniqueIndex] {
    let key = UniqueIndex(schema.primaryKey, isKey: true)
    let isRowNumber = schema.primaryKey.count == 1 && schema.columns[schema.primaryKey[0]].type == .integer
    var indexes: [UniqueIndex] = []
    for (position, column) in schema.columns.enumerated() {
      if schema.primaryKey == [position] {
        if !isRowNumber { indexes.append(key) }
      } else if column.isUnique {
        indexes.append(UniqueIndex([position]))
      }
    }
    if schema.primaryKey.count > 1 { indexes.append(key) }
    indexes += schema.uniqueSets.map { UniqueIndex($0) }
    return (isRowNumber ? [key] : []) + indexes.reversed()
  }

  mutating func note(_ row: [Value], _ identity: MemoryTable.Identity) {
    if let key = key(of: row) { owners[key] = identity }
  }

  mutating func forget(_ row: [Value]) {
    if let key = key(of: row) { owners[key] = nil }
  }

  /// Values with a null among them are never the same as others.
  private func key(of row: [Value]) -> RowKey? {
    if isKey { return nil }
    let key = RowKey(row, columns)
    return key.hasNull ? nil : key
  }
}
