public import Query
public import Repository
public import SQLStore

// The schema over time.
extension SQLiteStore {
  /// Opens a database file and applies the migrations that it has not gone through yet.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mode: whether it is made if it does not exist, and may be written.
  ///   - migrations: all migrations of the program, the oldest first.
  ///   - timeout: how long is waited for other tasks of the program, and for locks of other programs.
  ///   - observer: is told of each statement.
  ///   - prepare: prepares each connection, before anything else is done with it.
  /// - Throws: as ``init(path:mode:journal:synchronous:readers:timeout:observer:prepare:)`` and ``migrate(_:)`` do.
  public convenience init(
    path: String, mode: OpenMode = .create, migrations: [Migration], timeout: Duration = .seconds(5),
    observer: StatementObserver? = nil, prepare: (@Sendable (ConnectionSetup) throws -> Void)? = nil
  ) async throws(RepositoryError) {
    try self.init(path: path, mode: mode, timeout: timeout, observer: observer, prepare: prepare)
    try await migrate(migrations)
  }

  /// Applies the migrations that the database has not gone through yet, each in a transaction of its own.
  ///
  /// Which ones those are the database itself remembers, in the table `repokit_migrations`. Several processes may migrate
  /// at once: one of them does, the others wait and find it done.
  ///
  /// - Parameter migrations: all migrations of the program, the oldest first. New ones are put at the end; those that may
  ///   have been applied somewhere keep their names, their positions and what they do.
  /// - Returns: what was applied.
  /// - Throws: ``/Repository/RepositoryError``: with the code ``/Repository/RepositoryError/Code/newerVersion`` where the database has gone through
  ///   all of them and more, ``/Repository/RepositoryError/Code/migrationMismatch`` and ``/Repository/RepositoryError/Code/migrationChanged`` where
  ///   it has gone through others, and nothing is changed then; ``/Repository/RepositoryError/Code/migrationFailed`` where one failed,
  ///   of which nothing is kept, while those before it are.
  @discardableResult
  @concurrent
  public func migrate(_ migrations: [Migration]) async throws(RepositoryError) -> MigrationReport {
    try await database.migrate(migrations)
  }

  /// Says what ``migrate(_:)`` would do, and changes nothing.
  ///
  /// The migrations are run on an in-memory copy of the schema without rows, so the call is fast, blocks no other
  /// connection, and shows invalid statements. It can't show failures that depend on rows, such as two that conflict.
  /// Code is not run.
  ///
  /// - Returns: the names and the SQL of the migrations that would be applied.
  /// - Throws: as ``migrate(_:)`` does.
  public func migrationPlan(_ migrations: [Migration]) throws(RepositoryError) -> MigrationPlan {
    try database.migrationPlan(migrations)
  }

  /// The migrations that the database has gone through, in their order.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where the database can't be read, or keeps something else in `repokit_migrations`.
  public func appliedMigrations() throws(RepositoryError) -> [AppliedMigration] {
    try database.appliedMigrations()
  }
}

// MARK: - Differences between schema and table

extension SQLiteStore {
  /// Compares a table with a schema, column by column, and changes nothing.
  ///
  /// - Returns: the differences, each with the statements that would fix it, or none where SQLite can't do so without a
  ///   copy of the table. Those that opening a repository tolerates are among them.
  /// - Throws: ``/Repository/RepositoryError`` where the schema contradicts itself, or the database can't be read.
  public func schemaDifferences<Element: Storable>(of schema: Schema<Element>) throws(RepositoryError)
    -> [SchemaDifference]
  {
    try schemaDifferences(of: try schema.table())
  }

  /// The same for a table without a model type.
  public func schemaDifferences(of table: TableSchema) throws(RepositoryError) -> [SchemaDifference] {
    try database.schemaDifferences(of: table)
  }

  /// Makes a table fit a schema as far as it takes no more than additions: a table that is missing, columns that may be
  /// null or have a default, and indexes.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - additions: what may be added.
  /// - Returns: the differences that were fixed, none where there were none.
  /// - Throws: ``/Repository/RepositoryError``, with the code ``/Repository/RepositoryError/Code/schemaMismatch`` where the table differs in
  ///   something else; nothing is added then.
  @discardableResult
  public func adopt<Element: Storable>(
    _ schema: Schema<Element>, adding additions: SchemaAdditions = .all
  ) throws(RepositoryError) -> [SchemaDifference] {
    try database.adopt(try schema.table(), adding: additions)
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

extension SQLiteStore {
  /// The names of a table's columns that the database computes, so that they can't be written.
  package func computedColumns(ofTable name: String) throws(RepositoryError) -> [String] {
    try database.runBlocking(.read) { connection throws(RepositoryError) in
      try SQLiteCatalog(connection).computedColumns(ofTable: name)
    }
  }

  /// The names of a table's columns that have a value in a row which is added without them.
  package func columnsWithDefault(ofTable name: String) throws(RepositoryError) -> Set<Value> {
    try database.runBlocking(.read) { connection throws(RepositoryError) in
      try SQLiteCatalog(connection).columnsWithDefault(ofTable: name)
    }
  }
}
