import Query
import Repository
import SQLStore
import TestSupport
import Testing

@testable import PostgresStore

@Suite("The rows of a statement, of which one connection runs several", .requiresServer)
struct StatementTests {
  private func withConnection(_ body: (PostgresConnection) throws -> Void) async throws {
    try await TestServer.withSchema { connection in
      let options = PostgresOptions(timeout: .seconds(20), statementTimeout: nil, idleTransactionTimeout: nil)
      try body(PostgresConnection(to: try PostgresServer(connection, options)))
    }
  }

  /// Runs a statement, and returns the numbers in its rows.
  ///
  /// - Parameter visit: called after each row with the number of rows so far.
  private func numbers(
    _ statement: any PreparedStatement, _ visit: (Int) throws -> Void = { _ in }
  ) throws -> [Int64] {
    var numbers: [Int64] = []
    while try statement.step() {
      numbers.append(try #require(statement.integer(at: 0)))
      try visit(numbers.count)
    }
    statement.reset()
    return numbers
  }

  private func requireOther(on connection: PostgresConnection) throws {
    let found = try numbers(connection.prepare("SELECT 7"))
    #expect(found == [7])
  }

  @Test("arrive as a whole, though another statement runs between them", arguments: [1, 2, 3])
  func interleaved(position: Int) async throws {
    try await withConnection { connection in
      let statement = try connection.prepare("SELECT generate_series(1, 3)")
      let found = try numbers(statement) { count in
        if count == position { try requireOther(on: connection) }
      }
      #expect(found == [1, 2, 3])
    }
  }

  @Test("are not those of the run before", arguments: [false, true])
  func again(isReadAhead: Bool) async throws {
    try await withConnection { connection in
      let statement = try connection.prepare("SELECT generate_series(1, 3)")
      #expect(try statement.step())
      if isReadAhead { try requireOther(on: connection) }
      statement.reset()
      #expect(try numbers(statement) == [1, 2, 3])
    }
  }

  @Test("come though the session has forgotten the statement")
  func deallocated() async throws {
    try await withConnection { connection in
      let statement = try connection.prepare("SELECT generate_series(1, 3)")
      for _ in 0..<2 {
        #expect(try numbers(statement) == [1, 2, 3])
        try connection.sessionForStatement().run("DEALLOCATE ALL")
      }
    }
  }

  @Test("come in a new session, which has none of the statements that the lost one was to forget")
  func forgottenBySessionBefore() async throws {
    try await withConnection { connection in
      // As many as are dropped together, before the next one is prepared.
      for _ in 0..<16 { _ = try connection.prepare("SELECT 1") }
      #expect(throws: PostgresError.self) {
        try connection.sessionForStatement().run("SELECT pg_terminate_backend(pg_backend_pid())")
      }
      // A statement that fails ends the transaction.
      try connection.sessionForStatement().run("BEGIN")
      connection.expectsTransaction = true
      for _ in 0..<20 { try requireOther(on: connection) }
      try connection.commit()
    }
  }

  @Test("may be left without an end")
  func endless() async throws {
    try await withConnection { connection in
      let statement = try connection.prepare("SELECT generate_series(1, 1000000000000)")
      #expect(try statement.step())
      statement.reset()
      try requireOther(on: connection)
    }
  }

  @Test("may be left in a transaction, which goes on")
  func left() async throws {
    try await withConnection { connection in
      try connection.sessionForStatement().run("BEGIN")
      connection.expectsTransaction = true
      let statement = try connection.prepare("SELECT generate_series(1, 100000)")
      #expect(try statement.step())
      statement.reset()
      try requireOther(on: connection)
      try connection.commit()
    }
  }
}
