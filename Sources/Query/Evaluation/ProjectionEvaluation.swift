extension ResolvedProjection {
  /// Computes the result from rows, for a store that evaluates requests row by row.
  ///
  /// - Parameter rows: all rows of the table, or at least those that the request's query matches; each with its values in
  ///   the order of the table's columns.
  public func rows(of rows: some Sequence<[Value]>) -> [[Value]] {
    let extended = request.query.scope.makeExtension(nil)
    let order = request.sort
    let found = rows.lazy.filter(request.query.matches).map(extended).sorted(by: order.areInIncreasingOrder)
    let part =
      isWhole ? found[...] : found.dropFirst(request.offset).prefix(request.limit ?? .max)
    // The last rows before a cursor are read backwards.
    return self.rows(ofSorted: isWhole ? Array(part) : request.inOrder(Array(part)), nil)
  }

  /// Whether all matching rows have to be known before limit and offset apply.
  private var isWhole: Bool { isDistinct || groupLimit != nil }

  /// The request for the rows from which ``rows(ofSorted:_:_:)`` computes the result.
  package var source: ResolvedRequest {
    isWhole
      ? ResolvedRequest(query: request.query, sort: request.sort, limit: nil, offset: 0, isReversed: false) : request
  }

  private func rows(ofSorted rows: [[Value]], _ source: (any RelatedRowSource)?) -> [[Value]] {
    self.rows(ofSorted: rows, source) { row, body in row.withUnsafeBufferPointer(body) }
  }

  /// Computes the result from rows in memory.
  ///
  /// - Parameters:
  ///   - rows: the rows that ``source`` selects, in its order.
  ///   - source: the rows of other tables.
  ///   - withValues: passes the values of a row in place, in the order of the table's columns.
  package func rows<Row>(
    ofSorted rows: [Row], _ source: (any RelatedRowSource)?,
    _ withValues: @escaping (Row, (UnsafeBufferPointer<Value>) -> [Value]) -> [Value]
  ) -> [[Value]] {
    func values(_ positions: [Int]) -> (Row) -> [Value] {
      let evaluators = positions.map { request.query.scope.makeEvaluator($0, source) }
      return { row in withValues(row) { values in evaluators.map { $0(values) } } }
    }
    let projected = values(columns)
    if !isWhole { return rows.map(projected) }
    let kept = groupLimit.map { $0.rows(of: rows, values) } ?? rows
    var result = kept.map(projected)
    if isDistinct { result = different(result) }
    return Array(result.dropFirst(request.offset).prefix(request.limit ?? .max))
  }

  /// Removes duplicates. The rows are sorted by all columns, so that equal ones are adjacent.
  private func different(_ rows: [[Value]]) -> [[Value]] {
    rows.reduce(into: [[Value]]()) { different, row in
      if let last = different.last, last == row {
        // Of an integer and a real that are equal, the integer is kept.
        different[different.count - 1] = zip(last, row).map { $1.isInteger ? $1 : $0 }
      } else {
        different.append(row)
      }
    }.map(spelled)
  }
}

extension ResolvedProjection.Limit {
  /// Returns the first rows of each group, in the order of the whole result.
  fileprivate func rows<Row>(of rows: [Row], _ values: ([Int]) -> (Row) -> [Value]) -> [Row] {
    let (groupKey, sortKey) = (values(keys), values(sort.terms.map(\.column)))
    let order = sort.withTermsInPlace
    let places = rows.map(sortKey)
    var counts: [[Value]: Int] = [:]
    var isKept = [Bool](repeating: false, count: rows.count)
    for index in rows.indices.sorted(by: { order.areInIncreasingOrder(places[$0], places[$1]) }) {
      let place = counts[groupKey(rows[index]), default: 0]
      if place >= count { continue }
      counts[groupKey(rows[index])] = place + 1
      isKept[index] = true
    }
    return rows.indices.filter { isKept[$0] }.map { rows[$0] }
  }
}
