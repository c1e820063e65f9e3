extension CommandDescription {
  /// The command as it is called within the shell: without the tool's name and the database.
  var inShell: CommandDescription {
    CommandDescription(
      name: name, group: group, summary: summary,
      examples: examples.map { Example(arguments: Self.withoutDatabase($0.arguments), meaning: $0.meaning) },
      positionals: positionals.filter { !$0.isDatabase }, options: options, notes: notes, program: nil,
      subcommands: subcommands)
  }

  /// Whether the shell's database is filled in.
  var takesDatabase: Bool { positionals.contains(where: \.isDatabase) }

  /// An example without the file, which stands behind the command's name.
  private static func withoutDatabase(_ arguments: String) -> String {
    var words = arguments.split(separator: " ", omittingEmptySubsequences: false)
    if let file = words.firstIndex(where: { $0.hasSuffix(".sqlite") }) { words.remove(at: file) }
    return words.joined(separator: " ")
  }
}

extension PositionalDescription {
  /// Whether it names the database that the command is about.
  var isDatabase: Bool { name == PositionalDescription.database.name }
}
