/// `repokit help`: the overview, or the help of one command.
struct HelpCommand: Command {
  static let description = CommandDescription(
    name: "help", summary: "Explains the tool, or one of its commands.",
    examples: [.init(arguments: "help query", meaning: "How to ask for rows.")],
    positionals: [commandName])

  private static let commandName = PositionalDescription(
    name: "COMMAND", help: "The command to explain, in one or more words.", isOptional: true, isRepeated: true,
    completion: .command)

  private let text: String

  init(_ arguments: Arguments) throws(Failure) {
    var words = arguments.all(Self.commandName)[...]
    if words.isEmpty {
      text = Self.overview
      return
    }
    let command = try CommandList.takeCommand(from: &words).description
    if let word = words.first {
      throw Self.description.misused("\(command.call) has no command \(TerminalText.quoted(word)) of its own")
    }
    text = command.help
  }

  func run(_ console: Console) async throws {
    try console.print(text)
  }

  private static let options = [
    ("-h, --help", "Shows this help, or after a command, the help of that."),
    ("--version", "Shows the version."),
  ]

  /// What the tool is, and its commands.
  static var overview: String {
    """
    Asks SQLite databases in plain words, and fills them from CSV files.

    Examples
      repokit import pokedex.sqlite pokemon pokedex.csv --key id
      repokit query pokedex.sqlite pokemon "type1 = 'fire' and weight > 90" --sort=-weight
      repokit count pokedex.sqlite pokemon "name starts with 'Char'"

    Commands
    \(HelpText.columns(CommandList.all.map { ($0.description.name, $0.description.summary) }))

    Options
    \(HelpText.columns(options))

    Exit status
      0  Done, also where the reader of a pipe has seen enough.
      1  Failed: a file, the database or the data is not as it should be.
      2  The command or the query has to be written differently.

    Results go to the standard output, and everything else to the standard error.

    """
  }
}
