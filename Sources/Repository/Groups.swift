public import Query

/// What a condition on groups asks about: their aggregates, and the properties by which elements are grouped.
///
/// ```swift
/// let common = try await pokedex.aggregate(
///   .average(\.weight), groupedBy: \.type, having: { $0[.count] > 3 && $0[\.type] != .water })
/// ```
public struct Groups<Element: Storable> {
  private let schema: Schema<Element>

  init(_ schema: Schema<Element>) {
    self.schema = schema
  }

  /// An aggregate of a group, whether the request asks for it or not.
  public subscript<Output: ValueConvertible>(aggregate: Aggregate<Element, Output>) -> GroupValue<Output> {
    GroupValue(expression: .group(aggregate.erased(by: schema)))
  }

  /// A property by which elements are grouped.
  public subscript<Property: ValueConvertible>(path: KeyPath<Element, Property>) -> GroupValue<Property> {
    GroupValue(expression: .key(schema.key(of: path)))
  }
}

/// A value that each group has, within a condition on groups.
public struct GroupValue<Output: ValueConvertible> {
  /// The value as an expression, for calculations: `.compare($0[.sum(\.total)].expression / 2, .greaterThan, 50)`.
  public let expression: AnyExpression

  private func compare(_ relation: Relation, _ value: Output) -> AnyQuery {
    .compare(expression, relation, .value(value))
  }

  /// Whether the value equals another; `nil` equals `nil`.
  public static func == (lhs: GroupValue, rhs: Output) -> AnyQuery { lhs.compare(.equal, rhs) }

  /// Whether the value differs from another.
  public static func != (lhs: GroupValue, rhs: Output) -> AnyQuery { lhs.compare(.notEqual, rhs) }

  /// Whether the value is less than another.
  public static func < (lhs: GroupValue, rhs: Output) -> AnyQuery { lhs.compare(.lessThan, rhs) }

  /// Whether the value is less than another or equal.
  public static func <= (lhs: GroupValue, rhs: Output) -> AnyQuery { lhs.compare(.lessThanOrEqual, rhs) }

  /// Whether the value is greater than another.
  public static func > (lhs: GroupValue, rhs: Output) -> AnyQuery { lhs.compare(.greaterThan, rhs) }

  /// Whether the value is greater than another or equal.
  public static func >= (lhs: GroupValue, rhs: Output) -> AnyQuery { lhs.compare(.greaterThanOrEqual, rhs) }
}
