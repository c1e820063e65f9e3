public import Query

/// The fields of a row: of the one that a query is about, or of one that it refers to.
///
/// Relations are declared in an extension, by the property that refers. They need no macro, and the compiler knows their types:
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
/// The rows that refer to the one that a query is about are declared as ``Referring``.
public protocol RowFields<Element> {
  /// The type of the row.
  associatedtype Element: Storable

  /// Where the row is found from the one that a query is about.
  var fieldOrigin: FieldOrigin<Element> { get }
}

/// Where a row is found from the one that a query is about.
public struct FieldOrigin<Element: Storable>: Sendable {
  let schema: Schema<Element>
  /// The columns that refer, one row to the next; none for the row itself.
  let steps: [String]
  /// Matches where no row on the way there is one that is kept as deleted; `nil` where none can be.
  let isLive: AnyQuery?
  /// Why the row can't be found.
  let fault: QueryError?

  /// The row itself.
  init(_ schema: Schema<Element>) {
    self.init(schema: schema, steps: [], isLive: nil, fault: nil)
  }

  private init(schema: Schema<Element>, steps: [String], isLive: AnyQuery?, fault: QueryError?) {
    (self.schema, self.steps, self.isLive, self.fault) = (schema, steps, isLive, fault)
  }

  /// The same row, whichever rows on the way are kept as deleted.
  fileprivate var includingDeleted: FieldOrigin {
    FieldOrigin(schema: schema, steps: steps, isLive: nil, fault: fault)
  }

  /// A column of the row.
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
    // A column leads there that is a part of no other reference.
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
  /// Where the row is found: it is the one that the query is about.
  public var fieldOrigin: FieldOrigin<Element> { FieldOrigin(schema) }
}

extension Schema {
  /// Why columns don't refer to elements of another type; `nil` where they do.
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
/// Where the reference is `nil`, all of them are, and so each is optional; so they are where it leads to a row that is kept as
/// deleted, see ``includingDeleted``. A path leads through 8 references at most, and one path
/// that is used more than once is followed once.
@dynamicMemberLookup
public struct Referred<Element: Entity>: RowFields {
  /// Where the row is found.
  public let fieldOrigin: FieldOrigin<Element>

  /// The row that a property refers to.
  ///
  /// - Parameters:
  ///   - path: the property, whose column is declared with `.references(Element.self)`; a query is refused that uses another.
  ///   - row: the row that refers.
  public init<Source>(by path: KeyPath<Source, Element.ID>, of row: some RowFields<Source>) {
    fieldOrigin = row.fieldOrigin.row(of: Element.self, by: [path])
  }

  /// The row that properties refer to by a key of several columns: `Referred(by: \.cabinet, \.number, of: self)`.
  public init<Source>(
    by first: PartialKeyPath<Source>, _ second: PartialKeyPath<Source>, _ rest: PartialKeyPath<Source>...,
    of row: some RowFields<Source>
  ) {
    fieldOrigin = row.fieldOrigin.row(of: Element.self, by: [first, second] + rest)
  }

  /// The row that a property refers to, which may be `nil`.
  public init<Source>(by path: KeyPath<Source, Element.ID?>, of row: some RowFields<Source>) {
    fieldOrigin = row.fieldOrigin.row(of: Element.self, by: [path])
  }

  /// The row that a property refers to, whose key is generated, so that it may be `nil` there but not here.
  public init<Source, Key: ValueConvertible>(by path: KeyPath<Source, Key>, of row: some RowFields<Source>)
  where Element.ID == Key? {
    fieldOrigin = row.fieldOrigin.row(of: Element.self, by: [path])
  }

  private init(_ origin: FieldOrigin<Element>) {
    fieldOrigin = origin
  }

  /// The same row, be it that it, or one on the way there, is kept as deleted, see ``ColumnConstraint/deletedAt``.
  public var includingDeleted: Referred { Referred(fieldOrigin.includingDeleted) }

  /// The column of a property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Element, Property>) -> Field<Property?> {
    Field<Property?>(fieldOrigin.expression(of: path))
  }

  /// The column of a property that may be `nil` by itself.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Element, Property?>) -> Field<Property?> {
    Field<Property?>(fieldOrigin.expression(of: path))
  }

  /// A query for a Bool property that is true.
  public subscript(dynamicMember path: KeyPath<Element, Bool>) -> AnyQuery {
    .compare(fieldOrigin.expression(of: path), .equal, value: true)
  }

  /// A property that no column can hold as it is, but whose own properties may have columns.
  @_disfavoredOverload
  public subscript<Group>(dynamicMember path: KeyPath<Element, Group>) -> ReferredGroup<Element, Group> {
    ReferredGroup(origin: fieldOrigin, path: path)
  }
}

/// A property of a row that a reference leads to, which is no value of a column: its own properties may have columns.
@dynamicMemberLookup
public struct ReferredGroup<Element: Entity, Group> {
  let origin: FieldOrigin<Element>
  let path: KeyPath<Element, Group>

  /// The column of a property of the property.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Group, Property>) -> Field<Property?> {
    Field<Property?>(origin.expression(of: self.path.appending(path: path)))
  }

  /// The column of a property of the property that may be `nil` by itself.
  public subscript<Property: ValueConvertible>(dynamicMember path: KeyPath<Group, Property?>) -> Field<Property?> {
    Field<Property?>(origin.expression(of: self.path.appending(path: path)))
  }
}
