package import Repository

/// The retry of operations on a busy database: work that is blocked by a lock of another program is repeated until it
/// succeeds or times out.
///
/// It decides what comes next: an attempt, or a wait and how long. A task is suspended and a thread blocked meanwhile. It yields to
/// writers that have been waiting for longer.
package struct BusyRetry {
  private let access: Access
  /// The database; `nil` while it is being opened.
  private let driver: (any SQLDriver)?
  private let deadline: Deadline?
  private let timeout: Duration
  private var waiting: Waiting?
  /// Whether an attempt comes next, if this writer is the next one.
  private var isAttemptDue = true
  private var isLastAttempt = false

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

  /// A single attempt.
  static var once: BusyRetry {
    var retry = BusyRetry(.read, nil, within: .zero)
    retry.isLastAttempt = true
    return retry
  }

  /// Runs a closure until it succeeds or times out, suspended between two attempts.
  func run<Result>(_ body: () async throws(RepositoryError) -> Result) async throws(RepositoryError) -> Result {
    var retry = self
    while true {
      while let wait = retry.nextWait() { try await wait.suspend() }
      do throws(RepositoryError) {
        return try await body()
      } catch {
        if !retry.repeats(after: error) { throw error }
      }
    }
  }

  /// Runs a closure until it succeeds or times out, with the thread blocked between two attempts.
  package func runBlocking<Result>(_ body: () throws(RepositoryError) -> Result) throws(RepositoryError) -> Result {
    var retry = self
    while true {
      while let wait = retry.nextWait() { wait.block() }
      do throws(RepositoryError) {
        return try body()
      } catch {
        if !retry.repeats(after: error) { throw error }
      }
    }
  }

  // MARK: What comes next

  /// Returns the wait that comes next; `nil` if an attempt does.
  mutating func nextWait() -> Duration? {
    if isAttemptDue {
      isAttemptDue = false
      if isNext { return nil }
    }
    if waiting == nil { waiting = Waiting(until: deadline ?? Deadline(in: timeout)) }
    join()
    guard let wait = waiting?.polling.next() else {
      isLastAttempt = true
      return nil
    }
    isAttemptDue = true
    return wait
  }

  /// Returns whether work that has failed is repeated. The last attempt throws the error that names the lock.
  func repeats(after error: RepositoryError) -> Bool {
    !isLastAttempt && (driver?.isTransient(error) ?? (error.code == .busy))
  }

  // MARK: The queue of writers

  /// The wait between attempts, with the ticket for the queue of writers.
  private struct Waiting {
    var polling: PollingBackoff
    var ticket: (any WriteQueueTicket)?
    let start = ContinuousClock.now
    /// The wait after which a writer joins the queue. Earlier, the queue would cost more than it helps.
    static let queueingDelay = Duration.milliseconds(5)

    init(until deadline: Deadline) { polling = PollingBackoff(until: deadline) }
  }

  /// Whether no writer precedes this one.
  private var isNext: Bool {
    guard access == .write else { return true }
    if let ticket = waiting?.ticket { return ticket.beatAndCheckFirst() }
    return driver?.hasQueuedWriter != true
  }

  private mutating func join() {
    guard access == .write, let driver, let waiting, waiting.ticket == nil,
      .now - waiting.start >= Waiting.queueingDelay
    else { return }
    self.waiting?.ticket = driver.joinWriteQueue()
  }
}
