import Query

// The statements of a database: each makes all of its changes, or none. Constraints are checked in SQLite's order: nulls,
// checks, uniqueness, references.
extension MemoryTables {
  /// The undo record of a row's change: the row that was there before, if any.
  typealias Undo = (identity: MemoryTable.Identity, row: MemoryRow?)

  /// Inserts rows, with generated keys if they have none.
  ///
  /// - Parameter columns: the columns of the values; `nil` for all columns of the table.
  /// - Returns: the rows as they are stored.
  mutating func insert(
    _ rows: [[Value]], of columns: [Int]?, into table: TableSchema
  ) throws(RepositoryError) -> [[Value]] {
    try write(rows, of: columns, into: table, replacing: { _ in nil })
  }

  /// Inserts rows or replaces those with the same keys, in the given columns.
  mutating func upsert(_ rows: [[Value]], of columns: [Int]?, into table: TableSchema) throws(RepositoryError) {
    let key = table.primaryKey
    _ = try write(rows, of: columns, into: table) { row in key.isEmpty ? nil : RowKey(row, key) }
  }

  private mutating func write(
    _ rows: [[Value]], of columns: [Int]?, into table: TableSchema,
    replacing identity: ([Value]) -> MemoryTable.Identity?
  ) throws(RepositoryError) -> [[Value]] {
    try undoingFailure(in: table) { tables, undo throws(RepositoryError) in
      var written: [[Value]] = []
      written.reserveCapacity(rows.count)
      for row in rows {
        let row = try tables.change(table.name) { table throws(RepositoryError) in
          var row = table.completed(table.row(row, of: columns, replacing: identity))
          table.keepKey(of: identity(row), in: &row)
          try table.check(row, replacing: identity(row))
          return row
        }
        try tables.checkReferences(of: row, in: table)
        let change = try tables.change(table.name) { table throws(RepositoryError) -> Undo in
          if let identity = identity(row), let old = table.row(identity) {
            table.replace(identity, with: row)
            return (identity, old)
          }
          return (table.add(row), nil)
        }
        undo.append(change)
        written.append(row)
      }
      return written
    }
  }

  /// Updates columns of all rows that match a query.
  ///
  /// - Parameter note: called with each row as it is afterwards, in the order of the keys.
  /// - Returns: the number of matching rows.
  mutating func update(
    _ query: ResolvedQuery, set assignments: ResolvedAssignments, in schema: TableSchema,
    _ note: ([Value]) -> Void = { _ in }
  ) throws(RepositoryError) -> Int {
    let identities = try table(schema).identities(query, beside: self)
    // Rows of other tables are read as they are before the first change.
    let update = assignments.makeUpdate(assignments.computed?.scope.needsOtherRows == true ? self : nil)
    try undoingFailure(in: schema) { tables, undo throws(RepositoryError) in
      for identity in identities {
        guard let row = tables.table(named: schema.name)?.row(identity) else { continue }
        let changed = update(row.values)
        try tables.change(schema.name) { table throws(RepositoryError) in
          try table.check(changed, replacing: identity)
        }
        try tables.checkReferences(of: changed, in: schema)
        try tables.change(schema.name) { table throws(RepositoryError) in table.replace(identity, with: changed) }
        undo.append((identity, row))
        note(changed)
      }
    }
    return identities.count
  }

  /// Changes rows of a table one by one, and undoes the changes if one is refused.
  ///
  /// The cost is proportional to the number of changes, while a copy to roll back to would cost as much as the table has rows.
  mutating func undoingFailure<Result>(
    in table: TableSchema, _ change: (inout MemoryTables, inout [Undo]) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    var undo: [Undo] = []
    do throws(RepositoryError) {
      return try deferringReferences { tables throws(RepositoryError) in try change(&tables, &undo) }
    } catch {
      try self.change(table.name) { table throws(RepositoryError) in
        for (identity, row) in undo.reversed() {
          if let row { table.replace(identity, with: row.values) } else { table.remove(identity) }
        }
      }
      throw error
    }
  }

  /// Deletes all rows that match a query, with cascades.
  ///
  /// - Returns: the number of matching rows.
  mutating func delete(_ query: ResolvedQuery, from schema: TableSchema) throws(RepositoryError) -> Int {
    try delete(try table(schema).identities(query, beside: self), from: schema)
  }

  /// Deletes all rows that match a query, with cascades.
  ///
  /// - Returns: the rows that match, in the order of the keys.
  mutating func deleteReturning(
    _ query: ResolvedQuery, from schema: TableSchema
  ) throws(RepositoryError) -> [[Value]] {
    let rows = try table(schema).rows(of: query, beside: self)
    _ = try delete(query, from: schema)
    return rows
  }

  /// Deletes the row with a key, with cascades.
  ///
  /// - Returns: the number of rows with the key.
  mutating func delete(key: MemoryTable.Identity, from schema: TableSchema) throws(RepositoryError) -> Int {
    try delete(try table(schema).row(key) == nil ? [] : [key], from: schema)
  }

  private mutating func delete(
    _ identities: [MemoryTable.Identity], from schema: TableSchema
  ) throws(RepositoryError) -> Int {
    // Everything is checked first, so that nothing has to be undone.
    let deletion = try MemoryDeletion(of: identities, from: schema.name, in: self)
    deferredReferences += deletion.deferred
    for (name, row) in deletion.deleted {
      try change(name) { table throws(RepositoryError) in table.remove(row) }
    }
    for (name, identity, row) in deletion.changed {
      try change(name) { table throws(RepositoryError) in table.replace(identity, with: row) }
    }
    return identities.count
  }
}
