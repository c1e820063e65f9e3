public import Query

/// The rows of another type that refer to the one that a query is about.
///
/// ```swift
/// extension Fields where Element == Album {
///   var tracks: Referring<Track> { Referring(by: \.albumID, to: self) }
/// }
/// let long = try await albums.findAll(where: { $0.tracks.contains { $0.milliseconds > 300_000 } })
/// let full = try await albums.findAll(where: { $0.tracks.count > 10 && $0.tracks.sum { $0.milliseconds } > 3_000_000 })
/// ```
///
/// The fields in a closure are those of the rows that refer, whose own relations are there as well.
public struct Referring<Element: Entity>: Sendable {
  private let rows: RelatedRows
  private let fault: QueryError?

  private init(_ rows: RelatedRows, _ fault: QueryError?) {
    (self.rows, self.fault) = (rows, fault)
  }

  private init<Target: Entity>(to target: Target.Type, by paths: [AnyKeyPath]) {
    let schema = Element.schema
    let columns = paths.map { schema.key(of: $0) }
    let (name, fault): (String, QueryError?) =
      switch schema.unreferencedTable {
      case .success(let table): (table.name, schema.faultOfReference(columns, to: target))
      case .failure(let error): ("", error)
      }
    self.init(RelatedRows(name, by: columns), fault)
  }

  /// The rows that refer by a property.
  ///
  /// - Parameters:
  ///   - path: the property, whose column is declared with `.references(Target.self)`; a query is refused that uses another.
  ///   - row: the fields of the row that is referred to.
  public init<Target: Entity>(by path: KeyPath<Element, Target.ID>, to row: Fields<Target>) {
    self.init(to: Target.self, by: [path])
  }

  /// The rows that refer by a property that may be `nil`.
  public init<Target: Entity>(by path: KeyPath<Element, Target.ID?>, to row: Fields<Target>) {
    self.init(to: Target.self, by: [path])
  }

  /// The rows that refer to one whose key is generated, so that it may be `nil` there but not here.
  public init<Target: Entity, Key: ValueConvertible>(by path: KeyPath<Element, Key>, to row: Fields<Target>)
  where Target.ID == Key? {
    self.init(to: Target.self, by: [path])
  }

  /// The rows that refer by a key of several columns: `Referring(by: \.cabinet, \.number, to: self)`.
  public init<Target: Entity>(
    by first: PartialKeyPath<Element>, _ second: PartialKeyPath<Element>, _ rest: PartialKeyPath<Element>...,
    to row: Fields<Target>
  ) {
    self.init(to: Target.self, by: [first, second] + rest)
  }

  /// Those of the rows that match a query.
  public func filter(_ query: (Fields<Element>) -> AnyQuery) -> Referring {
    let added = query(Fields(Element.schema))
    return Referring(
      RelatedRows(rows.table, by: rows.columns, where: rows.query == .true ? added : rows.query && added), fault)
  }

  // MARK: Conditions

  /// Matches where some of the rows match a query: `$0.tracks.contains { $0.milliseconds > 300_000 }`.
  public func contains(where query: (Fields<Element>) -> AnyQuery) -> AnyQuery { filter(query).exists }

  /// Matches where all of the rows match a query, and where there are none.
  public func allSatisfy(_ query: (Fields<Element>) -> AnyQuery) -> AnyQuery { !filter { !query($0) }.exists }

  /// Matches where no row refers to this one.
  public var isEmpty: AnyQuery { !exists }

  private var exists: AnyQuery {
    if let fault { return .isNotNull(AnyExpression(.invalid(fault))) }
    return .exists(rows)
  }

  // MARK: Aggregates

  /// How many of the rows there are.
  public var count: Field<Int> { Field<Int>(aggregate(.count, nil)) }

  /// How many of the rows match a query.
  public func count(where query: (Fields<Element>) -> AnyQuery) -> Field<Int> { filter(query).count }

  /// The sum of a field; 0 where there are no rows, and `nil` where it is no number.
  public func sum<Number: NumberProperty>(_ field: (Fields<Element>) -> Field<Number>) -> Field<Number.Sum?> {
    Field<Number.Sum?>(aggregate(.sum, field(Fields(Element.schema)).expression))
  }

  /// The exact average of a field, rounded to the nearest `Double`; `nil` where there are no values.
  public func average(_ field: (Fields<Element>) -> Field<some NumberProperty>) -> Field<Double?> {
    Field<Double?>(aggregate(.average, field(Fields(Element.schema)).expression))
  }

  /// The least value of a field; `nil` where there are none.
  public func min<Property: ValueConvertible>(_ field: (Fields<Element>) -> Field<Property>) -> Field<Property?> {
    Field<Property?>(aggregate(.min, field(Fields(Element.schema)).expression))
  }

  /// The least value of a field, `nil` left out.
  public func min<Property: ValueConvertible>(_ field: (Fields<Element>) -> Field<Property?>) -> Field<Property?> {
    Field<Property?>(aggregate(.min, field(Fields(Element.schema)).expression))
  }

  /// The greatest value of a field; `nil` where there are none.
  public func max<Property: ValueConvertible>(_ field: (Fields<Element>) -> Field<Property>) -> Field<Property?> {
    Field<Property?>(aggregate(.max, field(Fields(Element.schema)).expression))
  }

  /// The greatest value of a field, `nil` left out.
  public func max<Property: ValueConvertible>(_ field: (Fields<Element>) -> Field<Property?>) -> Field<Property?> {
    Field<Property?>(aggregate(.max, field(Fields(Element.schema)).expression))
  }

  private func aggregate(_ function: AnyAggregate.Function, _ expression: AnyExpression?) -> AnyExpression {
    if let fault { return AnyExpression(.invalid(fault)) }
    return AnyExpression(.aggregate(function, expression, rows))
  }
}
