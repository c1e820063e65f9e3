public import Query

extension Repository {
  /// Returns whether any element matches a query; by default, whether there are any elements.
  ///
  /// - Throws: as `findAll(_:)` does.
  public func exists(where query: AnyQuery = .true) async throws(RepositoryError) -> Bool {
    // Unlike a count, this ends with the first match.
    try await !findAll(FetchRequest(query, limit: 1)).isEmpty
  }
}

// `where` is a closure throughout; an existing query is passed as `{ _ in query }`.
extension Repository where Element: Entity {
  /// Returns whether any element matches a query closure: `exists(where: { $0.name == "Pikachu" })`.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func exists(where query: (Fields<Element>) -> AnyQuery) async throws(RepositoryError) -> Bool {
    try await exists(where: query(Fields(Element.schema)))
  }

  /// Computes the minimum of a property.
  ///
  /// - Returns: `nil` if no element has a value.
  /// - Throws: as `aggregate(_:)` does.
  public func min<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await value(.min(path), query)
  }

  /// Computes the minimum of an optional property; see ``min(_:where:)``.
  public func min<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property?>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await value(.min(path), query)
  }

  /// Computes the maximum of a property: `max(\.weight, where: { $0.type == .fire })`.
  ///
  /// - Returns: `nil` if no element has a value.
  /// - Throws: as `aggregate(_:)` does.
  public func max<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await value(.max(path), query)
  }

  /// Computes the maximum of an optional property; see ``max(_:where:)``.
  public func max<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property?>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await value(.max(path), query)
  }

  /// Computes the sum of a property: an `Int` for integers, a `Double` for reals; 0 if no element has a value.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/overflow`` if a sum of integers does not fit;
  ///   otherwise as `aggregate(_:)` does.
  public func sum<Number: NumberProperty>(
    _ path: KeyPath<Element, Number>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Number.Sum {
    try await value(.sum(path), query)
  }

  /// Computes the exact average of a property, rounded to the nearest `Double`.
  ///
  /// - Returns: `nil` if no element has a value.
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
  ///   - paths: the properties by which elements are grouped. Elements in which one of them is `nil` are a group too.
  ///   - query: the condition on elements; all by default.
  ///   - having: the condition on groups, by their aggregates and properties; all by default.
  ///   - order: the order of the groups; by default by their properties, `nil` first.
  ///   - limit: the maximum number of groups; all by default.
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

/// An aggregate of elements of one type, whose result has the matching Swift type: `.count`, `.average(\.weight)`.
///
/// ```swift
/// let groups = try await pokedex.aggregate(.count, .max(\.weight), groupedBy: \.type)
/// ```
///
/// The semantics of each aggregate are part of the contract, see <doc:/Query/Semantics>.
public struct Aggregate<Element: Storable, Output: Sendable> {
  /// Makes the aggregate with the keys of a schema.
  private let erase: (Schema<Element>) -> AnyAggregate

  init(_ erase: @escaping (Schema<Element>) -> AnyAggregate) {
    self.erase = erase
  }

  /// Returns the same aggregate with the keys of a schema.
  public func erased(by schema: Schema<Element>) -> AnyAggregate { erase(schema) }

  /// Returns the same aggregate of only those elements of a group that match a query closure.
  ///
  /// ```swift
  /// let groups = try await pokedex.aggregate(.count, .count.where { $0.weight > 90 }, groupedBy: \.type)
  /// ```
  public func `where`(_ query: @escaping (Fields<Element>) -> AnyQuery) -> Aggregate {
    Aggregate { schema in erased(by: schema).where(query(Fields(schema))) }
  }
}

extension Aggregate where Output == Int {
  /// The number of elements.
  public static var count: Aggregate { Aggregate { _ in .count } }

  /// Returns the number of elements that have the property; not those in which it is `nil`.
  public static func count(_ path: KeyPath<Element, some Any>) -> Aggregate {
    Aggregate { .count(key: $0.key(of: path)) }
  }

  /// Returns the number of distinct values of a property, without `nil`.
  public static func countDistinct(_ path: KeyPath<Element, some ValueConvertible>) -> Aggregate {
    Aggregate { .countDistinct(key: $0.key(of: path)) }
  }
}

extension Aggregate where Output == Double? {
  /// Returns the exact average, rounded to the nearest `Double`; `nil` if no element has the property.
  public static func average(_ path: KeyPath<Element, some NumberProperty>) -> Aggregate {
    Aggregate { .average(key: $0.key(of: path)) }
  }
}

extension Aggregate {
  /// Returns the sum; 0 if no element has the property.
  public static func sum<Number: NumberProperty>(_ path: KeyPath<Element, Number>) -> Aggregate
  where Output == Number.Sum { Aggregate { .sum(key: $0.key(of: path)) } }

  /// Returns the smallest value; `nil` if there is none.
  public static func min<Property: ValueConvertible>(_ path: KeyPath<Element, Property>) -> Aggregate
  where Output == Property? { Aggregate { .min(key: $0.key(of: path)) } }

  /// Returns the smallest value, without `nil`; `nil` if there is none.
  public static func min<Property: ValueConvertible>(_ path: KeyPath<Element, Property?>) -> Aggregate
  where Output == Property? { Aggregate { .min(key: $0.key(of: path)) } }

  /// Returns the largest value; `nil` if there is none.
  public static func max<Property: ValueConvertible>(_ path: KeyPath<Element, Property>) -> Aggregate
  where Output == Property? { Aggregate { .max(key: $0.key(of: path)) } }

  /// Returns the largest value, without `nil`; `nil` if there is none.
  public static func max<Property: ValueConvertible>(_ path: KeyPath<Element, Property?>) -> Aggregate
  where Output == Property? { Aggregate { .max(key: $0.key(of: path)) } }
}

/// The aggregates of a group of elements.
public struct AggregateGroup<Key: Sendable, Aggregates: Sendable>: Sendable {
  /// The property by which the elements are grouped, or a tuple of several properties.
  public let key: Key
  /// The aggregates: a single one, or a tuple in the order of the request.
  public let aggregates: Aggregates
}

/// The order of groups.
public struct GroupOrder<Element: Storable> {
  private let erase: (Schema<Element>) -> AggregateOrder

  /// The order of the properties by which elements are grouped, ascending, with `nil` first.
  public static var group: GroupOrder { GroupOrder { _ in .group } }

  /// Returns the ascending order of a requested aggregate; on a tie, ``group``.
  public static func ascending(_ aggregate: Aggregate<Element, some Any>) -> GroupOrder {
    GroupOrder { .ascending(aggregate.erased(by: $0)) }
  }

  /// Returns the descending order of a requested aggregate; on a tie, ``group``.
  public static func descending(_ aggregate: Aggregate<Element, some Any>) -> GroupOrder {
    GroupOrder { .descending(aggregate.erased(by: $0)) }
  }

  private init(_ erase: @escaping (Schema<Element>) -> AggregateOrder) {
    self.erase = erase
  }

  /// Returns the same order with the keys of a schema.
  public func erased(by schema: Schema<Element>) -> AggregateOrder { erase(schema) }
}

/// A reader of the values of a group, in sequence: the keys, and then the aggregates.
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
  /// - Throws: ``RepositoryError`` if the value does not fit its Swift type.
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
