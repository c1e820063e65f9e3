/// Whether a command may change something without being asked, or shall only show what it would do.
struct ChangeConsent {
  static let yes = OptionDescription(
    name: "--yes", letter: "-y", help: "Does it without asking, as a script has to.")
  static let dryRun = OptionDescription(
    name: "--dry-run", help: "Shows what would be changed, and changes nothing.", excluded: ["--yes"],
    exclusionReason: "a dry run asks nothing")

  /// What the help says of it.
  static let note = Note.paragraph(
    "Before anything is changed, you are asked on the terminal. Where there is none, nothing is changed without --yes. "
      + "All or nothing: where a rule of the table forbids the change of one row, none is changed.")

  let isGiven: Bool
  let isDryRun: Bool
  private let command: CommandDescription

  init(_ arguments: Arguments) {
    isGiven = arguments.has(Self.yes)
    isDryRun = arguments.has(Self.dryRun)
    command = arguments.command
  }

  /// Whether somebody has to be asked.
  var isQuestion: Bool { !isGiven && !isDryRun }

  /// - Throws: ``Failure`` where somebody has to be asked, and nobody is there.
  func checkPossible(_ console: Console) throws(Failure) {
    guard isQuestion, !console.canAsk else { return }
    throw Failure(
      "\(command.call) asks before it changes anything, and there is no terminal to ask on",
      details: ["--yes does it without being asked", "--dry-run shows what it would change"], status: .misused)
  }

  /// Asks, if somebody has to be asked.
  ///
  /// - Throws: ``Failure`` unless the answer is yes.
  func confirm(_ confirmation: Confirmation, on console: Console) async throws(Failure) {
    if isQuestion { try await console.confirm(confirmation, for: command) }
  }
}
