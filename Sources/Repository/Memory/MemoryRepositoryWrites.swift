public import Query

// Writes. A change is prepared before it waits for its turn: whatever does not depend on existing rows is checked before the
// wait.
extension MemoryRepository {
  /// Saves elements, all or none.
  ///
  /// Takes constant time per element; the first write during a snapshot, such as the snapshot of a transaction, costs a copy of
  /// the table's list of rows.
  public func save(_ elements: [Element]) async throws(RepositoryError) {
    let rows = try rows(saving: elements)
    // The closure does not escape: a copy of the table's description for an escaping closure took a tenth of the time of a
    // save.
    try await store.write(in: transaction) { tables throws(RepositoryError) in
      try tables.upsert(rows, of: columns, into: stored)
    }
  }

  /// Deletes the elements with the given keys, all or none.
  @discardableResult
  public func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int {
    try await store.write(in: transaction, try deleting(ids))
  }

  /// Inserts elements, all or none.
  @discardableResult
  public func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    try inserted(elements, as: try await store.write(in: transaction, try inserting(elements)))
  }

  /// Updates columns of all elements that match a query, all or none.
  @discardableResult
  public func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    try await store.write(in: transaction, try updating(query, assignments))
  }

  /// Inserts elements, all or none, and applies a rule to elements that conflict with existing rows.
  @discardableResult
  public func insert(_ elements: [Element], onConflict rule: ConflictRule) async throws(RepositoryError) -> [Element] {
    try self.elements(try await store.write(in: transaction, try inserting(elements, onConflict: rule)))
  }

  /// Updates columns of all elements that match a query, all or none, and returns these elements.
  @discardableResult
  public func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) async throws(RepositoryError) -> [Element] {
    try elements(try await store.write(in: transaction, try updatingRows(query, assignments)))
  }

  /// Deletes all elements that match a query, all or none, and returns them.
  @discardableResult
  public func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Element] {
    try elements(try await store.write(in: transaction, try deletingRows(query)))
  }

  /// Deletes all elements that match a query, all or none.
  @discardableResult
  public func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await store.write(in: transaction, try deleting(query))
  }

  /// Writes elements in the order in which they arrive, all or none: other tasks see them once the last one is written.
  @discardableResult
  public func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>,
    progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    try await store.transaction(in: transaction) { transaction async throws(RepositoryError) in
      var meter = ProgressMeter(total: elements.total, progress)
      while let element = try await elements.next() {
        let row = try schema.row(from: element, in: table)
        try await transaction.write { [stored, columns] tables throws(RepositoryError) in
          switch mode {
          case .insert: _ = try tables.insert([row], of: columns, into: stored)
          case .save: try tables.upsert([row], of: columns, into: stored)
          }
        }
        try meter.advance()
      }
      meter.finish()
      return meter.done
    }
  }
}

extension MemoryRepository {
  typealias Change<Result> = (inout MemoryTables) throws(RepositoryError) -> Result

  func rows(saving elements: [Element]) throws(RepositoryError) -> [[Value]] {
    try preparing { () throws(RepositoryError) in try rows(of: elements) }
  }

  private func rows(of elements: [Element]) throws(RepositoryError) -> [[Value]] {
    var rows: [[Value]] = []
    rows.reserveCapacity(elements.count)
    for element in elements { rows.append(try schema.row(from: element, in: table)) }
    return rows
  }

  /// Prepares a write in the current transaction, if there is one.
  private func preparing<Result>(_ body: () throws(RepositoryError) -> Result) throws(RepositoryError) -> Result {
    try RepositoryError.preparingWrite(isReadOnly: store.transaction(boundTo: transaction)?.isReadOnly == true, body)
  }

  /// Returns a change that inserts elements and returns the rows as they are stored.
  func inserting(_ elements: [Element]) throws(RepositoryError) -> Change<[[Value]]> {
    let rows = try preparing { () throws(RepositoryError) in try self.rows(of: elements) }
    return { [stored, columns] tables throws(RepositoryError) in
      try tables.insert(rows, of: columns, into: stored)
    }
  }

  func inserted(_ elements: [Element], as rows: [[Value]]) throws(RepositoryError) -> [Element] {
    guard table.hasGeneratedKey || schema.completesRows else { return elements }
    return try self.elements(rows)
  }

  func elements(_ rows: [[Value]]) throws(RepositoryError) -> [Element] {
    var elements: [Element] = []
    for row in rows {
      elements.append(try schema.element(from: columns.map { $0.map { row[$0] } } ?? row, in: table))
    }
    return elements
  }

  func inserting(
    _ elements: [Element], onConflict rule: ConflictRule
  ) throws(RepositoryError) -> Change<[[Value]]> {
    let (rows, rule) = try preparing { () throws(RepositoryError) in
      let rule = try table.resolve(rule)
      return (try self.rows(of: elements), columns == nil ? rule : rule.mapped { self.columns?[$0] ?? $0 })
    }
    return { [stored, columns] tables throws(RepositoryError) in
      try tables.insert(rows, of: columns, into: stored, onConflict: rule)
    }
  }

