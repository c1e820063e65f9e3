package import Query

// Groups and projections at random.
extension RandomRequests {
  /// A request for aggregates, of which some can't be worked out.
  package mutating func aggregates() -> AggregateRequest {
    let aggregates = (0..<random.pick([0, 1, 1, 2, 3])).map { _ in aggregate() }
    let order: AggregateOrder =
      switch (aggregates.randomElement(using: &random), random.below(4)) {
      case (let aggregate?, 0): .ascending(aggregate)
      case (let aggregate?, 1): .descending(aggregate)
      default: .group
      }
    let keys = (0..<random.pick([0, 0, 1, 1, 2])).map { _ in
      random.chance(expressionRate) ? anyExpression() : .key(random.pick(table.columns).name)
    }
    return AggregateRequest(
      aggregates, of: query(depth: random.pick([0, 0, 1, 2])), groupedBy: keys,
      having: random.chance(0.4) ? having(keys, aggregates) : .true, sortedBy: order,
      limit: random.chance(0.2) ? random.below(5) : nil)
  }

  /// A condition on groups: about their keys, and about aggregates that are asked for or not.
  private mutating func having(_ keys: [AnyExpression], _ aggregates: [AnyAggregate]) -> AnyQuery {
    let all = keys + aggregates.map(AnyExpression.group) + [.group(.count), .group(aggregate())]
    let value = AnyExpression(.value(random.pick([0, 1, 2, 5, -1.5, "a", "", .null])))
    let condition = AnyQuery.compare(
      random.pick(all), random.pick(ComparisonOperator.allCases), random.chance(0.3) ? random.pick(all) : value)
    switch random.below(6) {
    case 0: return !condition
    case 1: return condition && .compare(.group(.count) * .group(.count), .greaterThan, 3)
    case 2: return condition || .isNull(random.pick(all))
    default: return condition
    }
  }

  private mutating func aggregate() -> AnyAggregate {
    let numbers = table.columns.filter { $0.kinds.contains(.number) }
    let function = random.pick(AnyAggregate.Function.allCases)
    // A column of texts has no sum.
    var key = AnyExpression.key(random.pick(numbers.isEmpty || random.chance(0.4) ? table.columns : numbers).name)
    if random.chance(expressionRate) { key = anyExpression() }
    return AnyAggregate(
      function, of: function == .count && random.chance(0.5) ? nil : key,
      where: random.chance(0.3) ? query(depth: random.pick([0, 1])) : .true)
  }

  /// A projection, of which some can't be carried out.
  package mutating func projection() -> ProjectionRequest {
    let columns = (0..<random.pick([1, 1, 2, 3])).map { number in
      ProjectedColumn(keyOrExpression(), as: random.chance(0.3) ? "column\(number)" : nil)
    }
    var request = ProjectionRequest(columns, of: self.request(), isDistinct: random.chance(0.4))
    if random.chance(0.3) {
      request.groupLimit = GroupLimit(
        random.pick([0, 1, 1, 2, 5]), of: (0..<random.pick([0, 1, 1, 2])).map { _ in keyOrExpression() },
        sortedBy: sort())
    }
    // Such a result has no cursors, and different rows are sorted by their columns.
    if request.isDistinct || request.groupLimit != nil, random.chance(0.95) {
      (request.rows.after, request.rows.before) = (nil, nil)
    }
    if request.isDistinct, random.chance(0.95) || request.rows.after != nil {
      request.rows.sort = AnySort(
        columns.prefix(random.below(3)).map { column in
          SortTerm(
            random.chance(0.5) ? .key(column.name) : column.expression,
            direction: random.pick([.ascending, .descending]),
            nulls: random.pick([.first, .last]))
        })
    }
    return request
  }

  private mutating func keyOrExpression() -> AnyExpression {
    random.chance(expressionRate) ? anyExpression() : .key(random.pick(table.columns).name)
  }
}

extension ProjectionRequest {
  /// Projections that are simpler by one step.
  package var smaller: [ProjectionRequest] {
    var candidates: [ProjectionRequest] = []
    func add(_ change: (inout ProjectionRequest) -> Void) {
      var candidate = self
      change(&candidate)
      candidates.append(candidate)
    }
    if groupLimit != nil { add { $0.groupLimit = nil } }
    if isDistinct { add { $0.isDistinct = false } }
    if columns.count > 1 { for index in columns.indices { add { $0.columns.remove(at: index) } } }
    for index in groupLimit?.keys.indices ?? 0..<0 { add { $0.groupLimit?.keys.remove(at: index) } }
    if groupLimit?.order != .primaryKey { add { $0.groupLimit?.order = .primaryKey } }
    for request in rows.smaller { add { $0.rows = request } }
    return candidates
  }
}
