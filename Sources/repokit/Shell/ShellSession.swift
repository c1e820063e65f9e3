import SQLStore

/// A database, and the lines of the shell that work on it.
final class ShellSession {
  /// The action after a line.
  enum Outcome {
    case goOn
    case leave
  }

  private(set) var database: DatabaseLocation
  private(set) var settings: Settings
  private let usualFormat: FormatName?
  private let commands: CommandList

  /// - Throws: ``Failure`` where the file is not a database that can be read.
  init(_ database: DatabaseLocation, _ settings: Settings, commands: CommandList) throws(Failure) {
    (self.database, self.settings, self.commands) = (database, settings, commands)
    usualFormat = settings.format
    _ = try Self.tableNames(of: database)
  }

  /// Runs a line as a command.
  ///
  /// - Throws: ``Failure`` or ``OutputError``, as commands do.
  func run(_ line: String) async throws -> Outcome {
    switch try ShellCall(line, of: commands, isTable: { (try? Self.tableNames(of: database))?.contains($0) == true }) {
    case .nothing: break
    case .exit: return .leave
    case .help(let words):
      let text = try ShellHelp(commands: commands).text(for: words)
      try await Console.use(settings) { console in try console.print(text) }
    case .open(let text):
      let location = DatabaseLocation(text)
      _ = try Self.tableNames(of: location)
      database = location
    case .format(let name): settings.format = try name.map(Self.format) ?? usualFormat
    case .command(let command, let words): try await run(command, words)
    }
    return .goOn
  }

  private func run(_ command: any Command.Type, _ words: [String]) async throws {
    if !command.description.isAvailableInShell {
      throw Failure("you are already in the shell", status: .usageError)
    }
    let description = command.description.inShell
    let given = command.description.takesDatabase ? [PositionalDescription.database.name: database.text] : [:]
    let arguments = try ArgumentParser.parse(words[...], for: description, given: given, tables: DatabaseNames.tables)
    let settings = try settings.overridden(by: arguments)
    if arguments.wantsHelp {
      return try await Console.use(settings) { console in try console.print(description.help) }
    }
    let runnable = try command.init(try SearchPath.resolving(arguments))
    try await Console.use(settings) { console in try await runnable.run(console) }
  }

  private static func format(_ name: String) throws(Failure) -> FormatName {
    if let format = FormatName(rawValue: name) { return format }
    throw Failure(
      "unknown format \(TerminalText.quoted(name))",
      details: [.among(FormatName.allCases.map(\.rawValue), nearestTo: name)], status: .usageError)
  }

  private static func tableNames(of database: DatabaseLocation) throws(Failure) -> [String] {
    let store = try database.open(.readOnly)
    return try Failure.translating { try store.tableNames() }
  }
}

extension ShellSession {
  /// The greeting at the start.
  var greeting: String {
    let count = (try? Self.tableNames(of: database).count) ?? 0
    let tables = count == 1 ? "a table" : count == 0 ? "no tables" : "\(count) tables"
    return "\(TerminalText.visible(database.name)): \(tables). Type .help for help.\n"
  }

  /// Completes lines about the database.
  var completion: ShellCompletion { ShellCompletion(database: database, commands: commands) }

  /// The text before a line.
  var prompt: String {
    let visible = TerminalText.visible(database.shortName)
    return (visible.count > 24 ? visible.prefix(23) + "…" : visible) + "> "
  }

  /// The text before each further line.
  var continuation: String {
    let width = TerminalText.columns(of: prompt)
    return String(repeating: " ", count: max(0, width - 5)) + "...> "
  }
}

/// A parsed line of the shell.
enum ShellCall {
  case nothing
  case exit
  /// The shell's own help, or that of a command.
  case help([String])
  /// Another database.
  case open(String)
  /// Another format for rows, or the default.
  case format(String?)
  /// A command with its arguments, without the database.
  case command(any Command.Type, [String])
}

