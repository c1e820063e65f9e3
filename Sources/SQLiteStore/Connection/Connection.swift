import Query
import Repository
import SQL

/// One connection to a database with its prepared statements. It is not to be used from two threads at once.
final class Connection {
  private let database: RawDatabase
  private var statements = StatementCache(capacity: 64)

  init(_ database: RawDatabase) {
    self.database = database
  }

  /// Runs a statement and gives each row of its result to a closure, which the row must not outlive.
  func query(
    _ statement: CompiledStatement, _ body: (StatementRow) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try use(statement.sql) { prepared throws(RepositoryError) in
      try translating { () throws(ResultCode) in try prepared.bind(statement.bindings) }
      while try translating({ () throws(ResultCode) in try prepared.step() }) {
        try body(StatementRow(statement: prepared))
      }
    }
  }

  /// Runs a statement that has no result.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  func execute(_ sql: String, _ bindings: [Value] = []) throws(RepositoryError) -> Int {
    try query(CompiledStatement(sql: sql, bindings: bindings)) { _ in }
    return database.changes
  }

  /// Runs a closure all or nothing.
  ///
  /// It takes the right to write at its start: a transaction that reads first and then writes is refused as soon as
  /// somebody else wrote in between, however long it would wait. https://www.sqlite.org/isolation.html
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite itself has rolled back after some errors, such as a full disk.
      if !database.isAutocommitting { _ = try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The same for a closure that throws nothing but a repository's errors.
  func transaction<Result>(
    _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    do {
      return try transaction { () throws -> Result in try body() }
    } catch {
      throw RepositoryError(translating: error)
    }
  }

  /// The collation of a column, see ``RawDatabase/collation(table:column:)``.
  func collation(table: String, column: String) -> String? {
    database.collation(table: table, column: column)
  }

  private func use<Result>(
    _ sql: String, _ body: (RawStatement) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    let statement: RawStatement
    if let waiting = statements.take(sql) {
      statement = waiting
    } else {
      statement = try translating { () throws(ResultCode) in try database.prepare(sql, isKept: true) }
    }
    defer { statements.bringBack(statement) }
    return try body(statement)
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
