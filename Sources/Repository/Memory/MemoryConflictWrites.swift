import Query

// Inserts with a conflict rule.
extension MemoryTables {
  /// Inserts rows, and applies a rule to those that conflict with existing ones.
  ///
  /// - Parameter columns: the columns of the values; `nil` for all columns of the table.
  /// - Returns: the rows as they are stored, without those that were left out.
  mutating func insert(
    _ rows: [[Value]], of columns: [Int]?, into table: TableSchema, onConflict rule: ResolvedConflictRule
  ) throws(RepositoryError) -> [[Value]] {
    try undoingFailure(in: table) { tables, undo throws(RepositoryError) in
      var written: [[Value]] = []
      for row in rows {
        let found = try tables.change(table.name) { table throws(RepositoryError) in
          try table.row(row, of: columns, onConflict: rule)
        }
        guard let (row, replaced) = found else { continue }
        try tables.checkReferences(of: row, in: table)
        let change = try tables.change(table.name) { table throws(RepositoryError) -> Undo in
          if let replaced, let old = table.row(replaced) {
            table.replace(replaced, with: row)
            return (replaced, old)
          }
          return (table.add(row), nil)
        }
        undo.append(change)
        written.append(row)
      }
      return written
    }
  }
}

extension MemoryTable {
  /// Returns the row to write, and the identity of the row that it replaces; `nil` if the rule leaves the row out.
  fileprivate mutating func row(
    _ values: [Value], of columns: [Int]?, onConflict rule: ResolvedConflictRule
  ) throws(RepositoryError) -> (row: [Value], replaced: Identity?)? {
    let added = row(values, of: columns, replacing: { _ in nil })
    if case .update(let unique) = rule,
      let index = uniqueness.first(where: { $0.isComplete && Set($0.columns) == Set(unique) })
    {
      let key = RowKey(added, index.columns)
      if !key.hasNull, let owner = owner(of: key, in: index), let old = row(owner) {
        var changed = row(values, of: columns, replacing: { _ in owner })
        for position in schema.primaryKey + unique { changed[position] = old[position] }
        try check(changed, replacing: owner)
        return (changed, owner)
      }
    }
    let row = completed(added)
    do throws(RepositoryError) {
      try check(row, replacing: nil)
    } catch {
      // Unique constraints are checked last: a row that violates another constraint of the table is refused before.
      if case .ignore = rule, error.code == .conflict { return nil }
      throw error
    }
    return (row, nil)
  }
}
