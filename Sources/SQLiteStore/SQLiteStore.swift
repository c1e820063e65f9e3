#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import Query
public import Repository
import SQL

/// Tables in an SQLite database, in a file or in memory.
///
/// ```swift
/// let store = try SQLiteStore(path: "pokedex.sqlite")
/// let pokedex: AnyRepository<Pokemon> = try store.repository()
/// ```
///
/// A database with a write-ahead log has one connection that writes and several that read, so that readers never wait for
/// a writer. Any number of tasks may use the store: those that find no connection are suspended for a while.
public final class SQLiteStore: Store {
  static let compiler = Compiler(for: SQLiteDialect())
  /// Tells those who observe that something was committed.
  var signal: ChangeSignal { pool.signal }

  /// How long is waited for other tasks of the program, and for locks of other programs.
  public let timeout: Duration
  let pool: ConnectionPool
  let isInMemory: Bool
  /// The path of the file; empty for a database in memory.
  let path: String

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mode: whether it is made if it does not exist, and may be written.
  ///   - journal: how changes are kept safe until they are complete.
  ///   - synchronous: when changes in a write-ahead log are on the disk.
  ///   - readers: how many connections may read at once. A database without a write-ahead log has one for everything.
  ///   - timeout: how long is waited for other tasks of the program, and for locks of other programs, before an error
  ///     with the code ``RepositoryError/Code/busy``.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/cannotOpen``,
  ///   ``RepositoryError/Code/notADatabase``, ``RepositoryError/Code/corrupt`` or ``RepositoryError/Code/busy``, and
  ///   ``RepositoryError/Code/unsupported`` for a database whose texts are UTF-16.
  public init(
    path: String, mode: OpenMode = .create, journal: JournalMode = .writeAheadLog,
    synchronous: Synchronous = .normal, readers: Int = 4, timeout: Duration = .seconds(5)
  ) throws(RepositoryError) {
    // SQLite would make a nameless temporary database of an empty path, memory of a special one, and where it was built so
    // (as Debian's and Apple's are), a URI of what starts like one: https://www.sqlite.org/uri.html
    if path.isEmpty || path.contains("\0") {
      throw RepositoryError(
        .cannotOpen, path.isEmpty ? "the path of the database is empty" : "the path of the database contains a NUL",
        suggestion: "use SQLiteStore.inMemory() for a database without a file")
    }
    var isFolder = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder {
      throw RepositoryError(.cannotOpen, "\(path) is a folder, not a database file")
    }
    let file = path == ":memory:" || path.hasPrefix("file:") ? "./\(path)" : path
    self.timeout = timeout
    isInMemory = false
    self.path = file
    do throws(RepositoryError) {
      pool = try ConnectionPool(path: file, mode, journal, synchronous, readers: readers, timeout: timeout)
    } catch {
      throw error.explained(forFile: file)
    }
  }

  private init(inMemory pool: ConnectionPool) {
    timeout = pool.timeout
    isInMemory = true
    path = ""
    self.pool = pool
  }

  /// Makes a database in memory, which is gone with the store.
  ///
  /// - Parameter timeout: how long is waited for other tasks of the program.
  public static func inMemory(timeout: Duration = .seconds(5)) throws(RepositoryError) -> SQLiteStore {
    SQLiteStore(
      inMemory: try ConnectionPool(path: ":memory:", .create, .unchanged, .normal, readers: 0, timeout: timeout))
  }

  /// Opens a repository over the table that a schema describes; it and the tables that it refers to are created where they
  /// don't exist yet.
  ///
  /// - Throws: ``RepositoryError`` where the schema contradicts itself, a table differs from it, or can't be created.
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
    try repository(for: schema, in: nil)
  }

  /// The names of the tables and views, in alphabetical order; the one that remembers the migrations is left out.
  public func tableNames() throws(RepositoryError) -> [String] {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.tableNames() }
  }

  /// Describes a table or a view of any database, so that it can be opened as a repository of ``Record``s.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/missingTable`` where there is none of this name;
  ///   the error suggests the nearest one.
  public func schema(ofTable name: String) throws(RepositoryError) -> TableSchema {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in
        guard let table = try connection.schema(ofTable: name) else {
          throw .missingTable(name, among: try connection.tableNames())
        }
        return table
      }
    }
  }
}

