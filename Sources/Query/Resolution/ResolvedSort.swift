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
  /// table without a key, those of all columns, since rows that agree in all of them can't be told apart.
  public let terms: [Term]

  init(_ sort: AnySort, in table: TableSchema) throws(QueryError) {
    var terms: [Term] = []
    var seen: Set<Int> = []
    for term in sort.terms {
      let column = try table.position(of: term.key)
      // A key that stands twice decides nothing the second time.
      if seen.insert(column).inserted {
        terms.append(Term(column: column, direction: term.direction, nulls: term.nulls))
      }
    }
    let key = table.primaryKey.isEmpty ? Array(table.columns.indices) : table.primaryKey
    for column in key where seen.insert(column).inserted {
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
  fileprivate func compare(_ lhs: Value, _ rhs: Value) -> Int {
    switch (lhs.isNull, rhs.isNull) {
    case (true, true): 0
    case (true, false): nulls == .first ? -1 : 1
    case (false, true): nulls == .first ? 1 : -1
    case (false, false): direction == .ascending ? Value.compare(lhs, rhs) : Value.compare(rhs, lhs)
    }
  }
}
