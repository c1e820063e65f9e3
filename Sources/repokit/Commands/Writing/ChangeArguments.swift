import Query
import Repository
import SQLInspection
import SQLStore

/// The arguments of the commands that change rows.
struct ChangeArguments {
  /// Required, so that all rows are changed only on an explicit request.
  static let condition = PositionalDescription(
    name: "WHERE", help: "A condition on rows, as one argument; true for all rows.", completion: .query,
    advice: "write a condition; true means all rows")
  static let table = PositionalDescription(name: "TABLE", help: "The table.", completion: .table)
  static let format = OptionDescription.format("Set the format of the rows that --dry-run shows: \(FormatName.list).")

  /// For a command that requires a condition.
  static let queryOptions = [OptionDescription.dates, .parameter] + options + [all]
  static let options = [ChangeConsent.dryRun, format, ChangeConsent.yes]

  private static let all = OptionDescription(
    name: "--all", help: "Confirm all rows: required by --yes if WHERE is true; delete then needs no WHERE.")

  let database: DatabaseLocation
  let table: String
  let assignments: [AssignmentArgument]
  let consent: ChangeConsent
  let format: FormatName?
  /// The condition; `nil` for a command without one.
  private let text: String?
  let parameters: Parameters
  /// The columns that hold dates as numbers.
  let dates: DateColumns

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    table = try arguments.required(Self.table)
    parameters = try Parameters(arguments)
    dates = try DateColumns(arguments)
    text = arguments[Self.condition]
    var isAll = false
    do throws(Failure) {
      // The columns are not known yet.
      if let text { isAll = try QueryReader(parameters).query(text).isOfAllRows }
    } catch {
      throw error.at(Self.condition.name)
    }
    var assignments: [AssignmentArgument] = []
    for argument in arguments.all(AssignmentArgument.positional) {
      let assignment = try AssignmentArgument(argument, for: arguments.command)
      try assignment.check(QueryReader(parameters))
      assignments.append(assignment)
    }
    self.assignments = assignments
    try parameters.checkUsed()
    consent = ChangeConsent(arguments)
    format = try arguments.choice(Self.format, of: FormatName.self)
    if text != nil, isAll != arguments.has(Self.all), isAll ? consent.isGiven : true {
      throw isAll
        ? arguments.command.usageError(
          "\(arguments.command.call) would \(arguments.command.name == "delete" ? "delete" : "change") all rows without asking",
          suggestion: "add --all to --yes to confirm all rows")
        : arguments.command.usageError(
          "--all requires the condition true", suggestion: "write true as the condition for all rows")
    }
  }

  /// Returns the condition for the affected rows; `false` without one.
  func query(in table: TableSchema, beside others: OtherTables) throws(Failure) -> AnyQuery {
    let reader = QueryReader(parameters, in: table, beside: others, dates: dates)
    guard let text else { return .false }
    let query = try reader.query(text, dates.check)
    let notes = ComparisonNotes(of: table) { column, body in try others.forEachValue(of: column, in: table, body) }
    // A note on a query is an error here, where the comparison may match all rows by mistake.
    if let mistake = notes.mistake(in: query) {
      let count = try? others.store.blocking.repository(Schema(table)).count(mistake.unless)
      if count ?? 0 == 0 { throw Failure(mistake.note, status: .usageError) }
    }
    for note in notes.notes(for: query) { StandardStreams.say("note: \(note)") }
    return query
  }

  /// Returns the assignments to the table's columns.
  func assignments(in table: TableSchema, beside others: OtherTables) throws(Failure) -> [Assignment] {
    let reader = QueryReader(parameters, in: table, beside: others, dates: dates)
    return try assignments.map { assignment throws(Failure) in
      try assignment.assignment(in: table, reader, datesAs: dates.form(of: assignment.key), ofNewRow: text == nil)
    }
  }
}

extension AnyQuery {
  /// Whether the condition is `true`, or is about no column, as `1 = 1`.
  fileprivate var isOfAllRows: Bool {
    if self == .false { return false }
    var hasColumn = false
    forEachPart { part, _ in
      switch part.form {
      case .key, .path, .aggregate, .exists, .group: hasColumn = true
      case .value, .function, .conditional, .invalid: break
      }
    }
    return !hasColumn
  }
}

/// Whether a command may change something without being asked, or shall only show what it would do.
struct ChangeConsent {
  static let yes = OptionDescription(
    name: "--yes", letter: "-y", help: "Make the change without asking; required in scripts.")
  static let dryRun = OptionDescription(
    name: "--dry-run", help: "Show the change without making it.", excluded: ["--yes"],
    exclusionReason: "a dry run never asks")

  /// The help on confirmation.
  static let note = Note.paragraph(
    "repokit asks on the terminal before a change. Without a terminal, a change requires --yes. A change is all or "
      + "nothing: if a rule of the table rejects one row, no row changes.")

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
      "\(command.call) asks before a change, and there is no terminal",
      details: ["--yes makes the change without asking", "--dry-run shows the change"], status: .usageError)
  }

  /// The change would no longer be the one that the user has agreed to, since a table or an index has changed meanwhile.
  static func outdated(_ name: String) -> Failure {
    Failure(
      "another program changed \(name), so repokit changed nothing",
      details: [
        "the change would differ from the change that you confirmed", "run the command again to see the new state",
      ])
  }

  /// Asks for the user's consent, if it is needed.
  ///
  /// - Throws: ``Failure`` unless the answer is yes.
  func confirm(_ confirmation: Confirmation, on console: Console) async throws(Failure) {
    if isQuestion { try await console.confirm(confirmation, for: command.call) }
  }
}
