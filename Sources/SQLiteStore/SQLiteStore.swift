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
public final class SQLiteStore: SQLDatabase, @unchecked Sendable {
  /// The full path of the file, with links followed; empty for a database in memory.
  var path: String { sqlite.path }
  /// All databases of this module have one.
  var sqlite: SQLiteDriver { unsafeDowncast(driver, to: SQLiteDriver.self) }

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
  public convenience init(
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
      throw RepositoryError(.cannotOpen, "\(path) is \(name), not a database file", suggestion: "check the path")
    }
    if let database = FileIdentity.database(withFile: path) {
      throw .takenName(path, by: database, suggestion: "call the database otherwise")
    }
    if mode != .create, kind == .missing {
      throw RepositoryError(
        .cannotOpen, "there is no database file \(path)",
        reason: "a file that is to be \(mode != .existing ? "read only" : "there already") is not created",
        suggestion: "check the path, or open it with the mode `.create`")
    }
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
      try SQLiteDriver.open(
        path: ":memory:", .create, .unchanged, .normal, readers: 0, timeout: timeout,
        StoreHooks(observer: observer, prepare: prepare)))
  }
}

// MARK: - The schema over time

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
  /// - Throws: as ``init(path:mode:journal:synchronous:readers:timeout:observer:prepare:)`` and ``/SQLStore/SQLDatabase/migrate(_:)`` do.
  public convenience init(
    path: String, mode: OpenMode = .create, migrations: [Migration], timeout: Duration = .seconds(5),
    observer: StatementObserver? = nil, prepare: (@Sendable (ConnectionSetup) throws -> Void)? = nil
  ) async throws(RepositoryError) {
    try self.init(path: path, mode: mode, timeout: timeout, observer: observer, prepare: prepare)
    try await migrate(migrations)
  }
}
