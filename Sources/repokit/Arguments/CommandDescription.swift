import Query

/// The description of a command, from which its parsing, usage, errors and help all follow.
struct CommandDescription {
  /// An example: a call of the command, and its effect.
  struct Example {
    let arguments: String
    let meaning: String
  }

  let name: String
  /// The name of the command that this one is a part of, as `index` is for `index add`.
  var group: String?
  /// A summary of the command in one line.
  let summary: String
  let examples: [Example]
  var positionals: [PositionalDescription] = []
  var options: [OptionDescription] = []
  /// Further sections of the help.
  var notes: [Note] = []
  /// The text before the command's name in a call; `nil` within the shell.
  var program: String? = "repokit"
  /// The commands that it consists of, whose names follow its own. It has no arguments then.
  var subcommands: [any Command.Type] = []
  /// Whether the command is available in the shell.
  var isAvailableInShell = true

  /// Whether a file of rows may be used as the database.
  var takesFiles: Bool { positionals.contains(where: \.takesFiles) }
  /// Whether it prints rows, in a format that the call can choose.
  var printsRows: Bool { options.contains { $0.name == OptionDescription.rowFormat.name } }
  /// All options, including those that its help leaves to that of `import`.
  var allOptions: [OptionDescription] {
    let own = options + (printsRows ? RowTextOptions.all : []) + CommonOptions.all
    return takesFiles
      ? own + [InputArguments.immutable]
        + InputArguments.options.filter { option in !options.contains { $0.name == option.name } } : own
  }

  /// The words that call it: `index add`.
  var call: String { (group.map { "\($0) " } ?? "") + name }
}

/// A part of a command's help that does not follow from its arguments.
enum Note {
  /// A text that is broken into lines.
  case paragraph(String)
  /// The possible notations and their meanings, under a title.
  case list(String, [(String, String)])
}

extension CommandDescription {
  /// The call of the command, in parts that are never broken. Options that exclude each other share a pair of brackets.
  var usageWords: [String] {
    let call = [program, call].compactMap(\.self)
    if !subcommands.isEmpty { return call + [subcommands.map { $0.description.name }.joined(separator: "|"), "…"] }
    var words = call + positionals.map(\.usage)
    var shown: Set<String> = []
    for option in options where !shown.contains(option.name) {
      let alternatives = [option] + options.filter { option.isAlternative(to: $0) }
      shown.formUnion(alternatives.map(\.name))
      words.append("[\(alternatives.map(\.usage).joined(separator: " | "))]")
    }
    return words
  }
}

extension OptionDescription {
  /// Whether each of two options excludes the other.
  fileprivate func isAlternative(to other: OptionDescription) -> Bool {
    excluded.contains(other.name) && other.excluded.contains(name)
  }
}

/// An argument that is known by its name.
struct OptionDescription {
  /// The name, with its two dashes.
  let name: String
  /// A short form of the name, such as `-y`.
  var letter: String?
  /// The value's name in usage and help; `nil` for an option without a value.
  var value: String?
  /// Its description for the help.
  let help: String
  /// Whether the option may be given more than once.
  var isRepeatable = false
  /// The names of the options that can't be combined with it.
  var excluded: [String] = []
  /// The reason, if it is not obvious.
  var exclusionReason: String?
  /// The completions of its value.
  var completion = Completion.none
  /// The words of which one may follow an option that has no other value.
  var optionalWords: [String] = []

  /// The option as usage shows it.
  var usage: String { call + (isRepeatable ? " …" : "") }
  /// The option as the list of options shows it.
  var heading: String { (letter.map { "\($0), " } ?? "") + call }

  private var call: String {
    if !optionalWords.isEmpty { return "\(name) [\(optionalWords.joined(separator: " | "))]" }
    return value.map { "\(name) \($0)" } ?? name
  }

  /// Whether a word is its name, or the short form of it.
  func isCalled(_ word: String) -> Bool { word == name || word == letter }
}

/// An argument that is identified by its position.
struct PositionalDescription {
  /// Its name in usage and help, in capitals.
  let name: String
  /// Its description for the help.
  let help: String
  /// Whether the argument is optional. Only the last ones may be, and the one before the last.
  var isOptional = false
  /// Whether an empty word is a value: other programs name columns so.
  var mayBeEmpty = false
  /// Whether the argument takes all remaining ones. Only the last one may.
  var isRepeated = false
  /// The completions of its value.
  var completion = Completion.none
  /// The hint where it is missing, if that is not obvious.
  var advice: String?
  /// Whether the argument may be a file of rows, whose table need not be named.
  var takesFiles = false

  /// The argument as usage shows it.
  var usage: String {
    let words = isRepeated ? "\(name)…" : name
    return isOptional ? "[\(words)]" : words
  }
}

/// The kind of values that complete an argument.
enum Completion: Hashable {
  /// Values that are not known in advance.
  case none
  /// A file.
  case file
  /// One of these words.
  case words([String])
  /// The name of a command.
  case command
  /// A table of the database that the line names.
  case table
  /// A column of the table that the line names.
  case column
  /// Columns of the table between commas.
  case columns
  /// A column of the table, or an expression.
  case expression
  /// A query about the table's rows.
  case query
  /// A column of the table, `=` and a value.
  case assignment
}

extension CommandDescription {
  /// A call of this command that has to be written differently.
  func usageError(_ summary: String, reason: String? = nil, suggestion: String? = nil) -> Failure {
    let usage = HelpText.wrap(["usage:"] + usageWords, indent: 4).split(separator: "\n").map(String.init)
    return Failure(summary, details: [reason, suggestion] + usage, status: .usageError)
  }
}

extension CommandDescription {
  /// The command as it is called within the shell: without the tool's name and the database.
  var inShell: CommandDescription {
    CommandDescription(
      name: name, group: group, summary: summary,
      examples: examples.map(\.inShell),
      positionals: positionals.filter { !$0.isDatabase }, options: options, notes: notes, program: nil,
      subcommands: subcommands)
  }

  /// Whether the shell's database is filled in.
  var takesDatabase: Bool { positionals.contains(where: \.isDatabase) }
}

extension CommandDescription.Example {
  /// The example as it is written within the shell: without the file, which follows the command's name.
  var inShell: CommandDescription.Example {
    var words = arguments.split(separator: " ", omittingEmptySubsequences: false)
    if let file = words.firstIndex(where: { $0.hasSuffix(".sqlite") }) { words.remove(at: file) }
    return CommandDescription.Example(arguments: words.joined(separator: " "), meaning: meaning)
  }
}

extension PositionalDescription {
  /// Whether the argument names the database that the command is about.
  var isDatabase: Bool { name == PositionalDescription.database.name }
}
