public import Query
public import Repository
public import SQLStore

/// Tables in an SQLite database, in a file or in memory.
///
/// ```swift
/// let store = try SQLiteStore(path: "pokedex.sqlite")
/// let pokedex: AnyRepository<Pokemon> = try store.repository()
/// ```
///
/// A database with a write-ahead log has one connection that writes and several that read, so that readers never wait
/// for a writer. Any number of tasks may use the store: tasks are suspended until a connection is free.
public final class SQLiteStore: Store {
  /// The database with its connections, which knows nothing of SQLite but its driver.
  package let database: SQLDatabase
  /// How long is waited for other tasks of the program, and for locks of other programs.
  public var timeout: Duration { database.timeout }
  /// The full path of the file, with links followed; empty for a database in memory.
  var path: String { driver.path }
  /// All databases of this module have one.
  var driver: SQLiteDriver { unsafeDowncast(database.driver, to: SQLiteDriver.self) }

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mode: whether it is made if it does not exist, and may be written.
  ///   - journal: how changes are kept safe until they are complete.
  ///   - synchronous: when changes in a write-ahead log are on the disk.
  ///   - readers: how many connections may read at once. A database without a write-ahead log has one for everything.
  ///   - timeout: how long is waited for other tasks of the program, and for locks of other programs, before an error
  ///     with the code ``/Repository/RepositoryError/Code/busy``.
  ///   - observer: is told of each statement.
  ///   - prepare: prepares each connection, before anything else is done with it.
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/cannotOpen``,
  ///   ``/Repository/RepositoryError/Code/notADatabase``, ``/Repository/RepositoryError/Code/corrupt`` or ``/Repository/RepositoryError/Code/busy``, and
  ///   ``/Repository/RepositoryError/Code/unsupported`` for a database whose texts are UTF-16; what `prepare` throws.
  public init(
    path: String, mode: OpenMode = .create, journal: JournalMode = .writeAheadLog,
    synchronous: Synchronous = .normal, readers: Int = 4, timeout: Duration = .seconds(5),
    observer: StatementObserver? = nil, prepare: (@Sendable (ConnectionSetup) throws -> Void)? = nil
  ) throws(RepositoryError) {
    // SQLite would make a nameless temporary database of an empty path, memory of a special one, and where it was built so
    // (as Debian's and Apple's are), a URI of what starts like one: https://www.sqlite.org/uri.html
    if path.isEmpty || path.contains("\0") {
      throw RepositoryError(
        .cannotOpen, path.isEmpty ? "the path of the database is empty" : "the path of the database contains a NUL",
        suggestion: "use SQLiteStore.inMemory() for a database without a file")
    }
    let kind = FileKind(ofPath: path)
    if let name = kind.nameUnlessDatabase {
      throw RepositoryError(.cannotOpen, "\(path) is \(name), not a database file")
    }
    if mode != .create, kind == .missing {
      throw RepositoryError(
        .cannotOpen, "there is no database file \(path)",
        reason: "a file that is to be \(mode == .readOnly ? "read only" : "there already") is not created",
        suggestion: "check the path, or open it with the mode `.create`")
    }
    let file = path == ":memory:" || path.hasPrefix("file:") ? "./\(path)" : path
    do throws(RepositoryError) {
      database = try SQLiteDriver.open(
        path: file, mode, journal, synchronous, readers: readers, timeout: timeout,
        StoreHooks(observer: observer, prepare: prepare))
    } catch {
      throw error.explained(forFile: file)
    }
  }

  private init(inMemory database: SQLDatabase) {
    self.database = database
  }

  /// Makes a database in memory, which is gone with the store.
  ///
  /// - Parameters:
  ///   - timeout: how long is waited for other tasks of the program.
  ///   - observer: is told of each statement.
  ///   - prepare: prepares each connection, before anything else is done with it.
  public static func inMemory(
    timeout: Duration = .seconds(5), observer: StatementObserver? = nil,
    prepare: (@Sendable (ConnectionSetup) throws -> Void)? = nil
  ) throws(RepositoryError) -> SQLiteStore {
    SQLiteStore(
      inMemory: try SQLiteDriver.open(
        path: ":memory:", .create, .unchanged, .normal, readers: 0, timeout: timeout,
        StoreHooks(observer: observer, prepare: prepare)))
  }

  /// Opens a repository over the table that a schema describes; it and the tables that it refers to are created where they
  /// don't exist yet.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where the schema contradicts itself, a table differs from it, or can't be created.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(try repository(for: schema))
  }

  /// Opens a repository of a model type that offers synchronous calls too.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public func repository<Element: Entity>(
    of type: Element.Type
  ) throws(RepositoryError) -> SQLiteRepository<Element> {
    try repository(for: type.schema)
  }

  /// Opens a repository over any table that offers synchronous calls too.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public func repository<Element: Storable>(
    for schema: Schema<Element>
  ) throws(RepositoryError) -> SQLiteRepository<Element> {
    try database.repository(for: schema)
  }

  /// The names of the tables and views, in alphabetical order; the one that remembers the migrations is left out.
  public func tableNames() throws(RepositoryError) -> [String] { try database.tableNames() }

  /// Describes a table or a view of any database, so that it can be opened as a repository of ``/Repository/Record``s.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/missingTable`` where there is none with this name;
  ///   the error suggests the nearest one.
  public func schema(ofTable name: String) throws(RepositoryError) -> TableSchema {
    try database.schema(ofTable: name)
  }

  /// Runs statements in SQL.
  public var sql: SQLSession { database.sql }

  /// Interrupts the store's operations, and refuses later requests.
  ///
  /// It is for programs that give the store up, from any thread, also amid a call that does not suspend; what was to be
  /// changed by such a call is not changed.
  package func stop() { database.pool.stop() }

  /// Stops the connections as ``stop()`` does, as long as the store or one of its repositories keeps them open.
  package var stopper: @Sendable () -> Void { { [weak pool = database.pool] in pool?.stop() } }
}

// MARK: - Transactions

extension SQLiteStore {
  /// Does several things, all or nothing.
  ///
  /// A database in memory is copied first, so that others can read it as it was.
  ///
  /// - Throws: as ``/Repository/Store/transaction(_:)`` does.
  public func transaction<Result>(_ body: (SQLiteTransaction) async throws -> Result) async throws -> Result {
    try await database.transaction(body)
  }

  /// The same without suspending, for scripts and tests.
  ///
  /// - Throws: as ``/Repository/Store/transaction(_:)`` does.
  public func transaction<Result>(_ body: (SQLiteTransaction) throws -> Result) throws -> Result {
    try database.transaction(body)
  }

  /// Reads several things from one state of the database.
  ///
  /// In a file with a write-ahead log, a writer need not wait for it, but the log grows as long as it lasts. A database in
  /// memory is copied for it.
  ///
  /// - Throws: as ``/Repository/Store/read(_:)`` does.
  public func read<Result>(_ body: (SQLiteTransaction) async throws -> Result) async throws -> Result {
    try await database.read(body)
  }

  /// The same without suspending, for scripts and tests.
  ///
  /// - Throws: as ``/Repository/Store/read(_:)`` does.
  public func read<Result>(_ body: (SQLiteTransaction) throws -> Result) throws -> Result {
    try database.read(body)
  }
}
