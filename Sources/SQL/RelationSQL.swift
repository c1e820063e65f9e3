import Query

// The rows of related tables: those that a path leads to are joined, or looked up by subqueries where a statement can't join;
// those that refer to a row are counted, added up or found by a subquery.
extension StatementWriter {
  // MARK: To one

  /// Returns the condition that a row is the one that a join leads to.
  func on(_ join: RowScope.Join, target: String?, source: String?) -> String {
    let table = join.source.map { frame.scope.joins[$0].table } ?? frame.scope.table
    return zip(join.key, join.columns).map { key, column in
      dialect.comparison(
        term(join.table.columns[key], of: target), .equal, term(table.columns[column], of: source))
    }.joined(separator: " AND ")
  }

  /// Writes the tables of the clause, after `FROM`.
  ///
  /// - Parameter predicate: the predicate on their rows.
  mutating func writeTables(of predicate: NormalizedPredicate) {
    write(dialect.quoted(frame.scope.table.name))
    guard let alias = frame.alias else { return }
    write(" AS \(dialect.quoted(alias))")
    if frame.joins.isEmpty { return }
    let required = frame.scope.joinsRequired(by: predicate)
    for (position, (join, name)) in zip(frame.scope.joins, frame.joins).enumerated() {
      let source = join.source.map { frame.joins[$0] } ?? alias
      write(required.contains(position) ? " JOIN" : " LEFT JOIN")
      write(" \(dialect.quoted(join.table.name)) AS \(dialect.quoted(name))")
      write(" ON \(on(join, target: name, source: source))")
    }
  }

  /// Returns a column of the row that a join leads to.
  mutating func joined(_ join: Int, _ position: Int) -> SQLTerm {
    let rule = frame.scope.joins[join]
    let column = rule.table.columns[position].joined(rule.table.columns[position].name)
    if !frame.joins.isEmpty { return term(column, of: frame.joins[join]) }
    // The subqueries nest from the row's table outside to the column's table inside, and are built from the inside: each looks
    // up the row to which the table around it refers.
    let alias = nextAlias()
    var inner = term(column, of: alias).sql
    var (step, target): (RowScope.Join?, String) = (rule, alias)
    while let rule = step {
      let source = rule.source == nil ? frame.alias : nextAlias()
      let condition = on(rule, target: target, source: source)
      inner =
        "(SELECT \(inner) FROM \(dialect.quoted(rule.table.name)) AS \(dialect.quoted(target)) WHERE \(condition))"
      step = rule.source.map { frame.scope.joins[$0] }
      target = source ?? target
    }
    return SQLTerm(inner, column)
  }

  // MARK: To many

  /// Returns the condition that there are rows that refer to the row of the clause.
  mutating func exists(_ rows: RelatedScope) -> String {
    "EXISTS " + fragment { $0.writeRelated(rows) { _ in "1" } }.inParentheses
  }

  /// Writes a subquery of the rows that refer to the row of the clause.
  ///
  /// - Parameter result: writes the selected expressions.
  mutating func writeRelated(_ rows: RelatedScope, _ result: (inout StatementWriter) -> String) {
    let outer = frame
    frame = makeFrame(of: rows.scope, mayJoin: true)
    write("SELECT ")
    write(result(&self))
    write(" FROM ")
    writeTables(of: rows.predicate)
    write(" WHERE ")
    let keys = zip(rows.columns, rows.key).map { column, key in
      dialect.comparison(
        term(rows.scope.table.columns[column], of: frame.alias), .equal,
        term(outer.scope.table.columns[key], of: outer.alias))
    }
    write(keys.joined(separator: " AND "))
    if case .all(let clauses) = rows.predicate, clauses.isEmpty {
    } else {
      write(" AND (")
      writeWithinExpression(rows.predicate)
      write(")")
    }
    frame = outer
  }
}

// MARK: - Inner joins

// A row without a reference has null wherever a path leads from it. If a query matches no such row, an inner join replaces the
// outer join. Both databases do so themselves, but SQLite only if the condition is a plain comparison, and neither of them
// across expressions of this toolkit. https://www.sqlite.org/optoverview.html#the_left_join_strength_reduction_optimization
extension RowScope {
  /// Returns the joins whose row exists for every row that matches a predicate.
  func joinsRequired(by predicate: NormalizedPredicate) -> Set<Int> {
    switch predicate {
    case .condition(let condition, let isNegated, _):
      return joinsRequired(by: condition, isNegated: isNegated)
    case .all(let clauses):
      return clauses.reduce(into: []) { $0.formUnion(joinsRequired(by: $1)) }
    case .any(let clauses):
      return common(clauses.map { joinsRequired(by: $0) })
    }
  }

  private func joinsRequired(by condition: Condition<Int>, isNegated: Bool) -> Set<Int> {
    guard let key = condition.key else { return [] }
    if case .comparison(let comparison) = condition, case .key(let other) = comparison.operand {
      // The negation of an order comparison is true for nulls.
      if !comparison.operator.isEquality, !isNegated { return joinsRequired(at: key).union(joinsRequired(at: other)) }
      // Null equals null.
      guard (isNegated ? comparison.operator.opposite : comparison.operator) == .equal else { return [] }
      if !column(other).isNullable { return joinsRequired(at: key) }
      return column(key).isNullable ? [] : joinsRequired(at: other)
    }
    return condition.isFalseForNull(isNegated: isNegated) ? joinsRequired(at: key) : []
  }

  /// Returns the joins without whose row the value at a position is null.
  private func joinsRequired(at position: Int) -> Set<Int> {
    expression(position).map { joinsRequired(by: $0) } ?? []
  }

  private func joinsRequired(by expression: ResolvedExpression) -> Set<Int> {
    switch expression.form {
    case .column(let position):
      return joinsRequired(at: position)
    case .joined(let join, _):
      // The row of a join is reached from that of the join before it.
      return Set(sequence(first: join) { joins[$0].source })
    case .function(.coalesce, _), .conditional:
      return common(expression.operands.map { joinsRequired(by: $0) })
    case .converted, .function:
      return expression.operands.reduce(into: []) { $0.formUnion(joinsRequired(by: $1)) }
    case .value, .aggregate, .exists:
      return []
    }
  }

  private func common(_ sets: [Set<Int>]) -> Set<Int> {
    sets.dropFirst().reduce(sets.first ?? []) { $0.intersection($1) }
  }
}
