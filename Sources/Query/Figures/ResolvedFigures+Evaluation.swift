extension ResolvedFigures {
  /// Works the figures out, for a store that looks at its rows one by one.
  ///
  /// - Parameter rows: all rows of the table, or at least those that ``query`` matches; each with its values in the order
  ///   of the table's columns.
  /// - Throws: ``FigureError`` where a figure is no value.
  public func rows(of rows: some Sequence<[Value]>) throws(FigureError) -> [FigureRow] {
    // The rows of each group first: a sum of reals takes half a kilobyte while it is worked out.
    var members: [[Value]: [[Value]]] = groups.isEmpty ? [[]: []] : [:]
    for row in rows where query.matches(row) { members[groups.map { row[$0] }, default: []].append(row) }
    return try self.rows(
      from: members.values.map { rows in
        groups.map { Extreme(isGreatest: false).adding($0, of: rows).value } + figures.map { $0.value(of: rows) }
      })
  }
}

extension ResolvedFigures.Figure {
  fileprivate func value(of rows: [[Value]]) -> Value {
    guard let column else { return .integer(Int64(rows.count)) }
    switch function {
    case .count: return .integer(Int64(rows.count { !$0[column].isNull }))
    case .min, .max: return Extreme(isGreatest: function == .max).adding(column, of: rows).value
    case .sum, .average:
      var total = NumberTotal()
      for row in rows { total.add(row[column]) }
      return function == .average ? total.average : isReal ? total.realSum : total.sum
    }
  }
}

extension Extreme {
  fileprivate func adding(_ column: Int, of rows: [[Value]]) -> Extreme {
    var extreme = self
    for row in rows { extreme.add(row[column]) }
    return extreme
  }
}
