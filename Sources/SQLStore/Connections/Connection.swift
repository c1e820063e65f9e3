import Query
import Repository
import SQL
import Synchronization

/// One connection to a database with its prepared statements.
///
/// Unchecked, because it is one user's at a time: whoever has it got it from a pool, to which it goes back.
final class Connection: @unchecked Sendable {
  private let database: RawDatabase
  private let isInterrupted = Atomic(false)
  /// The thread that it is lent to; 0 for none.
  private let reader = Atomic<UInt>(0)
  /// Whether what is being done has to come to its end.
  private let isUninterruptible = Mutex(false)
  // Nobody else has the connection meanwhile, so that there is nothing to check while it runs.
  @exclusivity(unchecked) private var statements = StatementCache(capacity: 64)
  var log = WALState()
  /// How often it was had by tasks.
  var turns = 0

  init(_ database: RawDatabase) {
    self.database = database
  }

  /// Runs a statement and gives it to a closure at each row of its result.
  func query(
    _ statement: CompiledStatement, _ body: (RawStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try use(statement.text) { prepared throws(RepositoryError) in
      try run(prepared, statement.bindings, body)
    }
  }

  /// Runs a prepared statement and gives it to a closure at each row of its result.
  func run(
    _ prepared: RawStatement, _ bindings: [Value], _ body: (RawStatement) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try start(prepared, bindings)
    while try step(prepared) { try body(prepared) }
  }

  /// Makes a prepared statement ready for its first step.
  func start(_ prepared: RawStatement, _ bindings: [Value]) throws(RepositoryError) {
    try checkInterruption()
    do throws(ResultCode) {
      try prepared.bind(bindings)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Goes to the next row.
  ///
  /// - Returns: whether there is one.
  func step(_ prepared: RawStatement) throws(RepositoryError) -> Bool {
    do throws(ResultCode) {
      return try prepared.step()
    } catch {
      throw RepositoryError(error)
    }
  }

  /// - Throws: ``RepositoryError`` where the user has been told to stop.
  func checkInterruption() throws(RepositoryError) {
    if isInterrupted.load(ordering: .relaxed), !isUninterruptible.withLock(\.self) { throw .cancelled }
  }

  /// Does something in whose course the program's own code is called, such as a model type's initialiser, which may do what
  /// it likes: where it asks the store, it gets this connection again, rather than wait for itself.
  func lending<Result>(_ body: () throws(RepositoryError) -> Result) throws(RepositoryError) -> Result {
    // Nobody else writes it, since nobody else has the connection.
    let outer = reader.load(ordering: .relaxed)
    reader.store(CurrentThread.number, ordering: .relaxed)
    defer { reader.store(outer, ordering: .relaxed) }
    return try body()
  }

  /// Whether it is lent to the code that asks.
  var isHeldByThisThread: Bool { reader.load(ordering: .relaxed) == CurrentThread.number }

  /// Runs a statement that has no result.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  func execute(
    _ sql: String, _ bindings: [Value] = []
  ) throws(RepositoryError) -> Int {
    try execute(StatementText(sql), bindings)
  }

  /// The same for a statement that is run often.
  @discardableResult
  func execute(
    _ text: StatementText, _ bindings: [Value]
  ) throws(RepositoryError) -> Int {
    try query(CompiledStatement(text, bindings: bindings)) { _ in }
    return database.changes
  }

  /// Reads several things from one state of the database. It also looks at the locks of others once, not for each.
  func inReadSnapshot<Result>(
    _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    if isInTransaction { return try body() }
    try begin(.reading)
    do throws(RepositoryError) {
      let result = try body()
      try commit(.reading)
      return result
    } catch {
      rollBack(.reading)
      throw error
    }
  }

  /// Runs a closure all or nothing: in a transaction, or in a savepoint where a transaction is open.
  func atomically<Result>(
    _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    let level = isInTransaction ? Level.savepoint(0) : .writing
    try begin(level)
    do throws(RepositoryError) {
      let result = try body()
      try commit(level)
      return result
    } catch {
      rollBack(level)
      throw error
    }
  }

  /// The number of the row that was inserted last.
  var lastInsertedRow: Int64 { database.lastInsertedRow }

  /// Whether a transaction is open. SQLite itself rolls back after some errors, such as a full disk.
  var isInTransaction: Bool { !database.isAutocommitting }

  /// Opens a transaction or a savepoint.
  func begin(_ level: Level) throws(RepositoryError) {
    switch level {
    case .reading:
      try execute("BEGIN")
      do throws(RepositoryError) {
        // A transaction begins to read, and fixes what it sees, with its first statement.
        try query(CompiledStatement(sql: "SELECT count(*) FROM sqlite_schema", bindings: [])) { _ in }
      } catch {
        rollBack(level)
        throw error
      }
    // It takes the right to write at its start: a transaction that reads first and then writes is refused as soon as
    // somebody else wrote in between, however long it would wait. https://www.sqlite.org/isolation.html
    case .writing: try execute("BEGIN IMMEDIATE")
    case .rebuilding:
      // It can't be switched within a transaction: https://www.sqlite.org/pragma.html#pragma_foreign_keys
      try execute("PRAGMA foreign_keys = OFF")
      do throws(RepositoryError) {
        try execute("BEGIN IMMEDIATE")
      } catch {
        enforceForeignKeys()
        throw error
      }
    case .savepoint(let depth): try execute("SAVEPOINT repokit_\(depth)")
    }
  }

  /// Keeps what was done since ``begin(_:)``.
  func commit(_ level: Level) throws(RepositoryError) {
    switch level {
    case .reading, .writing: try execute("COMMIT")
    case .rebuilding:
      try execute("COMMIT")
      enforceForeignKeys()
    case .savepoint(let depth): try execute("RELEASE repokit_\(depth)")
    }
  }

  /// Undoes what was done since ``begin(_:)``, also where somebody interrupts: whoever has the connection next would go on
  /// within a transaction that nobody ends, and what he believes to have saved would be lost.
  func rollBack(_ level: Level) {
    defer { if case .rebuilding = level { enforceForeignKeys() } }
    guard isInTransaction else { return }
    uninterruptibly {
      // A rollback fails where there is nothing left to roll back.
      switch level {
      case .reading, .writing, .rebuilding: _ = try? execute("ROLLBACK")
      case .savepoint(let depth):
        _ = try? execute("ROLLBACK TO repokit_\(depth)")
        _ = try? execute("RELEASE repokit_\(depth)")
      }
    }
  }

  /// Does what has to be done also where somebody interrupts.
  func uninterruptibly(_ body: () -> Void) {
    isUninterruptible.withLock { $0 = true }
    defer { isUninterruptible.withLock { $0 = false } }
    body()
  }

  /// Has SQLite keep to foreign keys again.
  private func enforceForeignKeys() {
    uninterruptibly { _ = try? execute("PRAGMA foreign_keys = ON") }
  }

  /// Does something while "text" in double quotes may be a text in definitions of tables, views and triggers.
  func allowingDoubleQuotedTexts(_ body: () throws(RepositoryError) -> Void) throws(RepositoryError) {
    try translating { () throws(ResultCode) in try database.setDoubleQuotedTexts(allowed: true) }
    defer { try? database.setDoubleQuotedTexts(allowed: false) }
    try body()
  }

  /// Checks whether a statement makes sense, as the database is now; it is not run.
  func compile(_ sql: String) throws(RepositoryError) {
    try translating { () throws(ResultCode) in _ = try database.prepare(sql) }
  }

  /// A transaction, or a part of one that can be undone alone.
  enum Level {
    case reading
    case writing
    /// Writing, with foreign keys checked in the end by whoever asks for it, rather than kept all the time.
    case rebuilding
    case savepoint(Int)
  }

  /// Stops the statement that is running, and refuses others until ``clearInterruption()``. From any thread.
  func interrupt() {
    isInterrupted.store(true, ordering: .relaxed)
    isUninterruptible.withLock { if !$0 { database.interrupt() } }
  }

  /// Lets statements run again.
  func clearInterruption() {
    isInterrupted.store(false, ordering: .relaxed)
  }

  /// A number that changes when somebody else has committed something. https://www.sqlite.org/pragma.html#pragma_data_version
  func dataVersion() throws(RepositoryError) -> Int {
    try integer(CompiledStatement(sql: "PRAGMA data_version", bindings: []))
  }

  /// A connection of its own to a copy of a database in memory, as it is now.
  func copyInMemory() throws(RepositoryError) -> Connection {
    Connection(try translating { () throws(ResultCode) in try database.copyInMemory() })
  }

  /// Copies the database, 1,024 pages at a time.
  func copy(to target: RawDatabase, _ progress: (_ done: Int, _ total: Int) -> Void) throws(RepositoryError) {
    try translating { () throws(ResultCode) in
      let backup = try RawBackup(of: database, to: target)
      var isComplete = false
      while !isComplete {
        isComplete = try !backup.step(pages: 1_024)
        progress(backup.pageCount - backup.remainingCount, backup.pageCount)
        if isInterrupted.load(ordering: .relaxed) { throw .interrupted }
      }
    }
  }

  /// The path of the database's file, empty for one in memory.
  var path: String { database.path }

  /// The size of the write-ahead log in bytes.
  var walSize: Int { database.walSize }

  /// See ``RawDatabase/restartWAL(within:)``.
  func restartWAL(within milliseconds: Int32) -> Bool { database.restartWAL(within: milliseconds) }

  /// Whether the file can only be read.
  var isReadOnly: Bool { database.isReadOnly }

  /// The collation of a column, see ``RawDatabase/collation(table:column:)``.
  func collation(table: String, column: String) -> String? {
    database.collation(table: table, column: column)
  }

  /// How many rows have been changed so far, those of triggers and foreign keys included.
  var totalChanges: Int { database.totalChanges }

  /// How many rows a closure's statement changed, those of triggers and foreign keys left out.
  func changes(_ body: () throws(RepositoryError) -> Void) throws(RepositoryError) -> Int {
    let before = database.totalChanges
    try body()
    // A statement that changes no rows leaves the number of the one before.
    return database.totalChanges == before ? 0 : database.changes
  }

  /// Does something with a prepared statement that nobody else uses.
  func use<Result>(
    _ text: StatementText, _ body: (RawStatement) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    let entry: StatementCache.Entry
    if let waiting = statements.take(text) {
      entry = waiting
    } else {
      let statement = try translating { () throws(ResultCode) in
        StatementKeyword(of: text.sql).text == "CREATE"
          ? try database.prepareWithoutTemporaries(text.sql) : try database.prepare(text.sql, isKept: true)
      }
      entry = statements.keep(statement, text)
    }
    defer { statements.release(entry) }
    return try body(entry.statement)
  }

  private func translating<Result>(
    _ body: () throws(ResultCode) -> Result
  ) throws(RepositoryError) -> Result {
    do {
      return try body()
    } catch {
      throw RepositoryError(error)
    }
  }
}
