/// `repokit index`: what has to do with indexes.
struct IndexCommand: CommandGroup {
  static let description = CommandDescription(
    name: "index", summary: "Adds, drops and lists indexes.",
    examples: [
      .init(arguments: "index list pokedex.sqlite", meaning: "Every index with its columns and its size."),
      .init(
        arguments: "index add pokedex.sqlite pokemon type1 weight",
        meaning: "Makes queries by type1, or by type1 and weight, fast."),
      .init(arguments: "index drop pokedex.sqlite pokemon.type1.weight", meaning: "Takes it away again."),
    ],
    subcommands: [IndexAddCommand.self, IndexDropCommand.self, IndexListCommand.self])
}
