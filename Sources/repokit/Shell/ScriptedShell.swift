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
  /// Whether a line that fails is no reason to leave the others out.
  private let keepsGoing: Bool
  /// What is shown before each line, where a person writes them without an editor.
  private let hasPrompts: Bool

  init(_ session: ShellSession, keepsGoing: Bool, hasPrompts: Bool) {
    (self.session, self.keepsGoing, self.hasPrompts) = (session, keepsGoing, hasPrompts)
  }

  /// Does what the lines ask for.
  ///
  /// - Throws: the failure of the first line that fails; where the others are done nevertheless, one that counts them.
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
      // What has no end is told of as soon as nothing more can come.
      if part != nil, !ShellText(text).isComplete {
        gathered = text
        continue
      }
      gathered = nil
      do {
        let whole = ShellText(text)
        if try await session.run(whole.lines.first?.text ?? text) == .leave { break }
      } catch OutputError.readerLeft {
        throw OutputError.readerLeft
      } catch {
        var failure = (error as? Failure) ?? Failure(translating: error)
        if case .failure(let cause)? = error as? OutputError { throw OutputError.failure(cause) }
        failure = hasPrompts ? failure : failure.at("line \(start)")
        if Interruption.isRequested { throw failure }
        guard keepsGoing || hasPrompts else { throw failure }
        console.report(failure.message(style: console.messageStyle, isVerbose: console.settings.isVerbose))
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
