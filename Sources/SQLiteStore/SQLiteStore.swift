#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import Query
public import Repository
import SQL
import Synchronization

/// Tables in an SQLite database, in a file or in memory.
///
/// ```swift
/// let store = try SQLiteStore(path: "pokedex.sqlite")
/// let pokedex: AnyRepository<Pokemon> = try store.repository()
/// ```
///
/// It has one connection, which any number of tasks may use, one at a time.
public final class SQLiteStore: Store {
  private let gate = Mutex(())
  // Safe because it is used within the gate alone. `Mutex<Connection>` would say the same, but can't be given to a closure
  // that it has not seen.
  nonisolated(unsafe) private let connection: Connection
  static let compiler = Compiler(for: SQLiteDialect())

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mode: whether it is made if it does not exist, and may be written.
  ///   - journal: how changes are kept safe until they are complete.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/cannotOpen``,
  ///   ``RepositoryError/Code/notADatabase``, ``RepositoryError/Code/corrupt`` or ``RepositoryError/Code/busy``, and
  ///   ``RepositoryError/Code/unsupported`` for a database whose texts are UTF-16.
  public init(
    path: String, mode: OpenMode = .create, journal: JournalMode = .writeAheadLog
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
    connection = try Self.open(file, mode, journal)
  }

  private init(_ connection: Connection) {
    self.connection = connection
  }

  /// Makes a database in memory, which is gone with the store.
  public static func inMemory() throws(RepositoryError) -> SQLiteStore {
    SQLiteStore(try open(":memory:", .create, .unchanged))
  }

  private static func open(
    _ path: String, _ mode: OpenMode, _ journal: JournalMode
  ) throws(RepositoryError) -> Connection {
    let database: RawDatabase
    do throws(ResultCode) {
      database = try RawDatabase(path: path, mode: mode)
      try database.waitForLocks(milliseconds: 5_000)
    } catch {
      throw RepositoryError(error)
    }
    let isReadOnly = database.isReadOnly
    let connection = Connection(database)
    // The first statement that reads the file: what is no database is noticed here.
    let encoding = try connection.text("PRAGMA encoding")
    if encoding != "UTF-8" {
      throw RepositoryError(
        .unsupported, "the database keeps its texts as \(encoding)", reason: "only UTF-8 is supported",
        suggestion: "copy it into a new database with SQLite's own shell: .dump there, .read here")
    }
    try connection.execute("PRAGMA foreign_keys = ON")
    if journal == .writeAheadLog, !isReadOnly {
      // Where the file system has no shared memory, SQLite keeps the mode that it had, and needs its full care there.
      if try connection.text("PRAGMA journal_mode = WAL") == "wal" {
        try connection.execute("PRAGMA synchronous = NORMAL")
      }
    }
    return connection
  }

  /// Opens a repository over the table that a schema describes; a table that does not exist yet is created.
  ///
  /// - Throws: ``RepositoryError`` where the schema contradicts itself, the table differs from it, or the table can't be
  ///   created.
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
    let expected = try schema.table()
    let present = try withConnection { connection throws(RepositoryError) in
      if let present = try connection.schema(ofTable: expected.name) { return present }
      return try connection.transaction { () throws(RepositoryError) in
        // Somebody else may have made it meanwhile.
        if let present = try connection.schema(ofTable: expected.name) { return present }
        try connection.create(expected)
        return expected
      }
    }
    if let error = RepositoryError.mismatch(present: present, expected: expected) { throw error }
    return SQLiteRepository(
      store: self, schema: schema, table: expected, looseTable: try expected.loosened(like: present))
  }

  /// The names of the tables and views, in alphabetical order.
  public func tableNames() throws(RepositoryError) -> [String] {
    try withConnection { connection throws(RepositoryError) in try connection.tableNames() }
  }

  /// Describes a table or a view of any database, so that it can be opened as a repository of ``Record``s.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/missingTable`` where there is none of this name;
  ///   the error suggests the nearest one.
  public func schema(ofTable name: String) throws(RepositoryError) -> TableSchema {
    try withConnection { connection throws(RepositoryError) in
      guard let table = try connection.schema(ofTable: name) else {
        throw .missingTable(name, among: try connection.tableNames())
      }
      return table
    }
  }

  /// Runs a closure with the connection; nobody else has it meanwhile.
  func withConnection<Result: Sendable, Failure: Error>(
    _ body: (Connection) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try gate.withLock { _ throws(Failure) in try body(connection) }
  }
}
