/// What there is to know of the tool as a whole, for the help and for the manual page.
enum Overview {
  static let summary = "Looks into SQLite databases, and changes them, in plain words."

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

  /// What `repokit --help` prints.
  static var help: String {
    let width = CommandList.all.map { $0.description.name.count }.max() ?? 0
    let commands = CommandList.sections.map { section in
      "\(section.title)\n"
        + HelpText.columns(section.commands.map { ($0.description.name, $0.description.summary) }, width: width)
    }
    return """
      \(summary)

      Examples
      \(examples.map { $0.help() }.joined(separator: "\n"))

      \(commands.joined(separator: "\n\n"))

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

extension CommandDescription.Example {
  /// The call and what it does, in two lines.
  ///
  /// - Parameter program: what stands before the command's name.
  func help(after program: String? = "repokit") -> String {
    "  \(program.map { "\($0) " } ?? "")\(arguments)\n      \(meaning)"
  }
}
