import ErrorHandling
import Foundation
import Repository
import SQLiteStore

/// Does one thing with the lists of a file, and ends.
@main
struct ClrProgram {
  static func main() async {
    let environment = ProcessInfo.processInfo.environment
    do {
      guard let action = try Command(CommandLine.arguments.dropFirst()).action else { return print(Command.help) }
      let lists = try await DomainError.translating {
        try ColorLists(try SQLiteStore(path: environment["CLR_DATABASE"] ?? "colors.sqlite"))
      }
      let text = ListText(style(of: STDOUT_FILENO, environment), environment)
      if let answer = try await action(lists, text) { print(answer) }
    } catch {
      exit(await present(PresentationError(error), style(of: STDERR_FILENO, environment)))
    }
  }

  private static func style(of file: Int32, _ environment: [String: String]) -> TerminalStyle {
    TerminalStyle(isTerminal: isatty(file) == 1, isInteractive: false, environment: environment)
  }

  /// Shows an error of any layer.
  ///
  /// - Returns: the exit status: 2 where something else has to be asked for, 1 where that would not help.
  private static func present(_ error: PresentationError, _ style: TerminalStyle) async -> Int32 {
    let alerts = TerminalAlertPresenter(
      style: style, write: { FileHandle.standardError.write(Data($0.utf8)) }, readLine: { nil })
    if error.kind != .cancelled { _ = await alerts.ask(Alert(error)) }
    return error.kind == .correctable ? 2 : 1
  }
}
