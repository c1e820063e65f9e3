/// What a command takes. Its parsing, usage, errors and help all follow from this.
struct CommandDescription {
  /// A call of the command, and what it does.
  struct Example {
    let arguments: String
    let meaning: String
  }

  let name: String
  /// The name of the command that this one is a part of, as `index` is for `index add`.
  var group: String?
  /// What the command does, in one line.
  let summary: String
  let examples: [Example]
  var positionals: [PositionalDescription] = []
  var options: [OptionDescription] = []
  /// What else there is to know.
  var notes: [Note] = []
  /// What stands before its name where it is called; nothing within the shell.
  var program: String? = "repokit"
  /// The commands that it consists of, whose names follow its own. It takes no arguments then.
  var subcommands: [any Command.Type] = []

  /// The words by which it is called: `index add`.
  var call: String { (group.map { "\($0) " } ?? "") + name }
}

/// A part of a command's help that does not follow from its arguments.
enum Note {
  /// A text that is broken into lines.
  case paragraph(String)
  /// What can be written, and what it means, under a title.
  case list(String, [(String, String)])
}

extension CommandDescription {
  /// How the command is called, in parts that stay whole. Options that exclude each other share a pair of brackets.
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
