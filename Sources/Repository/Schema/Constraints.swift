public import Query

// The constraints on rows beyond those of single columns. The store enforces them, both a database and memory.
extension Schema {
  /// Returns the schema with a unique constraint on several properties together; `nil` does not equal `nil`.
  ///
  /// ```swift
  /// static let schema = Schema<Pokemon>(table: "pokemon") { … }.unique(\.name, \.region)
  /// ```
  public func unique(_ properties: any PartialKeyPath<Element> & Sendable...) -> Schema {
    let keys = properties.map { key(of: $0) }
    return changingTable { table throws(QueryError) in try table.adding(unique: [keys]) }
  }

  /// Returns the schema with a partial unique constraint: the properties are unique, together if there are several, among the
  /// elements that match a condition.
  ///
  /// ```swift
  /// static let schema = Schema<User>(table: "user") { … }.unique(\.tenant, \.email) { $0.deletedAt == nil }
  /// ```
  ///
  /// The constraint applies to an element as soon as the element matches the condition. `nil` does not equal `nil`. The condition
  /// has the limits of a ``check(_:_:)``. A conflict rule, such as that of `upsert(_:by:)`, can't name the properties.
  ///
  /// - Parameters:
  ///   - properties: the properties, at least one.
  ///   - query: the condition. A comparison with `nil` is false, as in every query.
  public func unique(
    _ properties: any PartialKeyPath<Element> & Sendable..., where query: (Fields<Element>) -> AnyQuery
  ) -> Schema {
    let rule = PartialUniqueRule(properties.map { key(of: $0) }, where: query(Fields(self)))
    return changingTable { table throws(QueryError) in try table.adding(partialUnique: [rule]) }
  }

  /// Returns the schema with a check that each element has to match.
  ///
  /// ```swift
  /// static let schema = Schema<Pokemon>(table: "pokemon") { … }.check("heavy enough") { $0.weight > 0 }
  /// ```
  ///
  /// It may contain any condition, except for `like` and case-insensitive text conditions, for which a database would
  /// need functions that other programs don't have.
  ///
  /// - Parameters:
  ///   - name: the constraint's name, by which errors refer to it.
  ///   - query: the condition. A comparison with `nil` is false, as in every query: write `$0.weight == nil || $0.weight >
  ///     0` for an optional property.
  public func check(_ name: String, _ query: (Fields<Element>) -> AnyQuery) -> Schema {
    let rule = CheckRule(name, query(Fields(self)))
    return changingTable { table throws(QueryError) in try table.adding(checks: [rule]) }
  }
}
