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
      action.sa_flags = action.sa_flags & ~Int32(SA_RESTART) | Int32(truncatingIfNeeded: SA_RESETHAND)
      sigaction(number, &action, nil)
    }
  }

  /// Gives up where a request came.
  static func check() throws(Failure) {
    if received.load(ordering: .relaxed) != 0 { throw Failure("interrupted", details: ["nothing was imported"]) }
  }

  /// Ends the program by the signal that came, if any, so that whoever started it sees why.
  static func resume() {
    let number = received.load(ordering: .relaxed)
    if number != 0 { raise(number) }
  }

  /// Functions can't be compared; this one is no function, but a number in the place of one.
  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    let ignoring: (@convention(c) (Int32) -> Void)? = SIG_IGN
    return unsafeBitCast(handler, to: UInt.self) == unsafeBitCast(ignoring, to: UInt.self)
  }
}
