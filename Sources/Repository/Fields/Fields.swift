/// What a query closure is given: the properties of a model type, to be compared rather than read.
///
/// ```swift
/// repository.findAll(where: { $0.weight > 90 && $0.type != .water })
/// ```
@dynamicMemberLookup
public struct Fields<Element: Storable> {
  let schema: Schema<Element>

  init(_ schema: Schema<Element>) {
    self.schema = schema
  }

  /// The column of a property.
  public subscript<Property>(dynamicMember path: KeyPath<Element, Property>) -> Field<Property> {
    Field(key: schema.key(of: path))
  }
}
