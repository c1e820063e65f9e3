public import Query

/// A property of a model type within a query closure; comparing it makes a query.
///
/// ```swift
/// $0.weight > 90 && .fire != $0.type  // with values of the property's type, on either side
/// $0.secondType == nil && $0.height < 1.5  // a property that may be nil: with nil, and with what it may hold
/// $0.type == $0.secondType && $0.attack > $0.weight  // with properties of its type, optional or not; any two numbers
/// $0.id.in(1...100) && !$0.name.hasPrefix("M")
/// ```
///
/// Comparisons that can't be true do not compile: a text and a number, two enums, `nil` and a property that is not optional.
/// Nor does a condition on a property that is only stored as JSON.
///
/// The operators are members of this type, so that plain Swift expressions keep their semantics and are type-checked as fast
/// as without them.
///
/// A computed expression of properties is a field as well: `$0.weight * 2`, `$0.name.length`. Its type is optional, since not
/// every operation has a result.
public struct Field<Property>: FieldProtocol, Sendable {
  /// The field's expression in a query.
  public let expression: AnyExpression

  /// Makes a field from an expression, whose values have to be of the property's type.
  public init(_ expression: AnyExpression) {
    self.expression = expression
  }

  init(key: String) { self.init(.key(key)) }
}

/// The protocol of ``Field`` and related types, for operators that yield to more specific operators.
///
/// Swift prefers a member of a type itself to a member of a protocol's extension. An operator that yields to a more specific
/// one is therefore declared in an extension of this protocol; you don't conform types to it.
@_documentation(visibility: internal)
public protocol FieldProtocol<Property> {
  /// The type of the property.
  associatedtype Property

  /// The field's expression in a query.
  var expression: AnyExpression { get }
}

/// The properties of a model type within a query closure, to be compared rather than read.
///
/// ```swift
/// repository.findAll(where: { $0.weight > 90 && $0.type != .water })
/// ```
@dynamicMemberLookup
public struct Fields<Element: Storable> {
  let schema: Schema<Element>

  package init(_ schema: Schema<Element>) {
    self.schema = schema
  }

  /// Returns the field of a property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Element, Property>) -> Field<Property> {
    Field(key: schema.key(of: path))
  }

  /// Returns the field of a property by its key path, for a property that no member name leads to: `$0[\.orbit?.period] < 100`.
  public subscript<Property: ValueConvertible>(path: KeyPath<Element, Property>) -> Field<Property> {
    Field(key: schema.key(of: path))
  }

  /// Returns a property without a column, whose own properties can have columns: `$0.coat.color == "red"`.
  @_disfavoredOverload
  public subscript<Group>(dynamicMember path: KeyPath<Element, Group>) -> FieldGroup<Element, Group> {
    FieldGroup(schema: schema, path: path)
  }

  /// The primary key of several columns, to be compared as a whole: `$0.id == Drawer.ID(cabinet: "A", number: 1)`.
  @_disfavoredOverload  // A key of one column is a `Field`.
  public var id: FieldGroup<Element, Element.ID> { FieldGroup(schema: schema, path: \Element.id) }

  /// Returns a query for elements whose Bool property is true, so that it needs no operator: `$0.isLegendary && $0.weight > 90`.
  ///
  /// A `Bool?` is compared: `$0.isShiny == true`.
  public subscript(dynamicMember path: KeyPath<Element, Bool>) -> AnyQuery {
    // There are no `&&`, `||` and `!` for fields: they would take part in every Boolean expression of a program, and a closure
    // could still not be `{ $0.isLegendary }`.
    .equal(key: schema.key(of: path), value: true)
  }
}

extension Fields where Element.ID: ValueConvertible {
  /// The field of the primary key, whatever the name of its column.
  public var id: Field<Element.ID> { Field(key: schema.keyName ?? "id") }
}

extension Schema {
  /// The name of the primary key's first column; `nil` if the schema is not valid. It takes no array.
  fileprivate var keyName: String? {
    guard case .success(let table) = unreferencedTable, let position = table.primaryKey.first else { return nil }
    return table.columns[position].name
  }

  /// The names of the primary key's columns; none if the schema is not valid.
  var keyNames: [String] {
    guard case .success(let table) = unreferencedTable else { return [] }
    return table.primaryKeyColumns.map(\.name)
  }
}

/// A property within a query closure that is not the value of a column: its own properties may have columns, by key paths
/// such as `\.coat.color`.
@dynamicMemberLookup
@_documentation(visibility: internal)
public struct FieldGroup<Element: Storable, Group> {
  let schema: Schema<Element>
  let path: KeyPath<Element, Group>

  /// Returns the field of a property of this property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Group, Property>) -> Field<Property> {
    Field(key: key(of: path))
  }

  /// Returns a query for elements whose Bool property is true.
  public subscript(dynamicMember path: KeyPath<Group, Bool>) -> AnyQuery {
    .equal(key: key(of: path), value: true)
  }

  /// Whether the property is the primary key, by the key path of ``Fields/id``.
  var isKey: Bool { path == \Element.id }

  private func key<Property>(of path: KeyPath<Group, Property>) -> String {
    if isKey {
      // In generic code, the key path of `id` leads through the protocol, and differs from that of the column.
      let spelling = ".id\(path.spelling)"
      if let column = schema.keys.first(where: { $0.path.spelling == spelling }) { return column.key }
      return "\\\(Element.self)\(spelling)"
    }
    return schema.key(of: self.path.appending(path: path))
  }

  /// Returns a property of this property that is not the value of a column either.
  @_disfavoredOverload
  public subscript<Inner>(dynamicMember path: KeyPath<Group, Inner>) -> FieldGroup<Element, Inner> {
    FieldGroup<Element, Inner>(schema: schema, path: self.path.appending(path: path))
  }
}

extension Field where Property: ValueConvertible {
  /// The ascending order of the field, with `nil` first: `$0.name.ascending`.
  public var ascending: AnySort { .ascending(expression) }

  /// The descending order of the field, with `nil` last: `$0.weight.descending + $0.name.ascending`.
  public var descending: AnySort { .descending(expression) }

  /// Returns the ascending order of the field.
  ///
  /// - Parameter nulls: the position of `nil`.
  public func ascending(nulls: NullPlacement) -> AnySort { .ascending(expression, nulls: nulls) }

  /// Returns the descending order of the field.
  ///
  /// - Parameter nulls: the position of `nil`.
  public func descending(nulls: NullPlacement) -> AnySort { .descending(expression, nulls: nulls) }
}
