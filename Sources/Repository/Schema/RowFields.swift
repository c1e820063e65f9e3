public import Query

/// The fields of a row: the row of a query, or a row to which that row refers.
///
/// Relations are declared in an extension, by the referring property. They need no macro, and the compiler knows their types:
///
/// ```swift
/// extension RowFields where Element == Track {
///   var album: Referred<Album> { Referred(by: \.albumID, of: self) }
/// }
/// extension RowFields where Element == Album {
///   var artist: Referred<Artist> { Referred(by: \.artistID, of: self) }
/// }
/// let beatles = try await tracks.findAll(where: { $0.album.artist.name == "The Beatles" })
/// ```
///
/// Rows that refer to the row of a query are declared as ``Referring``.
public protocol RowFields<Element> {
  /// The type of the row.
  associatedtype Element: Storable

  /// The path from the row of the query to this row.
  var fieldOrigin: FieldOrigin<Element> { get }
}

/// The path from the row of a query to another row, or to the row itself.
public struct FieldOrigin<Element: Storable>: Sendable {
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
  fileprivate var includingDeleted: FieldOrigin {
    FieldOrigin(schema: schema, steps: steps, isLive: nil, fault: fault)
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

  fileprivate func row<Target: Entity>(of target: Target.Type, by paths: [AnyKeyPath]) -> FieldOrigin<Target> {
    let keys = paths.map { schema.key(of: $0) }
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
    return FieldOrigin<Target>(
      schema: targetSchema, steps: steps, isLive: isLive, fault: fault ?? schema.faultOfReference(keys, to: target))
  }
}

extension Fields {
  /// The path to the row, which is the row of the query.
  public var fieldOrigin: FieldOrigin<Element> { FieldOrigin(schema) }
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
      .unknownRelation, "\(columns.joined(separator: " and ")) of \(Element.self) is no reference to \(target)",
      suggestion: "declare it in the schema of \(Element.self): .references(\(target).self)")
  }
}

/// The fields of the row that a reference leads to: `$0.album.title == "Help!"`.
///
/// If the reference is `nil`, all fields are `nil`, so that each is optional; the same applies if the row is soft-deleted, see
/// ``includingDeleted``. A path leads through at most 8 references, and a path that is used more than once is followed once.
@dynamicMemberLookup
public struct Referred<Element: Entity>: RowFields {
  /// The path to the row.
  public let fieldOrigin: FieldOrigin<Element>

  /// Makes the fields of the row that a property refers to.
  ///
  /// - Parameters:
  ///   - path: the property, whose column is declared with `.references(Element.self)`; a query with any other property is
  ///     refused.
  ///   - row: the referring row.
  public init<Source>(by path: KeyPath<Source, Element.ID>, of row: some RowFields<Source>) {
    fieldOrigin = row.fieldOrigin.row(of: Element.self, by: [path])
  }

  /// Makes the fields of the row that properties refer to by a key of several columns:
  /// `Referred(by: \.cabinet, \.number, of: self)`.
  public init<Source>(
    by first: PartialKeyPath<Source>, _ second: PartialKeyPath<Source>, _ rest: PartialKeyPath<Source>...,
    of row: some RowFields<Source>
  ) {
    fieldOrigin = row.fieldOrigin.row(of: Element.self, by: [first, second] + rest)
  }

  /// Makes the fields of the row that an optional property refers to.
  public init<Source>(by path: KeyPath<Source, Element.ID?>, of row: some RowFields<Source>) {
    fieldOrigin = row.fieldOrigin.row(of: Element.self, by: [path])
  }

  /// Makes the fields of the row that a property refers to, whose key is generated, so that the id is optional and the property
  /// is not.
  public init<Source, Key: ValueConvertible>(by path: KeyPath<Source, Key>, of row: some RowFields<Source>)
  where Element.ID == Key? {
    fieldOrigin = row.fieldOrigin.row(of: Element.self, by: [path])
  }

  private init(_ origin: FieldOrigin<Element>) {
    fieldOrigin = origin
  }

  /// The same row, even if that row, or a row on the way, is soft-deleted, see ``ColumnConstraint/deletedAt``.
  public var includingDeleted: Referred { Referred(fieldOrigin.includingDeleted) }

  /// Returns the field of a property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Element, Property>) -> Field<Property?> {
    Field<Property?>(fieldOrigin.expression(of: path))
  }

  /// Returns the field of an optional property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Element, Property?>) -> Field<Property?> {
    Field<Property?>(fieldOrigin.expression(of: path))
  }

  /// Returns a query for elements whose Bool property is true.
  public subscript(dynamicMember path: KeyPath<Element, Bool>) -> AnyQuery {
    .compare(fieldOrigin.expression(of: path), .equal, value: true)
  }

  /// Returns a property that no column can hold directly, but whose own properties may have columns.
  @_disfavoredOverload
  public subscript<Group>(dynamicMember path: KeyPath<Element, Group>) -> ReferredGroup<Element, Group> {
    ReferredGroup(origin: fieldOrigin, path: path)
  }
}

/// A property of a row that a reference leads to, which is not the value of a column: its own properties may have columns.
@dynamicMemberLookup
public struct ReferredGroup<Element: Entity, Group> {
  let origin: FieldOrigin<Element>
  let path: KeyPath<Element, Group>

  /// Returns the field of a property of this property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Group, Property>) -> Field<Property?> {
    Field<Property?>(origin.expression(of: self.path.appending(path: path)))
  }

  /// Returns the field of an optional property of this property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Group, Property?>) -> Field<Property?> {
    Field<Property?>(origin.expression(of: self.path.appending(path: path)))
  }
}