extension ShellCall {
  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: the line without its line feed.
  ///   - commands: the commands that a line may call.
  ///   - isTable: whether the database has a table of a name, so that the line is a query of it.
  init(_ line: String, of commands: CommandList, isTable: (String) -> Bool) throws(Failure) {
    if ShellText.isComment(line) {
      self = .nothing
      return
    }
    let split = try ShellLine(line)
    guard let first = split.words.words.first else {
      self = .nothing
      return
    }
    // With or without the dot of sqlite3's commands.
    let name = first.text.hasPrefix(".") ? String(first.text.dropFirst()) : first.text
    let rest = split.words.words.dropFirst().map(\.text)
    switch name {
    case "exit" where rest.isEmpty, "quit" where rest.isEmpty: self = .exit
    case "help": self = .help(rest)
    case "open": self = .open(try Self.one(rest, of: "a database"))
    case "format": self = .format(rest.isEmpty ? nil : try Self.one(rest, of: "a format"))
    default:
      if commands.all.contains(where: { $0.description.name == name }) {
        var words = ([name] + rest)[...]
        let command = try commands.takeCommand(from: &words)
        let count = split.words.words.count - words.count
        self = .command(command, split.arguments(of: command.description.inShell, after: count))
      } else if isTable(first.text) {
        self = .command(QueryCommand.self, split.arguments(of: QueryCommand.description.inShell, after: 0))
      } else {
        throw Self.unknown(first.text, commands)
      }
    }
  }

  private static func one(_ words: [String], of kind: String) throws(Failure) -> String {
    guard words.count == 1, let word = words.first else {
      throw Failure(
        "write one \(kind)", details: [".help shows the commands"], status: .usageError)
    }
    return word
  }

  /// The commands of sqlite3's and psql's shells, and how they are written here.
  private static let synonyms = [
    ".mode": ".format FORMAT sets the format of rows", ".headers": "--no-names omits the names of columns",
    ".header": "--no-names omits the names of columns", ".separator": "--separator TEXT sets the text between values",
    ".nullvalue": "--null-text TEXT sets the text for null", "\\dt": "tables lists the tables",
    "\\d": "schema TABLE shows the columns of a table", "\\q": ".exit leaves the shell",
  ]

  private static func unknown(_ word: String, _ commands: CommandList) -> Failure {
    let names = commands.all.map { $0.description.name } + ShellHelp.ownCommands.map(\.name)
    let isSQL = ["select", "insert", "update", "delete", "pragma", "create", "drop", "with"].contains(word.lowercased())
    return Failure(
      "unknown command or table \(TerminalText.quoted(word))",
      details: [
        isSQL
          ? "the shell has no SQL: write TABLE WHERE to show rows, such as pokemon weight > 90"
          : synonyms[word.lowercased()] ?? .nearest(to: word, among: names), ".help shows the commands",
      ], status: .usageError)
  }
}

/// The output of `.help` within the shell.
struct ShellHelp {
  let commands: CommandList

  /// The shell's own commands.
  static let ownCommands = [
    (
      name: ".help", usage: ".help [COMMAND]",
      meaning: "Show this help, or the help of a command, or of functions, formats or dates."
    ),
    (
      name: ".format", usage: ".format [FORMAT]",
      meaning: "Print rows as csv, json, …; without FORMAT, restore the default."
    ),
    (name: ".open", usage: ".open DATABASE", meaning: "Switch to another database."),
    (name: ".exit", usage: ".exit", meaning: "Leave the shell; so does Control-D."),
  ]

  private var overview: String {
    """
    Write a command without repokit and DATABASE, or a table with a query and options:

      tables
      pokemon type1 = 'fire' and weight > 90 --sort=-weight
      count pokemon name starts with 'Char'

    Commands
    \(HelpText.columns(commands.inShell.map { ($0.name, $0.summary) } + Self.ownCommands.map { ($0.usage, $0.meaning) }))

    A query needs no quotes if only options follow; quote other words with blanks. A
    line continues after an open quote or parenthesis, and after a backslash. A line
    that starts with # is a comment. Tab completes, Control-R searches the history,
    and Control-C stops a command. The shell does not save lines that start with a
    blank.

    """
  }

  /// The help of a command.
  func text(for words: [String]) throws(Failure) -> String {
    guard let word = words.first else { return overview }
    let name = word.hasPrefix(".") ? String(word.dropFirst()) : word
    if let own = Self.ownCommands.first(where: { $0.name == ".\(name)" }) { return "\(own.usage)\n  \(own.meaning)\n" }
    if words.count == 1, let topic = HelpTopic.all.first(where: { $0.name == name }) { return topic.inShell.help }
    var rest = ([name] + words.dropFirst())[...]
    return try commands.takeCommand(from: &rest).description.inShell.help
  }
}
