package import Query
import Repository

/// What holds for expressions and relations whatever is in the tables: two queries that mean the same rows.
package struct RelationLaw: Sendable, CustomStringConvertible {
  package let description: String
  /// Draws both sides at random; `nil` where no table refers to this one.
  package let sides: @Sendable (inout RandomRequests) -> (AnyQuery, AnyQuery)?

  package static let all = expressions + relations

  // MARK: Expressions

  private static let expressions: [RelationLaw] = [
    RelationLaw(description: "not (p and q) is not p or not q") { draw in
      let (p, q) = (draw.conditionOfExpression(), draw.conditionOfExpression())
      return (!(p && q), !p || !q)
    },
    RelationLaw(description: "not (p or q) is not p and not q") { draw in
      let (p, q) = (draw.conditionOfExpression(), draw.query(depth: 1))
      return (!(p || q), !p && !q)
    },
    RelationLaw(description: "p or not p is every row") { draw in
      let p = draw.conditionOfExpression()
      return (p || !p, .true)
    },
    RelationLaw(description: "p and not p is no row") { draw in
      let p = draw.conditionOfExpression()
      return (p && !p, .false)
    },
    RelationLaw(description: "sums and products don't depend on the order of two operands") { draw in
      let (function, lhs, rhs) = (
        draw.random.pick([.add, .multiply]) as ExpressionFunction, draw.number(2), draw.number(2)
      )
      return (.compare(.apply(function, lhs, rhs), .equal, .apply(function, rhs, lhs)), .true)
    },
    RelationLaw(description: "a < b is b > a") { draw in
      let (lhs, rhs) = (draw.number(2), draw.number(2))
      return (.compare(lhs, .lessThan, rhs), .compare(rhs, .greaterThan, lhs))
    },
    RelationLaw(description: "the opposite of the opposite is the number, where there is one") { draw in
      let opposite = AnyExpression.function(.negate, of: draw.number(1))
      let twice = AnyExpression.function(.negate, of: .function(.negate, of: opposite))
      return (.isNull(twice) || .compare(twice, .equal, opposite), .true)
    },
    RelationLaw(description: "a choice is one of two") { draw in
      let (p, lhs, rhs, text) = (draw.query(depth: 1), draw.text(1), draw.text(1), draw.text(0))
      let choice = AnyExpression(.conditional(p, then: lhs, else: rhs))
      return (
        .compare(choice, .equal, text), p && .compare(lhs, .equal, text) || !p && .compare(rhs, .equal, text)
      )
    },
    RelationLaw(description: "coalesce is the first that is not null") { draw in
      let (lhs, rhs, text) = (draw.text(1), draw.text(1), draw.text(0))
      return (
        .compare(.coalesce(lhs, rhs), .equal, text),
        .isNotNull(lhs) && .compare(lhs, .equal, text) || .isNull(lhs) && .compare(rhs, .equal, text)
      )
    },
    RelationLaw(description: "two texts together are as long as both") { draw in
      let (lhs, rhs) = (draw.text(1), draw.text(1))
      let sum = AnyExpression.apply(.add, .function(.length, of: lhs), .function(.length, of: rhs))
      return (.compare(.function(.length, of: .concatenation(lhs, rhs)), .equal, sum), .true)
    },
    RelationLaw(description: "between is two comparisons") { draw in
      let (key, lower, upper) = (draw.number(2), draw.number(1), draw.number(1))
      return (
        !AnyQuery.between(key, lower: .key(lower), upper: .key(upper)),
        !(.compare(key, .greaterThanOrEqual, lower) && .compare(key, .lessThanOrEqual, upper))
      )
    },
  ]

  // MARK: Relations

  private static let relations: [RelationLaw] = [
    rows("some is not none") { rows, _, _ in (.exists(rows(.true)), !(!.exists(rows(.true)))) },
    rows("some is more than 0") { rows, p, _ in
      (.exists(rows(p)), .compare(count(rows(p)), .greaterThan, AnyExpression(.value(0))))
    },
    rows("none is 0") { rows, p, _ in
      (!.exists(rows(p)), .compare(count(rows(p)), .equal, AnyExpression(.value(0))))
    },
    rows("some that meet p or q are some that meet p, or some that meet q") { rows, p, q in
      (.exists(rows(p || q)), .exists(rows(p)) || .exists(rows(q)))
    },
    rows("all meet p where none does not, and where as many meet it as there are") { rows, p, _ in
      (!.exists(rows(!p)), .compare(count(rows(p)), .equal, count(rows(.true))))
    },
    rows("those that meet p and those that don't are all") { rows, p, _ in
      (.compare(.apply(.add, count(rows(p)), count(rows(!p))), .equal, count(rows(.true))), .true)
    },
    RelationLaw(description: "the greatest is at least v where one is") { draw in
      guard let rows = draw.relatedRows(),
        let column = draw.relatedTables.first(named: rows.table)?.columns.first(where: { $0.type == .integer })
      else { return nil }
      let (key, value) = (AnyExpression.key(column.name), AnyExpression(.value(draw.random.pick([0, 1, 3, 7]))))
      let query = AnyQuery.compare(key, .greaterThanOrEqual, value)
      return (
        .compare(AnyExpression(.aggregate(.max, key, rows)), .greaterThanOrEqual, value),
        .exists(RelatedRows(rows.table, by: rows.columns, where: rows.query && query))
      )
    },
  ]

  private static func rows(
    _ description: String,
    _ sides: @escaping @Sendable (_ rows: (AnyQuery) -> RelatedRows, AnyQuery, AnyQuery) -> (AnyQuery, AnyQuery)
  ) -> RelationLaw {
    RelationLaw(description: description) { draw in
      guard let related = draw.relatedRows(), let table = draw.relatedTables.first(named: related.table) else {
        return nil
      }
      var inner = draw.requests(about: table)
      defer { draw.random = inner.random }
      let (p, q) = (inner.query(depth: 1), inner.query(depth: 1))
      return sides({ RelatedRows(related.table, by: related.columns, where: $0) }, p, q)
    }
  }

  private static func count(_ rows: RelatedRows) -> AnyExpression { AnyExpression(.aggregate(.count, nil, rows)) }
}

extension [String: AnyRepository<Record>] {
  /// Tries each law once on each table.
  ///
  /// - Parameter asked: counts the queries that were answered.
  /// - Returns: what shows that a law does not hold.
  package func breach(ofLawsDrawnFrom random: inout SplitMix64, asked: inout Int) async throws -> String? {
    for table in try RelatedTables.schemas() {
      guard let repository = self[table.name] else { continue }
      var draw = RandomRequests(random: random, table: table, storesNUL: false)
      (draw.relatedTables, draw.expressionRate) = (try RelatedTables.schemas(), 0.6)
      defer { random = draw.random }
      for law in RelationLaw.all {
        guard let (lhs, rhs) = law.sides(&draw) else { continue }
        // What every store refuses says nothing about a law; both sides may say it in other words.
        guard let left = try? await repository.findAll(FetchRequest(lhs)).map(\.values),
          let right = try? await repository.findAll(FetchRequest(rhs)).map(\.values)
        else { continue }
        asked += 1
        let count = try await repository.count(lhs)
        if left != right || count != left.count {
          return "\(law), \(table.name): \(lhs)\nand: \(rhs)\n\(left.map { $0[0] }), \(right.map { $0[0] }), \(count)"
        }
      }
    }
    return nil
  }
}
