/// A command of the tool. It only reads arguments, calls the library and prints.
protocol Command: SendableMetatype {
  /// The description of the command: its arguments and its help.
  static var description: CommandDescription { get }

  /// Reads the arguments.
  ///
  /// - Throws: ``Failure`` where they are invalid. Nothing has been opened then.
  init(_ arguments: Arguments) throws(Failure)

  /// Runs the command.
  ///
  /// - Throws: ``Failure``, or ``OutputError`` where the output can't be written.
  func run(_ console: Console) async throws
}

/// A command that consists of others, as `index` does of `index add` and `index drop`.
protocol CommandGroup: Command {
  init()
}

extension CommandGroup {
  init(_ arguments: Arguments) throws(Failure) {
    self.init()
  }

  func run(_ console: Console) async throws {
    let description = Self.description
    throw description.usageError(
      "\(description.call) needs a subcommand",
      suggestion: "the subcommands are \(description.subcommands.map { $0.description.call }.joined(separator: ", "))")
  }
}

/// Commands, in the sections of the help.
struct CommandList {
  let sections: [(title: String, commands: [any Command.Type])]
  /// Commands that programs call, and that no help lists.
  let hidden: [any Command.Type]

  var all: [any Command.Type] { sections.flatMap(\.commands) }

  /// The descriptions of all commands, each group's followed by those of its parts.
  var descriptions: [CommandDescription] {
    all.flatMap { command in [command.description] + command.description.subcommands.map { $0.description } }
  }

  /// The commands of the shell, described as they are called there.
  var inShell: [CommandDescription] {
    all.map { $0.description }.filter(\.isAvailableInShell).map(\.inShell)
  }

  /// Removes the words that name a command from a command line: one, or more for a part of a group.
  ///
  /// - Parameter words: afterwards the arguments that follow the command's name.
  /// - Returns: the command; a group where no word follows that could name a part of it.
  func takeCommand(from words: inout ArraySlice<String>) throws(Failure) -> any Command.Type {
    var found: (any Command.Type)?
    while let word = words.first {
      let candidates = found?.description.subcommands ?? all
      if candidates.isEmpty || found != nil && word.hasPrefix("-") { break }
      let known = found == nil ? candidates + hidden : candidates
      guard let command = known.first(where: { $0.description.name == word }) else {
        let call = found.map { "\($0.description.call) \(word)" } ?? word
        throw Failure(
          "unknown command \(TerminalText.quoted(call))",
          details: [
            (found == nil
              ? ToolSynonyms.command(for: word) ?? ToolSynonyms.advice(onDatabase: word, words.dropFirst().first) : nil)
              ?? .among(candidates.map { $0.description.name }, nearestTo: word)
          ], status: .usageError)
      }
      words.removeFirst()
      found = command
    }
    guard let found else { throw Failure("a command is missing", status: .usageError) }
    return found
  }
}
