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
  public subscript<Output: ValueConvertible>(aggregate: Aggregate<Element, Output>) -> Field<Output> {
    Field(.group(aggregate.erased(by: schema)))
  }

  /// A property by which elements are grouped.
  public subscript<Property: ValueConvertible>(path: KeyPath<Element, Property>) -> Field<Property> {
    Field(.key(schema.key(of: path)))
  }
}
