package import Repository

/// The retry of a busy database: work that a lock of another program is in the way of is done again until it succeeds, or
/// time is up.
///
/// It waits in steps, with a task suspended or a thread blocked, and lets those writers go first that have been waiting for
/// longer.
package struct BusyRetry {
  private let access: Access
  /// The database; `nil` while it is being opened.
  private let driver: (any SQLDriver)?
  private let deadline: Deadline?
  private let timeout: Duration

  /// - Parameters:
  ///   - access: what the work is; only writers queue.
  ///   - driver: the database; `nil` while it is being opened.
  ///   - deadline: until when it is tried; `nil` where the time starts with the first wait: most often there is none, and
  ///     the clock is not read.
  ///   - timeout: how long it is tried then.
  package init(_ access: Access, _ driver: (any SQLDriver)?, until deadline: Deadline? = nil, within timeout: Duration)
  {
    self.access = access
    self.driver = driver
    self.deadline = deadline
    self.timeout = timeout
  }

  /// Runs a closure until it succeeds or the time is over, suspended between two attempts.
  func run<Result>(_ body: () async throws(RepositoryError) -> Result) async throws(RepositoryError) -> Result {
    if !isQueueOccupied, let result = try await Self.attempt(driver, body) { return result }
    var waiting = Waiting(self)
    while try await waiting.step() {
      if waiting.isNext, let result = try await Self.attempt(driver, body) { return result }
    }
    // The last attempt, for the error that says what was blocking.
    return try await body()
  }

  /// The same with the thread blocked in between.
  package func runBlocking<Result>(_ body: () throws(RepositoryError) -> Result) throws(RepositoryError) -> Result {
    if !isQueueOccupied, let result = try Self.attempt(driver, body) { return result }
    var waiting = Waiting(self)
    while waiting.stepBlocking() {
      if waiting.isNext, let result = try Self.attempt(driver, body) { return result }
    }
    return try body()
  }

  /// Whether other writers go first.
  private var isQueueOccupied: Bool { access == .write && driver?.hasQueuedWriter == true }

  // MARK: One attempt

  /// Tries something once; `nil` where a lock of others is in the way.
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

  /// The blocking form.
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

  /// The wait between two attempts, and the place in the queue of writers.
  struct Waiting {
    /// Where a writer queues; `nil` for a reader.
    private let queue: (any SQLDriver)?
    private var polling: PollingBackoff
    private var place: (any WriteQueuePlace)?
    private let start = ContinuousClock.now
    /// The wait after which a writer joins the queue. Before, it would cost more than it helps.
    private static let queueingDelay = Duration.milliseconds(5)

    init(_ retry: BusyRetry) {
      queue = retry.access == .write ? retry.driver : nil
      polling = PollingBackoff(until: retry.deadline ?? Deadline(in: retry.timeout))
    }

    /// Whether the work may be tried now.
    var isNext: Bool {
      if let place { return place.isFirst }
      return queue?.hasQueuedWriter != true
    }

    /// Waits for one step, suspended; false where time is up.
    mutating func step() async throws(RepositoryError) -> Bool {
      join()
      return try await polling.wait()
    }

    /// Waits for one step, with the thread blocked; false where time is up.
    mutating func stepBlocking() -> Bool {
      join()
      return polling.waitBlocking()
    }

    private mutating func join() {
      guard let queue, place == nil, .now - start >= Self.queueingDelay else { return }
      place = queue.joinWriteQueue()
    }
  }
}
