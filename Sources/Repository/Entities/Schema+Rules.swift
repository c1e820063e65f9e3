public import Query

// What rows have to keep beyond the rules of single columns. The store keeps them, a database as much as memory.
extension Schema {
  /// The schema with a rule that no two elements have the same values in several properties; `nil` is not the same as `nil`.
  ///
  /// ```swift
  /// static let schema = Schema("pokemon", Pokemon.init, …).unique(\.name, \.region)
  /// ```
  public func unique(_ properties: any PartialKeyPath<Element> & Sendable...) -> Schema {
    let keys = properties.map { key(of: $0) }
    return changingTable { table throws(QueryError) in try table.adding(unique: [keys]) }
  }

  /// The schema with a rule that each element has to match.
  ///
  /// ```swift
  /// static let schema = Schema("pokemon", Pokemon.init, …).check("heavy enough") { $0.weight > 0 }
  /// ```
  ///
  /// It may compare all that a query can, but for `like` and texts with their case ignored, which a database would need
  /// functions for that other programs don't have.
  ///
  /// - Parameters:
  ///   - name: the rule's name, by which errors tell it.
  ///   - query: what each element has to match. A comparison with `nil` is false, as in every query: write
  ///     `$0.weight == nil || $0.weight > 0` where a property may be `nil`.
  public func check(_ name: String, _ query: (Fields<Element>) -> AnyQuery) -> Schema {
    let rule = CheckRule(name, query(Fields(self)))
    return changingTable { table throws(QueryError) in try table.adding(checks: [rule]) }
  }

  /// The schema with a reference to a type whose key has several columns.
  ///
  /// ```swift
  /// static let schema = Schema("key", Key.init, …).references(Drawer.self, by: \.cabinet, \.number)
  /// ```
  ///
  /// - Parameters:
  ///   - target: the type that is referred to.
  ///   - properties: the properties that hold its key, in the order of its columns.
  ///   - onDelete: what becomes of an element when the one that it refers to is deleted.
  public func references<Target: Entity>(
    _ target: Target.Type, by properties: any PartialKeyPath<Element> & Sendable..., onDelete: DeleteRule = .restrict
  ) -> Schema {
    changingReferences(
      by: properties.map { key(of: $0) }, ReferenceDeclaration(target: target, onDelete: onDelete))
  }
}

// How a schema's references are resolved, once all schemas that take part have been made.
extension Schema {
  /// The tables that the table needs: itself first, and then those that it refers to, and those they refer to.
  ///
  /// - Throws: as ``table()`` does.
  package func tables() throws(RepositoryError) -> [TableSchema] {
    var tables = [try table()]
    var pending = references.map(\.declaration.target)
    while let target = pending.popLast() {
      let (table, further) = try Self.visit(target)
      if tables.contains(where: { $0.name == table.name }) { continue }
      tables.append(table)
      pending += further
    }
    return tables
  }

  private static func visit<Target: Entity>(
    _ target: Target.Type
  ) throws(RepositoryError) -> (table: TableSchema, further: [any Entity.Type]) {
    (try target.schema.table(), target.schema.references.map(\.declaration.target))
  }

  /// A reference as a rule of the table, which knows the other table by name.
  func rule(
    _ columns: [String], _ declaration: ReferenceDeclaration
  ) throws(QueryError) -> ReferenceRule {
    let target = try Self.unreferencedTable(of: declaration.target)
    return ReferenceRule(
      columns, to: target.name, key: target.primaryKeyColumns.map(\.name), onDelete: declaration.onDelete)
  }

  private static func unreferencedTable<Target: Entity>(of target: Target.Type) throws(QueryError) -> TableSchema {
    try target.schema.unreferencedTable.get()
  }
}
