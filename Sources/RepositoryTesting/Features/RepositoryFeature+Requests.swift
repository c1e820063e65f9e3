package import Query

extension RepositoryFeature {
  /// How many parts a request may have, and how many of them a text may fill, before it is a large one.
  private static let (largestCount, largestText) = (100, 2_000)

  /// What a repository has to support to answer a request.
  package static func needed(by request: FetchRequest) -> Set<RepositoryFeature> {
    var features = needed(by: request.query)
    if !request.sort.terms.isEmpty { features.insert(.sorting) }
    if request.sort.terms.contains(where: { $0.nulls != $0.direction.defaultNulls }) { features.insert(.nullPlacement) }
    if request.sort.terms.count > largestCount { features.insert(.largeRequests) }
    if request.limit != nil { features.insert(.limits) }
    if request.offset != 0 { features.insert(.offsets) }
    if request.after != nil || request.before != nil { features.insert(.cursors) }
    return features
  }

  /// What a repository has to support to work figures out.
  package static func needed(by request: FigureRequest) -> Set<RepositoryFeature> {
    var features = needed(by: request.query).union([.figures])
    if !request.groupKeys.isEmpty { features.insert(.groups) }
    if request.order != .group { features.insert(.sorting) }
    if request.limit != nil { features.insert(.limits) }
    if request.figures.count + request.groupKeys.count > largestCount { features.insert(.largeRequests) }
    return features
  }

  /// What a repository has to support to update the elements that a query means: several, perhaps.
  package static func needed(toUpdate query: AnyQuery) -> Set<RepositoryFeature> {
    needed(by: query).union([.updatingByQuery, .batches])
  }

  /// What a repository has to support to delete the elements that a query means: several, perhaps.
  package static func needed(toDelete query: AnyQuery) -> Set<RepositoryFeature> {
    needed(by: query).union([.deletingByQuery, .deleting, .batches])
  }

  /// What a repository has to support to answer a query.
  static func needed(by query: AnyQuery) -> Set<RepositoryFeature> {
    if query == .true { return [] }
    var features: Set<RepositoryFeature> = [.queries]
    if query.partCount > largestCount { features.insert(.largeRequests) }
    var pending: [(query: AnyQuery, outside: Join?)] = [(query, nil)]
    // A query that is joined with itself again and again has more parts than anybody can visit; the first ones tell enough.
    var visits = 0
    while let (query, outside) = pending.popLast(), visits < 100 * largestCount {
      visits += 1
      switch query.form {
      case .condition(let condition): features.formUnion(needed(by: condition))
      case .not(let negated):
        features.insert(.negations)
        pending.append((negated, .negation))
      case .and(let lhs, let rhs):
        features.insert(.conjunctions)
        if outside ?? .conjunction != .conjunction { features.insert(.nesting) }
        pending += [(lhs, .conjunction), (rhs, .conjunction)]
      case .or(let lhs, let rhs):
        features.insert(.disjunctions)
        if outside ?? .disjunction != .disjunction { features.insert(.nesting) }
        pending += [(lhs, .disjunction), (rhs, .disjunction)]
      }
    }
    return features
  }

  private enum Join {
    case conjunction, disjunction, negation
  }

  private static func needed(by condition: Condition<String>) -> Set<RepositoryFeature> {
    switch condition {
    case .constant, .invalid: return []
    case .comparison(let comparison):
      let isOrder = ![.equal, .notEqual].contains(comparison.relation)
      return needed(by: [comparison.operand]).union(isOrder ? [.orderComparisons] : [])
    case .between(let between): return needed(by: [between.lower, between.upper]).union([.between])
    case .membership(let membership): return needed(by: membership.values.map(Operand.value)).union([.lists])
    case .text(let match):
      var features = needed(by: [.value(.text(match.text))]).union([.textOperators])
      if match.operation == .like { features.insert(.patterns) }
      if match.isIgnoringCase { features.insert(.ignoringCase) }
      return features
    }
  }

  private static func needed(by operands: [Operand<String>]) -> Set<RepositoryFeature> {
    var features: Set<RepositoryFeature> = operands.count > largestCount ? [.largeRequests] : []
    for operand in operands {
      switch operand {
      case .key: features.insert(.keyComparisons)
      case .value(.null): features.insert(.nullTests)
      case .value(.text(let text)) where text.utf8.count > largestText: features.insert(.largeRequests)
      case .value(.blob(let bytes)) where bytes.count > largestText: features.insert(.largeRequests)
      case .value: break
      }
    }
    return features
  }
}
