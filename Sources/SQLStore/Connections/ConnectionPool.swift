import Repository
import Synchronization

/// The connections of a database: one that writes and some that read, each for one user at a time.
///
/// A connection never waits for locks of other processes by itself, which would block a thread: what it can't do yet is
/// tried again here, in steps in between of which a task is suspended.
final class ConnectionPool: Sendable {
  /// The one that writes.
  let writer: ResourcePool<Connection>
  /// Those that read; `nil` where readers and a writer would hinder each other, so that all use one connection.
  private let readers: ResourcePool<Connection>?
  /// How others read a database in memory, which knows no write-ahead log, while a transaction is at work: a copy of it.
  private let copy = Mutex<ResourcePool<Connection>?>(nil)
  /// Whether the database has a write-ahead log that can be written.
  let hasWAL: Bool
  /// The path of the file by which writers of several processes line up.
  private let queuePath: String?
  /// How long is waited for a connection, and for locks of others.
  let timeout: Duration
  /// Tells those who observe that something was committed.
  let signal: ChangeSignal
  private let opened: OpenedConnections

  init(
    writer: ResourcePool<Connection>, readers: ResourcePool<Connection>?, opened: OpenedConnections, hasWAL: Bool,
    queuePath: String?, timeout: Duration, isShared: Bool
  ) {
    self.opened = opened
    self.hasWAL = hasWAL
    self.writer = writer
    self.readers = readers
    self.queuePath = queuePath
    self.timeout = timeout
    let seen = SeenVersion()
    signal = isShared ? ChangeSignal { Self.hasChanged(writer, since: seen) } : ChangeSignal()
  }

  /// Whether others have committed something since the last look. The writer's own commits don't count, so that they are not
  /// noticed twice; while it is at work there is no look.
  private static func hasChanged(_ writer: ResourcePool<Connection>, since seen: SeenVersion) -> Bool {
    guard let connection = try? writer.acquireIdle() else { return false }
    defer { writer.release(connection) }
    guard let version = try? connection.dataVersion() else { return false }
    return seen.replace(with: version)
  }

  private final class SeenVersion: Sendable {
    private let version = Mutex<Int?>(nil)

    func replace(with new: Int) -> Bool {
      version.withLock { version in
        defer { version = new }
        return version != new
      }
    }
  }

  /// The connections for a kind of access.
  func connections(for access: Access) -> ResourcePool<Connection> {
    access == .write ? writer : readers ?? copy.withLock(\.self) ?? writer
  }

  /// Stops what is being done with the connections, and refuses what is asked of them later.
  func stop() { opened.stop() }

  /// Gives a copy of the database to those who read, or takes it away.
  func read(from copy: Connection?) {
    self.copy.withLock { $0 = copy.map { ResourcePool(only: $0, isHeldByThisThread: \.isHeldByThisThread) } }
  }

  /// Does something with a connection, and again where locks of others were in the way.
  ///
  /// - Parameters:
  ///   - isLong: whether it is worth being stopped when the task is cancelled.
  ///   - body: what is done. It leaves nothing behind where it throws.
  func run<Result>(
    _ access: Access, isLong: Bool, _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    let connections = connections(for: access)
    if Task.isCancelled { throw .cancelled }
    let connection: Connection
    // Time counts from when there is something to wait for: most often there is nothing, and the clock is not asked.
    var deadline: Deadline?
    if let idle = try connections.acquireIdle() {
      connection = idle
    } else {
      let end = Deadline(in: timeout)
      connection = try await connections.acquire(until: end)
      deadline = end
    }
    connection.turns &+= 1
    let shouldYield = connection.turns.isMultiple(of: Self.acquisitionsBeforeYield)
    let result: Result
    do throws(RepositoryError) {
      result = try await use(connection, for: access, isLong: isLong, until: deadline, body)
    } catch {
      connections.release(connection)
      throw error
    }
    connections.release(connection)
    // A task that finds its connection each time would never be suspended, and others that have no thread never run:
    // those who read without end would keep those who write from it.
    if shouldYield { await Task.yield() }
    return result
  }

  private func use<Result>(
    _ connection: Connection, for access: Access, isLong: Bool, until deadline: Deadline?,
    _ body: (Connection) throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    // A short read most often finds no lock in its way, and to suspend for it would cost a tenth of it.
    if !isLong, access == .read,
      let result = try unlessBusyBlocking({ () throws(RepositoryError) in try body(connection) })
    {
      return result
    }
    defer { if access == .write { signal.notify() } }
    let result = try await retryingWhileBusy(access, until: deadline) { () async throws(RepositoryError) in
      if isLong {
        try await connection.cancellable(body)
      } else {
        try body(connection)
      }
    }
    if access == .write { await checkpointIfNeeded(of: connection) }
    return result
  }

  /// After so many calls, one lets other tasks run, which costs as much as a few reads.
  private static let acquisitionsBeforeYield = 64

  /// Does something with a connection, with the thread blocked where there is something to wait for.
  func runBlocking<Result>(
    _ access: Access, _ body: (Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    let connections = connections(for: access)
    let connection: Connection
    var deadline: Deadline?
    if let idle = try connections.acquireIdle() {
      connection = idle
    } else {
      let end = Deadline(in: timeout)
      connection = try connections.acquireBlocking(until: end)
      deadline = end
    }
    defer { connections.release(connection) }
    defer { if access == .write { signal.notify() } }
    let result = try retryingWhileBusyBlocking(access, until: deadline) { () throws(RepositoryError) in
      try body(connection)
    }
    if access == .write { checkpointIfNeededBlocking(of: connection) }
    return result
  }

  /// Does something again and again until no lock of others is in the way, or time is up.
  ///
  /// - Parameter deadline: until when, the pool's timeout from now unless it is given.
  func retryingWhileBusy<Result>(
    _ access: Access, until deadline: Deadline? = nil, _ body: () async throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result {
    let queuePath = access == .write ? queuePath : nil
    if queuePath.map({ QueueFile.isTaken(path: $0) }) != true, let result = try await unlessBusy(body) { return result }
    var line = WriterLine(path: queuePath, until: deadline ?? Deadline(in: timeout))
    while try await line.wait() {
      if !line.isOthersFirst, let result = try await unlessBusy(body) { return result }
    }
    // For the last time, and for the error that tells what was in the way.
    return try await body()
  }

  /// The same with the thread blocked.
  func retryingWhileBusyBlocking<Result>(
    _ access: Access, until deadline: Deadline? = nil, _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    let queuePath = access == .write ? queuePath : nil
    if queuePath.map({ QueueFile.isTaken(path: $0) }) != true, let result = try unlessBusyBlocking(body) {
      return result
    }
    var line = WriterLine(path: queuePath, until: deadline ?? Deadline(in: timeout))
    while line.waitBlocking() {
      if !line.isOthersFirst, let result = try unlessBusyBlocking(body) { return result }
    }
    return try body()
  }

  /// Tries something; `nil` where a lock of others is in the way.
  private func unlessBusy<Result>(
    _ body: () async throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result? {
    do throws(RepositoryError) {
      return try await body()
    } catch {
      if error.code == .busy { return nil }
      throw error
    }
  }

  /// The same without suspending.
  private func unlessBusyBlocking<Result>(
    _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result? {
    do throws(RepositoryError) {
      return try body()
    } catch {
      if error.code == .busy { return nil }
      throw error
    }
  }
}

/// What is done with a connection.
enum Access {
  case read
  case write
}

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
      connection?.clearInterruption()
      connection = nil
    }
  }
}

extension Connection {
  /// Does something that is stopped when the task is cancelled.
  func cancellable<Result>(
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
