/// `repokit help`: the overview, or the help of one command.
struct HelpCommand: Command {
  static let description = CommandDescription(
    name: "help", summary: "Explains the tool, or one of its commands.",
    examples: [
      .init(arguments: "help query", meaning: "How to ask for rows."),
      .init(arguments: "help --man > repokit.1", meaning: "The whole manual, for man -l repokit.1."),
    ],
    positionals: [commandName], options: [manual])

  private static let commandName = PositionalDescription(
    name: "COMMAND", help: "The command to explain, in one or more words.", isOptional: true, isRepeated: true,
    completion: .command)

  private static let manual = OptionDescription(
    name: "--man", help: "The manual page of the tool and all its commands, as man reads it.")

  private let text: String

  init(_ arguments: Arguments) throws(Failure) {
    var words = arguments.all(Self.commandName)[...]
    if words.isEmpty {
      text = arguments.has(Self.manual) ? ManualPage.source : Overview.help
      return
    }
    let command = try CommandList.takeCommand(from: &words).description
    if let word = words.first {
      throw arguments.command.misused("\(command.call) has no command \(TerminalText.quoted(word)) of its own")
    }
    text = command.help
  }

  func run(_ console: Console) async throws {
    try console.print(text)
  }
}
