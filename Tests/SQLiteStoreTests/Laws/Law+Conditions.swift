import Query
import TestSupport

extension Law {
  static let conditions: [Law] = [
    same("between is two comparisons") { draw in
      let (between, comparisons) = draw.between()
      return (between, comparisons)
    },
    same("not between is the opposite of two comparisons") { draw in
      let (between, comparisons) = draw.between()
      return (!between, !comparisons)
    },
    same("in is an or of equalities") { draw in
      let (list, equalities) = draw.list()
      return (list, equalities)
    },
    same("not in is the opposite of an or of equalities") { draw in
      let (list, equalities) = draw.list()
      return (!list, !equalities)
    },
  ]
}

extension RandomRequests {
  /// A range whose bounds are values or keys, and the two comparisons that say the same.
  fileprivate mutating func between() -> (AnyQuery, AnyQuery) {
    let column = random.pick(table.columns)
    let (lower, upper) = (bound(for: column), bound(for: column))
    return (
      .between(key: column.name, lower: lower, upper: upper),
      .compare(column.name, .greaterThanOrEqual, lower) && .compare(column.name, .lessThanOrEqual, upper)
    )
  }

  /// A list, also a long one, which SQLite is given in another form, and the equalities that say the same.
  fileprivate mutating func list() -> (AnyQuery, AnyQuery) {
    let column = random.pick(table.columns)
    let values = (0..<random.pick([0, 1, 2, 3, 5, 20, 80])).map { _ in value(for: column) }
    return (
      .in(key: column.name, values: values),
      .any(of: values.map { AnyQuery.equal(key: column.name, value: $0) })
    )
  }
}

extension AnyQuery {
  fileprivate static func compare(_ key: String, _ relation: Relation, _ operand: Operand<String>) -> AnyQuery {
    switch operand {
    case .value(let value): .compare(key: key, relation, value: value)
    case .key(let other): .compare(key: key, relation, otherKey: other)
    }
  }
}
