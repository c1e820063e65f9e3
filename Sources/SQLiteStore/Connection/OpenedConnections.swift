import Synchronization

/// All connections of a pool, whoever has them, so that they can be stopped at once.
final class OpenedConnections: Sendable {
  private struct State {
    var connections: [Connection] = []
    var isStopped = false
  }
  private let state = Mutex(State())

  /// Adds a connection, which is of no use if the others have been stopped.
  func add(_ connection: Connection) {
    let isStopped = state.withLock { state in
      state.connections.append(connection)
      return state.isStopped
    }
    if isStopped { connection.interrupt() }
  }

  /// Stops what the connections are doing and refuses what they are asked later.
  func stop() {
    let connections = state.withLock { state in
      state.isStopped = true
      return state.connections
    }
    for connection in connections { connection.interrupt() }
  }
}
