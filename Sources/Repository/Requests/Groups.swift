public import Query

/// The operands of a condition on groups: their aggregates, and the properties by which elements are grouped.
///
/// ```swift
/// let common = try await pokedex.selection().grouped(by: \.type)
///   .having { $0[.count] > 3 && $0[\.type] != .water }.aggregate(.average(\.weight))
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

  /// Returns a property or a field by which elements are grouped, in the same notation: `$0[\.type]`,
  /// `$0[{ $0.album.title }]`.
  public subscript<Property: ValueConvertible>(field: (Fields<Element>) -> Field<Property>) -> Field<Property> {
    field(Fields(schema))
  }
}

/// The elements of a ``Selection`` in groups, with a condition on groups and their order.
///
/// ```swift
/// let commonest = try await pokedex.selection().grouped(by: \.habitat)
///   .having { $0[.count] > 3 }.sorted(by: .descending(.count)).prefix(3).aggregate(.count)
/// let heaviest = try await pokedex.sorted { $0.weight.descending }.grouped(by: \.type).first(3)
/// ```
public struct GroupedSelection<Element: Entity, Key: Sendable>: Sendable {
  private let selection: Selection<Element>
  private let keys: [AnyExpression]
  private let readKey: @Sendable (inout ResultValues) throws(RepositoryError) -> Key
  private var condition = AnyQuery.true
  private var order = AggregateOrder.group
  private var limit: Int?

  init(
    _ selection: Selection<Element>, by keys: [AnyExpression],
    _ readKey: @escaping @Sendable (inout ResultValues) throws(RepositoryError) -> Key
  ) {
    (self.selection, self.keys, self.readKey) = (selection, keys, readKey)
  }

  /// Returns the groups that match a condition on their aggregates and keys, too.
  public func having(_ condition: (Groups<Element>) -> AnyQuery) -> GroupedSelection {
    var copy = self
    let added = condition(Groups(Element.schema))
    copy.condition = self.condition == .true ? added : self.condition && added
    return copy
  }

  /// Returns the groups in an order: `sorted(by: .descending(.count))`. By default, groups are in the order of their keys, with
  /// `nil` first.
  public func sorted(by order: GroupOrder<Element>) -> GroupedSelection {
    var copy = self
    copy.order = order.erased(by: Element.schema)
    return copy
  }

  /// Returns the first groups.
  public func prefix(_ count: Int) -> GroupedSelection {
    var copy = self
    copy.limit = min(limit ?? count, count)
    return copy
  }

  /// Computes an aggregate of each group.
  ///
  /// - Returns: the groups, each with its key and its aggregates.
  /// - Throws: as ``Selection/aggregate(_:)`` does.
  public func aggregate<A: ValueConvertible>(
    _ a: Aggregate<Element, A>
  ) async throws(RepositoryError) -> [AggregateGroup<Key, A>] {
    let (rows, request) = try await rows(erased(a))
    return try groups(of: rows, request)
  }

  /// Computes two aggregates of each group.
  public func aggregate<A: ValueConvertible, B: ValueConvertible>(
    _ a: Aggregate<Element, A>, _ b: Aggregate<Element, B>
  ) async throws(RepositoryError) -> [AggregateGroup<Key, (A, B)>] {
    let (rows, request) = try await rows(erased(a, b))
    return try groups(of: rows, request)
  }

  /// Computes three aggregates of each group.
  public func aggregate<A: ValueConvertible, B: ValueConvertible, C: ValueConvertible>(
    _ a: Aggregate<Element, A>, _ b: Aggregate<Element, B>, _ c: Aggregate<Element, C>
  ) async throws(RepositoryError) -> [AggregateGroup<Key, (A, B, C)>] {
    let (rows, request) = try await rows(erased(a, b, c))
    return try groups(of: rows, request)
  }

  /// Computes four aggregates of each group, or more.
  public func aggregate<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, each Output: ValueConvertible
  >(
    _ a: Aggregate<Element, A>, _ b: Aggregate<Element, B>, _ c: Aggregate<Element, C>, _ d: Aggregate<Element, D>,
    _ rest: repeat Aggregate<Element, each Output>
  ) async throws(RepositoryError) -> [AggregateGroup<Key, (A, B, C, D, repeat each Output)>] {
    let (rows, request) = try await rows(erased(a, b, c, d, repeat each rest))
    return try groups(of: rows, request)
  }

  private func rows(_ aggregates: [AnyAggregate]) async throws(RepositoryError) -> ([AggregateRow], AggregateRequest) {
    let request = AggregateRequest(
      aggregates, of: try selection.query(of: "an aggregate"), groupedBy: keys, having: condition, sortedBy: order,
      limit: limit)
    return (try await selection.repository.aggregate(request), request)
  }

  private func groups<each Output: ValueConvertible>(
    of rows: [AggregateRow], _ request: AggregateRequest
  ) throws(RepositoryError) -> [AggregateGroup<Key, (repeat each Output)>] {
    var groups: [AggregateGroup<Key, (repeat each Output)>] = []
    groups.reserveCapacity(rows.count)
    for row in rows {
      var values = ResultValues(row, of: request)
      let key = try readKey(&values)
      groups.append(AggregateGroup(key: key, values: (repeat try values.next((each Output).self))))
    }
    return groups
  }

  /// Finds the first elements of each group: `pokedex.sorted { $0.weight.descending }.grouped(by: \.type).first(3)` finds the
  /// three heaviest of each type, the heaviest of all first.
  ///
  /// - Parameter count: the maximum number of elements of each group.
  /// - Throws: as ``Repository/findRows(_:)`` does, and ``RepositoryError`` with the code
  ///   ``RepositoryError/Code/invalidQuery`` if the groups have a condition, an order or a range.
  public func first(_ count: Int) async throws(RepositoryError) -> [Element] {
    let schema = Element.schema
    let table = try schema.table()
    var elements: [Element] = []
    for row in try await firstRows(count, table.columns.map { .key($0.name) }) {
      elements.append(try schema.element(from: row, in: table, at: elements.count + 1))
    }
    return elements
  }

  /// Finds the first elements of each group, as values of a projection.
  ///
  /// - Throws: as ``first(_:)`` does.
  public func first<Result: Projection>(
    _ count: Int, as type: Result.Type
  ) async throws(RepositoryError) -> [Result] where Result.Source == Element {
    let projection = Result.projection
    return try projection.values(
      of: try await firstRows(count, projection.columns), in: try Element.schema.table())
  }

  private func firstRows(_ count: Int, _ columns: [ProjectedColumn]) async throws(RepositoryError) -> [[Value]] {
    if condition != .true || order != .group || limit != nil {
      throw RepositoryError(
        .invalidQuery, "can't find the first elements of only some groups",
        reason: "a condition, an order or a range of groups applies to aggregates",
        suggestion: "find the keys of the groups with aggregate(_:), and filter the elements by the keys")
    }
    let request = selection.request
    return try await selection.repository.findRows(
      ProjectionRequest(
        columns, of: request, groupLimit: GroupLimit(count, of: keys, sortedBy: request.sort)))
  }
}
