public import Query

extension ConflictRule {
  /// Returns a rule by which an element replaces the existing element with the same values in some properties, whose key is
  /// kept.
  ///
  /// ```swift
  /// try await users.insert(user, onConflict: .update(by: \User.email))
  /// ```
  public static func update<Element: Entity>(
    by first: PartialKeyPath<Element>, _ rest: PartialKeyPath<Element>...
  ) -> ConflictRule {
    let schema = Element.schema
    return .update(by: ([first] + rest).map { schema.key(of: $0) })
  }
}

extension Repository {
  /// Inserts one element, and applies a rule if it conflicts with an existing row.
  ///
  /// - Returns: the element as it is stored; `nil` if the rule left it out.
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
        if try await count(.any(of: sets.map(same))) > 0 { continue }
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
