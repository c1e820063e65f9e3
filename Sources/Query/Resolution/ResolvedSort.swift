import ErrorDetails

/// A sort whose keys were found in a table, and which is a strict order of its rows.
public struct ResolvedSort: Sendable {
  /// One key of the sort.
  public struct Term: Hashable, Sendable {
    /// The position of the key: that of its column, or after all columns for an expression.
    public let column: Int
    /// The direction of the key.
    public let direction: SortTerm.Direction
    /// The position of rows whose key is null.
    public let nulls: NullPlacement
  }

  /// The requested terms, followed by those of the primary key that are needed to make the order unique; in a table without a
  /// key, those of all columns, since rows that are equal in all of them can't be distinguished. No term follows a unique
  /// column: for such a term, a database would sort rows that an index already returns in order.
  public let terms: [Term]

  init(_ sort: AnySort, in table: TableSchema) throws(QueryError) {
    var resolver = ScopeResolver(table) { _ in nil }
    try self.init(sort, with: &resolver)
  }

  /// - Parameters:
  ///   - ofDistinctRows: whether the rows are those of a result without duplicates, which are sorted by no more keys than they
  ///     have columns.
  ///   - endsAtUniqueColumn: whether no term follows a unique column.
  init(
    _ sort: AnySort, with resolver: inout ScopeResolver, ofDistinctRows: Bool = false, endsAtUniqueColumn: Bool = true
  ) throws(QueryError) {
    let table = resolver.scope.table
    var terms: [Term] = []
    terms.reserveCapacity(min(sort.terms.count, AnySort.maximumTermCount) + 1)
    var expressionCount = 0
    var seen = ColumnSet()
    var isDecided = false
    for term in sort.terms {
      // A constant does not affect the order.
      if term.key.plainKey == nil, try resolver.constant(term.key) != nil { continue }
      let column = try resolver.position(of: term.key)
      try resolver.scope.column(column).checkIsComparable()
      // The depth includes the condition of a cursor, so that the first page is refused already, and not only the second.
      if let expression = resolver.scope.expression(column),
        resolver.scope.stackDepth(expression) + RowScope.stackDepthOfCursors > RowScope.maximumStackDepth
      {
        throw .tooDeepExpression
      }
      // A repeated key has no effect.
      guard !isDecided, seen.insert(column) else { continue }
      if column >= table.columns.count { expressionCount += 1 }
      if expressionCount > AnySort.maximumExpressionCount, !ofDistinctRows {
        throw QueryError(
          .tooComplex, "the sort has more than \(AnySort.maximumExpressionCount) expressions and paths",
          suggestion: "remove the last expressions, which only order rows that are equal in all others")
      }
      terms.append(Term(column: column, direction: term.direction, nulls: term.nulls))
      isDecided = endsAtUniqueColumn && table.isUniqueKey(column)
    }
    if isDecided {
      self.terms = terms
      return
    }
    let key = table.primaryKey.isEmpty ? Array(table.columns.indices) : table.primaryKey
    for column in key where seen.insert(column) {
      terms.append(Term(column: column, direction: .ascending, nulls: .first))
    }
    if terms.count > AnySort.maximumTermCount, !ofDistinctRows {
      throw QueryError(
        .tooComplex, "the sort has more than \(AnySort.maximumTermCount) keys",
        reason: table.primaryKey.isEmpty
          ? "\(VisibleText.name(table.name)) has no primary key, so all columns follow the named keys"
          : nil)
    }
    self.terms = terms
  }

  init(terms: [Term]) {
    self.terms = terms
  }

  /// Returns the same order for rows that hold only the keys, in sequence.
  package var withTermsInPlace: ResolvedSort {
    ResolvedSort(
      terms: terms.enumerated().map { Term(column: $0, direction: $1.direction, nulls: $1.nulls) })
  }

  /// Returns whether a row precedes another.
  ///
  /// Both rows hold their values in the order of the table's columns.
  public func areInIncreasingOrder(_ lhs: [Value], _ rhs: [Value]) -> Bool {
    lhs.withUnsafeBufferPointer { lhs in rhs.withUnsafeBufferPointer { precedes(lhs, $0) } }
  }

  func precedes(_ lhs: UnsafeBufferPointer<Value>, _ rhs: UnsafeBufferPointer<Value>) -> Bool {
    for term in terms {
      let order = term.compare(lhs[term.column], rhs[term.column])
      if order != 0 { return order < 0 }
    }
    return false
  }
}

extension ResolvedSort.Term {
  func compare(_ lhs: Value, _ rhs: Value) -> Int {
    switch (lhs.isNull, rhs.isNull) {
    case (true, true): 0
    case (true, false): nulls == .first ? -1 : 1
    case (false, true): nulls == .first ? 1 : -1
    case (false, false): direction == .ascending ? Value.compare(lhs, rhs) : Value.compare(rhs, lhs)
    }
  }
}

extension TableSchema {
  /// Whether no two rows have the same value in a column.
  fileprivate func isUniqueKey(_ column: Int) -> Bool {
    column < columns.count && (primaryKey == [column] || columns[column].isUnique && !columns[column].isNullable)
  }
}

/// A set of columns that allocates no memory for the first 64.
private struct ColumnSet {
  private var first: UInt64 = 0
  private var others: Set<Int> = []

  /// - Returns: whether the column was new.
  mutating func insert(_ column: Int) -> Bool {
    guard column < 64 else { return others.insert(column).inserted }
    defer { first |= 1 << UInt64(column) }
    return first & 1 << UInt64(column) == 0
  }
}