extension SQLiteStore {
  /// Opens a repository, in a transaction if one is given.
  func repository<Element: Storable>(
    for schema: Schema<Element>, in bound: SQLiteTransaction?
  ) throws(RepositoryError) -> SQLiteRepository<Element> {
    let needed = try schema.tables()
    let expected = needed[0]
    var drifts = try runBlocking(.read, in: bound) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in try connection.drifts(of: needed) }
    }
    if drifts.contains(where: { $0.present == nil }) {
      drifts = try runBlocking(.write, in: bound) { connection throws(RepositoryError) in
        try connection.atomically { () throws(RepositoryError) in
          _ = try connection.create(tables: needed)
          return try connection.drifts(of: needed)
        }
      }
    }
    for (drift, expected) in zip(drifts, needed) {
      if let error = RepositoryError.drift(drift.differences, in: expected.name) { throw error }
    }
    let table = drifts[0].present ?? expected
    return SQLiteRepository(
      store: self, transaction: bound, schema: schema, table: expected,
      storedTable: try expected.loosened(like: table))
  }

  /// Does something with a connection, in the transaction that the task is in, if any.
  ///
  /// - Parameters:
  ///   - bound: the transaction that asks, if one does.
  ///   - isLong: whether it is worth being stopped when the task is cancelled.
  ///   - body: what is done. It leaves nothing behind where it throws.
  func run<Result>(
    _ access: Access, in bound: SQLiteTransaction? = nil, isLong: Bool = true,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    if let transaction = transaction(boundTo: bound) {
      return try await transaction.perform(access, isLong: isLong, body)
    }
    return try await pool.run(access, isLong: isLong, body)
  }

  /// The same without suspending.
  func runBlocking<Result>(
    _ access: Access, in bound: SQLiteTransaction? = nil, _ body: (Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    if let transaction = transaction(boundTo: bound) { return try transaction.performBlocking(access, body) }
    return try pool.runBlocking(access, body)
  }

  func transaction(boundTo bound: SQLiteTransaction?) -> SQLiteTransaction? {
    guard let innermost = SQLiteTransaction.innermost else { return bound }
    return SQLiteTransaction.current(from: innermost, of: self, boundTo: bound)
  }
}

/// What may happen to a database file when it is opened.
public enum OpenMode: Hashable, Sendable {
  /// It is read and written, and made if it does not exist.
  case create
  /// It is read and written, and has to exist.
  case existing
  /// It is read alone, and has to exist.
  case readOnly
}

/// How a database file keeps its changes safe until they are complete.
public enum JournalMode: Hashable, Sendable {
  /// A write-ahead log: readers and a writer don't wait for each other. The file's mode is changed for good, and two
  /// more files stand beside it while it is open. ``Synchronous`` says what a loss of power may cost.
  case writeAheadLog
  /// Whatever the file says, a rollback journal for a new one.
  case unchanged
}

/// When the changes of a database with a write-ahead log are on the disk, and not only with the operating system.
///
/// It matters when the machine loses power. A program that crashes or is killed loses nothing that it was told is saved,
/// either way. A database without a log, and one whose journal is left ``JournalMode/unchanged``, always waits for the disk.
public enum Synchronous: Hashable, Sendable {
  /// The disk is waited for now and then, when the log is copied into the database. The latest changes may be lost with
  /// the power, never a part of one (`synchronous=NORMAL`, https://www.sqlite.org/pragma.html#pragma_synchronous).
  case normal
  /// Each change waits for the disk, which makes small ones much slower (`synchronous=FULL`).
  case full
}
