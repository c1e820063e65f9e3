public import Query

// Relations in query closures: `$0.album.artist.name` and `$0.tracks.count`. A relation is a static property of the model type,
// which a member of the row leads to by its key path.
extension Fields where Element: Entity {
  /// Returns the fields of the row that a relation leads to: `$0.album.title == "Help!"`.
  public subscript<Target>(dynamicMember path: KeyPath<Element.Type, ToOne<Element, Target>>) -> ToOneFields<Target> {
    ToOneFields(RowPath(schema).row(by: Element.self[keyPath: path]))
  }

  /// Returns the rows that refer to this row by a relation: `$0.tracks.contains { $0.milliseconds > 300_000 }`.
  public subscript<Target>(dynamicMember path: KeyPath<Element.Type, ToMany<Element, Target>>) -> ToManyFields<Target> {
    ToManyFields(Element.self[keyPath: path])
  }
}

/// The path from the row of a query to another row, or to the row itself.
struct RowPath<Element: Storable>: Sendable {
  let schema: Schema<Element>
  /// The referring columns, one for each row on the way; empty for the row itself.
  let steps: [String]
  /// A condition that no row on the way is soft-deleted; `nil` if no row on the way can be.
  let isLive: AnyQuery?
  /// The reason why the path is not valid.
  let fault: QueryError?

  /// Makes the path to the row itself.
  init(_ schema: Schema<Element>) {
    self.init(schema: schema, steps: [], isLive: nil, fault: nil)
  }

  private init(schema: Schema<Element>, steps: [String], isLive: AnyQuery?, fault: QueryError?) {
    (self.schema, self.steps, self.isLive, self.fault) = (schema, steps, isLive, fault)
  }

  /// The same path, including soft-deleted rows.
  fileprivate var includingDeleted: RowPath {
    RowPath(schema: schema, steps: steps, isLive: nil, fault: fault)
  }

  /// Returns the expression for a column of the row.
  func expression(of path: AnyKeyPath) -> AnyExpression {
    if let fault { return AnyExpression(.invalid(fault)) }
    let key = schema.key(of: path)
    if steps.isEmpty { return .key(key) }
    let column = AnyExpression(.path(steps + [key]))
    guard let isLive else { return column }
    return AnyExpression(.conditional(isLive, then: column, else: AnyExpression(.value(.null))))
  }

  /// Returns the path to the row that a relation leads to.
  func row<Target: Entity>(by relation: ToOne<Element, Target>) -> RowPath<Target> {
    let keys = relation.paths.map { schema.key(of: $0) }
    // The step is a column that is part of no other reference.
    let step = keys.first { key in
      keys.count == 1 || !schema.references.contains { $0.columns.contains(named: key) && $0.columns != keys }
    }
    let (targetSchema, steps) = (Target.schema, steps + [step ?? keys[0]])
    var isLive = isLive
    if let deletion = targetSchema.softDeletion {
      let isThere = AnyQuery.isNull(AnyExpression(.path(steps + [deletion.key])))
      isLive = isLive.map { $0 && isThere } ?? isThere
    }
    return RowPath<Target>(
      schema: targetSchema, steps: steps, isLive: isLive, fault: fault ?? schema.faultOfReference(keys, to: Target.self)
    )
  }
}

extension Schema {
  /// Returns the reason why columns are not a reference to another type; `nil` if they are.
  func faultOfReference<Target: Entity>(_ columns: [String], to target: Target.Type) -> QueryError? {
    let names = columns.map(Name.init)
    let refers = references.contains { reference in
      reference.columns.map(Name.init) == names
        && ObjectIdentifier(reference.declaration.target) == ObjectIdentifier(target)
    }
    if refers { return nil }
    return QueryError(
      .unknownRelation, "\(columns.joined(separator: " and ")) of \(Element.self) is not a reference to \(target)",
      suggestion: "add .references(…) with this relation to the schema of \(Element.self)")
  }
}

/// The fields of the row that a ``ToOne`` relation leads to: `$0.album.title == "Help!"`.
///
/// If the reference is `nil`, all fields are `nil`, so that each is optional; the same applies if the row is soft-deleted, see
/// ``includingDeleted``. A path leads through at most 8 references, and a path that is used more than once is followed once.
@dynamicMemberLookup
public struct ToOneFields<Element: Entity> {
  private let path: RowPath<Element>

  init(_ path: RowPath<Element>) {
    self.path = path
  }

  /// The same row, even if that row, or a row on the way, is soft-deleted, see ``ColumnConstraint/deletedAt``.
  public var includingDeleted: ToOneFields { ToOneFields(path.includingDeleted) }

  /// Returns the fields of the row that a relation of this row leads to.
  public subscript<Target>(dynamicMember path: KeyPath<Element.Type, ToOne<Element, Target>>) -> ToOneFields<Target> {
    ToOneFields<Target>(self.path.row(by: Element.self[keyPath: path]))
  }

  /// Returns the field of a property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Element, Property>) -> Field<Property?> {
    Field<Property?>(self.path.expression(of: path))
  }

  /// Returns the field of an optional property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Element, Property?>) -> Field<Property?> {
    Field<Property?>(self.path.expression(of: path))
  }

  /// Returns a query for elements whose Bool property is true.
  public subscript(dynamicMember path: KeyPath<Element, Bool>) -> AnyQuery {
    .compare(self.path.expression(of: path), .equal, value: true)
  }

  /// Returns a property without a column, whose own properties can have columns.
  @_disfavoredOverload
  public subscript<Group>(dynamicMember path: KeyPath<Element, Group>) -> ToOneFieldGroup<Element, Group> {
    ToOneFieldGroup(row: self.path, path: path)
  }
}

/// A property of a row that a reference leads to, which is not the value of a column: its own properties may have columns.
@dynamicMemberLookup
@_documentation(visibility: internal)
public struct ToOneFieldGroup<Element: Entity, Group> {
  let row: RowPath<Element>
  let path: KeyPath<Element, Group>

  /// Returns the field of a property of this property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Group, Property>) -> Field<Property?> {
    Field<Property?>(row.expression(of: self.path.appending(path: path)))
  }

  /// Returns the field of an optional property of this property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Group, Property?>) -> Field<Property?> {
    Field<Property?>(row.expression(of: self.path.appending(path: path)))
  }
}
