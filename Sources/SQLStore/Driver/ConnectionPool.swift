import Dispatch
package import Repository
import Synchronization

/// The connections of a database, each with one user at a time.
///
/// A connection itself never waits for locks of other processes, which would block a thread: the pool retries work that is
/// blocked by a lock, and suspends the task between two attempts.
package final class ConnectionPool: Sendable {
  let driver: any SQLDriver
  /// The connections that write.
  let writers: ResourcePool<Connection>
  /// The connections that only read; `nil` if ``writers`` also read.
  private let readers: ResourcePool<Connection>?
  /// The connections to a replica; `nil` if there is none.
  private let replicas: ResourcePool<Connection>?
  /// A copy for readers during a transaction, in a database whose only connection is then in use.
  private let copy = Mutex<ResourcePool<Connection>?>(nil)
  /// Whether readers outside a transaction read a copy of the database during it.
  let copiesForReaders: Bool
  /// The timeout of waits for a connection and for locks of other programs.
  package let timeout: Duration
  /// Makes the deadline of a wait that begins, in place of ``timeout``.
  private let makeDeadline: (@Sendable () -> Deadline)?
  /// The signal that notifies observers of commits.
  package let signal: ChangeSignal
  private let opened: OpenedConnections

  /// Makes a pool.
  ///
  /// - Parameters:
  ///   - first: a connection that is already open.
  ///   - makeDeadline: makes the deadline of a wait that begins; by default that of the timeout.
  package init(
    _ driver: any SQLDriver, first: (any SQLConnection)? = nil, timeout: Duration,
    makeDeadline: (@Sendable () -> Deadline)? = nil
  ) {
    self.driver = driver
    self.timeout = timeout
    self.makeDeadline = makeDeadline
    let opened = OpenedConnections()
    self.opened = opened
    let idle = first.map { [Connection($0, of: driver)] } ?? []
    idle.forEach(opened.add)
    func pool(
      _ idle: [Connection], capacity: Int,
      connect: @escaping @Sendable () throws(RepositoryError) -> any SQLConnection
    ) -> ResourcePool<Connection> {
      ResourcePool(idle, capacity: capacity, isHeldByThisThread: \.isHeldByThisThread) { () throws(RepositoryError) in
        let connection = Connection(try connect(), of: driver)
        opened.add(connection)
        return connection
      }
    }
    func pool(_ idle: [Connection], capacity: Int, _ access: Access) -> ResourcePool<Connection> {
      pool(idle, capacity: capacity) { () throws(RepositoryError) in try driver.connect(access) }
    }
    replicas = driver.replica.map { replica in
      pool([], capacity: replica.connectionCount) { () throws(RepositoryError) in try replica.connect() }
    }
    switch driver.concurrency {
    case .single(let copies):
      (writers, readers, copiesForReaders) = (pool(idle, capacity: 1, .write), nil, copies)
    case .oneWriter(let count):
      (writers, readers, copiesForReaders) = (
        pool(idle, capacity: 1, .write), pool([], capacity: count, .read), false
      )
    case .independent(let count):
      (writers, readers, copiesForReaders) = (pool(idle, capacity: count, .write), nil, false)
    }
    signal = ChangeSignal(poll: driver.makeCommitPoll(using: writers))
  }

  /// Notifies the observers of this store and of other stores of a possible commit.
  ///
  /// - Parameter tables: the tables that were written to.
  func noteCommit(of tables: @autoclosure () -> TableSet) {
    driver.replica?.noteCommit()
    signal.notify(tables())
    driver.notifyOtherProcesses()
  }

  /// Returns the deadline of a wait that begins.
  func deadline() -> Deadline { makeDeadline?() ?? Deadline(in: timeout) }

  /// Returns the connections for a kind of access.
  package func connections(for access: Access) -> ResourcePool<Connection> {
    access == .write ? writers : readers ?? copy.withLock(\.self) ?? writers
  }

  /// The connections to a replica that can currently provide a snapshot.
  var availableReplica: (any ReadReplica, ResourcePool<Connection>)? {
    guard let replicas, let replica = driver.replica, replica.isAvailable else { return nil }
    return (replica, replicas)
  }

  /// Interrupts the connections, and refuses later requests.
  package func stop() {
    driver.pipeline?.stop()
    opened.stop()
  }

  /// Makes a pool with one connection to a copy of the database.
  func copy(_ connection: Connection) throws(RepositoryError) -> ResourcePool<Connection> {
    ResourcePool(only: Connection(try connection.raw.copy(), of: driver), isHeldByThisThread: \.isHeldByThisThread)
  }

  /// Switches readers to a copy of the database, or back to the database.
  func read(from copy: ResourcePool<Connection>?) { self.copy.withLock { $0 = copy } }

  // MARK: Work

  /// Passes a connection to a closure, repeatedly while locks of other connections refuse it.
  ///
  /// - Parameters:
  ///   - tables: the tables that the work writes to; all if they are not known.
  ///   - isLong: whether the work is interrupted when the task is cancelled.
  ///   - body: the work. It has no effect if it throws.
  func run<Result>(
    _ access: Access, on tables: @autoclosure () -> TableSet = .all, isLong: Bool,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    let connections = connections(for: access)
    if Task.isCancelled { throw .cancelled }
    // The timeout starts where no connection is idle, so that most work does not read the clock.
    var deadline: Deadline?
    let connection: Connection
    if let idle = connections.popIdle() {
      connection = idle
    } else {
      let end = self.deadline()
      connection = try await connections.acquire(until: end)
      deadline = end
    }
    connection.acquisitions &+= 1
    let shouldYield = connection.acquisitions.isMultiple(of: Self.acquisitionsBeforeYield)
    let result: Result
    do throws(RepositoryError) {
      result = try await use(connection, for: access, on: tables(), isLong: isLong, until: deadline, body)
    } catch {
      connections.release(connection)
      throw error
    }
    connections.release(connection)
    // A task that always finds an idle connection would never suspend, and tasks that wait for a thread would never run:
    // endless readers would starve a writer.
    if shouldYield { await Task.yield() }
    return result
  }

  private func use<Result>(
    _ connection: Connection, for access: Access, on tables: @autoclosure () -> TableSet, isLong: Bool,
    until deadline: Deadline?, _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    try connection.rollBackUnfinished()
    // A short read is rarely blocked by a lock: its first attempt is synchronous, as an asynchronous one would cost a tenth
    // more.
    if !isLong, access == .read, connection.executor == nil, let result = try attempt(body, with: connection) {
      return result
    }
    defer { if access == .write { noteCommit(of: tables()) } }
    let result = try await retry(access, until: deadline).run { () async throws(RepositoryError) in
      if isLong || connection.executor != nil {
        try await connection.cancellable(body)
      } else {
        try body(connection)
      }
    }
    if access == .write { await maintain(connection) }
    return result
  }

  /// The number of uses of a connection after which a task yields, which costs as much as a few reads.
  private static let acquisitionsBeforeYield = 64

  /// Passes a connection to a closure, with the thread blocked while it waits.
  func runBlocking<Result>(
    _ access: Access, on tables: @autoclosure () -> TableSet = .all,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    let connections = connections(for: access)
    var deadline: Deadline?
    let connection: Connection
    if let idle = connections.popIdle() {
      connection = idle
    } else {
      let end = self.deadline()
      connection = try connections.acquireBlocking(until: end)
      deadline = end
    }
    defer { connections.release(connection) }
    try connection.rollBackUnfinished()
    if access == .read, let result = try attempt(body, with: connection) { return result }
    defer { if access == .write { noteCommit(of: tables()) } }
    let result = try retry(access, until: deadline).runBlocking { () throws(RepositoryError) in try body(connection) }
    if access == .write { maintainBlocking(connection) }
    return result
  }

  /// Makes one attempt; `nil` if it is blocked by another program's lock.
  private func attempt<Result>(
    _ body: (Connection) throws(RepositoryError) -> Result, with connection: Connection
  ) throws(RepositoryError) -> Result? {
    do throws(RepositoryError) {
      return try body(connection)
    } catch {
      if driver.isTransient(error) { return nil }
      throw error
    }
  }

  /// Returns the retry of work that is blocked by locks of other connections.
  ///
  /// - Parameter deadline: the deadline; by default the pool's timeout.
  func retry(_ access: Access, until deadline: Deadline? = nil) -> BusyRetry {
    BusyRetry(access, driver, until: deadline, within: timeout)
  }

  /// Returns the retry of the commit of a transaction, which readers of other processes delay in a database without a write-ahead
  /// log. It bypasses the queue of writers, which all wait for the lock that this transaction has.
  func retryOfCommit() -> BusyRetry { retry(.read) }

  // MARK: Maintenance

  /// Runs the maintenance that the database requests after a commit.
  func maintain(_ connection: Connection) async {
    guard connection.raw.needsMaintenance() else { return }
    // Maintenance blocks its thread for some milliseconds, which must not be one of the threads that tasks share.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        connection.raw.maintain()
        continuation.resume()
      }
    }
  }

  /// Runs the maintenance that the database requests, with the thread blocked.
  func maintainBlocking(_ connection: Connection) {
    if connection.raw.needsMaintenance() { connection.raw.maintain() }
  }
}

/// All connections of a pool, in use or not, so that they can be interrupted together.
private final class OpenedConnections: Sendable {
  private struct State {
    var connections: [Connection] = []
    var isStopped = false
  }

  private let state = Mutex(State())

  /// Adds a connection, which is unusable if the others have been stopped.
  func add(_ connection: Connection) {
    let isStopped = state.withLock { state in
      state.connections.append(connection)
      return state.isStopped
    }
    if isStopped { connection.stop() }
  }

  /// Interrupts the connections and refuses later requests.
  func stop() {
    let connections = state.withLock { state in
      state.isStopped = true
      return state.connections
    }
    for connection in connections { connection.stop() }
  }
}
