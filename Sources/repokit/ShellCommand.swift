#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import LineEditor

/// `repokit shell`: takes commands about one database, one after the other.
struct ShellCommand: Command {
  static let description = CommandDescription(
    name: "shell", summary: "Takes commands about one database, line by line.",
    examples: [
      .init(
        arguments: "shell pokedex.sqlite",
        meaning: "At a terminal. There, .help shows what can be written."),
      .init(
        arguments: "shell pokedex.sqlite < questions.txt",
        meaning: "Without one: a command a line, up to the first that fails."),
    ],
    positionals: [.database], options: [keepGoing],
    notes: [
      .paragraph(
        "The commands are those of repokit, without its name and the database. A table's name with a query is one, too: "
          + "pokemon type1 = 'fire' --limit 5. A query needs no quotes around it."),
      .paragraph(
        "From a file or a program, the exit status is that of the first line that fails, or with --keep-going of the "
          + "last; the message tells its number."),
      .paragraph(
        "What is written at a terminal is remembered in $XDG_STATE_HOME/repokit/history, or else in "
          + "~/.local/state/repokit/history; a line that starts with a blank is not."),
    ], isAvailableInShell: false)

  private static let keepGoing = OptionDescription(
    name: "--keep-going", help: "Goes on behind a line that fails, where lines come from a file or a program.")

  private let database: DatabaseLocation
  private let keepsGoing: Bool

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    keepsGoing = arguments.has(Self.keepGoing)
  }

  func run(_ console: Console) async throws {
    let session = try ShellSession(database, console.settings, commands: .repokit)
    if let terminal = EditorTerminal(isInterrupted: CancellableCommand.takeRequest) {
      var shell = InteractiveShell(session, terminal, console)
      await shell.run(console)
    } else {
      // A terminal that can't show an edited line, such as one within an editor, is still used by a person.
      let isPerson = isatty(STDIN_FILENO) == 1
      if isPerson { console.report(session.greeting) }
      try await ScriptedShell(session, keepsGoing: keepsGoing, hasPrompts: isPerson).run(console)
    }
  }
}
