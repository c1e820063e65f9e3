import Query

/// `repokit help`: the overview, or the help of one command.
struct HelpCommand: Command {
  static let description = CommandDescription(
    name: "help", summary: "Explain the tool, a command, functions, formats or dates.",
    examples: [
      .init(arguments: "help query", meaning: "Learn how to query rows."),
      .init(arguments: "help functions", meaning: "Look up the functions of queries; also formats and dates."),
      .init(arguments: "help --man > repokit.1", meaning: "Write the manual page, for man -l repokit.1."),
    ],
    positionals: [commandName], options: [manual], isAvailableInShell: false)

  private static let commandName = PositionalDescription(
    name: "COMMAND", help: "The command to explain, in one or two words; or functions, formats or dates.",
    isOptional: true, isRepeated: true,
    completion: .command)

  private static let manual = OptionDescription(
    name: "--man", help: "Print the manual page of the tool and all commands.")

  private let text: String

  init(_ arguments: Arguments) throws(Failure) {
    var words = arguments.all(Self.commandName)[...]
    if words.isEmpty {
      text = arguments.has(Self.manual) ? ManualPage.source : Overview.help
      return
    }
    if words.count == 1, let topic = words.first.flatMap(HelpTopic.named) {
      text = topic.help
      return
    }
    let command = try CommandList.repokit.takeCommand(from: &words).description
    if let word = words.first {
      throw arguments.command.usageError("\(command.call) has no subcommand \(TerminalText.quoted(word))")
    }
    text = command.help
  }

  func run(_ console: Console) async throws {
    try console.print(text)
  }
}

/// The description of the tool as a whole, for the help and for the manual page.
enum Overview {
  static let summary = "Query and change SQLite and PostgreSQL databases without SQL."

  static let examples = [
    CommandDescription.Example(
      arguments: "import pokedex.sqlite pokemon pokedex.csv --key id", meaning: "Create a database from a CSV file."),
    CommandDescription.Example(arguments: "tables pokedex.sqlite", meaning: "List the tables."),
    CommandDescription.Example(
      arguments: "query pokedex.sqlite pokemon \"type1 = 'fire' and weight > 90\" --sort=-weight",
      meaning: "Query rows, heaviest first."),
    CommandDescription.Example(
      arguments: "count pokedex.sqlite pokemon \"name starts with 'Char'\"", meaning: "Count rows."),
  ]

  static let databases = [
    ("pokedex.sqlite", "An SQLite file."),
    (
      "pokedex.csv",
      "A file of rows, for commands that only read; also .tsv, .json, .ndjson, and - for the standard input."
    ),
    (
      "postgresql://ash@host/pokedex",
      "A PostgreSQL database, with everything that psql accepts: ports, TLS, a socket directory as "
        + "?host=/run/postgresql. Defaults come from PGHOST and other variables of libpq. Put passwords in ~/.pgpass "
        + "or PGPASSWORD, since other users of the machine can see a command line; repokit hides passwords in messages."
    ),
  ]

  static let options = [
    ("-h, --help", "Show this help; after a command, show the command's help."),
    ("--version", "Show the version."),
  ]

  static let environment = [
    ("NO_COLOR", "If not empty, turns colors off; --color turns them on."),
    ("TERM", "If dumb, turns colors off."),
    ("COLUMNS", "The width of the output, instead of the terminal's width."),
    ("PAGER", "The pager for long output on a terminal; less if unset, none if empty."),
    ("XDG_CONFIG_HOME", "The directory of the configuration, instead of ~/.config."),
    ("XDG_STATE_HOME", "The directory of the shell's history, instead of ~/.local/state."),
  ]

  static let files = [
    (
      "~/.config/repokit/config",
      "Settings, one a line: name = value. A line that starts with # is a comment."
    )
  ]

  static var settings: [(String, String)] { ConfigurationFile.Key.allCases.map { ($0.rawValue, $0.help) } }

  static let statuses = [
    ("0", "Success, even if the reader of a pipe stops early."),
    ("1", "Failure: a problem with a file, the database or the data."),
    ("2", "Usage error: change the command or the query."),
    ("130", "Interrupted, for example by Control-C."),
  ]

  static let streams = "Results go to stdout, everything else to stderr."

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

      Topics
      \(HelpText.columns(HelpTopic.all.map { ("help \($0.name)", $0.summary) }))

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
    page.paragraph("repokit - query and change SQLite and PostgreSQL databases without SQL")
    page.request("SH", "SYNOPSIS")
    page.verbatim(["repokit COMMAND DATABASE [ARGUMENT…]", "repokit help [COMMAND]", "repokit --version"])
    page.request("SH", "DESCRIPTION")
    page.paragraph(Overview.summary)
    page.paragraph(Overview.streams)
    page.request("SH", "EXAMPLES")
    page.examples(Overview.examples)
    page.request("SH", "COMMANDS")
    for command in CommandList.repokit.descriptions { append(command, to: &page) }
    page.request("SH", "TOPICS")
    for topic in HelpTopic.all {
      page.request("SS", topic.name)
      page.paragraph(topic.summary)
      page.append(topic.notes)
      page.examples(topic.examples)
    }
    page.request("SH", "DATABASES")
    page.terms(Overview.databases)
    page.request("SH", "OPTIONS")
    page.paragraph("Every command accepts these options.")
    page.terms(CommonOptions.all.map { ($0.heading, $0.help) } + Overview.options)
    page.request("PP")
    page.paragraph("Every command with --format also accepts these options.")
    page.terms(RowTextOptions.all.map { ($0.heading, $0.help) })
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
    page.append(command.notes)
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

  /// Adds further sections of the help.
  mutating func append(_ notes: [Note]) {
    for note in notes {
      request("PP")
      switch note {
      case .paragraph(let text): paragraph(text)
      case .list(let title, let rows):
        paragraph("\(title):")
        request("RS")
        terms(rows)
        request("RE")
      }
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
