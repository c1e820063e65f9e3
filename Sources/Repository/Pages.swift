public import Query

extension Repository where Element: Entity {
  /// Finds one page of a sorted result. Where the first sort key has an index, or is the primary key, and its values tell
  /// most rows apart, a database finds it in time that does not grow with the number of pages before it. Rows that agree
  /// with the cursor's in that key, null included, are walked through.
  ///
  /// Pages neither overlap nor leave anything out, and a row that is saved or deleted meanwhile does not shift the others:
  ///
  /// ```swift
  /// var page = try await pokedex.page(sortedBy: .descending(\.weight), size: 20)
  /// while let next = page.next {
  ///   page = try await pokedex.page(sortedBy: .descending(\.weight), size: 20, after: next)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: what to find; everything by default.
  ///   - sort: in which order; by primary key by default.
  ///   - size: how many elements a page has, one at least.
  ///   - after: the ``Page/next`` of the page before this one.
  ///   - before: the ``Page/previous`` of the page after this one.
  /// - Throws: as `findAll(_:)` does, and where the cursor belongs to another sort.
  @_disfavoredOverload
  public func page(
    where query: AnyQuery = .true, sortedBy sort: Sort<Element> = .primaryKey, size: Int, after: Cursor? = nil,
    before: Cursor? = nil
  ) async throws(RepositoryError) -> Page<Element> {
    try await page(
      FetchRequest(query, sortedBy: sort.erased(by: Element.schema), after: after, before: before), size: size)
  }

  /// Finds one page of the elements that match a query closure; see ``page(where:sortedBy:size:after:before:)``.
  public func page(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey, size: Int,
    after: Cursor? = nil, before: Cursor? = nil
  ) async throws(RepositoryError) -> Page<Element> {
    try await page(
      where: query(Fields(Element.schema)), sortedBy: sort, size: size, after: after, before: before)
  }

  /// Finds one page of a query closure's elements, from small to great by a property; see
  /// ``page(where:sortedBy:size:after:before:)``.
  public func page(
    where query: (Fields<Element>) -> AnyQuery, sortedBy path: any KeyPath<Element, some ValueConvertible> & Sendable,
    size: Int, after: Cursor? = nil, before: Cursor? = nil
  ) async throws(RepositoryError) -> Page<Element> {
    try await page(
      where: query(Fields(Element.schema)), sortedBy: .ascending(path), size: size, after: after, before: before)
  }

  /// Finds one page, from small to great by a property; see ``page(where:sortedBy:size:after:before:)``.
  @_disfavoredOverload
  public func page(
    where query: AnyQuery = .true, sortedBy path: any KeyPath<Element, some ValueConvertible> & Sendable, size: Int,
    after: Cursor? = nil, before: Cursor? = nil
  ) async throws(RepositoryError) -> Page<Element> {
    try await page(where: query, sortedBy: .ascending(path), size: size, after: after, before: before)
  }

  /// Finds the page that a request asks for, such as one that came in a URL.
  ///
  /// ```swift
  /// let request = try FetchRequest(queryItems: items).restricted(to: ["name", "weight"])
  /// let page = try await pokedex.page(request, size: 50)
  /// ```
  ///
  /// The request of the next page is this one with ``Page/next`` as its `after`, and with no offset.
  ///
  /// - Parameters:
  ///   - request: query, sort, cursors and offset. Its limit is the size of the page, where it is no more than `size`.
  ///   - size: how many elements a page has at most, one at least.
  /// - Throws: as `findAll(_:)` does, and where a cursor belongs to another sort.
  public func page(_ request: FetchRequest, size: Int) async throws(RepositoryError) -> Page<Element> {
    let size = Swift.min(size, request.limit ?? size)
    if size < 1 {
      throw RepositoryError(
        QueryError(.negativeRange, "a page of \(size) elements has no end", suggestion: "ask for one element at least"))
    }
    let schema = Element.schema
    let isBackward = request.isReversed
    // One more tells whether there is another page.
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
  /// The cursor at an element of a sorted result.
  ///
  /// - Throws: ``RepositoryError`` where the sort names an unknown key, or a property can't be stored.
  public func cursor(at element: Element, sortedBy sort: AnySort) throws(RepositoryError) -> Cursor {
    let table = try table()
    let row = try row(from: element, in: table)
    do throws(QueryError) {
      return try Cursor(at: row, in: table, sortedBy: sort)
    } catch {
      throw RepositoryError(error)
    }
  }
}

/// A page of a sorted result, with the cursors of the pages before and after it.
public struct Page<Element: Storable>: Sendable {
  /// The elements of the page, in order.
  public let elements: [Element]
  /// The cursor of the next page: pass it as `after`. `nil` where this is the last one.
  public let next: Cursor?
  /// The cursor of the page before: pass it as `before`. `nil` where this is known to be the first one.
  public let previous: Cursor?
}
