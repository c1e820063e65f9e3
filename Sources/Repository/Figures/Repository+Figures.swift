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
