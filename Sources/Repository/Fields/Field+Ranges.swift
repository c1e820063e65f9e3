public import Query

extension Field where Property: ValueConvertible & Comparable {
  /// Matches where the property lies in a range: `$0.id.in(1...100)`.
  ///
  /// The bounds are compared, however many values lie between them. Swift stops a program that makes a range with its
  /// bounds the wrong way round; where they come from outside, ask with ``between(_:_:)``, which then matches nothing.
  public func `in`(_ range: some PropertyRange<Property>) -> AnyQuery { range.query(key: key) }

  /// Matches from a range's lower bound to its upper one, both included.
  public func between(_ range: ClosedRange<Property>) -> AnyQuery { range.query(key: key) }
}

extension Field {
  /// Matches where a property that may be `nil` lies in a range; `nil` lies in none.
  public func `in`<Bound>(_ range: some PropertyRange<Bound>) -> AnyQuery where Property == Bound? {
    range.query(key: key)
  }

  /// Matches from a range's lower bound to its upper one, both included; `nil` lies in none.
  public func between<Bound: ValueConvertible>(_ range: ClosedRange<Bound>) -> AnyQuery where Property == Bound? {
    range.query(key: key)
  }
}
