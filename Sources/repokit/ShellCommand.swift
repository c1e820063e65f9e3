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
    name: "shell", summary: "Run commands on one database, line by line.",
    examples: [
      .init(
        arguments: "shell pokedex.sqlite",
        meaning: "Start a shell in the terminal; .help shows the commands."),
      .init(
        arguments: "shell pokedex.sqlite < questions.txt",
        meaning: "Run one command a line, and stop at the first error."),
    ],
    positionals: [.database], options: [keepGoing],
    notes: [
      .paragraph(
        "The shell runs the commands of repokit, without repokit and DATABASE. A table with a query is a command "
          + "too: pokemon type1 = 'fire' --limit 5. The query needs no quotes."),
      .paragraph(
        "With input from a file or a program, the exit status is that of the first failing line; with "
          + "--keep-going, of the last failing line. The message gives the line number."),
      .paragraph(
        "On a terminal, the shell saves the history in $XDG_STATE_HOME/repokit/history, or else in "
          + "~/.local/state/repokit/history. The shell does not save lines that start with a blank."),
    ], isAvailableInShell: false)

  private static let keepGoing = OptionDescription(
    name: "--keep-going", help: "Continue after a line that fails, with input from a file or a program.")

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
