import Query
import SQLiteStore

/// The arguments of the commands that change rows.
struct ChangeArguments {
  /// All rows are changed only where somebody says so.
  static let condition = PositionalDescription(
    name: "WHERE", help: "Which rows, as one argument; true for all of them.", completion: .query,
    advice: "say which rows; true means all of them")
  static let table = PositionalDescription(name: "TABLE", help: "The table.", completion: .table)
  static let format = OptionDescription(
    name: "--format", value: "FORMAT",
    help: "How --dry-run shows the rows: \(FormatName.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .words(FormatName.allCases.map(\.rawValue)))

  /// For a command that asks which rows.
  static let queryOptions = [OptionDescription.parameter] + options
  static let options = [ChangeConsent.dryRun, format, ChangeConsent.yes]

  let database: DatabaseFile
  let table: String
  let assignments: [WrittenAssignment]
  let consent: ChangeConsent
  let format: FormatName?
  /// Which rows; `nil` for a command that does not ask.
  private let text: String?
  private let parameters: Parameters

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
    table = try arguments.required(Self.table)
    parameters = try Parameters(arguments)
    text = arguments[Self.condition]
    do throws(Failure) {
      // The columns are not known yet.
      if let text { _ = try parameters.query(text, in: nil) }
    } catch {
      throw error.at(Self.condition.name)
    }
    var assignments: [WrittenAssignment] = []
    for argument in arguments.all(WrittenAssignment.positional) {
      assignments.append(try WrittenAssignment(argument, for: arguments.command))
    }
    self.assignments = assignments
    consent = ChangeConsent(arguments)
    format = try arguments.choice(Self.format, of: FormatName.self)
  }

  /// Which rows are meant; none where nobody asked.
  func query(in table: TableSchema) throws(Failure) -> AnyQuery {
    try text.map { text throws(Failure) in try parameters.query(text, in: table) } ?? .false
  }

  /// What the rows are to hold.
  func assignments(in table: TableSchema) throws(Failure) -> [Assignment] {
    try assignments.map { assignment throws(Failure) in try assignment.assignment(in: table) }
  }
}
