/// The arguments of a command as far as they are written, without any complaint.
struct PartialLine {
  private let command: CommandDescription
  private var options: [String] = []
  private var positionals: [String: String] = [:]
  /// The option whose value comes next.
  private(set) var openOption: OptionDescription?
  /// Whether the next word may be an option.
  private(set) var mayHaveOption = true
  /// The argument that the next word is, unless it is an option.
  private(set) var nextPositional: PositionalDescription?

  /// - Parameter words: what follows the command's name.
  init(_ words: ArraySlice<String>, of command: CommandDescription) {
    self.command = command
    var rest = command.positionals[...]
    for word in words {
      if openOption != nil {
        openOption = nil
      } else if mayHaveOption, word == "--" {
        mayHaveOption = false
      } else if mayHaveOption, word.hasPrefix("-"), word != "-" {
        guard let option = option(called: String(word.prefix { $0 != "=" })) else { continue }
        options.append(option.name)
        if option.value != nil, !word.contains("=") { openOption = option }
      } else if let positional = rest.first {
        positionals[positional.name] = word
        if !positional.isRepeated { rest.removeFirst() }
      }
    }
    nextPositional = rest.first
  }

  /// The database that the line names.
  var database: String? { positionals[PositionalDescription.database.name] }

  /// The table that the line names.
  var table: String? {
    command.positionals.first { $0.completion == .table && positionals[$0.name] != nil }.flatMap {
      positionals[$0.name]
    }
  }

  /// The option with a name.
  func option(called word: String) -> OptionDescription? {
    (command.options + CommonOptions.all).first { $0.isCalled(word) }
  }

  /// The options that may still be given.
  var possibleOptions: [OptionDescription] {
    (command.options + CommonOptions.all).filter { option in
      (option.isRepeatable || !options.contains(option.name)) && !option.excluded.contains(where: options.contains)
    }
  }
}
