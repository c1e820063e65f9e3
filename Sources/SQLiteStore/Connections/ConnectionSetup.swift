#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query
public import Repository
import SQL
public import SQLStore

/// A connection that is being opened, for a program's own settings: a key, pragmas, functions and collations.
///
/// ```swift
/// let store = try SQLiteStore(path: path) { connection in
///   try connection.execute("PRAGMA cache_size = \(-20_000)")
///   try connection.define(function: "initials", arguments: 1) { values in
///     guard case .text(let name) = values[0] else { return .null }
///     return .text(name.split(separator: " ").map { String($0.prefix(1)) }.joined())
///   }
/// }
/// ```
///
/// The closure is called first for each connection of the store: before the file is read, and before the store makes its own
/// settings, which take precedence. It is also called for connections to copies: of a database in memory, of a schema to try
/// migrations on, and of a backup, which has the same key.
public struct ConnectionSetup {
  let database: RawDatabase

  /// Sets the key of an encrypted database, with a build of SQLite that knows the pragma `key`, such as SQLCipher. No other
  /// call may precede this one. https://www.zetetic.net/sqlcipher/sqlcipher-api/#key
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unsupported`` if SQLite does
  ///   not encrypt: it would ignore the key, and store everything unencrypted. A wrong key is an error when the file is first
  ///   read, with the code ``/Repository/RepositoryError/Code/notADatabase``.
  public func setKey(_ key: String) throws(RepositoryError) {
    if try database.text("PRAGMA cipher_version").isEmpty {
      throw RepositoryError(
        .unsupported, "can't encrypt the database", reason: "this build of SQLite does not support keys",
        suggestion: "link the program with SQLCipher instead of the system's SQLite")
    }
    try execute("PRAGMA key = \(key)")
  }

  /// Runs a statement, in which values are written as literals: a pragma takes no bound values.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if SQLite refuses the statement.
  public func execute(_ statement: SQLStatement) throws(RepositoryError) {
    _ = try database.text(try statement.inlined(for: SQLiteDialect()))
  }

  /// Defines a function for statements in SQL and, if it is innocuous, for the file's own views, triggers and constraints.
  ///
  /// - Parameters:
  ///   - name: the name in SQL.
  ///   - count: the number of arguments; any number by default.
  ///   - isDeterministic: whether the function always has the same result for the same arguments, so that SQLite may call it
  ///     less often, and an index may contain its results.
  ///   - isInnocuous: whether views, triggers, checks, indexes and computed columns may call the function, even in a file that
  ///     is not trusted: it has no side effects, and reveals nothing that is not in the file.
  ///     https://www.sqlite.org/c3ref/c_deterministic.html#sqliteinnocuous
  ///   - body: computes the result. An error that it throws fails the statement.
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unsupported`` for the name of
  ///   a function that queries rely on.
  public func define(
    function name: String, arguments count: Int? = nil, isDeterministic: Bool = true, isInnocuous: Bool = false,
    _ body: @escaping @Sendable ([Value]) throws -> Value
  ) throws(RepositoryError) {
    try checkName(name, "function", Self.functions)
    do throws(ResultCode) {
      try RawFunctions.define(
        name, arguments: count, isDeterministic: isDeterministic, isInnocuous: isInnocuous, in: database.handle, body)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Defines a collation for statements in SQL, and for tables of other programs that declare it. Queries compare texts by
  /// their bytes nevertheless.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unsupported`` for the name of a
  ///   collation of SQLite's own.
  public func define(
    collation name: String, _ compare: @escaping @Sendable (String, String) -> ComparisonResult
  ) throws(RepositoryError) {
    try checkName(name, "collation", Self.collations)
    do throws(ResultCode) {
      try RawFunctions.define(collation: name, in: database.handle) { Int32(compare($0, $1).rawValue) }
    } catch {
      throw RepositoryError(error)
    }
  }

  /// The functions that the compiler uses in statements.
  private static let functions: Set = [
    "avg", "char", "coalesce", "count", "group_concat", "instr", "json_each", "max", "min", "substr", "sum", "typeof",
  ]
  private static let collations: Set = ["binary", "nocase", "rtrim"]

  private func checkName(_ name: String, _ kind: String, _ taken: Set<String>) throws(RepositoryError) {
    let folded = name.lowercased()
    guard taken.contains(folded) || folded.hasPrefix("repokit_") || name.isEmpty || name.utf8.contains(0) else {
      return
    }
    throw RepositoryError(
      .unsupported, "a \(kind) of the program can't have \(name.isEmpty ? "an empty name" : "the name \(name)")",
      reason: "queries rely on the built-in \(kind)", suggestion: "choose another name")
  }
}

/// The hooks of a program for the connections of a store and their statements.
package struct StoreHooks: Sendable {
  var observer: StatementObserver?
  var prepare: (@Sendable (ConnectionSetup) throws -> Void)?

  init(
    observer: StatementObserver? = nil, prepare: (@Sendable (ConnectionSetup) throws -> Void)? = nil
  ) {
    self.observer = observer
    self.prepare = prepare
  }
}

extension RawDatabase {
  /// Opens a file, and calls the program's preparation of the connection.
  convenience init(path: String, mode: OpenMode, _ hooks: StoreHooks) throws(RepositoryError) {
    do throws(ResultCode) {
      try self.init(path: path, mode: mode)
    } catch {
      throw RepositoryError(error)
    }
    guard let prepare = hooks.prepare else { return }
    do {
      try prepare(ConnectionSetup(database: self))
    } catch {
      throw RepositoryError(translating: error)
    }
    if isAutocommitting { return }
    throw RepositoryError(
      .unsupported, "can't prepare a connection within a transaction",
      reason: "the setup began a transaction and did not commit",
      suggestion: "commit the transaction")
  }
}
