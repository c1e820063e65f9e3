package import Repository

/// The retry of operations on a busy database: work that is blocked by a lock of another program is repeated until it
/// succeeds or times out.
///
/// It waits in steps, with a task suspended or a thread blocked, and yields to writers that have been waiting for longer.
package struct BusyRetry {
  private let access: Access
  /// The database; `nil` while it is being opened.
  private let driver: (any SQLDriver)?
  private let deadline: Deadline?
  private let timeout: Duration

  /// - Parameters:
  ///   - access: the kind of access; only writers queue.
  ///   - driver: the database; `nil` while it is being opened.
  ///   - deadline: the deadline; `nil` if the timeout starts with the first wait, so that work that need not wait does not
  ///     read the clock.
  ///   - timeout: the time from the first wait, without a deadline.
  package init(_ access: Access, _ driver: (any SQLDriver)?, until deadline: Deadline? = nil, within timeout: Duration)
  {
    self.access = access
    self.driver = driver
    self.deadline = deadline
    self.timeout = timeout
  }

  /// Runs a closure until it succeeds or times out, suspended between two attempts.
  func run<Result>(_ body: () async throws(RepositoryError) -> Result) async throws(RepositoryError) -> Result {
    if !isQueueOccupied, let result = try await Self.attempt(driver, body) { return result }
    var waiting = Waiting(self)
    while try await waiting.step() {
      if waiting.isNext, let result = try await Self.attempt(driver, body) { return result }
    }
    // The last attempt throws the error that names the lock.
    return try await body()
  }

  /// Runs a closure until it succeeds or times out, with the thread blocked between two attempts.
  package func runBlocking<Result>(_ body: () throws(RepositoryError) -> Result) throws(RepositoryError) -> Result {
    if !isQueueOccupied, let result = try Self.attempt(driver, body) { return result }
    var waiting = Waiting(self)
    while waiting.stepBlocking() {
      if waiting.isNext, let result = try Self.attempt(driver, body) { return result }
    }
    return try body()
  }

  /// Whether other writers precede this one in the queue.
  private var isQueueOccupied: Bool { access == .write && driver?.hasQueuedWriter == true }

  // MARK: One attempt

  /// Makes one attempt; `nil` if it is blocked by another program's lock.
  static func attempt<Result>(
    _ driver: (any SQLDriver)?, _ body: () async throws(RepositoryError) -> Result
  ) async throws(RepositoryError) -> Result? {
    do throws(RepositoryError) {
      return try await body()
    } catch {
      if isTransient(error, driver) { return nil }
      throw error
    }
  }

  /// Makes one attempt of a synchronous closure.
  static func attempt<Result>(
    _ driver: (any SQLDriver)?, _ body: () throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result? {
    do throws(RepositoryError) {
      return try body()
    } catch {
      if isTransient(error, driver) { return nil }
      throw error
    }
  }

  private static func isTransient(_ error: RepositoryError, _ driver: (any SQLDriver)?) -> Bool {
    driver?.isTransient(error) ?? (error.code == .busy)
  }

  // MARK: Waiting

  /// The wait between two attempts, with the ticket for the queue of writers.
  struct Waiting {
    /// The driver with the queue of writers; `nil` for a reader.
    private let queue: (any SQLDriver)?
    private var polling: PollingBackoff
    private var ticket: (any WriteQueueTicket)?
    private let start = ContinuousClock.now
    /// The wait after which a writer joins the queue. Earlier, the queue would cost more than it helps.
    private static let queueingDelay = Duration.milliseconds(5)

    init(_ retry: BusyRetry) {
      queue = retry.access == .write ? retry.driver : nil
      polling = PollingBackoff(until: retry.deadline ?? Deadline(in: retry.timeout))
    }

    /// Whether the work may be attempted now.
    var isNext: Bool {
      if let ticket { return ticket.beatAndCheckFirst() }
      return queue?.hasQueuedWriter != true
    }

    /// Waits for one step, suspended; false after the timeout.
    mutating func step() async throws(RepositoryError) -> Bool {
      join()
      return try await polling.wait()
    }

    /// Waits for one step, with the thread blocked; false after the timeout.
    mutating func stepBlocking() -> Bool {
      join()
      return polling.waitBlocking()
    }

    private mutating func join() {
      guard let queue, ticket == nil, .now - start >= Self.queueingDelay else { return }
      ticket = queue.joinWriteQueue()
    }
  }
}
