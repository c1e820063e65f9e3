/// The commands, in the order of the help.
enum CommandList {
  static let all: [any Command.Type] = [
    ImportCommand.self, QueryCommand.self, CountCommand.self, TablesCommand.self, SchemaCommand.self, CheckCommand.self,
    HelpCommand.self,
  ]

  /// The command with a name.
  static func command(named name: String) throws(Failure) -> any Command.Type {
    if let command = all.first(where: { $0.description.name == name }) { return command }
    throw Failure(
      "there is no command \(TerminalText.quoted(name))",
      details: [.among(all.map { $0.description.name }, nearestTo: name)], status: .misused)
  }
}
