public import Repository
public import SQLStore

/// A store of tables in an SQLite database, in a file or in memory.
///
/// ```swift
/// let store = try SQLiteStore(path: "pokedex.sqlite")
/// let pokedex = try store.repository(of: Pokemon.self)
/// ```
///
/// A database with a write-ahead log has one connection that writes and several that read, so that readers never wait
/// for a writer. Any number of tasks may use the store: tasks are suspended until a connection is free.
public final class SQLiteStore: SQLDatabase, @unchecked Sendable {
  /// The full path of the file, with links followed; empty for a database in memory.
  var path: String { sqlite.path }
  /// The driver, which has this type in all databases of this module.
  var sqlite: SQLiteDriver { unsafeDowncast(driver, to: SQLiteDriver.self) }

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mode: whether the file is made if it does not exist, and may be written.
  ///   - journal: the journal that makes commits atomic.
  ///   - synchronous: the time at which changes in a write-ahead log are on the disk.
  ///   - readers: the maximum number of connections that read concurrently. A database without a write-ahead log has one
  ///     connection for everything.
  ///   - timeout: the maximum wait for other tasks of the program, and for locks of other programs, before an error with the
  ///     code ``/Repository/RepositoryError/Code/busy``.
  ///   - observer: the observer of statements.
  ///   - prepare: prepares each connection, before it is used in any other way.
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/cannotOpen``,
  ///   ``/Repository/RepositoryError/Code/notADatabase``, ``/Repository/RepositoryError/Code/corrupt`` or
  ///   ``/Repository/RepositoryError/Code/busy``, and with the code ``/Repository/RepositoryError/Code/unsupported`` for a
  ///   database whose texts are UTF-16; what `prepare` throws.
  public convenience init(
    path: String, mode: OpenMode = .create, journal: JournalMode = .writeAheadLog,
    synchronous: Synchronous = .normal, readers: Int = 4, timeout: Duration = .seconds(5),
    observer: StatementObserver? = nil, prepare: (@Sendable (ConnectionSetup) throws -> Void)? = nil
  ) throws(RepositoryError) {
    // SQLite would open an unnamed temporary database for an empty path, a database in memory for `:memory:`, and, in some
    // builds (such as Debian's and Apple's), a URI for a path that begins with `file:`: https://www.sqlite.org/uri.html
    if path.isEmpty || path.contains("\0") {
      throw RepositoryError(
        .cannotOpen,
        path.isEmpty ? "the path of the database is empty" : "the path of the database contains a NUL character",
        suggestion: "use SQLiteStore.inMemory() for a database without a file")
    }
    let kind = FileKind(ofPath: path)
    if let name = kind.nameUnlessDatabase {
      throw RepositoryError(.cannotOpen, "\(path) is \(name), not a database file", suggestion: "check the path")
    }
    if let database = FileIdentity.database(withFile: path) {
      throw .takenName(path, by: database, suggestion: "choose another name for the database")
    }
    if mode != .create, kind == .missing {
      throw RepositoryError(
        .cannotOpen, "there is no database file \(path)",
        reason: "the mode does not allow creating a file",
        suggestion: "check the path, or open the database with the mode `.create`")
    }
    // SQLite deletes the journal of a file that is missing, without opening it.
    if mode != .immutable, kind == .regular { try FileIdentity.checkCompanions(ofDatabase: path) }
    let file = path == ":memory:" || path.hasPrefix("file:") ? "./\(path)" : path
    do throws(RepositoryError) {
      self.init(
        try SQLiteDriver.open(
          path: file, mode, journal, synchronous, readers: readers, timeout: timeout,
          StoreHooks(observer: observer, prepare: prepare)))
    } catch {
      throw error.explained(forFile: file)
    }
  }

  /// Makes a store with a database in memory, which is deleted with the store.
  ///
  /// - Parameters:
  ///   - timeout: the maximum wait for other tasks of the program.
  ///   - observer: the observer of statements.
  ///   - prepare: prepares each connection, before it is used in any other way.
  public static func inMemory(
    timeout: Duration = .seconds(5), observer: StatementObserver? = nil,
    prepare: (@Sendable (ConnectionSetup) throws -> Void)? = nil
  ) throws(RepositoryError) -> SQLiteStore {
    SQLiteStore(
      try SQLiteDriver.open(
        path: ":memory:", .create, .unchanged, .normal, readers: 0, timeout: timeout,
        StoreHooks(observer: observer, prepare: prepare)))
  }
}

// MARK: - The schema over time

extension SQLiteStore {
  /// Opens a database file and applies the migrations that have not been applied to it yet.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mode: whether the file is made if it does not exist, and may be written.
  ///   - migrations: all migrations of the program, the oldest first.
  ///   - timeout: the maximum wait for other tasks of the program, and for locks of other programs.
  ///   - observer: the observer of statements.
  ///   - prepare: prepares each connection, before it is used in any other way.
  /// - Throws: as ``init(path:mode:journal:synchronous:readers:timeout:observer:prepare:)`` and
  ///   ``/SQLStore/SQLDatabase/migrate(_:)`` do.
  public convenience init(
    path: String, mode: OpenMode = .create, migrations: [Migration], timeout: Duration = .seconds(5),
    observer: StatementObserver? = nil, prepare: (@Sendable (ConnectionSetup) throws -> Void)? = nil
  ) async throws(RepositoryError) {
    try self.init(path: path, mode: mode, timeout: timeout, observer: observer, prepare: prepare)
    try await migrate(migrations)
  }
}
