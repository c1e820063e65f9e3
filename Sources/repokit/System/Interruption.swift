#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import LineEditor
import Repository
import SQLStore
import Synchronization

/// Control-C and other requests to stop, handled where the work can be undone.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// The signal that came, or 0. Nothing but an atomic may be touched when a signal comes.
  private static let received = Atomic<Int32>(0)
  /// The previous actions of the signals.
  private static let replaced = Mutex<[(number: Int32, action: sigaction)]>([])
  /// The outcome of the work that a request ends.
  private static let outcome = Mutex("repokit changed nothing")

  /// Lets requests wait for the next ``check(_:)``, until ``resume()``, and ends what databases are doing, be it a sort or a
  /// commit, which is undone then.
  ///
  /// - Parameter outcome: the outcome of the work then.
  ///
  /// Within the shell, Control-C stops the command as it stops any other, see ``CancellableCommand``.
  static func postpone(_ outcome: String = "repokit changed nothing") {
    Self.outcome.withLock { $0 = outcome }
    // The first use of a static property makes it, which must not happen while a signal is handled.
    received.store(0, ordering: .relaxed)
    let isInShell = CancellableCommand.isListening
    replaced.withLock { replaced in
      guard replaced.isEmpty else { return }
      for number in signals where number != SIGINT || !isInShell {
        var former = sigaction()
        sigaction(number, nil, &former)
        // One that is ignored, as by `nohup`, stays so.
        if former.isIgnored { continue }
        var action = sigaction()
        action.setHandler { number in
          Interruption.received.store(number, ordering: .relaxed)
          if CancellableCommand.isListening { CancellableCommand.noteRequest() }
        }
        // Reading from a pipe must not go on waiting, and the second request ends the program at once.
        action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
        if sigaction(number, &action, nil) == 0 { replaced.append((number, former)) }
      }
    }
    if !isInShell { stopDatabasesOnRequest() }
  }

  /// Starts a thread that waits for a request, since the work may hold all others.
  private static func stopDatabasesOnRequest() { DetachedThread.start { _ in Interruption.awaitRequest() } }

  private static func awaitRequest() -> UnsafeMutableRawPointer? {
    // A signal is to end what another thread waits for, as for a pipe.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    while !isRequested {
      usleep(50_000)
      if replaced.withLock(\.isEmpty) { return nil }
    }
    OpenStores.stop()
    return nil
  }

  /// The failure for an error that a request caused; `nil` for any other.
  static func failure(for error: RepositoryError) -> Failure? {
    error.code == .cancelled && isRequested ? Failure("interrupted", details: [outcome.withLock(\.self)]) : nil
  }

  /// Whether a request has arrived.
  static var isRequested: Bool { received.load(ordering: .relaxed) != 0 || CancellableCommand.isRequested }

  /// Throws where a request has arrived.
  ///
  /// - Parameter outcome: the outcome of the work.
  static func check(_ outcome: String? = nil) throws(Failure) {
    if isRequested { throw Failure("interrupted", details: [outcome ?? Self.outcome.withLock(\.self)]) }
  }

  /// Runs a closure that is cancelled as soon as a request arrives.
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

  /// Accepts requests at once again, and ends the program by the signal that came, if any, so that the parent process
  /// sees the reason.
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
}

/// Runs a closure that Control-C stops, rather than the program.
enum CancellableCommand {
  /// The outcome of the closure.
  enum Result<Success: Sendable>: Sendable {
    case done(Success)
    case cancelled
    case failed(any Error)
  }

  /// The number of requests to stop since the last check.
  private static let requests = Atomic(0)
  /// The pipe where a signal leaves a byte: nothing else may be done when one comes.
  private static let listening = Atomic<Int32>(-1)
  private static let signalled = Atomic<Int32>(-1)
  private static let stop = Mutex<(@Sendable () -> Void)?>(nil)

  /// Handles Control-C from now on, even while nothing runs.
  static func startListening() {
    openPipe()
    signal(SIGINT) { _ in CancellableCommand.noteRequest() }
  }

  /// Whether the process handles Control-C.
  static var isListening: Bool { listening.load(ordering: .relaxed) >= 0 }

  /// Whether the process was asked to stop.
  static var isRequested: Bool { requests.load(ordering: .relaxed) > 0 }

  /// Returns whether the process was asked to stop since the last check.
  static func takeRequest() -> Bool { requests.exchange(0, ordering: .relaxed) > 0 }

  /// Runs a closure.
  static func run<Success: Sendable>(
    _ body: @escaping @Sendable () async throws -> Success
  ) async -> Result<Success> {
    let task = Task.detached { try await body() }
    let stopTask: @Sendable () -> Void = {
      task.cancel()
      OpenStores.stop()
    }
    stop.withLock { $0 = stopTask }
    // The request may have come before the task was known.
    if isRequested { stopTask() }
    let result = await task.result
    stop.withLock { $0 = nil }
    OpenStores.resume()
    // The shell continues only after Control-C.
    Interruption.resume()
    let isCancelled = takeRequest()
    switch result {
    case .success(let success): return .done(success)
    case .failure(let error): return isCancelled ? .cancelled : .failed(error)
    }
  }

  /// Asks it to stop. A signal handler may call this.
  static func noteRequest() {
    let code = errno
    var byte: UInt8 = 0
    requests.add(1, ordering: .relaxed)
    _ = systemWrite(signalled.load(ordering: .relaxed), &byte, 1)
    TerminalMode.noteChange()
    errno = code
  }

  /// A thread that waits for the bytes of signals, for as long as the program runs.
  private static func openPipe() {
    guard signalled.load(ordering: .relaxed) < 0 else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    signalled.store(ends[1], ordering: .relaxed)
    listening.store(ends[0], ordering: .relaxed)
    DetachedThread.start { _ in CancellableCommand.listen() }
  }

  private static func listen() -> UnsafeMutableRawPointer? {
    var byte: UInt8 = 0
    while true {
      let count = systemRead(listening.load(ordering: .relaxed), &byte, 1)
      if count == 1 { stop.withLock { $0?() } } else if count == 0 || errno != EINTR { return nil }
    }
  }
}

private func systemRead(_ descriptor: Int32, _ byte: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  read(descriptor, byte, count)
}

private func systemWrite(_ descriptor: Int32, _ byte: UnsafePointer<UInt8>, _ count: Int) -> Int {
  write(descriptor, byte, count)
}

/// The databases that commands have opened, so that the shell can stop their work.
enum OpenStores {
  private struct State {
    /// A repository keeps connections open without the store, which is why these don't refer to stores.
    var stoppers: [@Sendable () -> Void] = []
    var isStopped = false
  }
  private static let state = Mutex(State())

  /// Registers a database, without keeping it open.
  static func add(_ store: SQLDatabase) {
    let isStopped = state.withLock { state in
      state.stoppers.append(store.stopper)
      return state.isStopped
    }
    if isStopped { store.stop() }
  }

  /// Stops the work of all of them, and of those that are opened from now on.
  static func stop() {
    let stoppers = state.withLock { state in
      state.isStopped = true
      return state.stoppers
    }
    for stop in stoppers { stop() }
  }

  /// Lets databases be opened and used again. Those that were stopped stay so.
  static func resume() { state.withLock { $0.isStopped = false } }
}
