public import Query

extension Repository {
  /// Gets the element with a key.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/notFound`` where no element has that key, and as
  ///   ``find(_:)`` does.
  public func get(_ id: Element.ID) async throws(RepositoryError) -> Element {
    guard let element = try await find(id) else { throw .notFound(Element.self) }
    return element
  }

  /// Finds all elements that match a query.
  ///
  /// - Parameters:
  ///   - query: what to find; everything by default.
  ///   - sort: in which order; by primary key by default.
  ///   - limit: at most how many; all by default.
  ///   - offset: how many to leave out at the start.
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    where query: AnyQuery = .true, sortedBy sort: AnySort = .primaryKey, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(FetchRequest(query, sortedBy: sort, limit: limit, offset: offset))
  }

  /// Finds the first element that matches a query.
  ///
  /// - Returns: the element, or `nil` where none matches.
  /// - Throws: as ``findAll(_:)`` does.
  public func first(
    where query: AnyQuery = .true, sortedBy sort: AnySort = .primaryKey
  ) async throws(RepositoryError) -> Element? {
    try await findAll(FetchRequest(query, sortedBy: sort, limit: 1)).first
  }

  /// Counts all elements.
  public func count() async throws(RepositoryError) -> Int {
    try await count(.true)
  }

  /// Counts the elements that match a query.
  public func count(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await count(query)
  }

  /// Saves one element; if its key exists, it takes the place of the element that has it.
  ///
  /// - Throws: as ``save(_:)`` does.
  public func save(_ element: Element) async throws(RepositoryError) {
    try await save([element])
  }

  /// Deletes the element with a key.
  ///
  /// - Returns: whether there was one.
  /// - Throws: as ``delete(_:)`` does.
  @discardableResult
  public func delete(_ id: Element.ID) async throws(RepositoryError) -> Bool {
    try await delete([id]) > 0
  }
}

extension Repository where Element: Entity {
  /// Finds all elements that match a query closure: `findAll(where: { $0.weight > 90 }, sortedBy: .descending(\.weight))`.
  ///
  /// - Parameters:
  ///   - query: what to find, by the properties of the model type.
  ///   - sort: in which order; by primary key by default.
  ///   - limit: at most how many; all by default.
  ///   - offset: how many to leave out at the start.
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey, limit: Int? = nil,
    offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(
      FetchRequest(
        query(Fields(Element.schema)), sortedBy: sort.erased(by: Element.schema), limit: limit, offset: offset))
  }

  /// Finds all elements in the order of properties.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func findAll(
    sortedBy sort: Sort<Element>, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(FetchRequest(sortedBy: sort.erased(by: Element.schema), limit: limit, offset: offset))
  }

  /// Finds the first element that matches a query closure.
  ///
  /// - Returns: the element, or `nil` where there is none.
  /// - Throws: as ``findAll(_:)`` does.
  public func first(
    where query: (Fields<Element>) -> AnyQuery, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> Element? {
    try await findAll(where: query, sortedBy: sort, limit: 1).first
  }

  /// Counts the elements that match a query closure.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func count(where query: (Fields<Element>) -> AnyQuery) async throws(RepositoryError) -> Int {
    try await count(query(Fields(Element.schema)))
  }
}

extension AnyQuery {
  /// Makes a query from the properties of a model type: `AnyQuery(Pokemon.self) { $0.weight > 90 }`.
  public init<Element: Entity>(_ type: Element.Type, _ query: (Fields<Element>) -> AnyQuery) {
    self = query(Fields(type.schema))
  }
}

/// A request for values rather than elements: which columns of which rows are read.
package struct RowRequest: Sendable {
  /// What to find, in which order, and which part of the result.
  package let fetch: FetchRequest
  /// The positions of the columns, in the order in which they are read.
  package let columns: [Int]
  /// Whether rows that agree in these columns are one.
  package let isDistinct: Bool
  /// Whether rows come in the order of the sort, rather than in the one in which they were added, as far as the store
  /// knows that.
  package var isSorted = true

  /// Makes a request.
  ///
  /// Different rows are sorted by what was asked for, and then by the other columns from the first on.
  ///
  /// - Parameter columns: the names of the columns; all where it is `nil`.
  /// - Throws: ``QueryError`` for a name that the table does not have, and where different rows are sorted by a column that
  ///   they don't have: of several rows that are one, each may hold something else there.
  package init(
    _ fetch: FetchRequest, columns names: [String]? = nil, isDistinct: Bool = false, in table: TableSchema
  ) throws(QueryError) {
    var columns = Array(table.columns.indices)
    if let names {
      columns = []
      for name in names { columns.append(try table.position(of: name)) }
    }
    self.columns = columns
    self.isDistinct = isDistinct
    var fetch = fetch
    if isDistinct {
      for term in fetch.sort.terms where !columns.contains(try table.position(of: term.key)) {
        throw QueryError(
          .unknownKey, "different rows can't be sorted by \(term.key)",
          reason: "it is none of their columns, and rows that are one may hold different values there",
          suggestion: "sort by one of their columns, or add \(term.key) to them")
      }
      fetch.sort += AnySort(
        columns.map { SortTerm(key: table.columns[$0].name, direction: .ascending, nulls: .first) })
    }
    self.fetch = fetch
  }

  /// The request for whole rows from which ``rows(from:in:)`` takes what is asked for.
  package var source: FetchRequest {
    isDistinct ? FetchRequest(fetch.query, sortedBy: fetch.sort) : fetch
  }

  /// What is read of rows that are in memory.
  ///
  /// - Parameter found: the rows that ``source`` means, in its order.
  package func rows(from found: some Sequence<[Value]>, in table: TableSchema) -> [[Value]] {
    let rows = found.map { row in columns.map { row[$0] } }
    guard isDistinct else { return rows }
    // They are sorted by all columns, so that equal ones are adjacent.
    let different = rows.reduce(into: [[Value]]()) { different, row in
      let isSame = different.last.map { zip($0, row).allSatisfy { Value.compare($0, $1) == 0 } } ?? false
      if isSame {
        different[different.count - 1] = zip(different[different.count - 1], row).map(Self.integer)
      } else {
        different.append(row)
      }
    }
    return different.dropFirst(fetch.offset).prefix(fetch.limit ?? .max).map { spelled($0, in: table) }
  }

  /// The values of different rows as they are always written: zero has no sign.
  package func spelled(_ row: [Value], in table: TableSchema) -> [Value] {
    isDistinct ? zip(columns, row).map { table.columns[$0].spelling($1) } : row
  }

  /// Of two values that are equal, the integer.
  private static func integer(_ lhs: Value, _ rhs: Value) -> Value {
    if case .integer = rhs { rhs } else { lhs }
  }
}
