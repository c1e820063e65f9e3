public import Query

extension Field where Property: ValueConvertible {
  /// Matches from one value to another, both included; nothing where one is `nil`, or `lower` is the greater one.
  public func between(_ lower: Property, _ upper: Property) -> AnyQuery { .between(key: key, lhs: lower, rhs: upper) }
}

extension FieldProtocol where Property: ValueConvertible {
  /// Matches where the property equals one of the values; a `nil` among them matches `nil`.
  public func `in`(_ values: some Sequence<Property>) -> AnyQuery { .in(key: key, values: values) }
}
