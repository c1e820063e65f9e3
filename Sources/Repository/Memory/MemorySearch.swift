import Query

// The search for rows: by a key if the query names one, otherwise by a scan.
extension MemoryTable {
  /// Returns the rows that match a request, in its order.
  func rows(_ request: ResolvedRequest, beside tables: MemoryTables) -> [MemoryRow] {
    if request.sort.terms.contains(where: { $0.column >= schema.columns.count }) {
      return rows(sortedByExpressions: request, beside: tables)
    }
    let (limit, isTooLarge) = (request.limit ?? .max).addingReportingOverflow(request.offset)
    let order = RowOrder(request.sort)
    let positions = withUnsafeRows { unsafeRows in
      var first = TopRows(of: unsafeRows, in: order, limit: isTooLarge ? .max : limit)
      search(request.query, unsafeRows, tables) { values, position in first.add(values, at: position) }
      return first.sorted()
    }
    return request.inOrder(positions.dropFirst(request.offset).map { rows[$0] })
  }

  /// Returns the number of rows that match a query.
  func count(_ query: ResolvedQuery, beside tables: MemoryTables) -> Int {
    withUnsafeRows { rows in
      var count = 0
      search(query, rows, tables) { _, _ in count += 1 }
      return count
    }
  }

  func aggregate(
    _ aggregates: ResolvedAggregates, beside tables: MemoryTables
  ) throws(AggregateError) -> [AggregateRow] {
    try aggregates.rows(ofMatching: positions(aggregates.query, tables).lazy.map { rows[$0].values }, tables)
  }

  /// Returns the rows of a projection, in its order, or in that of the table.
  func rows(_ projection: ResolvedProjection, isSorted: Bool = true, beside tables: MemoryTables) -> [[Value]] {
    let request = projection.source
    let found =
      isSorted
      ? rows(request, beside: tables)
      : positions(request.query, tables).dropFirst(request.offset).prefix(request.limit ?? .max).map { rows[$0] }
    return projection.rows(ofSorted: found, tables) { row, body in
      withExtendedLifetime(row) { body(row.unsafeValues) }
    }
  }

  /// Returns the identities of the rows that match a query, in the order of their keys.
  func identities(_ query: ResolvedQuery, beside tables: MemoryTables) -> [Identity] {
    positions(query, tables).map { identity(at: $0) }.sorted()
  }

  /// Returns the values of the rows that match a query, in the order of their keys.
  func rows(of query: ResolvedQuery, beside tables: MemoryTables) -> [[Value]] {
    identities(query, beside: tables).compactMap { row($0)?.values }
  }

  /// Returns the rows that match a request whose order is computed from each of them.
  private func rows(sortedByExpressions request: ResolvedRequest, beside tables: MemoryTables) -> [MemoryRow] {
    let keys = request.sort.terms.map { request.query.scope.makeEvaluator($0.column, tables) }
    let order = request.sort.withTermsInPlace
    var found: [(row: MemoryRow, keys: [Value])] = []
    withUnsafeRows { unsafeRows in
      search(request.query, unsafeRows, tables) { values, position in
        found.append((rows[position], keys.map { $0(values) }))
      }
    }
    found.sort { order.areInIncreasingOrder($0.keys, $1.keys) }
    return request.inOrder(found.dropFirst(request.offset).prefix(request.limit ?? .max).map(\.row))
  }

  /// Returns the positions of the rows that match a query.
  private func positions(_ query: ResolvedQuery, _ tables: MemoryTables) -> [Int] {
    withUnsafeRows { rows in
      var positions: [Int] = []
      search(query, rows, tables) { _, position in positions.append(position) }
      return positions
    }
  }

  private func withUnsafeRows<Result>(_ body: (UnsafeRows) -> Result) -> Result {
    withExtendedLifetime(rows) { addresses.withUnsafeRows(body) }
  }

  /// Finds the rows that match a query, in no particular order.
  @inline(__always)
  private func search(
    _ query: ResolvedQuery, _ rows: UnsafeRows, _ tables: MemoryTables,
    found: (_ values: UnsafeBufferPointer<Value>, _ position: Int) -> Void
  ) {
    if let candidates = candidates(query.predicate) {
      let predicate = query.predicate.makePredicate(in: query.scope, tables)
      for position in candidates where predicate(rows[position]) { found(rows[position], position) }
      return
    }
    let filters = query.predicate.makeFilters(in: query.scope, tables)
    var selection = RowSelection()
    for start in stride(from: 0, to: rows.count, by: RowSelection.capacity) {
      selection.select(start..<min(start + RowSelection.capacity, rows.count))
      for filter in filters { filter(rows, &selection) }
      selection.withUnsafePositions { positions in
        for position in positions { found(rows[position], position) }
      }
    }
  }

  /// Returns the positions of candidate rows, a superset of those that match, each once; `nil` if no index finds them.
  private func candidates(_ clause: NormalizedPredicate) -> [Int]? {
    let columns = clause.equalities()
    if columns.isEmpty { return nil }
    for index in uniqueness where index.isComplete {
      guard let keys = Self.keys(of: index.columns, in: columns) else { continue }
      return Set(keys.compactMap { key in owner(of: key, in: index).flatMap { position(of: $0) } }).sorted()
    }
    for index in referrers {
      guard let keys = Self.keys(of: index.columns, in: columns) else { continue }
      return Set(keys.flatMap { key in (index.rows[key] ?? []).compactMap { position(of: $0) } }).sorted()
    }
    return nil
  }