  func updating(_ query: AnyQuery, _ assignments: [Assignment]) throws(RepositoryError) -> Change<Int> {
    let (query, assignments) = try resolved(query, assignments)
    return { [stored] tables throws(RepositoryError) in try tables.update(query, set: assignments, in: stored) }
  }

  func updatingRows(
    _ query: AnyQuery, _ assignments: [Assignment]
  ) throws(RepositoryError) -> Change<[[Value]]> {
    let (query, assignments) = try resolved(query, assignments)
    return { [stored] tables throws(RepositoryError) in
      var rows: [[Value]] = []
      _ = try tables.update(query, set: assignments, in: stored) { rows.append($0) }
      return rows
    }
  }

  func deletingRows(_ query: AnyQuery) throws(RepositoryError) -> Change<[[Value]]> {
    if let deletion = schema.softDeletion {
      let (query, assignments) = try resolved(query, deletion.assignments)
      return { [stored] tables throws(RepositoryError) in
        let rows = try tables.table(stored).rows(of: query, beside: tables)
        _ = try tables.update(query, set: assignments, in: stored)
        return rows
      }
    }
    let query = try preparing { () throws(RepositoryError) in try resolve(query) }
    return { [stored] tables throws(RepositoryError) in try tables.deleteReturning(query, from: stored) }
  }

  private func resolved(
    _ query: AnyQuery, _ assignments: [Assignment]
  ) throws(RepositoryError) -> (ResolvedQuery, ResolvedAssignments) {
    try preparing { () throws(RepositoryError) in
      let assignments = schema.timestamped(assignments)
      let query = try resolve(query)
      let tables: TableLookup = assignments.needOtherTables ? try store.tables(in: transaction).schema : { _ in nil }
      let resolved = try table.resolve(assignments, with: tables)
      return (query, columns == nil ? resolved : try stored.resolve(assignments, with: tables))
    }
  }

  func deleting(_ query: AnyQuery) throws(RepositoryError) -> Change<Int> {
    if let deletion = schema.softDeletion { return try updating(query, deletion.assignments) }
    let query = try preparing { () throws(RepositoryError) in try resolve(query) }
    return { [stored] tables throws(RepositoryError) in try tables.delete(query, from: stored) }
  }

  func deleting(_ ids: [Element.ID]) throws(RepositoryError) -> Change<Int> {
    if let deletion = schema.softDeletion { return try softDeleting(ids, by: deletion.assignments) }
    return try removing(ids)
  }

  private func softDeleting(_ ids: [Element.ID], by assignments: [Assignment]) throws(RepositoryError) -> Change<Int> {
    var updates: [Change<Int>] = []
    for id in ids {
      let key = try preparing { () throws(RepositoryError) in try table.key(id) }
      updates.append(try updating(table.query(forKey: key), assignments))
    }
    // A single update undoes itself, and the only constraints that a soft deletion can violate are those with conditions.
    let canFail = updates.count > 1 && !(stored.checks.isEmpty && stored.partialUnique.isEmpty)
    return { [updates] tables throws(RepositoryError) in
      try tables.count(updates, canFail: canFail) { tables, update throws(RepositoryError) in try update(&tables) }
    }
  }

  private func removing(_ ids: [Element.ID]) throws(RepositoryError) -> Change<Int> {
    let keys = try preparing { () throws(RepositoryError) -> [RowKey] in
      var keys: [RowKey] = []
      for id in ids { keys.append(try key(id)) }
      return keys
    }
    return { [stored, keys] tables throws(RepositoryError) in
      // Rows without referrers can always be deleted.
      let canFail = keys.count > 1 && !tables.referrers(to: stored.name).isEmpty
      return try tables.count(keys, canFail: canFail) { tables, key throws(RepositoryError) in
        try tables.delete(key: key, from: stored)
      }
    }
  }
}

extension MemoryTables {
  /// Makes one deletion after the other, all or none, and counts the deleted rows.
  ///
  /// - Parameter canFail: whether one of them may fail after others, so that a copy is needed to roll back to.
  fileprivate mutating func count<Deletion>(
    _ deletions: [Deletion], canFail: Bool,
    _ delete: (inout MemoryTables, Deletion) throws(RepositoryError) -> Int
  ) throws(RepositoryError) -> Int {
    if canFail {
      return try atomically { tables throws(RepositoryError) in
        try tables.deferringReferences { tables throws(RepositoryError) in
          try tables.count(deletions, canFail: false, delete)
        }
      }
    }
    var count = 0
    for deletion in deletions { count += try delete(&self, deletion) }
    return count
  }
}
