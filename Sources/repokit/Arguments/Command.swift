/// Something that the tool does. It only reads arguments, calls the library and prints.
protocol Command: SendableMetatype {
  /// What the command takes, and its help.
  static var description: CommandDescription { get }

  /// Reads the arguments.
  ///
  /// - Throws: ``Failure`` where they make no sense. Nothing has been opened then.
  init(_ arguments: Arguments) throws(Failure)

  /// Does it.
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
    throw description.misused(
      "\(description.call) is more than one command",
      suggestion: "they are \(description.subcommands.map { $0.description.call }.joined(separator: ", "))")
  }
}
