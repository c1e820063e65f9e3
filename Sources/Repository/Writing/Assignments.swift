public import Query

/// The properties of a model type within an update closure, to be set rather than read.
///
/// ```swift
/// try await pokedex.filter { $0.type == .fire }.update { $0.weight = 90; $0.secondType = nil }
/// try await pokedex.filter { $0.type == .water }.update { $0.attack += 1; $0.weight = $0.weight * 2 }
/// ```
///
/// A property that is a constant of the model type can be set; its column is changed. A property that is part of the primary
/// key is refused when the update runs.
@dynamicMemberLookup
public struct Assignments<Element: Storable> {
  let schema: Schema<Element>
  private(set) var list: [Assignment] = []

  init(_ schema: Schema<Element>, _ set: (inout Assignments) -> Void = { _ in }) {
    self.schema = schema
    set(&self)
  }

  /// Accesses a property to compute its new value from the old values of each element: `$0.attack += 1`, `$0.height =
  /// $0.width`.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Element, Property>) -> Field<Property> {
    get { Field(key: schema.key(of: path)) }
    set { list.append(Assignment(schema.key(of: path), newValue.expression)) }
  }

  /// Accesses a property by its key path that is computed from each element: `$0[\.coat.warmth] += 1`.
  public subscript<Property: ValueConvertible>(path: KeyPath<Element, Property>) -> Field<Property> {
    get { Field(key: schema.key(of: path)) }
    set { list.append(Assignment(schema.key(of: path), newValue.expression)) }
  }

  /// Sets a property by its key path: `$0[\.orbit?.period] = 3`.
  @_disfavoredOverload
  public subscript<Property: ValueConvertible>(path: KeyPath<Element, Property>) -> Property {
    @available(
      *, unavailable,
      message: "an update sets properties to values, or to expressions over Int and Double properties"
    )
    get { preconditionFailure("an update can't read a property") }
    set { list.append(schema.assignment(of: newValue, to: path)) }
  }

  /// Accesses a property that is computed by an operation that may have no result. Without a result, a property that is not
  /// optional is an error, and the element is not updated.
  @_disfavoredOverload
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Element, Property>) -> Field<Property?> {
    get { Field(key: schema.key(of: path)) }
    set { list.append(Assignment(schema.key(of: path), newValue.expression)) }
  }

  /// Sets a property.
  @_disfavoredOverload
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Element, Property>) -> Property {
    @available(
      *, unavailable,
      message: "an update sets properties to values, or to expressions over Int and Double properties"
    )
    get { preconditionFailure("an update can't read a property") }
    set { list.append(schema.assignment(of: newValue, to: path)) }
  }

  /// Sets a property that is stored as JSON.
  @_disfavoredOverload
  public subscript<Property>(dynamicMember path: KeyPath<Element, Property>) -> Property {
    @available(
      *, unavailable,
      message: "an update sets properties to values, or to expressions over Int and Double properties"
    )
    get { preconditionFailure("an update can't read a property") }
    set { list.append(schema.assignment(of: newValue, to: path)) }
  }

  /// Accesses a property to set one of its properties: `$0.coat.color = "red"`.
  public subscript<Group>(dynamicMember path: KeyPath<Element, Group>) -> AssignmentGroup<Element, Group> {
    get { AssignmentGroup(schema: schema, path: path) }
    set { list += newValue.list }
  }
}

/// A property within an update closure whose own properties have columns, by key paths such as `\.coat.color`.
@dynamicMemberLookup
@_documentation(visibility: internal)
public struct AssignmentGroup<Element: Storable, Group> {
  fileprivate let schema: Schema<Element>
  fileprivate let path: KeyPath<Element, Group>
  fileprivate var list: [Assignment] = []

  fileprivate init(schema: Schema<Element>, path: KeyPath<Element, Group>) {
    self.schema = schema
    self.path = path
  }

  /// Sets a property of this property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Group, Property>) -> Property {
    @available(
      *, unavailable,
      message: "an update sets properties to values, or to expressions over Int and Double properties"
    )
    get { preconditionFailure("an update can't read a property") }
    set { list.append(schema.assignment(of: newValue, to: self.path.appending(path: path))) }
  }

  /// Sets a property of this property that is stored as JSON.
  @_disfavoredOverload
  public subscript<Property>(dynamicMember path: KeyPath<Group, Property>) -> Property {
    @available(
      *, unavailable,
      message: "an update sets properties to values, or to expressions over Int and Double properties"
    )
    get { preconditionFailure("an update can't read a property") }
    set { list.append(schema.assignment(of: newValue, to: self.path.appending(path: path))) }
  }

  /// Accesses a property of this property to set one of its properties.
  public subscript<Inner>(dynamicMember path: KeyPath<Group, Inner>) -> AssignmentGroup<Element, Inner> {
    get { AssignmentGroup<Element, Inner>(schema: schema, path: self.path.appending(path: path)) }
    set { list += newValue.list }
  }
}

// These members are deprecated, not unavailable: otherwise, the compiler would prefer to interpret them as properties of a
// property.
extension AssignmentGroup where Group: Collection {
  /// No column holds an item: the update is refused when it runs.
  @available(
    *, deprecated, message: "an update sets a collection that is stored as JSON as a whole"
  )
  public subscript(position: Group.Index) -> Group.Element {
    @available(*, unavailable, message: "an update sets a collection that is stored as JSON as a whole")
    get { preconditionFailure("an update can't read an item") }
    set { list.append(Assignment("\(schema.key(of: path))[…]", Value.null)) }
  }

  /// No column holds a value of a dictionary: the update is refused when it runs.
  @available(
    *, deprecated, message: "an update sets a collection that is stored as JSON as a whole"
  )
  public subscript<Key, Item>(key: Key) -> Item? where Group == [Key: Item] {
    @available(*, unavailable, message: "an update sets a collection that is stored as JSON as a whole")
    get { preconditionFailure("an update can't read an item") }
    set { list.append(Assignment("\(schema.key(of: path))[…]", Value.null)) }
  }
}

extension Assignments where Element: Entity {
  /// Returns the fields of the row that a relation leads to, as they were before the update: `$0.title = $0.album.title`.
  public subscript<Target>(dynamicMember path: KeyPath<Element.Type, ToOne<Element, Target>>) -> ToOneFields<Target> {
    ToOneFields(RowPath(schema).row(by: Element.self[keyPath: path]))
  }

  /// Returns the rows that refer to the row by a relation, as they were before the update: `$0.count = $0.tracks.count`.
  public subscript<Target>(dynamicMember path: KeyPath<Element.Type, ToMany<Element, Target>>) -> ToManyFields<Target> {
    ToManyFields(Element.self[keyPath: path])
  }
}
