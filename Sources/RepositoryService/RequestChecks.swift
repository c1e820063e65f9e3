import Query
import Repository

// A client's request is resolved against the tables that it sees, before it reaches the repository.
extension RouteHandler {
  /// Checks a request for rows.
  func check(_ request: FetchRequest, _ limits: ServiceLimits) throws(RepositoryError) {
    try checkSize(request.query, limits)
    try checkSize(request.sort.terms.count, of: "terms of its order", limits)
    _ = try visible.resolve(request, with: lookup)
    try allow(needed(by: request))
    try checkNames(of: request)
  }

  /// Checks a condition.
  func check(_ query: AnyQuery, _ limits: ServiceLimits) throws(RepositoryError) {
    try check(FetchRequest(query), limits)
  }

  /// Checks a projection.
  func check(_ request: ProjectionRequest, _ limits: ServiceLimits) throws(RepositoryError) {
    try checkSize(request.rows.query, limits)
    try checkSize(request.rows.sort.terms.count, of: "terms of its order", limits)
    if let first = request.groupLimit {
      try checkSize(first.keys.count + first.order.terms.count, of: "keys and terms of its groups", limits)
    }
    _ = try visible.resolve(request, with: lookup)
    var needed = needed(by: request.rows).union(.projections)
    for column in request.columns { needed.formUnion(column.expression.neededCapabilities) }
    for key in request.groupLimit?.keys ?? [] { needed.formUnion(key.neededCapabilities) }
    for term in request.groupLimit?.order.terms ?? [] { needed.formUnion(term.key.neededCapabilities) }
    try allow(needed)
    // Orders contain only columns and expressions at this point, and no names of the result.
    try checkNames(of: FetchRequest(request.rows.query))
    if let sortable, !request.rows.sort.terms.isEmpty || request.groupLimit != nil {
      let keys = request.rows.sort.terms.map(\.key) + (request.groupLimit?.order.terms.map(\.key) ?? [])
      try RepositoryError.translating { () throws(QueryError) in
        _ = try FetchRequest(sortedBy: AnySort(keys.map { SortTerm($0, direction: .ascending, nulls: .first) }))
          .restricted(to: sortable + keyNames)
      }
    }
  }

  /// Checks a request for aggregates.
  func check(_ request: AggregateRequest, _ limits: ServiceLimits) throws(RepositoryError) {
    try checkSize(request.query, limits)
    try checkSize(request.having, limits)
    try checkSize(request.aggregates.count + request.groupKeys.count, of: "aggregates and keys of its groups", limits)
    try checkSize(request.aggregates.reduce(0) { $0 + $1.query.conditionCount }, of: "conditions", limits)
    _ = try visible.resolve(request, with: lookup)
    var needed = request.query.neededCapabilities.union(request.having.neededCapabilities).union(.aggregates)
    for key in request.groupKeys { needed.formUnion(key.neededCapabilities) }
    for aggregate in request.aggregates {
      needed.formUnion(aggregate.query.neededCapabilities)
      if let key = aggregate.key { needed.formUnion(key.neededCapabilities) }
    }
    try allow(needed)
    try checkNames(of: FetchRequest(request.query))
    // Groups are filtered and sorted, too, and so are the rows of an aggregate.
    try checkNames(of: FetchRequest(request.having))
    for aggregate in request.aggregates { try checkNames(of: FetchRequest(aggregate.query)) }
    switch request.order {
    case .group: break
    case .ascending(let aggregate), .descending(let aggregate):
      guard let key = aggregate.key else { break }
      try checkNames(of: FetchRequest(sortedBy: AnySort([SortTerm(key, direction: .ascending, nulls: .first)])))
    }
  }

  /// Checks the assignments of an update.
  func check(_ assignments: [Assignment]) throws(RepositoryError) {
    // First of all: the values of a column that clients only read don't matter.
    for assignment in assignments where visible.columns.contains(named: assignment.key) {
      if !writable.contains(named: assignment.key) { throw notWritable(assignment.key) }
    }
    _ = try visible.resolve(assignments, with: lookup)
    for assignment in assignments {
      if assignment.value == nil { try allow(assignment.expression.neededCapabilities.union(.expressions)) }
    }
  }

  /// Returns the error for a visible column that is not writable.
  func notWritable(_ key: String) -> RepositoryError {
    RepositoryError(
      QueryError(
        .columnNotAllowed, "the column \(key) is not writable here",
        suggestion: writable.isEmpty ? nil : "writable: \(writable.joined(separator: ", "))"))
  }

  /// Throws for capabilities that the route does not allow.
  func allow(_ needed: RouteCapabilities) throws(RepositoryError) {
    let lacking = needed.subtracting(capabilities)
    guard let name = RouteCapabilities.names.first(where: { lacking.contains($0.capability) })?.name else { return }
    throw RepositoryError(
      .unsupported, "\(self.name) does not allow \(name)",
      reason: "the server does not enable this feature on the route",
      suggestion: "send the request without the feature, and compute the rest in the client")
  }

  var keyNames: [String] { table.primaryKeyColumns.map(\.name) }

  private func needed(by request: FetchRequest) -> RouteCapabilities {
    request.sort.terms.reduce(request.query.neededCapabilities) { $0.union($1.key.neededCapabilities) }
  }

  private func checkSize(_ query: AnyQuery, _ limits: ServiceLimits) throws(RepositoryError) {
    try checkSize(query.conditionCount, of: "conditions", limits)
  }

  private func checkSize(_ count: Int, of what: String, _ limits: ServiceLimits) throws(RepositoryError) {
    if count <= limits.conditions { return }
    throw RepositoryError(
      QueryError(
        .tooComplex, "the query has more than \(limits.conditions) \(what)", suggestion: "send several smaller queries")
    )
  }

  private func checkNames(of request: FetchRequest) throws(RepositoryError) {
    try RepositoryError.translating { () throws(QueryError) in
      if let filterable { _ = try FetchRequest(request.query).restricted(to: filterable) }
      if let sortable { _ = try FetchRequest(sortedBy: request.sort).restricted(to: sortable + keyNames) }
    }
  }
}

extension RouteCapabilities {
  /// The name of each capability in messages.
  static let names: [(capability: RouteCapabilities, name: String)] = [
    (.relations, "relations"), (.textSearch, "text operators"), (.expressions, "expressions"),
    (.aggregates, "aggregates"), (.projections, "projections"), (.wholeResults, "whole results"),
    (.liveResults, "live results"),
  ]
}

extension AnyQuery {
  /// The capabilities that the query requires.
  var neededCapabilities: RouteCapabilities {
    var needed: RouteCapabilities = []
    for condition in conditions {
      if case .text = condition { needed.formUnion(.textSearch) }
      condition.forEachKey { needed.formUnion($0.neededCapabilities) }
    }
    return needed
  }
}

extension AnyExpression {
  /// The capabilities that the expression requires.
  var neededCapabilities: RouteCapabilities {
    let own: RouteCapabilities =
      switch form {
      case .key, .value, .group, .invalid: []
      case .function, .conditional: .expressions
      case .path, .aggregate, .exists: .relations
      }
    let (queries, expressions) = form.operands
    return (queries.map(\.neededCapabilities) + expressions.map(\.neededCapabilities)).reduce(own) { $0.union($1) }
  }
}
