import Query
import RowImport

/// The values that the command line gives to the parameters of a call's texts.
final class Parameters {
  private let values: [Name: String]
  private let command: CommandDescription
  private var unused: Set<Name>

  /// Reads `name=value` as often as it was given.
  init(_ arguments: Arguments) throws(Failure) {
    var values: [Name: String] = [:]
    for assignment in arguments.all(.parameter) {
      let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0].hasPrefix(":") ? String(parts[0].dropFirst()) : parts[0]
      guard parts.count == 2, !name.isEmpty else {
        throw arguments.command.usageError(
          "\(OptionDescription.parameter.name): \(TerminalText.quoted(assignment)) is not NAME=VALUE",
          suggestion: "write \(OptionDescription.parameter.name) name=value, and :name in the query")
      }
      guard values.updateValue(parts[1], forKey: Name(name)) == nil else {
        throw arguments.command.usageError(
          "\(OptionDescription.parameter.name): \(TerminalText.quoted(name)) is given twice")
      }
    }
    (self.values, command, unused) = (values, arguments.command, Set(values.keys))
  }

  /// Refuses a parameter that appears in none of the texts that were read.
  func checkUsed() throws(Failure) {
    guard let name = unused.min()?.text else { return }
    throw command.usageError(
      "\(OptionDescription.parameter.name): the query has no :\(TerminalText.visible(name))",
      suggestion: "write :\(TerminalText.visible(name)) in the query, or omit the parameter")
  }

  /// The parameters for a text. The value of each is of the type of what it is compared with.
  ///
  /// - Parameters:
  ///   - table: the table that the text is about; `nil` to find out whether the text makes sense at all.
  ///   - misfits: keeps the first value that does not fit what it is compared with.
  func values(in table: (schema: TableSchema, others: OtherTables)?, _ misfits: ParameterMisfits) -> QueryParameters {
    QueryParameters(Set(values.keys), areRequired: false) { [self] occurrence in
      let text = values[Name(occurrence.name)] ?? ""
      unused.remove(Name(occurrence.name))
      guard occurrence.use != .text, let table else { return .text(text) }
      let column = table.schema.comparand(of: occurrence, with: table.others.find)
      let value = column?.value(ofParameter: text) ?? Value(literal: text) ?? .text(text)
      misfits.note(occurrence, value, column)
      return value
    }
  }
}

/// The values of parameters that do not fit what they are compared with.
final class ParameterMisfits {
  /// By the places of the parameters: a text may be read more than once, and then the last time counts.
  private var found: [Int: (name: String, value: Value, column: ColumnSchema)] = [:]

  fileprivate func note(_ occurrence: ParameterOccurrence, _ value: Value, _ column: ColumnSchema?) {
    found[occurrence.offset] = nil
    guard let column, !value.isNull, !column.kinds.contains(value.kind) else { return }
    found[occurrence.offset] = (occurrence.name, value, column)
  }

  /// Refuses the first of them.
  func check() throws(Failure) {
    guard let (name, value, column) = found.min(by: { $0.key < $1.key })?.value else { return }
    let held = Value.Kind.allCases.filter(column.kinds.contains).map(\.plural).joined(separator: " and ")
    let compared = column.name.isEmpty ? "the expression" : column.name
    throw Failure(
      "\(OptionDescription.parameter.name) \(name): \(TerminalText.quoted(value.plainText() ?? "null")) does not "
        + "compare with \(compared)", details: ["\(compared) contains \(held)"], status: .usageError)
  }
}

extension ColumnSchema {
  /// The value of a word of the command line that is compared with the column: a text where the column is declared to
  /// hold texts, even if it looks like a number; elsewhere what the word means in a query, if the column can hold that.
  fileprivate func value(ofParameter text: String) -> Value {
    if type == .text { return .text(text) }
    if nativeType == .boolean, let value = BooleanWord.value(of: text) { return value }
    guard let literal = Value(literal: text), literal.isNull || kinds.contains(literal.kind) else { return .text(text) }
    return literal
  }
}
