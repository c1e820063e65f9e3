/// A sort whose keys were found in a table, and which orders any two rows of it.
public struct ResolvedSort: Sendable {
  /// One key of the sort.
  public struct Term: Hashable, Sendable {
    /// The position of the key's column in the table.
    public let column: Int
    /// From small to great or the other way round.
    public let direction: SortTerm.Direction
    /// Where rows stand whose key is null.
    public let nulls: NullPlacement
  }

  /// The terms that were asked for, and after them those of the primary key that are still needed for one order; in a
  /// table without a key, those of all columns, since rows that agree in all of them can't be told apart. No term stands
  /// behind a column that tells all rows apart: a database would sort rows by it that an index gives it in order.
  public let terms: [Term]

  init(_ sort: AnySort, in table: TableSchema) throws(QueryError) {
    var terms: [Term] = []
    terms.reserveCapacity(sort.terms.count + 1)
    var seen = ColumnSet()
    var isDecided = false
    for term in sort.terms {
      let column = try table.position(of: term.key)
      // A key that stands twice decides nothing the second time.
      guard !isDecided, seen.insert(column) else { continue }
      terms.append(Term(column: column, direction: term.direction, nulls: term.nulls))
      isDecided = table.isUniqueKey(column)
    }
    if isDecided {
      self.terms = terms
      return
    }
    let key = table.primaryKey.isEmpty ? Array(table.columns.indices) : table.primaryKey
    for column in key where seen.insert(column) {
      terms.append(Term(column: column, direction: .ascending, nulls: .first))
    }
    self.terms = terms
  }

  init(terms: [Term]) {
    self.terms = terms
  }

  /// Whether a row stands before another.
  ///
  /// Both rows hold their values in the order of the table's columns.
  public func areInIncreasingOrder(_ lhs: [Value], _ rhs: [Value]) -> Bool {
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
  /// Whether no two rows hold the same in a column.
  fileprivate func isUniqueKey(_ column: Int) -> Bool {
    primaryKey == [column] || columns[column].isUnique && !columns[column].isNullable
  }
}

/// Columns of a table, without memory of their own for the first 64.
private struct ColumnSet {
  private var first: UInt64 = 0
  private var others: Set<Int> = []

  /// - Returns: whether it was new.
  mutating func insert(_ column: Int) -> Bool {
    guard column < 64 else { return others.insert(column).inserted }
    defer { first |= 1 << UInt64(column) }
    return first & 1 << UInt64(column) == 0
  }
}
