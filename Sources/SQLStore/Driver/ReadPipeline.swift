package import Query
package import SQL

/// Reads of single rows that are sent to the database's server over one connection for all tasks, each before the previous
/// ones have been answered. A read costs a fraction of a round trip, and no task waits for a connection.
///
/// Only reads that an index answers immediately are pipelined: answers arrive in the order of the requests, so that a slow
/// read would delay all that follow.
package protocol ReadPipeline: Sendable {
  /// Reads the first row of a statement's result.
  func firstRow(of statement: CompiledStatement) async -> PipelinedRow
  /// Stops answering requests.
  func stop()
}

/// The result of a pipelined read.
package enum PipelinedRow: @unchecked Sendable {
  /// The row, which has one user.
  case row(any Row)
  case noRow
  /// No result, because the read was blocked by a lock, the statement failed, or the session was lost: the caller repeats the
  /// read with a connection of its own, which also reports the error.
  case unanswered
}
