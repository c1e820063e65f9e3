extension ResolvedAssignments {
  /// Returns a row as it is after the update.
  ///
  /// Expressions that lead to rows of other tables evaluate to null.
  public func applied(to row: [Value]) -> [Value] { makeUpdate(nil)(row) }

  /// Returns a function that computes a row after the update from the row before.
  ///
  /// - Parameter source: the rows of other tables.
  package func makeUpdate(_ source: (any RelatedRowSource)?) -> (_ row: [Value]) -> [Value] {
    guard let computed else {
      return { [columns, values] row in
        var row = row
        for (column, value) in zip(columns, values) { row[column] = value }
        return row
      }
    }
    let evaluators = computed.positions.map { $0.map { computed.scope.makeEvaluator($0, source) } }
    let areReal = columns.map { computed.scope.table.columns[$0].keepsReals }
    return { [columns, values] before in
      var row = before
      before.withUnsafeBufferPointer { before in
        for (index, column) in columns.enumerated() {
          let value = evaluators[index]?(before) ?? values[index]
          row[column] = value.asReal(if: areReal[index])
        }
      }
      return row
    }
  }
}
