import Query

/// How what is within a range stands to one of its bounds.
struct PredicateLimit {
  let relation: Relation
  let bound: PredicateOperand

  init(_ relation: Relation, _ bound: PredicateOperand) {
    self.relation = relation
    self.bound = bound
  }

  fileprivate init(_ relation: Relation, captured: some Comparable) throws(QueryError) {
    self.init(relation, PredicateOperand(.value(try Value(storing: captured))))
  }
}

/// A captured range of one of Swift's own types.
protocol CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit]
}

extension Range: CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit] {
    [
      try PredicateLimit(.greaterThanOrEqual, captured: lowerBound),
      try PredicateLimit(.lessThan, captured: upperBound),
    ]
  }
}

extension ClosedRange: CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit] {
    [
      try PredicateLimit(.greaterThanOrEqual, captured: lowerBound),
      try PredicateLimit(.lessThanOrEqual, captured: upperBound),
    ]
  }
}

extension PartialRangeFrom: CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit] {
    [try PredicateLimit(.greaterThanOrEqual, captured: lowerBound)]
  }
}

extension PartialRangeThrough: CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit] {
    [try PredicateLimit(.lessThanOrEqual, captured: upperBound)]
  }
}

extension PartialRangeUpTo: CapturedRange {
  func limits() throws(QueryError) -> [PredicateLimit] {
    [try PredicateLimit(.lessThan, captured: upperBound)]
  }
}
