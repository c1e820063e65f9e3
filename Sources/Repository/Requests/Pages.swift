public import Query

extension Selection where Element: Entity {
  /// Finds one page of the selection.
  ///
  /// Pages neither overlap nor leave anything out, and a row that is saved or deleted in between does not shift the others:
  ///
  /// ```swift
  /// let heavy = pokedex.sorted { $0.weight.descending }
  /// var page = try await heavy.page(size: 20)
  /// while let next = page.next { page = try await heavy.page(size: 20, after: next) }
  /// ```
  ///
  /// If the first sort key has an index, or is the primary key, and most rows have distinct values, a database finds the page in
  /// time that does not grow with the number of pages before it. Rows with the cursor's value of that key, or null, are scanned.
  ///
  /// - Parameters:
  ///   - size: the maximum number of elements of a page, at least one. A ``prefix(_:)`` that is shorter applies instead.
  ///   - after: the ``Page/next`` of the previous page.
  ///   - before: the ``Page/previous`` of the following page.
  /// - Throws: as ``all()`` does, and if the cursor belongs to another sort.
  public func page(
    size: Int, after: Cursor? = nil, before: Cursor? = nil
  ) async throws(RepositoryError) -> Page<Element> {
    var request = request
    if after != nil || before != nil { (request.after, request.before, request.offset) = (after, before, 0) }
    let size = Swift.min(size, request.limit ?? size)
    if size < 1 {
      throw RepositoryError(
        QueryError(.negativeRange, "a page can't have \(size) elements", suggestion: "request at least one element"))
    }
    let schema = Element.schema
    let isBackward = request.isReversed
    // One more element shows whether there is another page.
    let (wanted, isTooLarge) = size.addingReportingOverflow(1)
    var asked = request
    asked.limit = isTooLarge ? size : wanted
    var elements = try await repository.findAll(asked)
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
