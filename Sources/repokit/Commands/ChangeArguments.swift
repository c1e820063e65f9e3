import Query
import SQLInspection
import SQLStore

/// The arguments of the commands that change rows.
struct ChangeArguments {
  /// Required, so that all rows are changed only on an explicit request.
  static let condition = PositionalDescription(
    name: "WHERE", help: "Which rows, as one argument; true for all of them.", completion: .query,
    advice: "say which rows; true means all of them")
  static let table = PositionalDescription(name: "TABLE", help: "The table.", completion: .table)
  static let format = OptionDescription.format("How --dry-run shows the rows: \(FormatName.list).")

  /// For a command that asks which rows.
  static let queryOptions = [OptionDescription.parameter] + options
  static let options = [ChangeConsent.dryRun, format, ChangeConsent.yes]

  let database: DatabaseLocation
  let table: String
  let assignments: [AssignmentArgument]
  let consent: ChangeConsent
  let format: FormatName?
  /// Which rows; `nil` for a command that does not ask.
  private let text: String?
  private let parameters: Parameters

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    table = try arguments.required(Self.table)
    parameters = try Parameters(arguments)
    text = arguments[Self.condition]
    do throws(Failure) {
      // The columns are not known yet.
      if let text { _ = try parameters.query(text, in: nil, beside: nil) }
    } catch {
      throw error.at(Self.condition.name)
    }
    var assignments: [AssignmentArgument] = []
    for argument in arguments.all(AssignmentArgument.positional) {
      assignments.append(try AssignmentArgument(argument, for: arguments.command))
    }
    self.assignments = assignments
    consent = ChangeConsent(arguments)
    format = try arguments.choice(Self.format, of: FormatName.self)
  }

  /// The rows that are meant; none without a condition.
  func query(in table: TableSchema, beside others: OtherTables) throws(Failure) -> AnyQuery {
    try text.map { text throws(Failure) in try parameters.query(text, in: table, beside: others) } ?? .false
  }

  /// What the rows are to hold.
  func assignments(in table: TableSchema) throws(Failure) -> [Assignment] {
    try assignments.map { assignment throws(Failure) in try assignment.assignment(in: table) }
  }
}

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

  /// Whether the change needs the user's consent.
  var isQuestion: Bool { !isGiven && !isDryRun }

  /// - Throws: ``Failure`` where the user has to be asked, and there is no terminal to ask on.
  func checkPossible(_ console: Console) throws(Failure) {
    guard isQuestion, !console.canAsk else { return }
    throw Failure(
      "\(command.call) asks before it changes anything, and there is no terminal to ask on",
      details: ["--yes does it without being asked", "--dry-run shows what it would change"], status: .usageError)
  }

  /// The change would no longer be the one that the user has agreed to, since a table or an index is another by now.
  static func outdated(_ name: String) -> Failure {
    Failure(
      "\(name) was changed by another program meanwhile, so nothing was done",
      details: ["what you agreed to is no longer what would happen", "run the command again to see what is"])
  }

  /// Asks for the user's consent, if it is needed.
  ///
  /// - Throws: ``Failure`` unless the answer is yes.
  func confirm(_ confirmation: Confirmation, on console: Console) async throws(Failure) {
    if isQuestion { try await console.confirm(confirmation, for: command.call) }
  }
}
