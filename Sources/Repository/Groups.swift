public import Query

/// What a condition on groups asks about: their aggregates, and the properties by which elements are grouped.
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

  /// An aggregate of a group, whether the request asks for it or not.
  public subscript<Output: ValueConvertible>(aggregate: Aggregate<Element, Output>) -> Field<Output> {
    Field(.group(aggregate.erased(by: schema)))
  }

  /// A property by which elements are grouped.
  public subscript<Property: ValueConvertible>(path: KeyPath<Element, Property>) -> Field<Property> {
    Field(.key(schema.key(of: path)))
  }

  /// A field by which elements are grouped, written as there: `$0[{ $0.album.title }]`.
  public subscript<Property: ValueConvertible>(field: (Fields<Element>) -> Field<Property>) -> Field<Property> {
    field(Fields(schema))
  }
}

// Groups by what is computed or stands in a related row, and aggregates of it.
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
  ///   - fields: what elements are grouped by. Those in which one is `nil` are a group too.
  ///   - query: of which elements; of all by default.
  ///   - having: which of the groups, by their aggregates and by what they share; all by default.
  ///   - order: in which order the groups come; by what they share, `nil` first, by default.
  ///   - limit: at most how many groups; all by default.
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

  /// The sum of what is computed of each element, `.sum { $0.price * $0.quantity }`; 0 where there is nothing.
  public static func sum<Number: NumberProperty>(_ field: @escaping (Fields<Element>) -> Field<Number>) -> Aggregate
  where Output == Number.Sum { Aggregate(.sum, field) }

  /// The least of what is computed of each element; `nil` where there is nothing.
  public static func min<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property>
  ) -> Aggregate where Output == Property? { Aggregate(.min, field) }

  /// The least of what is computed of each element, `nil` left out.
  public static func min<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property?>
  ) -> Aggregate where Output == Property? { Aggregate(.min, field) }

  /// The greatest of what is computed of each element; `nil` where there is nothing.
  public static func max<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property>
  ) -> Aggregate where Output == Property? { Aggregate(.max, field) }

  /// The greatest of what is computed of each element, `nil` left out.
  public static func max<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property?>
  ) -> Aggregate where Output == Property? { Aggregate(.max, field) }
}

extension Aggregate where Output == Int {
  /// How many elements have what is computed; not those in which it is `nil`.
  public static func count(_ field: @escaping (Fields<Element>) -> Field<some ValueConvertible>) -> Aggregate {
    Aggregate(.count, field)
  }

  /// How many different values are computed, `nil` left out.
  public static func countDistinct(_ field: @escaping (Fields<Element>) -> Field<some ValueConvertible>) -> Aggregate {
    Aggregate(.countDistinct, field)
  }
}

extension Aggregate where Output == Double? {
  /// The exact average of what is computed of each element, rounded to the nearest `Double`.
  public static func average(_ field: @escaping (Fields<Element>) -> Field<some NumberProperty>) -> Aggregate {
    Aggregate(.average, field)
  }
}
