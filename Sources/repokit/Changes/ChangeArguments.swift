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

  static let options = [ChangeConsent.dryRun, format, ChangeConsent.yes]

  let database: DatabaseFile
  let table: String
  /// Which rows; `nil` for a command that does not ask.
  let query: AnyQuery?
  let assignments: [WrittenAssignment]
  let consent: ChangeConsent
  let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
    table = try arguments.required(Self.table)
    do throws(ParseError) {
      query = try arguments[Self.condition].map { text throws(ParseError) in try AnyQuery(parsing: text) }
    } catch {
      throw Failure(error).at(Self.condition.name)
    }
    var assignments: [WrittenAssignment] = []
    for argument in arguments.all(WrittenAssignment.positional) {
      assignments.append(try WrittenAssignment(argument, for: arguments.command))
    }
    self.assignments = assignments
    consent = ChangeConsent(arguments)
    format = try arguments.choice(Self.format, of: FormatName.self)
  }
}
