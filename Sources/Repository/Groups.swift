public import Query

/// The operands of a condition on groups: their aggregates, and the properties by which elements are grouped.
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

  /// Returns an aggregate of a group, which need not be part of the request.
  public subscript<Output: ValueConvertible>(aggregate: Aggregate<Element, Output>) -> Field<Output> {
    Field(.group(aggregate.erased(by: schema)))
  }

  /// Returns a property by which elements are grouped.
  public subscript<Property: ValueConvertible>(path: KeyPath<Element, Property>) -> Field<Property> {
    Field(.key(schema.key(of: path)))
  }

  /// Returns a field by which elements are grouped, in the same notation: `$0[{ $0.album.title }]`.
  public subscript<Property: ValueConvertible>(field: (Fields<Element>) -> Field<Property>) -> Field<Property> {
    field(Fields(schema))
  }
}

// Groups by computed fields or fields of related rows, and aggregates of them.
extension Repository where Element: Entity {
  /// Computes aggregates of elements grouped by fields of query closures.
  ///
  /// ```swift
  /// let sales = try await lines.aggregate(
  ///   .sum { $0.price * $0.quantity }, groupedBy: { $0.track.album.title }, { $0.sold.year },
  ///   sortedBy: .descending(.sum { $0.price * $0.quantity }), limit: 10)
  /// ```
  ///
  /// - Parameters:
  ///   - aggregates: the aggregates.
  ///   - fields: the fields by which elements are grouped. Elements in which one of them is `nil` are a group too.
  ///   - query: the condition on elements; all by default.
  ///   - having: the condition on groups, by their aggregates and fields; all by default.
  ///   - order: the order of the groups; by default by their fields, `nil` first.
  ///   - limit: the maximum number of groups; all by default.
  /// - Throws: as `aggregate(_:)` does.
  @_disfavoredOverload
  public func aggregate<each Output: ValueConvertible, each Property: ValueConvertible>(
    _ aggregates: repeat Aggregate<Element, each Output>,
    groupedBy fields: repeat (Fields<Element>) -> Field<each Property>,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true },
    having: (Groups<Element>) -> AnyQuery = { _ in .true }, sortedBy order: GroupOrder<Element> = .group,
    limit: Int? = nil
  ) async throws(RepositoryError) -> [AggregateGroup<(repeat each Property), (repeat each Output)>] {
    var keys: [AnyExpression] = []
    for field in repeat each fields { keys.append(field(Fields(Element.schema)).expression) }
    return try await groups(repeat each aggregates, by: keys, query, having, order, limit)
  }
}

extension Aggregate {
  private init<Property>(
    _ function: AnyAggregate.Function, _ field: @escaping (Fields<Element>) -> Field<Property>
  ) {
    self.init { AnyAggregate(function, of: field(Fields($0)).expression) }
  }

  /// Returns the sum of a field that is computed for each element, `.sum { $0.price * $0.quantity }`; 0 without values.
  public static func sum<Number: NumberProperty>(_ field: @escaping (Fields<Element>) -> Field<Number>) -> Aggregate
  where Output == Number.Sum { Aggregate(.sum, field) }

  /// Returns the minimum of a field that is computed for each element; `nil` without values.
  public static func min<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property>
  ) -> Aggregate where Output == Property? { Aggregate(.min, field) }

  /// Returns the minimum of an optional field that is computed for each element; `nil` without values.
  public static func min<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property?>
  ) -> Aggregate where Output == Property? { Aggregate(.min, field) }

  /// Returns the maximum of a field that is computed for each element; `nil` without values.
  public static func max<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property>
  ) -> Aggregate where Output == Property? { Aggregate(.max, field) }

  /// Returns the maximum of an optional field that is computed for each element; `nil` without values.
  public static func max<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property?>
  ) -> Aggregate where Output == Property? { Aggregate(.max, field) }
}

extension Aggregate where Output == Int {
  /// Returns the number of elements for which a field is not `nil`.
  public static func count(_ field: @escaping (Fields<Element>) -> Field<some ValueConvertible>) -> Aggregate {
    Aggregate(.count, field)
  }

  /// Returns the number of distinct values of a field, without `nil`.
  public static func countDistinct(_ field: @escaping (Fields<Element>) -> Field<some ValueConvertible>) -> Aggregate {
    Aggregate(.countDistinct, field)
  }
}

extension Aggregate where Output == Double? {
  /// Returns the exact average of a field that is computed for each element, rounded to the nearest `Double`.
  public static func average(_ field: @escaping (Fields<Element>) -> Field<some NumberProperty>) -> Aggregate {
    Aggregate(.average, field)
  }
}
