public import Query
public import Repository
import SQL

extension SQLDatabase {
  /// Compares a table with a schema, column by column, without any change.
  ///
  /// - Returns: the differences, each with the statements that would fix it, or without statements if that takes a copy of the
  ///   table. Differences that opening a repository tolerates are included.
  /// - Throws: ``/Repository/RepositoryError`` if the schema contradicts itself, or the database can't be read.
  public func schemaDifferences<Element: Storable>(of schema: Schema<Element>) throws(RepositoryError)
    -> [SchemaDifference]
  {
    try schemaDifferences(of: try schema.table())
  }

  /// Compares a table that has no model type with a schema.
  public func schemaDifferences(of table: TableSchema) throws(RepositoryError) -> [SchemaDifference] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try StoredSchema(table, on: connection, readingAllRows: true).differences
    }
  }

  /// Adapts a table to a schema if additions are enough: a missing table, columns that are nullable or have a default, and
  /// indexes.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - additions: the allowed additions.
  /// - Returns: the differences that were fixed, empty if there were none.
  /// - Throws: ``/Repository/RepositoryError``, with the code ``/Repository/RepositoryError/Code/schemaMismatch`` if the table
  ///   has other differences; nothing is added then.
  @discardableResult
  public func adopt<Element: Storable>(
    _ schema: Schema<Element>, adding additions: SchemaAdditions = .all
  ) throws(RepositoryError) -> [SchemaDifference] {
    try adopt(try schema.table(), adding: additions)
  }

  /// Opens a repository, after additions to its table.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - additions: the allowed additions.
  /// - Throws: as ``repository(_:)`` and ``adopt(_:adding:)`` do.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>, adding additions: SchemaAdditions
  ) throws(RepositoryError) -> AnyRepository<Element> {
    try adopt(schema, adding: additions)
    return try repository(schema)
  }

  /// Opens a repository of a model type, after additions to its table.
  ///
  /// - Throws: as ``repository(_:adding:)`` does.
  public func repository<Element: Entity>(
    of type: Element.Type, adding additions: SchemaAdditions
  ) throws(RepositoryError) -> AnyRepository<Element> {
    try adopt(type.schema, adding: additions)
    return try repository(of: type)
  }

  /// Adapts a table to its declaration if additions are enough.
  ///
  /// - Returns: the differences that were removed.
  /// - Throws: ``/Repository/RepositoryError`` if the table has other differences; nothing is added then.
  private func adopt(
    _ table: TableSchema, adding additions: SchemaAdditions
  ) throws(RepositoryError) -> [SchemaDifference] {
    // A table that needs no additions does not require write access.
    let differences = try runBlocking(.read) { connection throws(RepositoryError) in
      try StoredSchema(table, on: connection).differences
    }
    if !differences.contains(where: additions.contains) {
      if let error = RepositoryError.schemaMismatch(differences, in: table.name) { throw error }
      return []
    }
    return try runBlocking(.write) { connection throws(RepositoryError) in
      try connection.atomically { () throws(RepositoryError) in
        let added = try StoredSchema(table, on: connection).differences.filter { additions.contains($0) }
        for difference in added {
          for sql in difference.statements { try connection.execute(sql) }
        }
        let rest = try StoredSchema(table, on: connection).differences
        if let error = RepositoryError.schemaMismatch(rest, in: table.name) { throw error }
        return added
      }
    }
  }
}
