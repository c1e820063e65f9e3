public import Query

// The constraints on rows beyond those of single columns. The store enforces them, both a database and memory.
extension Schema {
  /// Returns the schema with a unique constraint on several properties together; `nil` does not equal `nil`.
  ///
  /// ```swift
  /// static let schema = Schema("pokemon", Pokemon.init, …).unique(\.name, \.region)
  /// ```
  public func unique(_ properties: any PartialKeyPath<Element> & Sendable...) -> Schema {
    let keys = properties.map { key(of: $0) }
    return changingTable { table throws(QueryError) in try table.adding(unique: [keys]) }
  }

  /// Returns the schema with a check that each element has to match.
  ///
  /// ```swift
  /// static let schema = Schema("pokemon", Pokemon.init, …).check("heavy enough") { $0.weight > 0 }
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
