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
        .unsupported, "this repository of \(Element.self) has no rules for conflicts",
        reason: "\(Element.self) has no schema by itself", suggestion: "find an element, and insert or save it")
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

  /// Finds the elements, updates them, and finds them again, by default.
  @discardableResult
  public func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) async throws(RepositoryError) -> [Element] {
    let ids = try await findAll(FetchRequest(query)).map(\.id)
    try await update(where: query, set: assignments)
    var changed: [Element] = []
    for id in ids {
      if let element = try await find(id) { changed.append(element) }
    }
    return changed
  }

  /// Finds the elements, and deletes them, by default.
  @discardableResult
  public func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Element] {
    let found = try await findAll(FetchRequest(query))
    try await delete(found.map(\.id))
    return found
  }
}

extension Repository where Element: Entity {
  /// Updates properties of all elements that match a query closure, all or none, and returns them as they are afterwards, in
  /// the order of their keys.
  ///
  /// - Throws: as ``updateReturning(where:set:)`` of queries does.
  @discardableResult
  public func updateReturning(
    where query: (Fields<Element>) -> AnyQuery, set: (inout Assignments<Element>) -> Void
  ) async throws(RepositoryError) -> [Element] {
    var assignments = Assignments(Element.schema)
    set(&assignments)
    return try await updateReturning(where: query(Fields(Element.schema)), set: assignments.list)
  }

  /// Deletes all elements that match a query closure, all or none, and returns them in the order of their keys.
  ///
  /// - Throws: as ``deleteReturning(where:)`` of queries does.
  @discardableResult
  public func deleteReturning(where query: (Fields<Element>) -> AnyQuery) async throws(RepositoryError) -> [Element] {
    try await deleteReturning(where: query(Fields(Element.schema)))
  }

  /// Saves the properties of an element that differ from how it was found: all other columns keep their values, including those
  /// that other writes have changed in the meantime.
  ///
  /// ```swift
  /// var user = try await users.get(1)
  /// let old = user
  /// user.name = "Ann"
  /// try await users.save(user, changedFrom: old)
  /// ```
  ///
  /// - Parameters:
  ///   - element: the element with its new values.
  ///   - old: the same element as it was found.
  /// - Returns: whether the element still existed.
  /// - Throws: as `update(where:set:)` does, and ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery`` if
  ///   both have different keys.
  @discardableResult
  public func save(_ element: Element, changedFrom old: Element) async throws(RepositoryError) -> Bool {
    let schema = Element.schema
    let table = try schema.table()
    let (before, after) = (try schema.row(from: old, in: table), try schema.row(from: element, in: table))
    let key = table.primaryKey.map { before[$0] }
    if key != table.primaryKey.map({ after[$0] }) {
      throw RepositoryError(
        .invalidQuery, "an element of \(table.name) can't change its key",
        suggestion: "insert it with the other key, and delete the one with this")
    }
    let changed = table.columns.indices.filter { !before[$0].isIdentical(to: after[$0]) }
    let query = AnyQuery.all(of: zip(table.primaryKeyColumns, key).map { .equal(key: $0.name, value: $1) })
    if changed.isEmpty { return try await exists(where: query) }
    return try await update(where: query, set: changed.map { Assignment(table.columns[$0].name, after[$0]) }) > 0
  }
}
