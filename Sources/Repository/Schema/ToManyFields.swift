public import Query

/// The rows of a ``ToMany`` relation: the rows that refer to the row of a query.
///
/// ```swift
/// extension Album { static let tracks = ToMany(Track.album) }
/// let long = try await albums.findAll(where: { $0.tracks.contains { $0.milliseconds > 300_000 } })
/// let full = try await albums.findAll(where: { $0.tracks.count > 10 && $0.tracks.sum { $0.milliseconds } > 3_000_000 })
/// ```
///
/// The closure accesses the fields of the referring rows, including their own relations. Soft-deleted rows are excluded, see
/// ``includingDeleted``.
public struct ToManyFields<Element: Entity>: Sendable {
  /// The rows, including deleted ones.
  private let rows: RelatedRows
  /// The soft deletion of the rows; `nil` if none are excluded.
  private let softDeletion: SoftDeletion?
  private let fault: QueryError?

  private init(_ rows: RelatedRows, _ softDeletion: SoftDeletion?, _ fault: QueryError?) {
    (self.rows, self.softDeletion, self.fault) = (rows, softDeletion, fault)
  }

  init<Source>(_ relation: ToMany<Source, Element>) {
    let schema = Element.schema
    let columns = relation.inverse.paths.map { schema.key(of: $0) }
    let (name, fault): (String, QueryError?) =
      switch schema.unreferencedTable {
      case .success(let table): (table.name, schema.faultOfReference(columns, to: Source.self))
      case .failure(let error): ("", error)
      }
    self.init(RelatedRows(name, by: columns), schema.softDeletion, fault)
  }

  /// Returns the subset of the rows that match a query.
  public func filter(_ query: (Fields<Element>) -> AnyQuery) -> ToManyFields {
    let added = query(Fields(Element.schema))
    return ToManyFields(
      RelatedRows(rows.table, by: rows.columns, where: rows.query == .true ? added : rows.query && added), softDeletion,
      fault)
  }

  /// The same rows, including soft-deleted rows, see ``ColumnConstraint/deletedAt``.
  public var includingDeleted: ToManyFields { ToManyFields(rows, nil, fault) }

  private var asked: RelatedRows {
    softDeletion.map { RelatedRows(rows.table, by: rows.columns, where: $0.excludingDeleted(rows.query)) } ?? rows
  }

  // MARK: Conditions

  /// Returns a query for elements with a referring row that matches a query: `$0.tracks.contains { $0.milliseconds > 300_000 }`.
  public func contains(where query: (Fields<Element>) -> AnyQuery) -> AnyQuery { filter(query).exists }

  /// Returns a query for elements whose referring rows all match a query, and for elements without referring rows.
  public func allSatisfy(_ query: (Fields<Element>) -> AnyQuery) -> AnyQuery { !filter { !query($0) }.exists }

  /// A query for elements without referring rows.
  public var isEmpty: AnyQuery { !exists }

  private var exists: AnyQuery {
    if let fault { return .isNotNull(AnyExpression(.invalid(fault))) }
    return .exists(asked)
  }

  // MARK: Aggregates

  /// The number of referring rows.
  public var count: Field<Int> { Field<Int>(aggregate(.count, nil)) }

  /// Returns the number of referring rows that match a query.
  public func count(where query: (Fields<Element>) -> AnyQuery) -> Field<Int> { filter(query).count }

  /// Returns the sum of a field; 0 without rows, and `nil` if it overflows or is not a number.
  public func sum<Number: NumberProperty>(_ field: (Fields<Element>) -> Field<Number>) -> Field<Number.Sum?> {
    Field<Number.Sum?>(aggregate(.sum, field(Fields(Element.schema)).expression))
  }

  /// Returns the exact average of a field, rounded to the nearest `Double`; `nil` without values.
  public func average(_ field: (Fields<Element>) -> Field<some NumberProperty>) -> Field<Double?> {
    Field<Double?>(aggregate(.average, field(Fields(Element.schema)).expression))
  }

  /// Returns the smallest value of a field; `nil` without values.
  public func min<Property: ValueConvertible>(_ field: (Fields<Element>) -> Field<Property>) -> Field<Property?> {
    Field<Property?>(aggregate(.min, field(Fields(Element.schema)).expression))
  }

  /// Returns the smallest value of an optional field; `nil` without values.
  public func min<Property: ValueConvertible>(_ field: (Fields<Element>) -> Field<Property?>) -> Field<Property?> {
    Field<Property?>(aggregate(.min, field(Fields(Element.schema)).expression))
  }

  /// Returns the largest value of a field; `nil` without values.
  public func max<Property: ValueConvertible>(_ field: (Fields<Element>) -> Field<Property>) -> Field<Property?> {
    Field<Property?>(aggregate(.max, field(Fields(Element.schema)).expression))
  }

  /// Returns the largest value of an optional field; `nil` without values.
  public func max<Property: ValueConvertible>(_ field: (Fields<Element>) -> Field<Property?>) -> Field<Property?> {
    Field<Property?>(aggregate(.max, field(Fields(Element.schema)).expression))
  }

  private func aggregate(_ function: AnyAggregate.Function, _ expression: AnyExpression?) -> AnyExpression {
    if let fault { return AnyExpression(.invalid(fault)) }
    return AnyExpression(.aggregate(function, expression, asked))
  }
}
