import Query

// The resolution of a schema's references, once all of their schemas have been made.
extension Schema {
  /// Returns the tables that the table needs: the table itself first, followed by the tables that it refers to, directly or
  /// through others.
  ///
  /// - Throws: as ``table()`` does.
  package func tables() throws(RepositoryError) -> [TableSchema] {
    var tables = [try table()]
    var pending = references.map(\.declaration.target)
    while let target = pending.popLast() {
      let (table, further) = try Self.visit(target)
      if tables.contains(named: table.name) { continue }
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

  /// Returns a reference as a constraint of the table, which contains the other table's name.
  func rule(
    _ columns: [String], _ declaration: ReferenceDeclaration
  ) throws(QueryError) -> ReferenceRule {
    let target = try Self.unreferencedTable(of: declaration.target)
    return ReferenceRule(
      columns, to: target.name, key: target.primaryKeyColumns.map(\.name), onDelete: declaration.onDelete,
      isDeferred: declaration.isDeferred)
  }

  private static func unreferencedTable<Target: Entity>(of target: Target.Type) throws(QueryError) -> TableSchema {
    try target.schema.unreferencedTable.get()
  }
}

/// A declared reference: to a model type, whose schema is read when it is needed.
///
/// The schema is not read earlier: it is a static property, and one that reads itself while it is being made, even through the
/// schema of another type, would wait for itself.
struct ReferenceDeclaration: Sendable {
  let target: any Entity.Type
  let onDelete: DeleteRule
  let isDeferred: Bool
}