  /// Returns the keys that rows can have in columns with known values; `nil` if the values of a column are not known, or
  /// contain a null, since rows with nulls are in no index.
  private static func keys(of columns: [Int], in equalities: [Int: [Value]]) -> [RowKey]? {
    var keys: [[Value]] = [[]]
    for column in columns {
      guard let values = equalities[column], !values.contains(where: \.isNull) else { return nil }
      // Lists are looked up for a single column only: those for several columns would have to be combined.
      if columns.count > 1, values.count > 1 { return nil }
      keys = keys.flatMap { key in values.map { key + [$0] } }
    }
    return keys.map(RowKey.init)
  }
}

extension MemoryTables: RelatedRowSource {
  func makeFinder(of table: String, where columns: [Int], equal sources: [Int]) -> RelatedRowFinder {
    guard let table = self.table(named: table) else { return { _, _ in } }
    return table.makeFinder(where: columns, equal: sources)
  }
}

extension MemoryTable {
  /// Returns a finder of the rows whose columns equal other columns of a row, in no particular order: by an index of the
  /// columns, if there is one.
  fileprivate func makeFinder(where columns: [Int], equal sources: [Int]) -> RelatedRowFinder {
    let (rows, addresses, positions) = (rows, addresses, positions)
    @Sendable func show(_ position: Int, _ body: (UnsafeBufferPointer<Value>) -> Bool) -> Bool {
      withExtendedLifetime(rows) { addresses.withUnsafeRows { body($0[position]) } }
    }
    /// Returns the sources in the order of the columns of a key; `nil` if the key consists of other columns.
    func sourcesOf(_ key: [Int]) -> [Int]? {
      let places = key.compactMap { columns.firstIndex(of: $0) }
      return places.count == columns.count && key.count == columns.count ? places.map { sources[$0] } : nil
    }
    if let sources = sourcesOf(schema.primaryKey) {
      return { row, body in
        guard let key = RowKey(row, sources), let position = positions[key] else { return }
        _ = show(position, body)
      }
    }
    if let index = uniqueness.first(where: { !$0.isKey && $0.isComplete && sourcesOf($0.columns) != nil }),
      let sources = sourcesOf(index.columns)
    {
      return { row, body in
        guard let key = RowKey(row, sources), let position = index.owners[key].flatMap({ positions[$0] }) else {
          return
        }
        _ = show(position, body)
      }
    }
    if let index = referrers.first(where: { $0.columns == columns }) {
      return { row, body in
        guard let key = RowKey(row, sources) else { return }
        for identity in index.rows[key] ?? [] {
          if let position = positions[identity], !show(position, body) { return }
        }
      }
    }
    return { row, body in
      if sources.contains(where: { row[$0].isNull }) { return }
      for other in rows where zip(columns, sources).allSatisfy({ other[$0] == row[$1] }) {
        if !withExtendedLifetime(other, { body(other.unsafeValues) }) { return }
      }
    }
  }
}

extension RowKey {
  /// Makes the key of a row's values in some columns; `nil` if one of them is null.
  fileprivate init?(_ row: UnsafeBufferPointer<Value>, _ columns: [Int]) {
    if columns.count == 1 {
      if row[columns[0]].isNull { return nil }
      self.init(row[columns[0]])
    } else {
      let values = columns.map { row[$0] }
      if values.contains(where: \.isNull) { return nil }
      self.init(values)
    }
  }
}

extension NormalizedPredicate {
  /// Returns the values one of which a column must equal, for the columns with such a condition.
  fileprivate func equalities() -> [Int: [Value]] {
    switch self {
    case .condition(let condition, let isNegated, _):
      return condition.equalityList(isNegated: isNegated).map { [$0.key: $0.values] } ?? [:]
    case .any:
      return [:]
    case .all(let clauses):
      return clauses.reduce(into: [:]) { all, clause in
        if case .condition = clause { all.merge(clause.equalities()) { $0.count <= $1.count ? $0 : $1 } }
      }
    }
  }
}

/// The first rows of a table in an order: a bounded heap.
///
/// Its root is the last of the rows in it. Most other rows come after the root, as one comparison of two numbers shows.
struct TopRows {
  private typealias Entry = (rank: UInt64, position: Int)

  private let rows: UnsafeRows
  private let order: RowOrder
  private let limit: Int
  private var entries: [Entry] = []

  /// - Parameters:
  ///   - rows: the rows of a table.
  ///   - order: the order.
  ///   - limit: the maximum number of rows.
  init(of rows: UnsafeRows, in order: RowOrder, limit: Int) {
    self.rows = rows
    self.order = order
    self.limit = limit
  }

  /// Adds a row, if it is one of the first.
  ///
  /// - Parameters:
  ///   - values: its values.
  ///   - position: its position in the table.
  @inline(__always)
  mutating func add(_ values: UnsafeBufferPointer<Value>, at position: Int) {
    let entry = (order.rank(values), position)
    if entries.count < limit {
      entries.append(entry)
      if entries.count == limit { for index in (0..<limit / 2).reversed() { sink(index) } }
    } else if limit > 0, precedes(entry, entries[0]) {
      entries[0] = entry
      sink(0)
    }
  }

  /// Returns the positions of the first rows, in order.
  func sorted() -> [Int] { entries.sorted(by: precedes).map(\.position) }

  @inline(__always)
  private func precedes(_ lhs: Entry, _ rhs: Entry) -> Bool {
    lhs.rank == rhs.rank
      ? order.precedes(rows[lhs.position], rows[rhs.position]) : lhs.rank < rhs.rank
  }

  /// Moves an entry down until no child comes after it.
  private mutating func sink(_ index: Int) {
    var index = index
    while true {
      var last = index
      for child in [2 * index + 1, 2 * index + 2] where child < entries.count {
        if precedes(entries[last], entries[child]) { last = child }
      }
      if last == index { return }
      entries.swapAt(index, last)
      index = last
    }
  }
}
