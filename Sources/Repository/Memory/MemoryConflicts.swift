import Query

// Inserts that do something else with a row for which there is one already than to refuse it.
extension MemoryTables {
  /// Inserts rows, or does with them as a rule says.
  ///
  /// - Parameter columns: which of the table's columns the values are of; `nil` for all.
  /// - Returns: the rows as they are kept, without those that were left out.
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
  /// The row that is written, and the identity of the one whose place it takes; `nil` where it is left out.
  fileprivate mutating func row(
    _ values: [Value], of columns: [Int]?, onConflict rule: ResolvedConflictRule
  ) throws(RepositoryError) -> (row: [Value], replaced: Identity?)? {
    let added = row(values, of: columns, replacing: { _ in nil })
    if case .update(let unique) = rule, let index = uniqueness.first(where: { Set($0.columns) == Set(unique) }) {
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
      // Looked at last of the rules that concern this table alone.
      if case .ignore = rule, error.code == .conflict { return nil }
      throw error
    }
    return (row, nil)
  }
}
