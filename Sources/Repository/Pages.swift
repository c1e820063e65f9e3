public import Query

extension Repository where Element: Entity {
  /// Returns one page of a sorted result. If the first sort key has an index, or is the primary key, and most rows have
  /// distinct values, a database finds the page in time that does not grow with the number of pages before it. Rows with the
  /// cursor's value of that key, or null, are scanned.
  ///
  /// Pages neither overlap nor leave anything out, and a row that is saved or deleted in between does not shift the others:
  ///
  /// ```swift
  /// var page = try await pokedex.page(sortedBy: .descending(\.weight), size: 20)
  /// while let next = page.next {
  ///   page = try await pokedex.page(sortedBy: .descending(\.weight), size: 20, after: next)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: the query that the elements match; every element by default.
  ///   - sort: the order of the elements; by primary key by default.
  ///   - size: the number of elements of a page, at least one.
  ///   - after: the ``Page/next`` of the previous page.
  ///   - before: the ``Page/previous`` of the following page.
  /// - Throws: as `findAll(_:)` does, and if the cursor belongs to another sort.
  @_disfavoredOverload
  public func page(
    where query: AnyQuery = .true, sortedBy sort: Sort<Element> = .primaryKey, size: Int, after: Cursor? = nil,
    before: Cursor? = nil
  ) async throws(RepositoryError) -> Page<Element> {
    try await page(
      FetchRequest(query, sortedBy: sort.erased(by: Element.schema), after: after, before: before), size: size)
  }

  /// Returns one page of the elements that match a query closure; see ``page(where:sortedBy:size:after:before:)``.
  public func page(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey, size: Int,
    after: Cursor? = nil, before: Cursor? = nil
  ) async throws(RepositoryError) -> Page<Element> {
    try await page(
      where: query(Fields(Element.schema)), sortedBy: sort, size: size, after: after, before: before)
  }

  /// Returns one page of the elements that match a query closure, in ascending order of a property; see
  /// ``page(where:sortedBy:size:after:before:)``.
  public func page(
    where query: (Fields<Element>) -> AnyQuery, sortedBy path: any KeyPath<Element, some ValueConvertible> & Sendable,
    size: Int, after: Cursor? = nil, before: Cursor? = nil
  ) async throws(RepositoryError) -> Page<Element> {
    try await page(
      where: query(Fields(Element.schema)), sortedBy: .ascending(path), size: size, after: after, before: before)
  }

  /// Returns one page, in ascending order of a property; see ``page(where:sortedBy:size:after:before:)``.
  @_disfavoredOverload
  public func page(
    where query: AnyQuery = .true, sortedBy path: any KeyPath<Element, some ValueConvertible> & Sendable, size: Int,
    after: Cursor? = nil, before: Cursor? = nil
  ) async throws(RepositoryError) -> Page<Element> {
    try await page(where: query, sortedBy: .ascending(path), size: size, after: after, before: before)
  }

  /// Returns the page of a request, such as one from a URL.
  ///
  /// ```swift
  /// let request = try FetchRequest(queryItems: items).restricted(to: ["name", "weight"])
  /// let page = try await pokedex.page(request, size: 50)
  /// ```
  ///
  /// The request of the next page is this one with ``Page/next`` as its `after`, and with no offset.
  ///
  /// - Parameters:
  ///   - request: query, sort, cursors and offset. Its limit is the size of the page, if it is not more than `size`.
  ///   - size: the maximum number of elements of a page, at least one.
  /// - Throws: as `findAll(_:)` does, and if a cursor belongs to another sort.
  public func page(_ request: FetchRequest, size: Int) async throws(RepositoryError) -> Page<Element> {
    let size = Swift.min(size, request.limit ?? size)
    if size < 1 {
      throw RepositoryError(
        QueryError(.negativeRange, "a page of \(size) elements has no end", suggestion: "ask for one element at least"))
    }
    let schema = Element.schema
    let isBackward = request.isReversed
    // One more element shows whether there is another page.
    let (wanted, isTooLarge) = size.addingReportingOverflow(1)
    var asked = request
    asked.limit = isTooLarge ? size : wanted
    var elements = try await findAll(asked)
    let hasMore = elements.count > size
    if hasMore {
      if isBackward { elements.removeFirst() } else { elements.removeLast() }
    }
    func cursor(at element: Element?, where isNeeded: Bool) throws(RepositoryError) -> Cursor? {
      guard isNeeded, let element else { return nil }
      return try schema.cursor(at: element, sortedBy: request.sort)
    }
    return Page(
      elements: elements, next: try cursor(at: elements.last, where: isBackward || hasMore),
      previous: try cursor(
        at: elements.first, where: isBackward ? hasMore : request.after != nil || request.offset > 0))
  }
}

extension Schema {
  /// Returns the cursor at an element of a sorted result.
  ///
  /// - Throws: ``RepositoryError`` if the sort names an unknown key, or a property can't be stored.
  public func cursor(at element: Element, sortedBy sort: AnySort) throws(RepositoryError) -> Cursor {
    let table = try table()
    let row = try row(from: element, in: table)
    return try RepositoryError.translating { () throws(QueryError) in try Cursor(at: row, in: table, sortedBy: sort) }
  }
}

/// A page of a sorted result, with the cursors of the pages before and after it.
public struct Page<Element: Storable>: Sendable {
  /// The elements of the page, in order.
  public let elements: [Element]
  /// The cursor of the next page, to be passed as `after`; `nil` if this is the last one.
  public let next: Cursor?
  /// The cursor of the previous page, to be passed as `before`; `nil` if this is known to be the first one.
  public let previous: Cursor?
}
