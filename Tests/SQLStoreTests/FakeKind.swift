import Repository
@testable import SQLStore
import TestSupport

/// How a faked database serves its tasks.
enum FakeKind: String, CaseIterable {
  /// As SQLite with a log: one connection that writes, others that read.
  case log
  /// As SQLite in memory: one connection, and a copy for readers during a transaction.
  case memory
  /// As PostgreSQL: connections that write beside each other, whose tasks wait for a server; an error ends a transaction.
  case server

  /// Makes a database with the table of the programs.
  func database(on steps: StepExecutor) throws -> FakeDatabase {
    let table = FakeTable(try Account.schema.table())
    return switch self {
    case .log: FakeDatabase(.oneWriter(readers: 2), table: table)
    case .memory: FakeDatabase(.single(copiesForReaders: true), table: table)
    case .server:
      FakeDatabase(.independent(connections: 2), failureScope: .transaction, table: table) {
        RemoteStepExecutor(of: steps)
      }
    }
  }

  private func connectionCount(for access: Access) -> Int {
    switch (self, access) {
    case (.log, .write), (.memory, _): 1
    case (.log, .read), (.server, _): 2
    }
  }

  /// What is wrong with the connections of a database that nobody uses any more; `nil` if nothing is.
  func poolFault(of database: SQLDatabase) throws -> String? {
    for access in [Access.write, .read] {
      let connections = database.pool.connections(for: access)
      var acquired: [Connection] = []
      defer { acquired.forEach(connections.release) }
      // One is lent twice, or one is too many, where there are more than there may be.
      while acquired.count <= connectionCount(for: access), let next = try connections.acquireIdle() {
        acquired.append(next)
      }
      if acquired.count != connectionCount(for: access)
        || Set(acquired.map(ObjectIdentifier.init)).count != acquired.count
      {
        return "\(acquired.count) of \(connectionCount(for: access)) connections came back"
      }
      if connections.pool.waiterCount > 0 { return "somebody waits for a connection that is idle" }
      for connection in acquired {
        // As the next user does.
        try connection.rollBackUnfinished()
        if connection.isInTransaction { return "a connection came back within a transaction" }
        if connection.wasInterrupted { return "a connection came back interrupted" }
      }
    }
    return nil
  }
}
