import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Control-C and other requests to stop, noticed where what was begun can be undone.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// The signal that came, or 0. Nothing but an atomic may be touched when a signal comes.
  private static let received = Atomic<Int32>(0)

  /// Whether the second request ends the program at once, as it does but within the shell.
  private static let endsProgram = Atomic(true)

  /// Has the program outlive Control-C however often it is pressed: the shell goes on when a command has ended.
  static func keepProgram() { endsProgram.store(false, ordering: .relaxed) }

  /// Lets requests wait for the next ``check()``.
  static func postpone() {
    // The first use of a static property makes it, which must not happen while a signal is handled.
    received.store(0, ordering: .relaxed)
    for number in signals {
      // One that is ignored, as by `nohup`, stays so.
      if isIgnoring(signal(number, SIG_IGN)) { continue }
      signal(number) { number in Interruption.received.store(number, ordering: .relaxed) }
      // Reading from a pipe must not go on waiting, and the second request ends the program at once.
      var action = sigaction()
      sigaction(number, nil, &action)
      action.sa_flags &= ~Int32(SA_RESTART)
      if number != SIGINT || endsProgram.load(ordering: .relaxed) {
        action.sa_flags |= Int32(truncatingIfNeeded: SA_RESETHAND)
      }
      sigaction(number, &action, nil)
    }
  }

  /// Whether a request came.
  static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

  /// Gives up where a request came.
  ///
  /// - Parameter outcome: what has become of the work.
  static func check(_ outcome: String = "nothing was imported") throws(Failure) {
    if isRequested { throw Failure("interrupted", details: [outcome]) }
  }

  /// Does something that is cancelled as soon as a request comes.
  static func cancelling<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let work = Task { try await body() }
    // On the main thread, which has nothing else to do: where there is one processor, the work has the only other.
    let watch = Task { @MainActor in
      while !Task.isCancelled, !isRequested { try? await Task.sleep(for: .milliseconds(50)) }
      if isRequested { work.cancel() }
    }
    defer { watch.cancel() }
    return try await work.value
  }

  /// Ends the program by the signal that came, if any, so that whoever started it sees why.
  static func resume() {
    let number = received.load(ordering: .relaxed)
    if number == 0 { return }
    // The threads of tasks block all signals, and one that is raised there would wait for ever.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }

  /// Functions can't be compared; this one is no function, but a number in the place of one.
  static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    let ignoring: (@convention(c) (Int32) -> Void)? = SIG_IGN
    return unsafeBitCast(handler, to: UInt.self) == unsafeBitCast(ignoring, to: UInt.self)
  }
}
