import Query
import Repository
import SQLStore

/// A command that begins a transaction, or sets or releases a savepoint: it is sent with the next statement, so that it costs
/// no round trip of its own.
///
/// The command has no result, and fails only if the session is lost.
final class DeferredCommand: PreparedStatement {
  private let sql: String
  private let connection: PostgresConnection

  /// - Returns: `nil` for a statement that can't be deferred.
  init?(_ sql: String, on connection: PostgresConnection) {
    guard ["BEGIN", "SAVEPOINT", "RELEASE"].contains(StatementKeyword(of: sql).text) else { return nil }
    self.sql = sql
    self.connection = connection
  }

  var isReadOnly: Bool { false }
  var parameterCount: Int { 0 }
  var columnNames: [String] { [] }

  func step() throws(RepositoryError) -> Bool {
    try connection.deferCommand(sql)
    return false
  }

  func bind(_ values: [Value]) {}
  func bind(_ value: Value, at position: Int) {}
  func bind(_ list: [Value], of type: ValueType, at position: Int) {}
  func bind(borrowedText: UnsafeBufferPointer<UInt8>, at position: Int) {}
  func rewind() {}
  func reset() {}
  func value(at position: Int) -> Value { .null }
  func bytes(at position: Int) -> [UInt8] { [] }
}
