import Query

/// `repokit help`: the overview, or the help of one command.
struct HelpCommand: Command {
  static let description = CommandDescription(
    name: "help", summary: "Explains the tool, or one of its commands.",
    examples: [
      .init(arguments: "help query", meaning: "How to ask for rows."),
      .init(arguments: "help --man > repokit.1", meaning: "The whole manual, for man -l repokit.1."),
    ],
    positionals: [commandName], options: [manual], isAvailableInShell: false)

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
    let command = try CommandList.repokit.takeCommand(from: &words).description
    if let word = words.first {
      throw arguments.command.usageError("\(command.call) has no command \(TerminalText.quoted(word)) of its own")
    }
    text = command.help
  }

  func run(_ console: Console) async throws {
    try console.print(text)
  }
}

/// The description of the tool as a whole, for the help and for the manual page.
enum Overview {
  static let summary = "Looks into SQLite and PostgreSQL databases, and changes them, in plain words."

  static let examples = [
    CommandDescription.Example(
      arguments: "import pokedex.sqlite pokemon pokedex.csv --key id", meaning: "Makes a database of a CSV file."),
    CommandDescription.Example(arguments: "tables pokedex.sqlite", meaning: "What is in a database?"),
    CommandDescription.Example(
      arguments: "query pokedex.sqlite pokemon \"type1 = 'fire' and weight > 90\" --sort=-weight",
      meaning: "Which rows? The heaviest first."),
    CommandDescription.Example(
      arguments: "count pokedex.sqlite pokemon \"name starts with 'Char'\"", meaning: "How many?"),
  ]

  static let databases = [
    ("pokedex.sqlite", "An SQLite file."),
    (
      "pokedex.csv",
      "A file of rows, for commands that read alone; also .tsv, .json, .ndjson, and - for the standard input."
    ),
    (
      "postgresql://ash@host/pokedex",
      "A PostgreSQL database, with all that psql takes: ports, TLS, a socket's folder as ?host=/run/postgresql. What it "
        + "leaves out comes from PGHOST and the like. Passwords belong into ~/.pgpass or PGPASSWORD, since other users of "
        + "the machine can see a command line; messages leave them out."
    ),
  ]

  static let options = [
    ("-h, --help", "Shows this help, or after a command, the help of that."),
    ("--version", "Shows the version."),
  ]

  static let environment = [
    ("NO_COLOR", "No colours where it is not empty, unless --color asks for them."),
    ("TERM", "No colours where it is dumb."),
    ("COLUMNS", "The width of the terminal, where it is to be another than the terminal says."),
    ("PAGER", "The program through which long output goes on a terminal; less if it is not set, none if it is empty."),
    ("XDG_CONFIG_HOME", "Where the configuration is, rather than ~/.config."),
    ("XDG_STATE_HOME", "Where the shell's history is, rather than ~/.local/state."),
  ]

  static let files = [
    (
      "~/.config/repokit/config",
      "Settings, a line each: name = value. A line that starts with # is a comment."
    )
  ]

  static var settings: [(String, String)] { ConfigurationFile.Key.allCases.map { ($0.rawValue, $0.help) } }

  static let statuses = [
    ("0", "Done, also where the reader of a pipe has seen enough."),
    ("1", "Failed: a file, the database or the data is not as it should be."),
    ("2", "The command or the query has to be written differently."),
    ("130", "Interrupted, as by Control-C."),
  ]

  static let streams = "Results go to the standard output, and everything else to the standard error."

  /// The output of `repokit --help`.
  static var help: String {
    let width = CommandList.repokit.all.map { $0.description.name.count }.max() ?? 0
    let commands = CommandList.repokit.sections.map { section in
      "\(section.title)\n"
        + HelpText.columns(section.commands.map { ($0.description.name, $0.description.summary) }, width: width)
    }
    return """
      \(summary)

      Examples
      \(examples.map { $0.help() }.joined(separator: "\n"))

      \(commands.joined(separator: "\n\n"))

      Databases
      \(HelpText.columns(databases))

      Options
      \(HelpText.columns(options))

      Exit status
      \(HelpText.columns(statuses))

      Environment
      \(HelpText.columns(environment))

      Files
      \(HelpText.columns(files))

      Settings
      \(HelpText.columns(settings))

      \(streams)

      """
  }
}

