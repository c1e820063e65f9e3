public import Query

extension Repository {
  /// Whether a query means any element; of all elements, whether there is one.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func exists(where query: AnyQuery = .true) async throws(RepositoryError) -> Bool {
    // Unlike a count, this ends with the first one.
    try await !findAll(FetchRequest(query, limit: 1)).isEmpty
  }
}

// `where` is a closure throughout; a query that is at hand goes in as `{ _ in query }`.
extension Repository where Element: Entity {
  /// Whether there is an element that a closure describes: `exists(where: { $0.name == "Pikachu" })`.
  ///
  /// - Throws: as ``findAll(_:)`` does.
  public func exists(where query: (Fields<Element>) -> AnyQuery) async throws(RepositoryError) -> Bool {
    try await exists(where: query(Fields(Element.schema)))
  }

  /// The least value of a property.
  ///
  /// - Returns: `nil` where no element has one.
  /// - Throws: as ``figures(_:)`` does.
  public func min<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await figure(.min(path), query)
  }

  /// The least value of a property that may be `nil`; see ``min(_:where:)``.
  public func min<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property?>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await figure(.min(path), query)
  }

  /// The greatest value of a property: `max(\.weight, where: { $0.type == .fire })`.
  ///
  /// - Returns: `nil` where no element has one.
  /// - Throws: as ``figures(_:)`` does.
  public func max<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await figure(.max(path), query)
  }

  /// The greatest value of a property that may be `nil`; see ``max(_:where:)``.
  public func max<Property: ValueConvertible>(
    _ path: KeyPath<Element, Property?>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Property? {
    try await figure(.max(path), query)
  }

  /// The sum of a property: an `Int` of integers, a `Double` of reals; 0 where no element has a value.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/overflow`` where a sum of integers does not fit;
  ///   else as ``figures(_:)`` does.
  public func sum<Number: NumberProperty>(
    _ path: KeyPath<Element, Number>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Number.Sum {
    try await figure(.sum(path), query)
  }

  /// The exact average of a property, rounded to the nearest `Double`.
  ///
  /// - Returns: `nil` where no element has a value.
  /// - Throws: as ``figures(_:)`` does.
  public func average(
    _ path: KeyPath<Element, some NumberProperty>, where query: (Fields<Element>) -> AnyQuery = { _ in .true }
  ) async throws(RepositoryError) -> Double? {
    try await figure(.average(path), query)
  }

  /// Works out figures of the groups of elements that share a property, or several.
  ///
  /// ```swift
  /// for group in try await pokedex.figures(.count, .average(\.weight), groupedBy: \.type) {
  ///   print(group.key, group.figures.0, group.figures.1 ?? 0)
  /// }
  /// let commonest = try await pokedex.figures(.count, groupedBy: \.habitat, sortedBy: .descending(.count), limit: 3)
  /// ```
  ///
  /// - Parameters:
  ///   - figures: the figures.
  ///   - paths: the properties by which elements are grouped. Those in which one is `nil` are a group too.
  ///   - query: of which elements; of all by default.
  ///   - order: in which order the groups come; by what they share, `nil` first, by default.
  ///   - limit: at most how many groups; all by default.
  /// - Throws: as ``figures(_:)`` does.
  public func figures<each Output: ValueConvertible, each Property: ValueConvertible>(
    _ figures: repeat Figure<Element, each Output>, groupedBy paths: repeat KeyPath<Element, each Property>,
    where query: (Fields<Element>) -> AnyQuery = { _ in .true }, sortedBy order: GroupOrder<Element> = .group,
    limit: Int? = nil
  ) async throws(RepositoryError) -> [FigureGroup<(repeat each Property), (repeat each Output)>] {
    let schema = Element.schema
    var keys: [String] = []
    for path in repeat each paths { keys.append(schema.key(of: path)) }
    var erased: [AnyFigure] = []
    for figure in repeat each figures { erased.append(figure.erased(by: schema)) }
    let request = FigureRequest(
      erased, of: query(Fields(schema)), groupedBy: keys, sortedBy: order.erased(by: schema), limit: limit)
    var groups: [FigureGroup<(repeat each Property), (repeat each Output)>] = []
    for row in try await self.figures(request) {
      var values = FigureValues(row, of: request)
      groups.append(
        FigureGroup(
          key: (repeat try values.next((each Property).self)), figures: (repeat try values.next((each Output).self))))
    }
    return groups
  }

  private func figure<Output: ValueConvertible>(
    _ figure: Figure<Element, Output>, _ query: (Fields<Element>) -> AnyQuery
  ) async throws(RepositoryError) -> Output {
    let schema = Element.schema
    let request = FigureRequest([figure.erased(by: schema)], of: query(Fields(schema)))
    guard let row = try await figures(request).first else {
      throw RepositoryError(
        .storeFailure, "the store gave no figures", reason: "without groups there is always one row")
    }
    var values = FigureValues(row, of: request)
    return try values.next(Output.self)
  }
}

/// A figure of elements of one type, whose result has the Swift type that fits: `.count`, `.average(\.weight)`.
///
/// ```swift
/// let groups = try await pokedex.figures(.count, .max(\.weight), groupedBy: \.type)
/// ```
///
/// What each figure means is part of the contract, see <doc:Semantics>.
public struct Figure<Element: Storable, Output: Sendable> {
  /// Finds the key in the schema.
  private let erase: (Schema<Element>) -> AnyFigure

  private init(_ erase: @escaping (Schema<Element>) -> AnyFigure) {
    self.erase = erase
  }

  /// The same figure by the keys of a schema.
  public func erased(by schema: Schema<Element>) -> AnyFigure { erase(schema) }
}

extension Figure where Output == Int {
  /// How many elements there are.
  public static var count: Figure { Figure { _ in .count } }

  /// How many elements have the property; not those in which it is `nil`.
  public static func count(_ path: KeyPath<Element, some Any>) -> Figure { Figure { .count(key: $0.key(of: path)) } }
}

extension Figure where Output == Double? {
  /// The exact average, rounded to the nearest `Double`; `nil` where no element has the property.
  public static func average(_ path: KeyPath<Element, some NumberProperty>) -> Figure {
    Figure { .average(key: $0.key(of: path)) }
  }
}

extension Figure {
  /// The sum; 0 where no element has the property.
  public static func sum<Number: NumberProperty>(_ path: KeyPath<Element, Number>) -> Figure
  where Output == Number.Sum { Figure { .sum(key: $0.key(of: path)) } }

  /// The least value; `nil` where there is none.
  public static func min<Property: ValueConvertible>(_ path: KeyPath<Element, Property>) -> Figure
  where Output == Property? { Figure { .min(key: $0.key(of: path)) } }

  /// The least value, `nil` left out; `nil` where there is none.
  public static func min<Property: ValueConvertible>(_ path: KeyPath<Element, Property?>) -> Figure
  where Output == Property? { Figure { .min(key: $0.key(of: path)) } }

  /// The greatest value; `nil` where there is none.
  public static func max<Property: ValueConvertible>(_ path: KeyPath<Element, Property>) -> Figure
  where Output == Property? { Figure { .max(key: $0.key(of: path)) } }

  /// The greatest value, `nil` left out; `nil` where there is none.
  public static func max<Property: ValueConvertible>(_ path: KeyPath<Element, Property?>) -> Figure
  where Output == Property? { Figure { .max(key: $0.key(of: path)) } }
}

/// The figures of a group of elements.
public struct FigureGroup<Key: Sendable, Figures: Sendable>: Sendable {
  /// What the elements of the group share: the property by which they are grouped, or a tuple where there are several.
  public let key: Key
  /// The figures: one alone, or a tuple in the order in which they were asked for.
  public let figures: Figures
}

/// In which order to give groups of elements of one type.
public struct GroupOrder<Element: Storable> {
  private let erase: (Schema<Element>) -> FigureOrder

  /// By the values that the groups share, from small to great, `nil` first.
  public static var group: GroupOrder { GroupOrder { _ in .group } }

  /// By a figure that is asked for, from small to great; where that does not decide, as ``group``.
  public static func ascending(_ figure: Figure<Element, some Any>) -> GroupOrder {
    GroupOrder { .ascending(figure.erased(by: $0)) }
  }

  /// By a figure that is asked for, from great to small; where that does not decide, as ``group``.
  public static func descending(_ figure: Figure<Element, some Any>) -> GroupOrder {
    GroupOrder { .descending(figure.erased(by: $0)) }
  }

  private init(_ erase: @escaping (Schema<Element>) -> FigureOrder) {
    self.erase = erase
  }

  /// The same order by the keys of a schema.
  public func erased(by schema: Schema<Element>) -> FigureOrder { erase(schema) }
}

/// Reads the values of a group one after another: the keys, and then the figures.
struct FigureValues {
  private let values: [Value]
  private let names: [String]
  private var position = 0

  init(_ row: FigureRow, of request: FigureRequest) {
    values = row.keys + row.figures
    names = request.groupKeys + request.figures.map(\.description)
  }

  /// Reads the next value.
  ///
  /// - Throws: ``RepositoryError`` where it does not fit its Swift type.
  mutating func next<Output: ValueConvertible>(_ type: Output.Type) throws(RepositoryError) -> Output {
    guard position < values.count, position < names.count else {
      throw RepositoryError(.storeFailure, "the store gave too few figures")
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
