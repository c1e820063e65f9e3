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
  /// What was to happen at signals before.
  private static let replaced = Mutex<[(number: Int32, action: sigaction)]>([])

  /// Lets requests wait for the next ``check(_:)``, until ``resume()``.
  ///
  /// Within the shell, Control-C stops the command as it stops any other, see ``CancellableCommand``.
  static func postpone() {
    // The first use of a static property makes it, which must not happen while a signal is handled.
    received.store(0, ordering: .relaxed)
    let isInShell = CancellableCommand.isListening
    replaced.withLock { replaced in
      guard replaced.isEmpty else { return }
      for number in signals where number != SIGINT || !isInShell {
        var former = sigaction()
        sigaction(number, nil, &former)
        // One that is ignored, as by `nohup`, stays so.
        if isIgnoring(former) { continue }
        var action = sigaction()
        set(&action) { number in
          Interruption.received.store(number, ordering: .relaxed)
          if CancellableCommand.isListening { CancellableCommand.noteRequest() }
        }
        // Reading from a pipe must not go on waiting, and the second request ends the program at once.
        action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
        if sigaction(number, &action, nil) == 0 { replaced.append((number, former)) }
      }
    }
  }

  /// Whether a request came.
  static var isRequested: Bool { received.load(ordering: .relaxed) != 0 || CancellableCommand.isRequested }

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

  /// Takes requests at once again, and ends the program by the signal that came, if any, so that whoever started it sees
  /// why.
  static func resume() {
    replaced.withLock { replaced in
      for (number, action) in replaced {
        var action = action
        sigaction(number, &action, nil)
      }
      replaced = []
    }
    let number = received.exchange(0, ordering: .relaxed)
    if number == 0 { return }
    // The threads of tasks block all signals, and one that is raised there would wait for ever.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }

  /// Functions can't be compared; this one is no function, but a number in the place of one.
  static func isIgnoring(_ action: sigaction) -> Bool {
    let ignoring: Handler? = SIG_IGN
    return unsafeBitCast(handler(of: action), to: UInt.self) == unsafeBitCast(ignoring, to: UInt.self)
  }

  private typealias Handler = @convention(c) (Int32) -> Void

  #if canImport(Darwin)
    private static func handler(of action: sigaction) -> Handler? { action.__sigaction_u.__sa_handler }
    private static func set(_ action: inout sigaction, _ handler: @escaping Handler) {
      action.__sigaction_u.__sa_handler = handler
    }
  #elseif canImport(Glibc)
    private static func handler(of action: sigaction) -> Handler? { action.__sigaction_handler.sa_handler }
    private static func set(_ action: inout sigaction, _ handler: @escaping Handler) {
      action.__sigaction_handler.sa_handler = handler
    }
  #elseif canImport(Musl)
    private static func handler(of action: sigaction) -> Handler? { action.__sa_handler.sa_handler }
    private static func set(_ action: inout sigaction, _ handler: @escaping Handler) {
      action.__sa_handler.sa_handler = handler
    }
  #endif
}
