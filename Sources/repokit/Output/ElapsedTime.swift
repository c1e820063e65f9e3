#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Synchronization

/// Shows on the terminal for how long a job has been running that can't tell how far it is, such as one statement.
enum ElapsedTime {
  private struct Work {
    let job: String
    let width: Int
    let start: ContinuousClock.Instant
    /// The seconds that were shown last.
    var seconds = 0
  }

  private struct State {
    var work: Work?
    /// Whether there is a thread, which ends where it finds no work.
    var hasThread = false
  }

  private static let state = Mutex(State())

  /// Begins with a job, in the place of any other. Nothing is shown in its first second.
  ///
  /// - Parameters:
  ///   - job: what is done, without control characters.
  ///   - width: the columns of the terminal.
  static func begin(_ job: String, width: Int) {
    let hadThread = state.withLock { state in
      defer { state = State(work: Work(job: job, width: width, start: ContinuousClock().now), hasThread: true) }
      return state.hasThread
    }
    if !hadThread { startThread() }
  }

  /// Shows nothing more.
  ///
  /// - Returns: whether the line of the terminal holds something now.
  @discardableResult
  static func end() -> Bool {
    state.withLock { state in
      defer { state.work = nil }
      return state.work.map { $0.seconds > 0 } ?? false
    }
  }

  /// Returns the line that is shown.
  static func text(_ job: String, seconds: Int, width: Int) -> String {
    let time = "  \(ProgressLine.time(Double(seconds)))"
    // The last column stays free: some terminals break the line there.
    let line = ProgressLine(job: job, total: nil).text(after: .zero, width: max(0, width - 1 - time.utf8.count))
    return line + time
  }

  /// The work may hold all threads of tasks, so it is a thread of its own.
  private static func startThread() { DetachedThread.start { _ in ElapsedTime.show() } }

  private static func show() -> UnsafeMutableRawPointer? {
    // A signal is to end what another thread waits for.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    while true {
      usleep(100_000)
      // Within the lock, so that nothing is written behind the end.
      let isOver = state.withLock { state in
        guard let work = state.work else {
          state.hasThread = false
          return true
        }
        let seconds = Int((ContinuousClock().now - work.start).components.seconds)
        if seconds > work.seconds {
          state.work?.seconds = seconds
          StandardStreams.report("\r\(text(work.job, seconds: seconds, width: work.width))\u{1B}[K")
        }
        return false
      }
      if isOver { return nil }
    }
  }
}
