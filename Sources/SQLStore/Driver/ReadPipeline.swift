package import Query
package import SQL

/// Reads of single rows that go to the database's server by one connection for all tasks, each sent before those ahead of it
/// have been answered. It costs a fraction of a way to the server and back, and no task waits for a connection.
///
/// Only what an index answers at once is read by it: the answers come in the order of the requests, so that all wait for a
/// slow one.
package protocol ReadPipeline: Sendable {
  /// Reads the first row of a statement's result.
  func firstRow(of statement: CompiledStatement) async -> PipelinedRow
  /// Answers no request any more.
  func stop()
}

/// What came of a read.
package enum PipelinedRow: @unchecked Sendable {
  /// The row, which has one user.
  case row(any Row)
  case noRow
  /// It has to be read by a connection of its own, which also tells what is wrong: a lock is in the way, the statement has
  /// failed, the session was lost.
  case unanswered
}
