public import Query
public import Repository

extension SQLiteStore {
  /// Compares a table with a schema, column by column, and changes nothing.
  ///
  /// - Returns: the differences, each with the statements that would mend it, or none where SQLite can't do so without a
  ///   copy of the table. Those that opening a repository tolerates are among them.
  /// - Throws: ``RepositoryError`` where the schema contradicts itself, or the database can't be read.
  public func drift<Element: Storable>(of schema: Schema<Element>) throws(RepositoryError) -> [SchemaDifference] {
    try drift(of: try schema.table())
  }

  /// The same for a table without a model type.
  public func drift(of table: TableSchema) throws(RepositoryError) -> [SchemaDifference] {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.drift(of: table).differences }
  }

  /// Makes a table fit a schema as far as it takes no more than additions: a table that is missing, columns that may be
  /// null or have a default, and indexes.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - additions: what may be added.
  /// - Returns: the differences that were mended, none where there were none.
  /// - Throws: ``RepositoryError``, with the code ``RepositoryError/Code/schemaMismatch`` where the table differs in
  ///   something else; nothing is added then.
  @discardableResult
  public func adopt<Element: Storable>(
    _ schema: Schema<Element>, adding additions: SchemaAdditions = .all
  ) throws(RepositoryError) -> [SchemaDifference] {
    let table = try schema.table()
    // A table to which nothing can be added costs nobody the right to write.
    let differences = try drift(of: table)
    if !differences.contains(where: additions.contains) {
      if let error = RepositoryError.drift(differences, in: table.name) { throw error }
      return []
    }
    return try runBlocking(.write) { connection throws(RepositoryError) in
      try connection.adopt(table, adding: additions)
    }
  }

  /// Opens a repository, after such changes of its table as only add something.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - additions: what may be added.
  /// - Throws: as ``repository(_:)`` and ``adopt(_:adding:)`` do.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>, adding additions: SchemaAdditions
  ) throws(RepositoryError) -> AnyRepository<Element> {
    try adopt(schema, adding: additions)
    return try repository(schema)
  }

  /// Opens a repository of a model type that offers synchronous calls too, after such changes of its table as only add
  /// something.
  ///
  /// - Throws: as ``repository(_:adding:)`` does.
  public func repository<Element: Entity>(
    of type: Element.Type, adding additions: SchemaAdditions
  ) throws(RepositoryError) -> SQLiteRepository<Element> {
    try adopt(type.schema, adding: additions)
    return try repository(of: type)
  }
}
