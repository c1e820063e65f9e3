public import Query

extension Repository where Element: Entity {
  /// Inserts an element, or updates the existing element with the same key, or with the same values in some properties.
  ///
  /// ```swift
  /// let saved = try await users.upsert(user)
  /// let merged = try await users.upsert(imported, by: \.email)
  /// ```
  ///
  /// - Parameters:
  ///   - element: the element. An element whose key is `nil` until the store generates it is inserted, unless `properties` find
  ///     an existing element.
  ///   - properties: properties that are unique, individually or together; the primary key if none are given. The existing
  ///     element keeps its key.
  /// - Returns: the stored element, with its key.
  /// - Throws: as ``insert(_:onConflict:)`` does.
  @discardableResult
  public func upsert(
    _ element: Element, by properties: PartialKeyPath<Element>...
  ) async throws(RepositoryError) -> Element {
    try await insert([element], onConflict: .update(by: Self.columns(properties))).first ?? element
  }

  /// Inserts elements, or updates the existing elements with the same keys, or with the same values in some properties, all or
  /// none.
  ///
  /// - Returns: the elements as they are stored, in the given order.
  /// - Throws: as ``insert(_:onConflict:)`` does.
  @discardableResult
  public func upsert(
    _ elements: [Element], by properties: PartialKeyPath<Element>...
  ) async throws(RepositoryError) -> [Element] {
    try await insert(elements, onConflict: .update(by: Self.columns(properties)))
  }

  /// Returns the columns of properties; those of the primary key if there are none.
  private static func columns(_ properties: [PartialKeyPath<Element>]) throws(RepositoryError) -> [String] {
    let schema = Element.schema
    if properties.isEmpty { return try schema.table().primaryKeyColumns.map(\.name) }
    return properties.map { schema.key(of: $0) }
  }
}

extension Repository {
  /// Inserts one element, and applies a rule if it conflicts with an existing row.
  ///
  /// - Returns: the stored element; `nil` if the rule left it out.
  /// - Throws: as ``insert(_:onConflict:)`` does.
  @discardableResult
  public func insert(_ element: Element, onConflict rule: ConflictRule) async throws(RepositoryError) -> Element? {
    try await insert([element], onConflict: rule).first
  }

  /// Looks elements up and writes them one by one, by default.
  @discardableResult
  public func insert(_ elements: [Element], onConflict rule: ConflictRule) async throws(RepositoryError) -> [Element] {
    guard let type = Element.self as? any Entity.Type, let schema = Self.schema(of: type) else {
      throw RepositoryError(
        .unsupported, "this repository of \(Element.self) does not support conflict rules",
        reason: "\(Element.self) is not an Entity with a schema", suggestion: "find an element, and insert or save it")
    }
    let table = try schema.table()
    let rule = try table.resolve(rule)
    var kept: [Element] = []
    for element in elements {
      let row = try schema.row(from: element, in: table)
      func same(_ columns: [Int]) -> AnyQuery {
        columns.contains { row[$0].isNull }
          ? .false : .all(of: columns.map { .equal(key: table.columns[$0].name, value: row[$0]) })
      }
      switch rule {
      case .ignore:
        let single = table.columns.indices.filter { table.columns[$0].isUnique }.map { [$0] }
        let sets = [table.primaryKey] + single + table.uniqueSets
        var taken = sets.map(same)
        for (rule, columns, query) in table.resolvedPartialUnique() where query.matches(row) {
          taken.append(same(columns) && rule.query)
        }
        if try await count(.any(of: taken)) > 0 { continue }
      case .update(let columns):
        if let found = try await findAll(FetchRequest(same(columns), limit: 1)).first {
          let old = try schema.row(from: found, in: table)
          var row = row
          for position in table.primaryKey + columns { row[position] = old[position] }
          let changed = try schema.element(from: row, in: table)
          try await save([changed])
          kept.append(changed)
          continue
        }
      }
      kept += try await insert([element])
    }
    return kept
  }
}
