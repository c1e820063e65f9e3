import Query

/// The values that the command line gives to the parameters of a query's text.
struct Parameters {
  private var values: [Name: String] = [:]

  /// Reads `name=value` as often as it was given.
  init(_ arguments: Arguments) throws(Failure) {
    for assignment in arguments.all(.parameter) {
      let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0].hasPrefix(":") ? String(parts[0].dropFirst()) : parts[0]
      guard parts.count == 2, !name.isEmpty else {
        throw arguments.command.usageError(
          "\(OptionDescription.parameter.name): \(TerminalText.quoted(assignment)) is no name and value",
          suggestion: "write \(OptionDescription.parameter.name) name=value, and :name in the query")
      }
      guard values.updateValue(parts[1], forKey: Name(name)) == nil else {
        throw arguments.command.usageError(
          "\(OptionDescription.parameter.name): \(TerminalText.quoted(name)) stands there twice")
      }
    }
  }

  var isEmpty: Bool { values.isEmpty }

  /// Reads a query with parameters. The value of each has the kind of the column with which it is compared.
  ///
  /// - Parameters:
  ///   - table: the table that is asked; `nil` to find out whether the text makes sense at all.
  ///   - others: the other tables of its database.
  func query(_ text: String, in table: TableSchema?, beside others: OtherTables?) throws(Failure) -> AnyQuery {
    var misfit: (name: String, column: ColumnSchema)?
    func value(of use: ParameterOccurrence) -> Value {
      let text = values[Name(use.name)] ?? ""
      guard !use.isText, let table else { return .text(text) }
      // What is compared with anything but a column of the table means what it means in a query.
      guard let key = use.key else { return Value(literal: text) ?? .text(text) }
      guard let position = try? table.position(of: key) else { return .text(text) }
      let value = table.columns[position].value(ofParameter: text)
      if !value.isNull, !table.columns[position].kinds.contains(value.kind) {
        misfit = misfit ?? (use.name, table.columns[position])
      }
      return value
    }
    let names = Set(values.keys)
    let query: AnyQuery
    do throws(ParseError) {
      query = try AnyQuery(parsing: text, parameters: names, value: value)
    } catch {
      throw Failure(error)
    }
    if let misfit { throw self.misfit(misfit.name, misfit.column) }
    guard let table, let others else { return query }
    do throws(QueryError) {
      _ = try query.resolved(in: table, with: others.find)
    } catch {
      let caret = table.caret(at: error, in: text, parameters: names, value: value, with: others.find)
      throw Failure(error, caret: caret)
    }
    return query
  }

  /// What a column can't be compared with.
  private func misfit(_ name: String, _ column: ColumnSchema) -> Failure {
    Failure(
      "\(OptionDescription.parameter.name) \(name): \(TerminalText.quoted(values[Name(name)] ?? "")) is nothing that "
        + "\(column.name) may hold",
      details: ["it is compared with a column that holds \(column.type.rawValue) values"], status: .usageError)
  }
}

extension ColumnSchema {
  /// The value of a word of the command line that is compared with the column: a text where the column is declared to
  /// hold texts, even if it looks like a number; elsewhere what the word means in a query, if the column can hold that.
  fileprivate func value(ofParameter text: String) -> Value {
    if type == .text { return .text(text) }
    guard let literal = Value(literal: text), literal.isNull || kinds.contains(literal.kind) else { return .text(text) }
    return literal
  }
}
