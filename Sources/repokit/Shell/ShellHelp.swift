/// What `.help` shows within the shell.
enum ShellHelp {
  /// The shell's own commands.
  static let commands = [
    (name: ".help", usage: ".help [COMMAND]", meaning: "Shows this, or the help of a command."),
    (name: ".format", usage: ".format [FORMAT]", meaning: "Prints rows as csv, json, …; as usual without one."),
    (name: ".open", usage: ".open FILE", meaning: "Goes on with another database."),
    (name: ".exit", usage: ".exit", meaning: "Leaves the shell, as Control-D does."),
  ]

  /// The commands that a line may start with.
  static var callable: [CommandDescription] {
    let other: Set = [ShellCommand.description.name, HelpCommand.description.name]
    return CommandList.all.map { $0.description }.filter { !other.contains($0.name) }.map(\.inShell)
  }

  static var overview: String {
    """
    Write a command without repokit and the database, or a table and what is wanted of it:

      tables
      pokemon type1 = 'fire' and weight > 90 --sort=-weight
      count pokemon name starts with 'Char'

    Commands
    \(HelpText.columns(callable.map { ($0.name, $0.summary) } + commands.map { ($0.usage, $0.meaning) }))

    A query needs no quotes around it where nothing but options follows it; other
    words with blanks do. A line goes on where a quote or a parenthesis is open, and
    behind a backslash. What follows # at the start of a line is for people. Tab
    completes, Control-R finds earlier lines, Control-C stops what runs. A line that
    starts with a blank is not remembered.

    """
  }

  /// The help of a command.
  static func text(for words: [String]) throws(Failure) -> String {
    guard let word = words.first else { return overview }
    let name = word.hasPrefix(".") ? String(word.dropFirst()) : word
    if let own = commands.first(where: { $0.name == ".\(name)" }) { return "\(own.usage)\n  \(own.meaning)\n" }
    var rest = ([name] + words.dropFirst())[...]
    return try CommandList.takeCommand(from: &rest).description.inShell.help
  }
}
