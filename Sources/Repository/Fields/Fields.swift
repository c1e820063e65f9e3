public import Query

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

  /// The question whether a Bool property is true, so that it stands for itself: `$0.isLegendary && $0.weight > 90`.
  ///
  /// A `Bool?` is compared: `$0.isShiny == true`.
  public subscript(dynamicMember path: KeyPath<Element, Bool>) -> AnyQuery {
    // Rather than `&&`, `||` and `!` for fields: those would take part in every Boolean expression of a program, and a
    // closure could still not be `{ $0.isLegendary }`.
    .equal(key: schema.key(of: path), value: true)
  }
}
