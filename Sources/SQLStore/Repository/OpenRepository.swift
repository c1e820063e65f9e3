import Query
public import Repository
import SQL

// Opening a repository: its table is looked up, or created, and compared with the schema.

extension SQLDatabase {
  /// Opens a repository over the table of a schema; the table and those that it refers to are created if they don't exist
  /// yet.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if the schema contradicts itself, a table differs from it, or can't be created.
  ///   No table is created then.
  public final func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(try sqlRepository(schema))
  }

  /// Opens a repository of a model type without type erasure; it has a blocking view.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public final func sqlRepository<Element: Entity>(
    of type: Element.Type
  ) throws(RepositoryError) -> SQLRepository<Element> {
    try sqlRepository(type.schema)
  }

  /// Opens a repository over any table without type erasure; it has a blocking view.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public final func sqlRepository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> SQLRepository<Element> {
    try sqlRepository(schema, in: nil)
  }

  /// Opens a repository, in a transaction if one is given.
  func sqlRepository<Element: Storable>(
    _ schema: Schema<Element>, in bound: SQLTransaction?
  ) throws(RepositoryError) -> SQLRepository<Element> {
    let declared = try schema.tables()
    var found = try runBlocking(.read, in: bound, on: .none) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in
        try StoredSchema.find(declared, on: connection)
      }
    }
    // A table that differs is refused before the missing ones are created.
    try StoredSchema.checkExisting(found)
    if let missing = found.first(where: { $0.stored == nil })?.declared.name {
      do throws(RepositoryError) {
        found = try runBlocking(.write, in: bound) { connection throws(RepositoryError) in
          try connection.atomically { () throws(RepositoryError) in
            try StoredSchema.create(declared, on: connection)
            let found = try StoredSchema.find(declared, on: connection)
            try StoredSchema.checkExisting(found)
            return found
          }
        }
      } catch {
        guard error.code == .readOnly else { throw error }
        throw RepositoryError(
          .missingTable, "there is no table \(missing)", reason: "the store is read-only and can't create the table",
          suggestion: "check the path of the database, or open the database once for writing", underlying: error)
      }
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
    AnyRepository(try sqlRepository(schema))
  }

  /// Opens a repository of a model type that works within the transaction, without type erasure.
  ///
  /// - Throws: as `repository(_:)` of the store does.
  public func sqlRepository<Element: Entity>(
    of type: Element.Type
  ) throws(RepositoryError) -> SQLRepository<Element> {
    try sqlRepository(type.schema)
  }

  /// Opens a repository over any table that works within the transaction, without type erasure.
  ///
  /// - Throws: as `repository(_:)` of the store does.
  public func sqlRepository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> SQLRepository<Element> {
    try owner.sqlRepository(schema, in: self)
  }
}
