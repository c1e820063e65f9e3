#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The standard output, through a pager where that is longer than the screen.
///
/// What comes is held back until it is clear that it fills the screen, or that no more comes.
final class PagedOutput {
  private enum State {
    case holding([UInt8])
    /// What was sent is kept for a while: it is all there is if the pager turns out to be none.
    case paging(Pager, sent: [UInt8]?)
    case direct
  }

  /// More than a pipe takes that nobody reads.
  private static let mostKept = 1 << 20

  /// The command of the pager; `nil` for none.
  private let command: String?
  private let meter: ScreenMeter
  private var state: State

  /// - Parameter command: the command of the pager; `nil` to write everything at once.
  init(command: String?, size: TerminalSize) {
    self.command = command
    meter = ScreenMeter(size)
    state = command == nil ? .direct : .holding([])
  }

  /// Whether a pager has the terminal.
  var isPaging: Bool { if case .paging = state { true } else { false } }

  /// Takes output on.
  func write(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
    switch state {
    case .direct:
      try Self.writeDirectly(bytes)
    case .holding(var held):
      state = .holding([])
      held += bytes
      state = .holding(held)
      if meter.isExceeded(by: held) { try startPager(held) }
    case .paging(let pager, let sent):
      try send(bytes, to: pager, after: sent)
    }
  }

  /// Writes what is held back, whatever comes later.
  func release() throws(OutputError) {
    guard case .holding(let held) = state, !held.isEmpty else { return }
    state = .direct
    try Self.writeDirectly(held[...])
  }

  /// Writes all, and waits for the pager to be left. Output that comes later starts on a new screen.
  func finish() throws(OutputError) {
    let ended = state
    state = command == nil ? .direct : .holding([])
    switch ended {
    case .direct: return
    case .holding(let held): try Self.writeDirectly(held[...])
    case .paging(let pager, let sent):
      if !pager.finish(), let sent { try Self.writeDirectly(sent[...]) }
    }
  }

  private func startPager(_ held: [UInt8]) throws(OutputError) {
    guard let command, let pager = Pager(command) else {
      state = .direct
      return try Self.writeDirectly(held[...])
    }
    try send(held[...], to: pager, after: [])
  }

  private func send(_ bytes: ArraySlice<UInt8>, to pager: Pager, after sent: [UInt8]?) throws(OutputError) {
    var kept = sent
    state = .direct
    kept?.append(contentsOf: bytes)
    do throws(OutputError) {
      try pager.write(bytes)
      state = .paging(pager, sent: kept.flatMap { $0.count > Self.mostKept ? nil : $0 })
    } catch {
      guard error == .readerLeft, !pager.finish(), let kept else {
        state = .paging(pager, sent: nil)
        throw error
      }
      // There is no such program, and its shell has said so.
      try Self.writeDirectly(kept[...])
    }
  }

  private static func writeDirectly(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
    if !bytes.isEmpty { try StandardStreams.write(bytes, to: STDOUT_FILENO) }
  }
}
