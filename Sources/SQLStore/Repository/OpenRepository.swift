import Query
public import Repository
import SQL

// Opening a repository: its table is looked up, or created, and compared with the schema.

extension SQLDatabase {
  /// Opens a repository over the table of a schema; the table and those that it refers to are created if they don't exist
  /// yet.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if the schema contradicts itself, a table differs from it, or can't be created.
  public final func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(try repository(for: schema))
  }

  /// Opens a repository of a model type that also has a blocking view.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public final func repository<Element: Entity>(
    of type: Element.Type
  ) throws(RepositoryError) -> SQLRepository<Element> {
    try repository(for: type.schema)
  }

  /// Opens a repository over any table that also has a blocking view.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public final func repository<Element: Storable>(
    for schema: Schema<Element>
  ) throws(RepositoryError) -> SQLRepository<Element> {
    try repository(for: schema, in: nil)
  }

  /// Opens a repository, in a transaction if one is given; missing tables are created.
  package func repository<Element: Storable>(
    for schema: Schema<Element>, in bound: SQLTransaction?
  ) throws(RepositoryError) -> SQLRepository<Element> {
    let declared = try schema.tables()
    var found = try runBlocking(.read, in: bound, on: .none) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in
        try StoredSchema.find(declared, on: connection)
      }
    }
    if let missing = found.first(where: { $0.stored == nil })?.declared.name {
      do throws(RepositoryError) {
        found = try runBlocking(.write, in: bound) { connection throws(RepositoryError) in
          try connection.atomically { () throws(RepositoryError) in
            try StoredSchema.create(declared, on: connection)
            return try StoredSchema.find(declared, on: connection)
          }
        }
      } catch {
        guard error.code == .readOnly else { throw error }
        throw RepositoryError(
          .missingTable, "there is no table \(missing)", reason: "the store was opened for reading, which creates none",
          suggestion: "check that it is the right database, or open it once for writing", underlying: error)
      }
    }
    for table in found {
      if let error = RepositoryError.schemaMismatch(table.differences, in: table.declared.name) { throw error }
    }
    // Also those that the table refers to, whose own repositories need not be open.
    for table in found { declarations.add(table.declared) }
    return SQLRepository(schema, try SQLTable(found[0], schema.softDeletion, of: self, in: bound))
  }
}

extension SQLTransaction {
  /// Opens a repository that works within the transaction.
  ///
  /// - Throws: as `repository(_:)` of the store does.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(try repository(for: schema))
  }

  /// Opens a repository of a model type that works within the transaction and also has a blocking view.
  ///
  /// - Throws: as `repository(_:)` of the store does.
  public func repository<Element: Entity>(
    of type: Element.Type
  ) throws(RepositoryError) -> SQLRepository<Element> {
    try repository(for: type.schema)
  }

  /// Opens a repository over any table that works within the transaction and also has a blocking view.
  ///
  /// - Throws: as `repository(_:)` of the store does.
  public func repository<Element: Storable>(
    for schema: Schema<Element>
  ) throws(RepositoryError) -> SQLRepository<Element> {
    try owner.repository(for: schema, in: self)
  }
}