/// The manual page, made of the same descriptions as the help.
enum ManualPage {
  /// The source of the manual page for `man repokit`.
  static var source: String {
    var page = Roff()
    page.request("TH", "REPOKIT", "1", "", "repokit \(Repokit.version)")
    page.request("SH", "NAME")
    page.paragraph("repokit - look into SQLite and PostgreSQL databases, and change them, in plain words")
    page.request("SH", "SYNOPSIS")
    page.verbatim(["repokit COMMAND DATABASE [ARGUMENT…]", "repokit help [COMMAND]", "repokit --version"])
    page.request("SH", "DESCRIPTION")
    page.paragraph(Overview.summary)
    page.paragraph(Overview.streams)
    page.request("SH", "EXAMPLES")
    page.examples(Overview.examples)
    page.request("SH", "COMMANDS")
    for command in CommandList.repokit.descriptions { append(command, to: &page) }
    page.request("SH", "DATABASES")
    page.terms(Overview.databases)
    page.request("SH", "OPTIONS")
    page.paragraph("Every command takes these.")
    page.terms(CommonOptions.all.map { ($0.heading, $0.help) } + Overview.options)
    page.request("SH", "EXIT STATUS")
    page.terms(Overview.statuses)
    page.request("SH", "ENVIRONMENT")
    page.terms(Overview.environment)
    page.request("SH", "FILES")
    page.terms(Overview.files)
    page.request("RS")
    page.terms(Overview.settings)
    page.request("RE")
    page.request("SH", "SEE ALSO")
    page.paragraph("sqlite3(1), psql(1), less(1)")
    return page.text
  }

  private static func append(_ command: CommandDescription, to page: inout Roff) {
    page.request("SS", "repokit \(command.call)")
    page.paragraph(command.summary)
    page.request("PP")
    page.verbatim(HelpText.wrap(command.usageWords, indent: 4).split(separator: "\n").map(String.init))
    page.terms(command.positionals.map { ($0.name, $0.help) } + command.options.map { ($0.heading, $0.help) })
    for note in command.notes {
      page.request("PP")
      switch note {
      case .paragraph(let text): page.paragraph(text)
      case .list(let title, let rows):
        page.paragraph("\(title):")
        page.request("RS")
        page.terms(rows)
        page.request("RE")
      }
    }
    page.examples(command.examples)
  }
}

/// A text in the language of manual pages, as `man` reads it.
/// https://man7.org/linux/man-pages/man7/groff_man.7.html
struct Roff {
  private(set) var text = ""

  /// Adds a request with its arguments, such as the title of a section.
  mutating func request(_ name: String, _ arguments: String...) {
    text += "." + name + arguments.map { " \"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" }.joined() + "\n"
  }

  /// Adds a text that is filled into lines.
  mutating func paragraph(_ text: String) {
    self.text += Self.line(Self.escaped(text)) + "\n"
  }

  /// Adds terms, each with its description indented below.
  mutating func terms(_ terms: [(String, String)]) {
    for (term, meaning) in terms {
      text += ".TP\n\\fB\(Self.escaped(term))\\fR\n"
      paragraph(meaning)
    }
  }

  /// Adds lines that stay as they are.
  mutating func verbatim(_ lines: [String]) {
    text += ".nf\n" + lines.map { Self.line(Self.escaped($0)) + "\n" }.joined() + ".fi\n"
  }

  /// Adds calls of commands, each with its description indented below.
  mutating func examples(_ examples: [CommandDescription.Example]) {
    for example in examples {
      request("PP")
      verbatim(["repokit \(example.arguments)"])
      request("RS", "4")
      paragraph(example.meaning)
      request("RE")
    }
  }

  /// A line that starts with a dot would be a request; so would one with an apostrophe, if that were not escaped.
  private static func line(_ text: String) -> String { text.hasPrefix(".") ? "\\&" + text : text }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      // A plain hyphen may be shown as a typographic one, which can't be pasted into a shell. The same holds for the
      // others.
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      // Its fonts lack the pictures of control characters.
      case "\u{2400}"..."\u{243F}": escaped += "?"
      case "\u{20}"..."\u{7E}": escaped.unicodeScalars.append(scalar)
      default: escaped += "\\[u\(Hexadecimal.digits(of: scalar.value, atLeast: 4, inUppercase: true))]"
      }
    }
    return escaped
  }
}
