import Query
import SQL
import Repository
import SQLStore
import Synchronization

/// A connection to an SQLite database.
final class SQLiteConnection: SQLConnection {
  let database: RawDatabase
  private let hooks: StoreHooks
  /// Whether the connection writes to a write-ahead log.
  private let writesWAL: Bool
  private var wal = WALState()

  init(_ database: RawDatabase, _ hooks: StoreHooks = StoreHooks(), writesWAL: Bool = false) {
    self.database = database
    self.hooks = hooks
    self.writesWAL = writesWAL
  }

  func prepare(_ sql: String) throws(RepositoryError) -> any PreparedStatement {
    do throws(ResultCode) {
      return StatementKeyword(of: sql).text == "CREATE"
        ? try database.prepareWithoutTemporaries(sql) : try database.prepare(sql, isKept: true)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// SQLite itself rolls back after some errors, such as a full disk.
  var transactionStatus: TransactionStatus { database.isAutocommitting ? .none : .open }
  var changedRows: Int { database.changes }
  var totalChangedRows: Int { database.totalChanges }
  var generatedKey: Int64 { database.lastInsertedRow }

  func interrupt() {
    database.interrupt()
    helper.withLock { $0?.connection.interrupt() }
  }

  /// Interrupts another connection together with this one while a closure uses it.
  func interrupting(
    _ other: SQLiteConnection, _ body: () throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    helper.withLock { $0 = Interruptible(connection: other) }
    defer { helper.withLock { $0 = nil } }
    try body()
  }

  /// A connection of which other threads only use the interruption.
  private struct Interruptible: @unchecked Sendable {
    let connection: SQLiteConnection
  }

  private let helper = Mutex<Interruptible?>(nil)

  func copy() throws(RepositoryError) -> any SQLConnection {
    let copy = try RawDatabase(path: ":memory:", mode: .create, hooks)
    do throws(ResultCode) {
      try database.copy(toMemory: copy)
    } catch {
      throw RepositoryError(error)
    }
    return SQLiteConnection(copy, hooks)
  }

  func needsMaintenance() -> Bool { writesWAL && wal.isTooBig(database) }
  func maintain() { wal.restart(database) }
}

extension RawDatabase {
  /// Returns the text that is the result of a statement; empty if it has none.
  func text(_ sql: String) throws(RepositoryError) -> String {
    let statement = try statement(sql)
    return try statement.step() ? statement.text(0) : ""
  }

  /// Returns whether a statement has a result at all.
  func hasResult(_ sql: String) throws(RepositoryError) -> Bool { try statement(sql).step() }

  private func statement(_ sql: String) throws(RepositoryError) -> RawStatement {
    do throws(ResultCode) {
      return try prepare(sql)
    } catch {
      throw RepositoryError(error)
    }
  }
}

extension Connection {
  /// The SQLite database of the connection: all connections of this module are ``SQLiteConnection``s.
  var database: RawDatabase { unsafeDowncast(raw, to: SQLiteConnection.self).database }

  /// Returns the text that is the result of a statement; empty if it has none.
  func text(_ sql: String) throws(RepositoryError) -> String {
    var text = ""
    try query(.init(sql: sql, bindings: [])) { row in text = row.text(0) }
    return text
  }

  /// Runs a closure while "text" in double quotes may be a text in definitions of tables, views and triggers.
  func allowingDoubleQuotedTexts(_ body: () throws(RepositoryError) -> Void) throws(RepositoryError) {
    do throws(ResultCode) {
      try database.setDoubleQuotedTexts(allowed: true)
    } catch {
      throw RepositoryError(error)
    }
    defer { try? database.setDoubleQuotedTexts(allowed: false) }
    try body()
  }
}
