import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs something that Control-C stops, and not the program.
enum CancellableCommand {
  /// What came of it.
  enum Result<Success: Sendable>: Sendable {
    case done(Success)
    case cancelled
    case failed(any Error)
  }

  /// How often it was asked to stop, since somebody looked.
  private static let requests = Atomic(0)
  /// The pipe where a signal leaves a byte: nothing else may be done when one comes.
  private static let listening = Atomic<Int32>(-1)
  private static let signalled = Atomic<Int32>(-1)
  private static let stop = Mutex<(@Sendable () -> Void)?>(nil)

  /// Takes Control-C from now on, also while nothing runs.
  static func startListening() {
    openPipe()
    signal(SIGINT) { _ in CancellableCommand.noteRequest() }
  }

  /// Whether it takes Control-C.
  static var isListening: Bool { listening.load(ordering: .relaxed) >= 0 }

  /// Whether it was asked to stop.
  static var isRequested: Bool { requests.load(ordering: .relaxed) > 0 }

  /// Whether it was asked to stop since the last look.
  static func takeRequest() -> Bool { requests.exchange(0, ordering: .relaxed) > 0 }

  /// Runs something.
  static func run<Success: Sendable>(
    _ body: @escaping @Sendable () async throws -> Success
  ) async -> Result<Success> {
    let task = Task.detached { try await body() }
    let stopTask: @Sendable () -> Void = {
      task.cancel()
      OpenStores.stop()
    }
    stop.withLock { $0 = stopTask }
    // Somebody was very quick.
    if isRequested { stopTask() }
    let result = await task.result
    stop.withLock { $0 = nil }
    OpenStores.resume()
    // The shell goes on after Control-C alone.
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
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    pthread_create(&thread, nil, { _ in CancellableCommand.listen() }, nil)
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
