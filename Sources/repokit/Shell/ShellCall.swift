/// What a line of the shell asks for.
enum ShellCall {
  case nothing
  case exit
  /// The shell's own help, or that of a command.
  case help([String])
  /// Another database.
  case open(String)
  /// Another form for rows, or the usual one.
  case format(String?)
  /// A command with its arguments, but for the database.
  case command(any Command.Type, [String])
}

extension ShellCall {
  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: without its line feed.
  ///   - isTable: whether the database has a table of a name, so that the line is a query of it.
  init(_ line: String, isTable: (String) -> Bool) throws(Failure) {
    if ShellText.isComment(line) {
      self = .nothing
      return
    }
    let split = try ShellLine(line)
    guard let first = split.words.words.first else {
      self = .nothing
      return
    }
    // With or without the dot: neither those who come from sqlite3 nor those who don't have to think.
    let name = first.text.hasPrefix(".") ? String(first.text.dropFirst()) : first.text
    let rest = split.words.words.dropFirst().map(\.text)
    switch name {
    case "exit" where rest.isEmpty, "quit" where rest.isEmpty: self = .exit
    case "help": self = .help(rest)
    case "open": self = .open(try Self.one(rest, of: "a file"))
    case "format": self = .format(rest.isEmpty ? nil : try Self.one(rest, of: "a format"))
    default:
      if CommandList.all.contains(where: { $0.description.name == name }) {
        var words = ([name] + rest)[...]
        let command = try CommandList.takeCommand(from: &words)
        let count = split.words.words.count - words.count
        self = .command(command, split.arguments(of: command.description.inShell, after: count))
      } else if isTable(first.text) {
        self = .command(QueryCommand.self, split.arguments(of: QueryCommand.description.inShell, after: 0))
      } else {
        throw Self.unknown(first.text)
      }
    }
  }

  private static func one(_ words: [String], of kind: String) throws(Failure) -> String {
    guard words.count == 1, let word = words.first else {
      throw Failure(
        "\(kind) is expected, and nothing else", details: [".help shows what can be written"], status: .misused)
    }
    return word
  }

  private static func unknown(_ word: String) -> Failure {
    let names = CommandList.all.map { $0.description.name } + ShellHelp.commands.map(\.name)
    let isSQL = ["select", "insert", "update", "delete", "pragma", "create", "drop", "with"].contains(word.lowercased())
    return Failure(
      "there is no command and no table \(TerminalText.quoted(word))",
      details: [
        isSQL
          ? "this shell reads no SQL: TABLE WHERE shows rows, such as pokemon weight > 90"
          : .nearest(to: word, among: names), ".help shows what can be written",
      ], status: .misused)
  }
}
