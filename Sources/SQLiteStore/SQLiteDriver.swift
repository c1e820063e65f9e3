import Query
package import Repository
package import SQL
package import SQLStore
import Synchronization

/// The driver of SQLite, which opens databases and implements what differs between engines.
package final class SQLiteDriver: SQLDriver {
  package static let compiler = Compiler(for: SQLiteDialect())

  /// The path of the file; empty for a database in memory.
  let path: String
  private let mode: OpenMode
  package let hooks: StoreHooks
  package let concurrency: ConcurrencyModel
  /// The queue of the writers of several processes; `nil` for a database that is in memory or only read.
  private let queue: WriteQueue?

  private init(path: String, mode: OpenMode, hooks: StoreHooks, concurrency: ConcurrencyModel, isReadOnly: Bool) {
    self.path = path
    self.mode = mode
    self.hooks = hooks
    self.concurrency = concurrency
    queue = path.isEmpty || isReadOnly ? nil : WriteQueue(ofDatabase: path)
  }

  /// Opens a database with its first connection, and others when they are needed.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if the file is not a usable database.
  static func open(
    path: String, _ mode: OpenMode, _ journal: JournalMode, _ synchronous: Synchronous, readers: Int, timeout: Duration,
    _ hooks: StoreHooks
  ) throws(RepositoryError) -> ConnectionPool {
    // Opening blocks its thread while another program recovers or converts the file.
    let raw = try BusyRetry(.read, nil, within: timeout).runBlocking { () throws(RepositoryError) in
      let raw = try open(path: path, mode, hooks)
      try checkEncoding(raw)
      if !raw.isReadOnly { try checkCascades(raw) }
      if journal == .writeAheadLog, !raw.isReadOnly { _ = try raw.text("PRAGMA journal_mode = WAL") }
      return raw
    }
    // On a file system without shared memory, SQLite keeps a rollback journal, which needs `synchronous = FULL`, the default.
    let hasWAL = try raw.text("PRAGMA journal_mode") == "wal"
    if hasWAL, journal == .writeAheadLog, synchronous == .normal { _ = try raw.text("PRAGMA synchronous = NORMAL") }
    // SQLite may be built to wait less than that by default, as Apple's is: SQLITE_DEFAULT_WAL_SYNCHRONOUS in
    // https://www.sqlite.org/compile.html
    if hasWAL, synchronous == .full { _ = try raw.text("PRAGMA synchronous = FULL") }
    // A rollback journal that reappears in its folder after a loss of power would undo the commit that removed it.
    // https://www.sqlite.org/pragma.html#pragma_synchronous
    if !hasWAL, synchronous == .full { _ = try raw.text("PRAGMA synchronous = EXTRA") }
    // Without a limit, a log that has grown during a long read would keep its size.
    if hasWAL, !raw.isReadOnly { _ = try raw.text("PRAGMA journal_size_limit = \(WALState.targetSize)") }
    let driver = SQLiteDriver(
      path: raw.path, mode: mode, hooks: hooks,
      concurrency: hasWAL && readers > 0 ? .oneWriter(readers: readers) : .single(copiesForReaders: raw.path.isEmpty),
      isReadOnly: raw.isReadOnly)
    let first = SQLiteConnection(raw, hooks, writesWAL: hasWAL && !raw.isReadOnly)
    return ConnectionPool(driver, first: first, timeout: timeout)
  }

  /// Opens a connection, without reading the file.
  private static func open(path: String, _ mode: OpenMode, _ hooks: StoreHooks) throws(RepositoryError) -> RawDatabase {
    let raw = try RawDatabase(path: path, mode: mode, hooks)
    _ = try raw.text("PRAGMA foreign_keys = ON")
    return raw
  }

  /// Throws for databases whose texts are not UTF-8. The check reads the file, so it also detects a file that is not a
  /// database.
  private static func checkEncoding(_ raw: RawDatabase) throws(RepositoryError) {
    let encoding = try raw.text("PRAGMA encoding")
    if encoding != "UTF-8" {
      throw RepositoryError(
        .unsupported, "the database stores text as \(encoding)", reason: "only UTF-8 is supported",
        suggestion:
          "copy the database with the sqlite3 shell: .dump the old database, .read the dump into a new database")
    }
  }

  /// Throws for a writable database in which SQLite would apply a foreign key action to the wrong rows.
  ///
  /// SQLite's internal statement for such an action calls the deleted or changed row `old` and `new`, and finds a table with
  /// that name instead, if the table has a column with the name of the key: `fkActionTrigger` in
  /// https://www.sqlite.org/src/file/src/fkey.c.
  private static func checkCascades(_ raw: RawDatabase) throws(RepositoryError) {
    // Almost no database has such a table, and these two pragmas take a twentieth of the time of the query below.
    let hasOld = try raw.hasResult("PRAGMA foreign_key_list(old)")
    let hasNew = try raw.hasResult("PRAGMA foreign_key_list(new)")
    if !hasOld && !hasNew { return }
    let name = try raw.text(
      """
      SELECT word.name FROM (SELECT 'old' AS name UNION ALL SELECT 'new') AS word \
      JOIN temp.pragma_foreign_key_list(word.name) AS rule JOIN temp.pragma_table_xinfo(word.name) AS own \
      WHERE own.name = coalesce(rule."to", \
      (SELECT name FROM temp.pragma_table_xinfo(rule."table") WHERE pk = rule.seq + 1)) COLLATE NOCASE \
      AND (rule.on_update NOT IN ('NO ACTION', 'RESTRICT') \
      OR word.name = 'old' AND rule.on_delete NOT IN ('NO ACTION', 'RESTRICT'))
      """)
    if name.isEmpty { return }
    throw RepositoryError(
      .unsupported, "SQLite would delete or change the wrong rows of the table \(name)",
      reason: "SQLite's foreign key actions use the names OLD and NEW, which clash with this table's name",
      suggestion: "rename the table with the sqlite3 shell, or open the file read-only")
  }

  // MARK: Connections

  package var compiler: Compiler { Self.compiler }
  package var failureScope: FailureScope { .statement }
  package var convertsValues: Bool { true }
  package var name: String { path.isEmpty ? ":memory:" : path }
  package var observer: StatementObserver? { hooks.observer }

  package func connect(_ access: Access) throws(RepositoryError) -> any SQLConnection {
    // Nothing here reads the file, so nothing has to wait for locks of other connections, which would block a thread.
    let raw = try Self.open(path: path, mode == .create ? .existing : mode, hooks)
    if access == .read { _ = try raw.text("PRAGMA query_only = ON") }
    return SQLiteConnection(raw, hooks)
  }

  package func catalog(on connection: Connection) -> any SQLCatalog { SQLiteCatalog(connection) }

  package func conversion(ofColumn column: String, in table: String, from form: NonCanonicalForm) -> String? {
    SQLiteConversion(ofColumn: column, in: table).statement(from: form)
  }

  package func advice(onColumn column: String, in table: String, holding form: NonCanonicalForm) -> String? {
    SQLiteConversion(ofColumn: column, in: table).advice(on: form)
  }

  /// Polls `data_version`, which changes when another connection has committed. The number is read by the writing connection,
  /// whose own commits don't change it, so that they are not detected twice; while the connection is in use, the number is not
  /// polled. https://www.sqlite.org/pragma.html#pragma_data_version
  package func makeCommitPoll(using connections: ResourcePool<Connection>) -> (@Sendable () -> Bool)? {
    if path.isEmpty { return nil }
    let seen = Mutex<Int?>(nil)
    return {
      guard let connection = try? connections.acquireIdle() else { return false }
      defer { connections.release(connection) }
      let statement = CompiledStatement(Command.dataVersion, bindings: [])
      guard let number = try? connection.integer(statement) else { return false }
      return seen.withLock { seen in
        defer { seen = number }
        return seen != number
      }
    }
  }

  package var hasQueuedWriter: Bool { queue?.tidyAndCheckTaken() ?? false }
  package func joinWriteQueue() -> (any WriteQueueTicket)? { queue?.join() }

  // MARK: Transactions

  /// The statements that are run often.
  private enum Command {
    static let begin = StatementText("BEGIN")
    static let beginWriting = StatementText("BEGIN IMMEDIATE")
    static let commit = StatementText("COMMIT")
    static let rollBack = StatementText("ROLLBACK")
    static let snapshotProbe = StatementText("SELECT count(*) FROM sqlite_schema")
    static let dataVersion = StatementText("PRAGMA data_version")
  }

  package func control(_ command: TransactionCommand, on connection: Connection) throws(RepositoryError) {
    func run(_ text: StatementText) throws(RepositoryError) {
      try connection.execute(CompiledStatement(text, bindings: []))
    }
    switch command {
    case .begin(.reading):
      try run(Command.begin)
      do throws(RepositoryError) {
        // A transaction begins to read, and takes its snapshot, with its first statement.
        try run(Command.snapshotProbe)
      } catch {
        connection.rollBack(.reading)
        throw error
      }
    // A transaction for writing takes the write lock at its start: one that reads first and writes later is refused if another
    // transaction wrote in between, however long it waits. https://www.sqlite.org/isolation.html
    case .begin(.writing), .begin(.operation), .begin(.migrating): try run(Command.beginWriting)
    case .begin(.rebuilding):
      // The pragma has no effect within a transaction: https://www.sqlite.org/pragma.html#pragma_foreign_keys
      try connection.execute("PRAGMA foreign_keys = OFF")
      do throws(RepositoryError) {
        try run(Command.beginWriting)
      } catch {
        enforceForeignKeys(on: connection)
        throw error
      }
    case .commit(.reading), .commit(.writing), .commit(.operation), .commit(.migrating): try run(Command.commit)
    case .commit(.rebuilding):
      try run(Command.commit)
      enforceForeignKeys(on: connection)
    case .rollBack(let kind):
      defer { if kind == .rebuilding { enforceForeignKeys(on: connection) } }
      // A rollback fails if SQLite itself has already rolled back.
      if connection.isInTransaction { try? run(Command.rollBack) }
      // A rollback also fails if there is no memory to prepare the statement: without this second one, the transaction would
      // remain open for the next user of the connection.
      if connection.isInTransaction { connection.database.rollBack() }
    }
  }

  private func enforceForeignKeys(on connection: Connection) { connection.database.enforceForeignKeys() }

  package func explain(
    _ error: RepositoryError, preparing sql: String, on connection: Connection
  ) -> RepositoryError {
    (try? SQLiteCatalog(connection).explanation(of: error, preparing: sql)) ?? error
  }

  // MARK: Schema

  package func changeSchema(_ statement: SQLStatement, on connection: Connection) throws(RepositoryError) {
    guard StatementKeyword(of: statement.sql).text == "ALTER" else {
      _ = try connection.change(statement)
      return
    }
    // `ALTER` parses all definitions of the schema, in which other programs may have written texts in double quotes.
    try connection.allowingDoubleQuotedTexts { () throws(RepositoryError) in _ = try connection.change(statement) }
  }

  package func rebuild(
    _ plan: RebuildPlan, on connection: Connection, note: (SQLStatement) -> Void
  ) throws(RepositoryError) {
    try SQLiteTableRebuilder(plan, on: connection).run(note: note)
  }

  package func dropKeepingDependents(
    _ table: TableSchema, on connection: Connection
  ) throws(RepositoryError) -> any TableDependents {
    let dependents = try SQLiteTableDependents(of: table, on: connection, "replacing")
    try connection.execute(compiler.drop(table: table.name))
    return dependents
  }

  package func tryOut(
    on connection: Connection, _ body: (Connection) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try body(try copySchema(of: connection))
  }

  /// Makes an empty copy of the database in memory, with everything that its schema names.
  package func copySchema(of connection: Connection) throws(RepositoryError) -> Connection {
    var definitions: [(sql: String, isVirtual: Bool)] = []
    // As for ``SQLiteCatalog/tableEntries()``, whose pragma is asked for shadow tables.
    try connection.database.withoutViews { () throws(RepositoryError) in
      try connection.query(CompiledStatement(sql: Self.definitions, bindings: [])) { row in
        definitions.append((row.text(0), row.integer(1) == 1))
      }
    }
    let raw = try RawDatabase(path: ":memory:", mode: .create, hooks)
    let copy = Connection(SQLiteConnection(raw, hooks), of: self, isObserved: false)
    // Other programs may have written texts in double quotes into their definitions.
    try copy.allowingDoubleQuotedTexts { () throws(RepositoryError) in
      for definition in definitions {
        do throws(RepositoryError) {
          try copy.execute(definition.sql)
        } catch {
          // A virtual table whose module is not available can't be used in the file either.
          if !definition.isVirtual { throw error }
        }
      }
    }
    return copy
  }

  /// The definitions of the schema, tables before the objects that name them. Shadow tables are left out: their virtual table
  /// creates them.
  private static let definitions = """
    SELECT sql, sql LIKE 'CREATE VIRTUAL %' FROM sqlite_schema WHERE sql IS NOT NULL \
    AND \(SQLiteCatalog.isNotInternal) \
    AND name NOT IN (SELECT name FROM temp.pragma_table_list WHERE schema = 'main' AND type = 'shadow') \
    ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, rowid
    """
}

extension Connection {
  /// The driver: that of all connections of this module is a ``SQLiteDriver``.
  package var sqlite: SQLiteDriver { unsafeDowncast(driver, to: SQLiteDriver.self) }
}

extension SQLiteDriver {
  /// Returns SQLite's own message, if an error came from it.
  package static func message(of error: RepositoryError) -> String? { (error.underlying as? ResultCode)?.message }
}
