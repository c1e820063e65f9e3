import Query

// What a statement of a database does: it changes all that it is to change, or nothing. Rules are looked at in SQLite's
// order: nulls, checks, uniqueness, references.
extension MemoryTables {
  /// Inserts a row, with a generated key where it has none.
  ///
  /// - Returns: the row as it is kept.
  mutating func insert(_ row: [Value], into table: TableSchema) throws(RepositoryError) -> [Value] {
    try write(row, into: table, replacing: { _ in nil })
  }

  /// Inserts a row or replaces the one with the same key.
  mutating func upsert(_ row: [Value], into table: TableSchema) throws(RepositoryError) -> [Value] {
    try write(row, into: table) { row in table.primaryKey.isEmpty ? nil : table.primaryKey.map { row[$0] } }
  }

  private mutating func write(
    _ row: [Value], into table: TableSchema, replacing identity: ([Value]) -> MemoryTable.Identity?
  ) throws(RepositoryError) -> [Value] {
    let row = try change(table.name) { table throws(RepositoryError) in
      let row = table.completed(row)
      try table.check(row, replacing: identity(row))
      return row
    }
    try checkReferences(of: row, in: table)
    try change(table.name) { table throws(RepositoryError) in
      if let identity = identity(row), table.row(identity) != nil {
        table.replace(identity, with: row)
      } else {
        table.add(row)
      }
    }
    return row
  }

  /// Sets columns of all rows that a query means.
  ///
  /// - Returns: how many it means.
  mutating func update(
    _ query: ResolvedQuery, set assignments: ResolvedAssignments, in schema: TableSchema
  ) throws(RepositoryError) -> Int {
    let identities = try table(schema).identities(query)
    let update: (inout MemoryTables) throws(RepositoryError) -> Void = { tables throws(RepositoryError) in
      for identity in identities {
        guard let row = tables.table(named: schema.name)?.row(identity) else { continue }
        let changed = assignments.applied(to: row)
        try tables.change(schema.name) { table throws(RepositoryError) in
          try table.check(changed, replacing: identity)
        }
        try tables.checkReferences(of: changed, in: schema)
        try tables.change(schema.name) { table throws(RepositoryError) in table.replace(identity, with: changed) }
      }
    }
    if identities.count > 1 { try atomically(update) } else { try update(&self) }
    return identities.count
  }

  /// Deletes all rows that a query means, with what is deleted because it refers to them.
  ///
  /// - Returns: how many the query means.
  mutating func delete(_ query: ResolvedQuery, from schema: TableSchema) throws(RepositoryError) -> Int {
    try delete(try table(schema).identities(query), from: schema)
  }

  /// Deletes the row with a key, with what is deleted because it refers to it.
  ///
  /// - Returns: how many there were.
  mutating func delete(key: [Value], from schema: TableSchema) throws(RepositoryError) -> Int {
    try delete(try table(schema).row(key: key) == nil ? [] : [key], from: schema)
  }

  private mutating func delete(
    _ identities: [MemoryTable.Identity], from schema: TableSchema
  ) throws(RepositoryError) -> Int {
    // All is looked at first, so that nothing has to be undone.
    let deletion = try Deletion(of: identities, from: schema.name, in: self)
    for (name, row) in deletion.deleted {
      try change(name) { table throws(RepositoryError) in table.remove(row) }
    }
    for (name, identity, row) in deletion.changed {
      try change(name) { table throws(RepositoryError) in table.replace(identity, with: row) }
    }
    return identities.count
  }

  /// Checks that what a row refers to exists; it may refer to itself.
  private func checkReferences(of row: [Value], in schema: TableSchema) throws(RepositoryError) {
    let table = try table(schema)
    for (reference, columns) in table.references {
      let values = columns.map { row[$0] }
      if values.contains(where: \.isNull) { continue }
      guard let target = self.table(named: reference.table) else {
        throw .missingTable(reference.table, among: [])
      }
      let key = target.schema.positions(ofKey: reference)
      if reference.table == schema.name, key.map({ row[$0] }) == values { continue }
      if !target.contains(values, in: key) {
        throw .missingReference(reference, in: schema.name, values: values)
      }
    }
  }
}

extension TableSchema {
  /// The positions of the columns that a reference to this table names.
  func positions(ofKey reference: ReferenceRule) -> [Int] {
    reference.key.compactMap { name in columns.firstIndex { $0.name == name } }
  }
}
