import Query

/// The rows of one table in memory. A copy is a snapshot: nothing is copied until one of both changes.
struct MemoryTable: Sendable {
  let schema: TableSchema
  private var rows: [[Value]] = []
  /// Where the row with a key stands in ``rows``.
  private var positions: [[Value]: Int] = [:]
  /// For each unique column that is not the key itself: which key holds a value. The last column stands first, because
  /// SQLite looks at its indexes in this order, and a row that breaks several rules is to be refused with the same words.
  private var owners: [(column: Int, keys: [Value: [Value]])] = []

  init(_ schema: TableSchema) {
    self.schema = schema
    for (position, column) in schema.columns.enumerated().reversed()
    where column.isUnique && schema.primaryKey != [position] {
      owners.append((position, [:]))
    }
  }

  func row(key: [Value]) -> [Value]? {
    positions[key].map { rows[$0] }
  }

  func rows(_ request: ResolvedRequest) -> [[Value]] {
    let found = rows.filter(request.query.matches).sorted(by: request.sort.areInIncreasingOrder)
    let rest = found.dropFirst(request.offset)
    return request.inOrder(Array(request.limit.map { rest.prefix($0) } ?? rest))
  }

  func count(_ query: ResolvedQuery) -> Int {
    rows.count { query.matches($0) }
  }

  func figures(_ figures: ResolvedFigures) throws(FigureError) -> [FigureRow] {
    try figures.rows(of: rows)
  }

  /// Inserts a row or replaces the one with the same key.
  ///
  /// - Throws: ``RepositoryError`` where another row has the same value in a unique column.
  mutating func upsert(_ row: [Value]) throws(RepositoryError) {
    if schema.primaryKey.isEmpty {
      rows.append(row)
      return
    }
    let key = schema.primaryKey.map { row[$0] }
    for (column, keys) in owners {
      if let other = keys[row[column]], other != key {
        throw .conflict(in: schema.name, columns: [schema.columns[column].name])
      }
    }
    if let position = positions[key] {
      disown(rows[position])
      rows[position] = row
    } else {
      positions[key] = rows.count
      rows.append(row)
    }
    for index in owners.indices {
      let value = row[owners[index].column]
      if !value.isNull { owners[index].keys[value] = key }
    }
  }

  /// Deletes the row with a key.
  ///
  /// - Returns: whether there was one.
  mutating func delete(key: [Value]) -> Bool {
    guard let position = positions.removeValue(forKey: key) else { return false }
    disown(rows[position])
    // The last row takes the gap: rows stand in no order.
    let last = rows.removeLast()
    if position < rows.count {
      rows[position] = last
      positions[schema.primaryKey.map { last[$0] }] = position
    }
    return true
  }

  private mutating func disown(_ row: [Value]) {
    for index in owners.indices { owners[index].keys[row[owners[index].column]] = nil }
  }
}
