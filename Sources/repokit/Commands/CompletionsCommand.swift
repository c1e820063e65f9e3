/// `repokit completions`: prints what a shell needs to complete this tool's lines.
struct CompletionsCommand: Command {
  static let description = CommandDescription(
    name: "completions", summary: "Prints a script by which a shell completes these commands.",
    examples: [
      .init(
        arguments: "completions bash > ~/.local/share/bash-completion/completions/repokit",
        meaning: "For every bash from now on, where bash-completion is installed."),
      .init(
        arguments: "completions zsh > ~/.zfunc/_repokit",
        meaning: "For zsh, with fpath+=~/.zfunc before compinit in ~/.zshrc."),
      .init(arguments: "completions fish > ~/.config/fish/completions/repokit.fish", meaning: "For fish."),
    ],
    positionals: [shell],
    notes: [
      .paragraph(
        "Commands, options, tables, columns and within a query, operators and values are completed, by what is in the "
          + "database that stands on the line. It is only read, and never waited for."),
      .paragraph("To try it in the shell that runs: source <(repokit completions bash)."),
    ])

  private static let shell = PositionalDescription(
    name: "SHELL", help: "bash, zsh or fish.", completion: .words(ShellKind.allCases.map(\.rawValue)))

  private let shell: ShellKind

  init(_ arguments: Arguments) throws(Failure) {
    let name = try arguments.required(Self.shell)
    guard let shell = ShellKind(rawValue: name) else {
      throw arguments.command.misused(
        "there are no completions for \(TerminalText.quoted(name))",
        suggestion: .among(ShellKind.allCases.map(\.rawValue), nearestTo: name))
    }
    self.shell = shell
  }

  func run(_ console: Console) async throws {
    try console.print(shell.script)
  }
}
