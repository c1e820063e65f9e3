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
      let arguments = try Arguments(CommandLine.arguments.dropFirst(), environment: environment)
      let text = ListText(isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment)
      if arguments.command == .help { return print(Arguments.help) }
      let lists = try await DomainError.translating { () throws(RepositoryError) in
        try ColorLists(try SQLiteStore(path: arguments.database))
      }
      if let answer = try await answer(to: arguments.command, lists, text) { print(answer) }
    } catch let error as UsageError {
      complain("clr: \(error)\nTry: clr help\n")
      exit(2)
    } catch {
      exit(await present(PresentationError(error), environment))
    }
  }

  /// Carries a command out.
  ///
  /// - Returns: what is printed, if anything is.
  static func answer(
    to command: Arguments.Command, _ lists: ColorLists, _ text: ListText
  ) async throws -> String? {
    switch command {
    case .help: return Arguments.help
    case .list: return text.list(try await lists.all())
    case .show(let name): return text.show(try await lists.list(name))
    case .make(let list):
      try await lists.make(list)
      return text.show(list)
    case .add(let colors, let name):
      try await lists.add(colors, to: name)
      return text.show(try await lists.list(name))
    case .rename(let name, let color, let newName): try await lists.rename(name, color: color, to: newName)
    case .remove(let name, let colors): try await lists.remove(name, colors: colors)
    case .importing(let path, let name):
      var list = try ColorListFile.read(path: path)
      list.name = name ?? list.name
      try await lists.make(list)
      return text.show(list)
    case .export(let name, let format, let path):
      let list = try await lists.list(name)
      let text = try format.text(of: list)
      guard let path else { return text }
      if let text { try File.write(Data("\(text)\n".utf8), path) } else { try ColorListFile.write(list, path: path) }
    }
    return nil
  }

  /// Shows an error of any layer.
  ///
  /// - Returns: the exit status: 2 where something else has to be asked for, 1 where that would not help.
  private static func present(_ error: PresentationError, _ environment: [String: String]) async -> Int32 {
    let style = TerminalStyle(isTerminal: isatty(STDERR_FILENO) == 1, isInteractive: false, environment: environment)
    let alerts = TerminalAlertPresenter(style: style, write: complain, readLine: { nil })
    if error.kind != .cancelled { _ = await alerts.ask(Alert(error)) }
    return error.kind == .correctable ? 2 : 1
  }

  @Sendable private static func complain(_ message: String) { FileHandle.standardError.write(Data(message.utf8)) }
}
