public import Query

// In an extension of the protocol, so that plain ranges keep their own `contains`, also where it is named, not called.
extension PropertyRange {
  /// Matches where a property lies in the range, as Swift says it of values: `(1...100).contains($0.id)`.
  public func contains(_ field: Field<Bound>) -> AnyQuery { query(key: field.key) }

  /// Matches where a property that may be `nil` lies in the range; `nil` lies in none.
  public func contains(_ field: Field<Bound?>) -> AnyQuery { query(key: field.key) }
}
