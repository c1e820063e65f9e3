public import Query

/// Returns aggregates with the keys of a model type's schema.
///
/// Packs are expanded in synchronous functions: an asynchronous one that passes a pack on to another frees its memory in the wrong
/// order, and the program ends (Swift 6.3).
func erased<Element: Entity, each Output>(_ aggregates: repeat Aggregate<Element, each Output>) -> [AnyAggregate] {
  var erased: [AnyAggregate] = []
  for aggregate in repeat each aggregates { erased.append(aggregate.erased(by: Element.schema)) }
  return erased
}

extension Selection where Element: Entity {
  /// Computes an aggregate of the elements: `pokedex.selection().aggregate(.max(\.weight))`.
  ///
  /// A database computes the aggregate itself. The semantics are part of the contract, see <doc:/Query/Semantics>.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/overflow`` if a sum of integers can't be stored,
  ///   ``RepositoryError/Code/invalidQuery`` if the selection has a range; otherwise as ``all()`` does.
  public func aggregate<Output: ValueConvertible>(
    _ aggregate: Aggregate<Element, Output>
  ) async throws(RepositoryError) -> Output {
    // Without this overload, the result could not be compared with nil: the compiler has no conversion of a tuple of one element.
    var values = try await values(of: [aggregate.erased(by: Element.schema)])
    return try values.next(Output.self)
  }

  // Why two and three aggregates have functions of their own: in a position of a pack, the compiler refuses a closure that compares
  // an optional property with a value, `.count.where { $0.weight > 90 }`, without a diagnostic (Swift 6.3).

  /// Computes two aggregates of the elements in one pass.
  ///
  /// ```swift
  /// let (count, heaviest) = try await pokedex.filter { $0.type == .fire }.aggregate(.count, .max(\.weight))
  /// ```
  ///
  /// - Returns: a tuple in the order of the aggregates.
  /// - Throws: as the aggregate of one does.
  public func aggregate<A: ValueConvertible, B: ValueConvertible>(
    _ a: Aggregate<Element, A>, _ b: Aggregate<Element, B>
  ) async throws(RepositoryError) -> (A, B) {
    var values = try await values(of: erased(a, b))
    return (try values.next(A.self), try values.next(B.self))
  }

  /// Computes three aggregates of the elements in one pass.
  public func aggregate<A: ValueConvertible, B: ValueConvertible, C: ValueConvertible>(
    _ a: Aggregate<Element, A>, _ b: Aggregate<Element, B>, _ c: Aggregate<Element, C>
  ) async throws(RepositoryError) -> (A, B, C) {
    var values = try await values(of: erased(a, b, c))
    return (try values.next(A.self), try values.next(B.self), try values.next(C.self))
  }

  /// Computes four aggregates of the elements, or more, in one pass.
  public func aggregate<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, D: ValueConvertible, each Output: ValueConvertible
  >(
    _ a: Aggregate<Element, A>, _ b: Aggregate<Element, B>, _ c: Aggregate<Element, C>, _ d: Aggregate<Element, D>,
    _ rest: repeat Aggregate<Element, each Output>
  ) async throws(RepositoryError) -> (A, B, C, D, repeat each Output) {
    var values = try await values(of: erased(a, b, c, d, repeat each rest))
    return (
      try values.next(A.self), try values.next(B.self), try values.next(C.self), try values.next(D.self),
      repeat try values.next((each Output).self)
    )
  }

  private func values(of aggregates: [AnyAggregate]) async throws(RepositoryError) -> ResultValues {
    let request = AggregateRequest(aggregates, of: try query(of: "an aggregate"))
    guard let row = try await repository.aggregate(request).first else {
      throw RepositoryError(
        .storeFailure, "the store returned no aggregates", reason: "a result without groups always has one row")
    }
    return ResultValues(row, of: request)
  }

  /// Returns the elements in groups that have the same values of some properties or computed fields.
  ///
  /// ```swift
  /// let types = try await pokedex.selection().grouped(by: \.type).aggregate(.count, .average(\.weight))
  /// for type in types { print(type.key, type.values.0, type.values.1 ?? 0) }
  /// let sales = lines.selection().grouped(by: { $0.track.album.title }, { $0.sold.year })
  /// ```
  ///
  /// - Parameter fields: the properties or fields. Elements with `nil` in a key form a group, too.
  public func grouped<each Property: ValueConvertible>(
    by fields: repeat (Fields<Element>) -> Field<each Property>
  ) -> GroupedSelection<Element, (repeat each Property)> {
    var keys: [AnyExpression] = []
    for field in repeat each fields { keys.append(field(Fields(Element.schema)).expression) }
    return GroupedSelection(self, by: keys) { values throws(RepositoryError) in
      (repeat try values.next((each Property).self))
    }
  }
}

