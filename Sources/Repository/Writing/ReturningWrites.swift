public import Query

// Updates and deletions that return the elements.
extension Repository {
  /// Finds the elements, updates them, and finds them again, by default.
  @discardableResult
  public func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) async throws(RepositoryError) -> [Element] {
    let ids = try await findAll(FetchRequest(query)).map(\.id)
    try await update(where: query, set: assignments)
    var changed: [Element] = []
    for id in ids {
      if let element = try await find(id) { changed.append(element) }
    }
    return changed
  }

  /// Finds the elements, and deletes them, by default.
  @discardableResult
  public func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Element] {
    let found = try await findAll(FetchRequest(query))
    try await delete(found.map(\.id))
    return found
  }
}
