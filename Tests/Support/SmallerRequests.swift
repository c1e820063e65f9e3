package import Query

extension FetchRequest {
  /// Requests that are simpler by one step, with which an example of a mistake is made small.
  package var smaller: [FetchRequest] {
    var candidates: [FetchRequest] = []
    func add(_ change: (inout FetchRequest) -> Void) {
      var candidate = self
      change(&candidate)
      candidates.append(candidate)
    }
    if after != nil { add { $0.after = nil } }
    if before != nil { add { $0.before = nil } }
    if limit != nil { add { $0.limit = nil } }
    if offset != 0 { add { $0.offset = 0 } }
    for index in sort.terms.indices {
      var terms = sort.terms
      terms.remove(at: index)
      add { $0.sort = AnySort(terms) }
    }
    for query in query.smaller { add { $0.query = query } }
    return candidates
  }
}

extension AnyQuery {
  /// Queries that are simpler by one step.
  var smaller: [AnyQuery] {
    switch form {
    case .condition(.constant(true)): []
    case .condition(let condition): [.true] + condition.smaller.map { AnyQuery(.condition($0)) }
    case .not(let inner): [inner] + inner.smaller.map { !$0 }
    case .and(let lhs, let rhs): [lhs, rhs] + lhs.smaller.map { $0 && rhs } + rhs.smaller.map { lhs && $0 }
    case .or(let lhs, let rhs): [lhs, rhs] + lhs.smaller.map { $0 || rhs } + rhs.smaller.map { lhs || $0 }
    }
  }
}

extension Condition<AnyExpression> {
  fileprivate var smaller: [Condition] {
    switch self {
    case .membership(let membership):
      membership.values.indices.compactMap { index in
        var values = membership.values
        values.remove(at: index)
        return AnyQuery.in(membership.key, values: values).condition
      }
    case .text(let match):
      match.text.unicodeScalars.indices.compactMap { index in
        var scalars = match.text.unicodeScalars
        scalars.remove(at: index)
        return AnyQuery.match(
          match.key, match.operation, value: String(scalars), ignoringCase: match.isIgnoringCase
        ).condition
      }
    case .constant, .comparison, .between, .holds, .invalid: []
    }
  }
}

extension AnyQuery {
  fileprivate var condition: Condition<AnyExpression>? {
    if case .condition(let condition) = form { condition } else { nil }
  }
}