/// An aggregate of elements of one type, whose result has the matching Swift type: `.count`, `.average(\.weight)`.
///
/// ```swift
/// let groups = try await pokedex.selection().grouped(by: \.type).aggregate(.count, .max(\.weight))
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

  /// Returns the same aggregate of only the elements of a group that match a query closure.
  ///
  /// ```swift
  /// let groups = try await pokedex.selection().grouped(by: \.type)
  ///   .aggregate(.count, .count.where { $0.weight > 90 })
  /// ```
  public func `where`(_ query: @escaping (Fields<Element>) -> AnyQuery) -> Aggregate {
    Aggregate { schema in erased(by: schema).where(query(Fields(schema))) }
  }
}

extension Aggregate {
  private init<Property>(
    _ function: AnyAggregate.Function, _ field: @escaping (Fields<Element>) -> Field<Property>
  ) {
    self.init { AnyAggregate(function, of: field(Fields($0)).expression) }
  }

  /// Returns the sum of a property or a computed field, `.sum(\.weight)`, `.sum { $0.price * $0.quantity }`: an `Int` for
  /// integers, a `Double` for reals; 0 without values.
  public static func sum<Number: NumberProperty>(_ field: @escaping (Fields<Element>) -> Field<Number>) -> Aggregate
  where Output == Number.Sum { Aggregate(.sum, field) }

  /// Returns the smallest value of a property or a computed field; `nil` without values.
  public static func min<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property>
  ) -> Aggregate where Output == Property? { Aggregate(.min, field) }

  /// Returns the smallest value of an optional property or field; `nil` without values.
  public static func min<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property?>
  ) -> Aggregate where Output == Property? { Aggregate(.min, field) }

  /// Returns the largest value of a property or a computed field; `nil` without values.
  public static func max<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property>
  ) -> Aggregate where Output == Property? { Aggregate(.max, field) }

  /// Returns the largest value of an optional property or field; `nil` without values.
  public static func max<Property: ValueConvertible>(
    _ field: @escaping (Fields<Element>) -> Field<Property?>
  ) -> Aggregate where Output == Property? { Aggregate(.max, field) }
}

extension Aggregate where Output == Int {
  /// The number of elements.
  public static var count: Aggregate { Aggregate { _ in .count } }

  /// Returns the number of elements in which a property or a computed field is not `nil`.
  public static func count(_ field: @escaping (Fields<Element>) -> Field<some ValueConvertible>) -> Aggregate {
    Aggregate(.count, field)
  }

  /// Returns the number of distinct values of a property or a computed field, without `nil`.
  public static func countDistinct(_ field: @escaping (Fields<Element>) -> Field<some ValueConvertible>) -> Aggregate {
    Aggregate(.countDistinct, field)
  }
}

extension Aggregate where Output == Double? {
  /// Returns the exact average of a property or a computed field, rounded to the nearest `Double`; `nil` without values.
  public static func average(_ field: @escaping (Fields<Element>) -> Field<some NumberProperty>) -> Aggregate {
    Aggregate(.average, field)
  }
}

/// The aggregates of a group of elements.
public struct AggregateGroup<Key: Sendable, Values: Sendable>: Sendable {
  /// The property by which the elements are grouped, or a tuple of several properties.
  public let key: Key
  /// The aggregates: a single one, or a tuple in the order of the request.
  public let values: Values
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

/// A reader of the values of one row of a result, in sequence.
struct ResultValues {
  private let values: [Value]
  private let names: [String]
  private var position = 0

  /// Makes a reader of the keys of a group, and then of its aggregates.
  init(_ row: AggregateRow, of request: AggregateRequest) {
    self.init(
      row.keys + row.aggregates,
      named: request.groupKeys.map { $0.plainKey ?? $0.description } + request.aggregates.map(\.description))
  }

  init(_ values: [Value], named names: [String]) {
    (self.values, self.names) = (values, names)
  }

  /// Reads the next value.
  ///
  /// - Throws: ``RepositoryError`` if the value does not fit its Swift type.
  mutating func next<Output: ValueConvertible>(_ type: Output.Type) throws(RepositoryError) -> Output {
    guard position < values.count, position < names.count else {
      throw RepositoryError(.storeFailure, "the store returned too few values")
    }
    defer { position += 1 }
    do throws(ValueError) {
      return try Output(value: values[position])
    } catch {
      throw RepositoryError(
        .unreadableRow, "can't read \(names[position]) as \(type)", reason: error.summary,
        suggestion: error.suggestion, underlying: error)
    }
  }
}
