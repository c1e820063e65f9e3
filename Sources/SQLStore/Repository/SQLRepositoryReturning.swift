public import Query
public import Repository

// Inserts with a conflict rule, and writes that return the elements.
extension SQLRepository {
  /// Inserts elements, all or none, and applies a rule to those that conflict with existing rows, away from the caller's
  /// executor.
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

  /// Updates columns of all elements that match a query, all or none, and returns these elements, away from the caller's
  /// executor.
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
