public import Query

extension Repository {
  /// Whether any element matches a query; by default, whether there are elements.
  ///
  /// - Throws: as `findAll(_:)` does.
  public func exists(where query: AnyQuery = .true) async throws(RepositoryError) -> Bool {
    // Unlike a count, this ends with the first one.
    try await !findAll(FetchRequest(query, limit: 1)).isEmpty
  }
}

// `where` is a closure throughout; a query that is at hand goes in as `{ _ in query }`.
extension Repository where Element: Entity {
  /// Whether there is an element that matches a query closure: `exists(where: { $0.name == "Pikachu" })`.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func exists(where query: (Fields<Element>) -> AnyQuery) async throws(RepositoryError) -> Bool {
    try await exists(where: query(Fields(Element.schema)))
  }

  /// The minimum of a property.
  ///
  /// - Returns: `nil` where no element has one.
  /// - Throws: as `aggregate(_:)` does.
  public func min<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await value(.min(path), query)
  }

  /// The minimum of a property that may be `nil`; see ``min(_:where:)``.
  public func min<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property?>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await value(.min(path), query)
  }

  /// The maximum of a property: `max(\.weight, where: { $0.type == .fire })`.
  ///
  /// - Returns: `nil` where no element has one.
  /// - Throws: as `aggregate(_:)` does.
  public func max<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await value(.max(path), query)
  }

  /// The maximum of a property that may be `nil`; see ``max(_:where:)``.
  public func max<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property?>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await value(.max(path), query)
  }

  /// The sum of a property: an `Int` of integers, a `Double` of reals; 0 where no element has a value.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/overflow`` where a sum of integers does not fit;
  ///   else as `aggregate(_:)` does.
  public func sum<Number: NumberProperty>(
    _ path: KeyPath<Element, Number>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Number.Sum {
    try await value(.sum(path), query)
  }

  /// The exact average of a property, rounded to the nearest `Double`.
  ///
  /// - Returns: `nil` where no element has a value.
  /// - Throws: as `aggregate(_:)` does.
  public func average(
    _ path: KeyPath<Element, some NumberProperty>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Double? {
    try await value(.average(path), query)
  }

  /// Computes aggregates of elements grouped by one or several properties.
  ///
  /// ```swift
  /// for group in try await pokedex.aggregate(.count, .average(\.weight), groupedBy: \.type) {
  ///   print(group.key, group.aggregates.0, group.aggregates.1 ?? 0)
  /// }
  /// let commonest = try await pokedex.aggregate(.count, groupedBy: \.habitat, sortedBy: .descending(.count), limit: 3)
  /// ```
  ///
  /// - Parameters:
  ///   - aggregates: the aggregates.
  ///   - paths: the properties by which elements are grouped. Those in which one is `nil` are a group too.
  ///   - query: of which elements; of all by default.
  ///   - having: which of the groups, by their aggregates and by what they share; all by default.
  ///   - order: in which order the groups come; by what they share, `nil` first, by default.
  ///   - limit: at most how many groups; all by default.
  /// - Throws: as `aggregate(_:)` does.
  public func aggregate<each Output: ValueConvertible, each Property: ValueConvertible>(
    _ aggregates: repeat Aggregate<Element, each Output>, groupedBy paths: repeat KeyPath<Element, each Property>,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true },
    having: (Groups<Element>) -> AnyQuery = { _ in .true }, sortedBy order: GroupOrder<Element> = .group,
    limit: Int? = nil
  ) async throws(RepositoryError) -> [AggregateGroup<(repeat each Property), (repeat each Output)>] {
    let schema = Element.schema
    var keys: [AnyExpression] = []
    for path in repeat each paths { keys.append(.key(schema.key(of: path))) }
    return try await groups(repeat each aggregates, by: keys, query, having, order, limit)
  }

  func groups<each Output: ValueConvertible, each Property: ValueConvertible>(
    _ aggregates: repeat Aggregate<Element, each Output>, by keys: [AnyExpression],
    _ query: (Fields<Element>) -> AnyQuery, _ having: (Groups<Element>) -> AnyQuery, _ order: GroupOrder<Element>,
    _ limit: Int?
  ) async throws(RepositoryError) -> [AggregateGroup<(repeat each Property), (repeat each Output)>] {
    let schema = Element.schema
    var erased: [AnyAggregate] = []
    for aggregate in repeat each aggregates { erased.append(aggregate.erased(by: schema)) }
    let request = AggregateRequest(
      erased, of: query(Fields(schema)), groupedBy: keys, having: having(Groups(schema)),
      sortedBy: order.erased(by: schema), limit: limit)
    var groups: [AggregateGroup<(repeat each Property), (repeat each Output)>] = []
    for row in try await self.aggregate(request) {
      var values = AggregateValues(row, of: request)
      groups.append(
        AggregateGroup(
          key: (repeat try values.next((each Property).self)), aggregates: (repeat try values.next((each Output).self)))
      )
    }
    return groups
  }

  private func value<Output: ValueConvertible>(
    _ aggregate: Aggregate<Element, Output>, _ query: (Fields<Element>) -> AnyQuery
  ) async throws(RepositoryError) -> Output {
    let schema = Element.schema
    let request = AggregateRequest([aggregate.erased(by: schema)], of: query(Fields(schema)))
    guard let row = try await self.aggregate(request).first else {
      throw RepositoryError(
        .storeFailure, "the store gave no aggregates", reason: "without groups there is always one row")
    }
    var values = AggregateValues(row, of: request)
    return try values.next(Output.self)
  }
}

