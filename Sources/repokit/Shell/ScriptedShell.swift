#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The shell whose lines come from a file or a program.
struct ScriptedShell {
  private let session: ShellSession
  /// Whether the remaining lines run after one fails.
  private let keepsGoing: Bool
  /// The prompt before each line, for interactive input without an editor.
  private let hasPrompts: Bool

  init(_ session: ShellSession, keepsGoing: Bool, hasPrompts: Bool) {
    (self.session, self.keepsGoing, self.hasPrompts) = (session, keepsGoing, hasPrompts)
  }

  /// Runs the lines as commands.
  ///
  /// - Throws: the failure of the first line that fails; where the others run nevertheless, one that counts them.
  func run(_ console: Console) async throws {
    var lines = InputLines()
    var gathered: String?
    var (number, start) = (0, 0)
    var failures = (count: 0, status: ExitStatus.done)
    while true {
      if hasPrompts { console.report(gathered == nil ? session.prompt : session.continuation) }
      let part = try lines.next()
      if part == nil, gathered == nil { break }
      number += 1
      if gathered == nil { start = number }
      let text = gathered.map { start in part.map { "\(start)\n\($0)" } ?? start } ?? part ?? ""
      // A line without an end is reported as soon as the input has ended.
      if part != nil, !ShellText(text).isComplete {
        gathered = text
        continue
      }
      gathered = nil
      do {
        let whole = ShellText(text)
        if try await session.run(whole.lines.first?.text ?? text) == .leave { break }
      } catch OutputError.readerClosed {
        throw OutputError.readerClosed
      } catch {
        var failure = (error as? Failure) ?? Failure(translating: error)
        if case .failure(let cause)? = error as? OutputError { throw OutputError.failure(cause) }
        failure = hasPrompts ? failure : failure.at("line \(start)")
        if Interruption.isRequested { throw failure }
        guard keepsGoing || hasPrompts else { throw failure }
        console.reportResult(failure.message(style: console.messageStyle, isVerbose: console.settings.isVerbose))
        failures = (failures.count + 1, failure.status)
      }
      Interruption.resume()
      if part == nil { break }
    }
    if failures.count > 0, !hasPrompts {
      let lines = failures.count == 1 ? "a line" : "\(failures.count) lines"
      throw Failure("\(lines) failed", status: failures.status)
    }
  }
}

/// The lines of the standard input.
struct InputLines {
  private var bytes: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// The next line without its line feed; `nil` where there is none.
  mutating func next() throws(Failure) -> String? {
    var searched = position
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = bytes[position..<end]
        position = end + 1
        return try text(line)
      }
      searched = bytes.count
      if isAtEnd {
        guard position < bytes.count else { return nil }
        defer { position = bytes.count }
        return try text(bytes[position...])
      }
      searched -= position
      bytes.removeFirst(position)
      position = 0
      try read()
    }
  }

  private func text(_ line: ArraySlice<UInt8>) throws(Failure) -> String {
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Failure("a line of the standard input is not UTF-8", status: .usageError)
    }
    return text
  }

  private mutating func read() throws(Failure) {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = part.withUnsafeMutableBytes { systemRead(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Failure("can't read the standard input", code: errno) }
      if count == 0 { isAtEnd = true }
      bytes += part[..<count]
      return
    }
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
