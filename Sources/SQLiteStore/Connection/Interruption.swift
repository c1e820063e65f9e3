import Repository
import Synchronization

/// Stops what a connection is doing when the task for which it does so is cancelled.
final class Interruption: Sendable {
  private let connection: Mutex<Connection?>

  init(_ connection: Connection) {
    self.connection = Mutex(connection)
  }

  /// Stops the connection, unless it has been given back.
  func fire() {
    // Within the lock: nobody else can have the connection as long as it is held.
    connection.withLock { $0?.interrupt() }
  }

  /// Lets go of the connection, which is ready for others then.
  func end() {
    connection.withLock { connection in
      connection?.forgetInterruption()
      connection = nil
    }
  }
}

extension Connection {
  /// Does something that is stopped when the task is cancelled.
  func stoppable<Result>(
    _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    let interruption = Interruption(self)
    let result = await withTaskCancellationHandler {
      defer { interruption.end() }
      return Swift.Result { () throws(RepositoryError) in try body(self) }
    } onCancel: {
      interruption.fire()
    }
    return try result.get()
  }
}
