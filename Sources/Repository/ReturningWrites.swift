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

extension Repository where Element: Entity {
  /// Updates properties of all elements that match a query closure, all or none, and returns them as they are afterwards, in
  /// the order of their keys.
  ///
  /// - Throws: as ``updateReturning(where:set:)`` of queries does.
  @discardableResult
  public func updateReturning(
    where query: (Fields<Element>) -> AnyQuery, set: (inout Assignments<Element>) -> Void
  ) async throws(RepositoryError) -> [Element] {
    var assignments = Assignments(Element.schema)
    set(&assignments)
    return try await updateReturning(where: query(Fields(Element.schema)), set: assignments.list)
  }

  /// Deletes all elements that match a query closure, all or none, and returns them in the order of their keys.
  ///
  /// - Throws: as ``deleteReturning(where:)`` of queries does.
  @discardableResult
  public func deleteReturning(where query: (Fields<Element>) -> AnyQuery) async throws(RepositoryError) -> [Element] {
    try await deleteReturning(where: query(Fields(Element.schema)))
  }
}