/// An aggregate of elements of one type, whose result has the Swift type that fits: `.count`, `.average(\.weight)`.
///
/// ```swift
/// let groups = try await pokedex.aggregate(.count, .max(\.weight), groupedBy: \.type)
/// ```
///
/// What each aggregate means is part of the contract, see <doc:/Query/Semantics>.
public struct Aggregate<Element: Storable, Output: Sendable> {
  /// Finds the key in the schema.
  private let erase: (Schema<Element>) -> AnyAggregate

  init(_ erase: @escaping (Schema<Element>) -> AnyAggregate) {
    self.erase = erase
  }

  /// The same aggregate by the keys of a schema.
  public func erased(by schema: Schema<Element>) -> AnyAggregate { erase(schema) }

  /// The same aggregate of those elements of a group alone that a query closure describes.
  ///
  /// ```swift
  /// let groups = try await pokedex.aggregate(.count, .count.where { $0.weight > 90 }, groupedBy: \.type)
  /// ```
  public func `where`(_ query: @escaping (Fields<Element>) -> AnyQuery) -> Aggregate {
    Aggregate { schema in erased(by: schema).where(query(Fields(schema))) }
  }
}

extension Aggregate where Output == Int {
  /// How many elements there are.
  public static var count: Aggregate { Aggregate { _ in .count } }

  /// How many elements have the property; not those in which it is `nil`.
  public static func count(_ path: KeyPath<Element, some Any>) -> Aggregate {
    Aggregate { .count(key: $0.key(of: path)) }
  }

  /// How many different values a property has, `nil` left out.
  public static func countDistinct(_ path: KeyPath<Element, some ValueConvertible>) -> Aggregate {
    Aggregate { .countDistinct(key: $0.key(of: path)) }
  }
}

extension Aggregate where Output == Double? {
  /// The exact average, rounded to the nearest `Double`; `nil` where no element has the property.
  public static func average(_ path: KeyPath<Element, some NumberProperty>) -> Aggregate {
    Aggregate { .average(key: $0.key(of: path)) }
  }
}

extension Aggregate {
  /// The sum; 0 where no element has the property.
  public static func sum<Number: NumberProperty>(_ path: KeyPath<Element, Number>) -> Aggregate
  where Output == Number.Sum { Aggregate { .sum(key: $0.key(of: path)) } }

  /// The least value; `nil` where there is none.
  public static func min<Property: ValueConvertible>(_ path: KeyPath<Element, Property>) -> Aggregate
  where Output == Property? { Aggregate { .min(key: $0.key(of: path)) } }

  /// The least value, `nil` left out; `nil` where there is none.
  public static func min<Property: ValueConvertible>(_ path: KeyPath<Element, Property?>) -> Aggregate
  where Output == Property? { Aggregate { .min(key: $0.key(of: path)) } }

  /// The greatest value; `nil` where there is none.
  public static func max<Property: ValueConvertible>(_ path: KeyPath<Element, Property>) -> Aggregate
  where Output == Property? { Aggregate { .max(key: $0.key(of: path)) } }

  /// The greatest value, `nil` left out; `nil` where there is none.
  public static func max<Property: ValueConvertible>(_ path: KeyPath<Element, Property?>) -> Aggregate
  where Output == Property? { Aggregate { .max(key: $0.key(of: path)) } }
}

/// The aggregates of a group of elements.
public struct AggregateGroup<Key: Sendable, Aggregates: Sendable>: Sendable {
  /// What the elements of the group share: the property by which they are grouped, or a tuple where there are several.
  public let key: Key
  /// The aggregates: one alone, or a tuple in the order in which they were asked for.
  public let aggregates: Aggregates
}

/// The order of groups.
public struct GroupOrder<Element: Storable> {
  private let erase: (Schema<Element>) -> AggregateOrder

  /// By the values that the groups share, from small to great, `nil` first.
  public static var group: GroupOrder { GroupOrder { _ in .group } }

  /// By an aggregate that is asked for, from small to great; where that does not decide, as ``group``.
  public static func ascending(_ aggregate: Aggregate<Element, some Any>) -> GroupOrder {
    GroupOrder { .ascending(aggregate.erased(by: $0)) }
  }

  /// By an aggregate that is asked for, from great to small; where that does not decide, as ``group``.
  public static func descending(_ aggregate: Aggregate<Element, some Any>) -> GroupOrder {
    GroupOrder { .descending(aggregate.erased(by: $0)) }
  }

  private init(_ erase: @escaping (Schema<Element>) -> AggregateOrder) {
    self.erase = erase
  }

  /// The same order by the keys of a schema.
  public func erased(by schema: Schema<Element>) -> AggregateOrder { erase(schema) }
}

/// Reads the values of a group one after another: the keys, and then the aggregates.
struct AggregateValues {
  private let values: [Value]
  private let names: [String]
  private var position = 0

  init(_ row: AggregateRow, of request: AggregateRequest) {
    values = row.keys + row.aggregates
    names = request.groupKeys.map { $0.plainKey ?? $0.description } + request.aggregates.map(\.description)
  }

  /// Reads the next value.
  ///
  /// - Throws: ``RepositoryError`` where it does not fit its Swift type.
  mutating func next<Output: ValueConvertible>(_ type: Output.Type) throws(RepositoryError) -> Output {
    guard position < values.count, position < names.count else {
      throw RepositoryError(.storeFailure, "the store gave too few aggregates")
    }
    defer { position += 1 }
    do throws(ValueError) {
      return try Output(value: values[position])
    } catch {
      throw RepositoryError(
        .unreadableRow, "\(names[position]) can't be read as \(type)", reason: error.summary,
        suggestion: error.suggestion, underlying: error)
    }
  }
}
