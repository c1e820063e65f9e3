public import Query

extension Repository {
  /// Observes the elements that a query means.
  ///
  /// - Parameters:
  ///   - query: what to find; everything by default.
  ///   - sort: in which order; by primary key by default.
  ///   - limit: at most how many; all by default.
  public func changes(
    where query: AnyQuery = .true, sortedBy sort: AnySort = .primaryKey, limit: Int? = nil
  ) -> Changes<Element> {
    changes(FetchRequest(query, sortedBy: sort, limit: limit))
  }
}

extension Repository where Element: Entity {
  /// Observes the elements that a closure describes.
  public func changes(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey, limit: Int? = nil
  ) -> Changes<Element> {
    changes(
      FetchRequest(query(Fields(Element.schema)), sortedBy: sort.erased(by: Element.schema), limit: limit))
  }

  /// Observes all elements in the order of properties.
  public func changes(sortedBy sort: Sort<Element>, limit: Int? = nil) -> Changes<Element> {
    changes(FetchRequest(sortedBy: sort.erased(by: Element.schema), limit: limit))
  }
}

extension Repository {
  /// Fails at once: a repository that can tell when its elements change says so itself.
  public func changes(_ request: FetchRequest) -> Changes<Element> { Changes() }
}
