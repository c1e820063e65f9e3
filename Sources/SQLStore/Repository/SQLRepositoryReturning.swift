public import Query
public import Repository

// Inserts with a rule for conflicts, and writes that return the elements, with and without suspending.
extension SQLRepository {
  /// Inserts elements, all or none, and does as a rule says with those for which there are rows already.
  @discardableResult
  public func insert(
    _ elements: [Element], onConflict rule: ConflictRule
  ) throws(RepositoryError) -> [Element] {
    if elements.isEmpty {
      try table.checkMayWrite()
      return []
    }
    let work = try table.inserting(onConflict: rule) { () throws(RepositoryError) in try elementTable.rows(elements) }
    return try elementTable.elements(try table.result(.write, work))
  }

  /// Sets columns of all elements that match a query, all or none, and returns these.
  @discardableResult
  public func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) throws(RepositoryError) -> [Element] {
    try elementTable.elements(
      try table.result(.write, table.updatingRows(query, elementTable.schema.timestamped(assignments))))
  }

  /// Deletes all elements that match a query, all or none, and returns them.
  @discardableResult
  public func deleteReturning(where query: AnyQuery) throws(RepositoryError) -> [Element] {
    try elementTable.elements(try table.result(.write, table.deletingRows(query)))
  }

  /// Inserts elements, all or none, and does as a rule says with those for which there are rows already, away from the caller's executor.
  @discardableResult
  @concurrent
  public func insert(
    _ elements: [Element], onConflict rule: ConflictRule
  ) async throws(RepositoryError) -> [Element] {
    if elements.isEmpty {
      try table.checkMayWrite()
      return []
    }
    let work = try table.inserting(onConflict: rule) { () throws(RepositoryError) in try elementTable.rows(elements) }
    return try elementTable.elements(try await table.result(.write, work))
  }

  /// Sets columns of all elements that match a query, all or none, and returns these, away from the caller's executor.
  @discardableResult
  @concurrent
  public func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) async throws(RepositoryError) -> [Element] {
    try elementTable.elements(
      try await table.result(.write, table.updatingRows(query, elementTable.schema.timestamped(assignments))))
  }

  /// Deletes all elements that match a query, all or none, and returns them, away from the caller's executor.
  @discardableResult
  @concurrent
  public func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Element] {
    try elementTable.elements(try await table.result(.write, table.deletingRows(query)))
  }
}
