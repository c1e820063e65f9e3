/// The commands, in the order of the help.
enum CommandList {
  static let sections: [(title: String, commands: [any Command.Type])] = [
    (
      "Look",
      [
        TablesCommand.self, SchemaCommand.self, DescribeCommand.self, QueryCommand.self, CountCommand.self,
        GroupCommand.self, ExplainCommand.self, WatchCommand.self,
      ]
    ),
    ("Change", [ImportCommand.self, InsertCommand.self, SetCommand.self, DeleteCommand.self, IndexCommand.self]),
    ("Keep", [ExportCommand.self, BackupCommand.self, CheckCommand.self]),
    ("More", [ShellCommand.self, CompletionsCommand.self, HelpCommand.self]),
  ]
  /// What no person calls.
  private static let hidden: [any Command.Type] = [CompleteCommand.self]

  static let all: [any Command.Type] = sections.flatMap(\.commands)

  /// What all commands are, those that are parts of a group behind it.
  static var descriptions: [CommandDescription] {
    all.flatMap { command in [command.description] + command.description.subcommands.map { $0.description } }
  }

  /// Takes the words from a command line that name a command: one, or more for a part of a group.
  ///
  /// - Parameters:
  ///   - words: keeps the arguments that follow the command's name.
  ///   - commands: the commands that can be named.
  /// - Returns: the command; a group where no word follows that could name a part of it.
  static func takeCommand(
    from words: inout ArraySlice<String>, among commands: [any Command.Type] = all
  ) throws(Failure) -> any Command.Type {
    var found: (any Command.Type)?
    while let word = words.first {
      let candidates = found?.description.subcommands ?? commands
      if candidates.isEmpty || found != nil && word.hasPrefix("-") { break }
      let known = found == nil ? candidates + hidden : candidates
      guard let command = known.first(where: { $0.description.name == word }) else {
        let call = found.map { "\($0.description.call) \(word)" } ?? word
        throw Failure(
          "there is no command \(TerminalText.quoted(call))",
          details: [.among(candidates.map { $0.description.name }, nearestTo: word)], status: .misused)
      }
      words.removeFirst()
      found = command
    }
    guard let found else { throw Failure("a command is missing", status: .misused) }
    return found
  }
}
