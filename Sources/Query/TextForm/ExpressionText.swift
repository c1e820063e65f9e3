extension AnyExpression {
  /// Parses the text form of an expression, as in a query.
  ///
  /// ```swift
  /// let expression = try AnyExpression(parsing: "coalesce(nickname, name) || '!'")
  /// ```
  ///
  /// - Keys, values and `:parameter`s are written as in a query, see ``AnyQuery/init(parsing:)``.
  /// - `*`, `/` and `%` bind tighter than `+` and `-`, and these tighter than `||`, which joins texts.
  /// - Functions are called by their names: `length(name)`, `coalesce(a, b)`, `year(date)`, and `if(condition, a, b)`.
  /// - A path leads through columns that refer to rows: `album_id.artist_id.name`, and into JSON: `data.address.city`,
  ///   `data.tags[0]`.
  /// - `count(track by album_id where milliseconds > 300000)` counts the rows that refer to a row, and `sum(milliseconds of
  ///   track by album_id)`, `min`, `max`, `average` and `count` aggregate the expression before `of`. `by` may be left out
  ///   if the table has only one such reference, `where` for all rows.
  ///
  /// - Throws: ``ParseError``, which reports where the text is wrong.
  public init(parsing text: String) throws(ParseError) {
    try self.init(parsing: text, parameters: [:])
  }

  /// Parses an expression in which `:name` is a parameter whose value is passed separately.
  ///
  /// - Parameters:
  ///   - text: the text, as ``init(parsing:)`` reads it.
  ///   - parameters: the value of each parameter, by its name without the colon.
  /// - Throws: ``ParseError`` as ``AnyQuery/init(parsing:parameters:)-(_,[String:Value])`` does.
  public init(parsing text: String, parameters: [String: Value]) throws(ParseError) {
    var parser = QueryParser(text, QueryParameters(parameters))
    self = try parser.parseExpression()
  }
}

extension AnyExpression: CustomStringConvertible {
  /// The text form of the expression; ``init(parsing:)`` parses it to an equal one.
  public var description: String { textForm(precedence: 0) }

  /// - Parameter precedence: the precedence from which the expression needs no parentheses.
  private func textForm(precedence: Int) -> String {
    switch form {
    case .key(let key): return Quoting.key(key)
    case .path(let steps):
      return steps.dropFirst().reduce(Quoting.key(steps[0])) { path, step in
        path + (JSONPointer.position(step) == nil ? "." + Quoting.key(step) : "[\(step)]")
      }
    case .value(let value): return value.description
    case .function(.negate, let arguments):
      // Without parentheses, the minus and the number would be read as one negative number.
      if case .value(let value) = arguments[0].form { return "-(\(value))" }
      if case .function(.negate, _) = arguments[0].form { return "-(\(arguments[0]))" }
      return "-\(arguments[0].textForm(precedence: 4))"
    case .function(let function, let arguments) where function.isOperator:
      let parts = arguments.enumerated().map { index, argument in
        argument.textForm(precedence: function.precedence + (index == 0 ? 0 : 1))
      }
      let text = parts.joined(separator: " \(function.rawValue) ")
      return function.precedence < precedence ? "(\(text))" : text
    case .function(let function, let arguments):
      return "\(function.rawValue)(\(arguments.map(\.description).joined(separator: ", ")))"
    case .conditional(let query, let then, let otherwise):
      return "if(\(query), \(then), \(otherwise))"
    case .aggregate(let function, let expression, let rows):
      return "\(function.rawValue)(\(expression.map { "\($0) of " } ?? "")\(rows.textForm(before: " where ")))"
    case .exists(let rows):
      return "any \(rows.textForm(before: "("))"
    case .group(let aggregate):
      var key = aggregate.key?.description ?? ""
      if aggregate.query == .true { return aggregate.function.rawValue + key.inParentheses }
      // A key of that name would begin the condition.
      if let name = aggregate.key?.plainKey, name.lowercased() == "where" { key = Quoting.quote(name, with: "\"") }
      let condition = "where \(aggregate.query)"
      return aggregate.function.rawValue + (key.isEmpty ? condition : "\(key) \(condition)").inParentheses
    case .invalid(let error):
      // No expression starts with `<`, so this text is never parsed as a valid one.
      return "<\(error.summary)>"
    }
  }
}

extension RelatedRows {
  /// Returns the table, the referring columns, and the condition on its rows.
  ///
  /// - Parameter start: the text before the query: a parenthesis, which is closed after it, or ` where `.
  func textForm(before start: String) -> String {
    var text = Quoting.key(table)
    if columns.count == 1 {
      text += " by \(Quoting.key(columns[0]))"
    } else if !columns.isEmpty {
      text += " by (\(columns.map(Quoting.key).joined(separator: ", ")))"
    }
    if start == "(" { return text + (query == .true ? "" : " (\(query))") }
    return text + (query == .true ? "" : start + query.description)
  }
}
