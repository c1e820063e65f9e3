import Repository

/// Waits for the locks of other processes in steps, and lets those go first that have been waiting for longer.
struct BusyRetry {
  private let driver: any SQLDriver
  /// Only writers queue.
  private let queues: Bool
  private var polling: PollingBackoff
  private var place: (any WriteQueuePlace)?
  private let start = ContinuousClock.now
  /// The wait after which a writer joins the queue. Before, it would cost more than it helps.
  private static let queueingDelay = Duration.milliseconds(5)

  init(_ access: Access, _ driver: any SQLDriver, until deadline: Deadline) {
    self.driver = driver
    queues = access == .write
    polling = PollingBackoff(until: deadline)
  }

  /// Whether the work may be tried now.
  var isNext: Bool {
    if !queues { return true }
    if let place { return place.isFirst }
    return !driver.hasQueuedWriter
  }

  /// Waits for one step, suspended; false where time is up.
  mutating func wait() async throws(RepositoryError) -> Bool {
    queue()
    return try await polling.wait()
  }

  /// Waits for one step, with the thread blocked; false where time is up.
  mutating func waitBlocking() -> Bool {
    queue()
    return polling.waitBlocking()
  }

  private mutating func queue() {
    guard queues, place == nil, .now - start >= Self.queueingDelay else { return }
    place = driver.joinWriteQueue()
  }
}
