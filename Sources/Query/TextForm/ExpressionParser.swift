// Expressions are read by recursion, which their greatest depth bounds.

extension QueryParser {
  /// Reads the whole text as an expression.
  mutating func parseExpression() throws(ParseError) -> AnyExpression {
    guard let expression = try expression(comparedWith: nil) else {
      throw reader.error(expected: "an expression", suggestion: operandSuggestion)
    }
    guard case .end = reader.current.kind else {
      throw reader.error(expected: "an operation or the end of the text", suggestion: adjacentSuggestion)
    }
    if let error = unusedParameterError() { throw error }
    return expression
  }

  /// Reads an expression; `nil` where none begins, which takes no token.
  ///
  /// - Parameter key: the key with which it is compared, for the values of parameters.
  mutating func expression(comparedWith key: AnyExpression?) throws(ParseError) -> AnyExpression? {
    let start = parts == nil ? nil : reader.current
    guard let first = try unary(comparedWith: key) else { return nil }
    let expression = try operations(after: first, tighterThan: 0, comparedWith: key)
    if let start { note(.expression(expression), from: start) }
    return expression
  }

  /// Reads operations that bind tightly enough, and what they apply to ("precedence climbing").
  private mutating func operations(
    after first: AnyExpression, tighterThan precedence: Int, comparedWith key: AnyExpression?
  ) throws(ParseError) -> AnyExpression {
    var lhs = first
    while let function = operation, function.precedence > precedence {
      let start = reader.current
      // A sign that touches digits belongs to the number, unless something is before it: `a -1`.
      if case .literal(let value) = reader.current.kind {
        // Two numbers that touch are most likely a date that lacks its quotes.
        if reader.isAdjacent, case .literal? = reader.previous?.kind { break }
        reader.advance()
        let (function, operand) = Self.unsigned(value)
        lhs = .apply(
          function, lhs,
          try operations(after: operand, tighterThan: ExpressionFunction.add.precedence, comparedWith: key))
      } else {
        if function == .concatenate { concatenation = start }
        try refuseComment()
        reader.advance()
        guard let next = try unary(comparedWith: key) else {
          throw reader.error(expected: "a value or a key", suggestion: operandSuggestion)
        }
        lhs = .apply(
          function, lhs, try operations(after: next, tighterThan: function.precedence, comparedWith: key))
      }
      try check(lhs, from: start)
    }
    return lhs
  }

  /// Refuses two signs that touch: they begin a comment in SQL.
  private func refuseComment() throws(ParseError) {
    let (sign, next) = (reader.current, reader.following)
    guard case .minus = sign.kind, sign.range.upperBound == next.range.lowerBound,
      reader.spelling(of: next).hasPrefix("-")
    else { return }
    throw ParseError(
      text: reader.text, position: reader.position(of: sign.range.lowerBound), expected: "one sign", found: "`--`",
      reason: "a query has no comments",
      suggestion: "leave the comment out, or put a space between the signs")
  }

  /// The operation that the current token is.
  private var operation: ExpressionFunction? {
    switch reader.current.kind {
    case .operation(let function): function
    case .minus: .subtract
    case .literal(.integer), .literal(.real): reader.spelling(of: reader.current).hasPrefix("-") ? .subtract : nil
    default: nil
    }
  }

  /// A number with a sign as something that is subtracted. The least integer has no opposite, and is added.
  private static func unsigned(_ value: Value) -> (ExpressionFunction, AnyExpression) {
    switch value {
    case .integer(.min): (.add, AnyExpression(.value(value)))
    case .integer(let integer): (.subtract, AnyExpression(.value(.integer(-integer))))
    case .real(let real): (.subtract, AnyExpression(.value(.real(-real))))
    default: (.subtract, AnyExpression(.value(value)))
    }
  }

  private mutating func unary(comparedWith key: AnyExpression?) throws(ParseError) -> AnyExpression? {
    guard case .minus = reader.current.kind else { return try primary(comparedWith: key) }
    let start = reader.current
    try refuseComment()
    try enter(at: start)
    defer { level -= 1 }
    reader.advance()
    guard let operand = try unary(comparedWith: key) else {
      throw reader.error(expected: "a number or a key", suggestion: "write the sign next to the digits, as in -5")
    }
    return try check(-operand, from: start)
  }

  private mutating func primary(comparedWith key: AnyExpression?) throws(ParseError) -> AnyExpression? {
    if let value = try acceptValue(for: key?.plainKey) { return AnyExpression(.value(value)) }
    let start = reader.current
    switch start.kind {
    case .leftParenthesis:
      try enter(at: start)
      defer { level -= 1 }
      reader.advance()
      guard let inner = try expression(comparedWith: key) else {
        throw reader.error(expected: "a value or a key", suggestion: operandSuggestion)
      }
      try close(start)
      return inner
    case .word where isCall:
      return try call()
    default:
      guard let first = reader.acceptKey() else { return nil }
      guard case .dot = reader.current.kind else { return .key(first) }
      var steps = [first]
      var offsets = [start.range.lowerBound]
      while case .dot = reader.current.kind {
        reader.advance()
        offsets.append(reader.current.range.lowerBound)
        guard let step = reader.acceptKey() else {
          throw reader.error(expected: "a key", suggestion: "a key that holds a dot stands in double quotes")
        }
        steps.append(step)
      }
      note(.path(steps, offsets: offsets), from: start)
      return try check(AnyExpression(.path(steps)), from: start)
    }
  }

  /// Whether a name and a parenthesis follow: a key never precedes one.
  private var isCall: Bool {
    guard case .word(let keyword) = reader.current.kind, keyword?.isReserved != true,
      case .leftParenthesis = reader.following.kind
    else { return false }
    return true
  }

  private mutating func close(_ open: Token) throws(ParseError) {
    guard case .rightParenthesis = reader.current.kind else {
      throw reader.error(
        expected: "an operation or `)`",
        reason: "the `(` at position \(reader.position(of: open.range.lowerBound)) is not closed",
        suggestion: closeSuggestion)
    }
    reader.advance()
  }

  private var closeSuggestion: String? {
    if case .comma = reader.current.kind { return "several values go with `in (1, 2)` or `between 1 and 2`" }
    return adjacentSuggestion
  }

  /// Counts a level of recursion.
  private mutating func enter(at token: Token) throws(ParseError) {
    level += 1
    if level > 4 * AnyExpression.maximumDepth { throw tooDeep(token, "the expression is nested too deep") }
  }

  private func tooDeep(_ token: Token, _ reason: String) -> ParseError {
    ParseError(
      text: reader.text, position: reader.position(of: token.range.lowerBound), expected: "a shorter expression",
      found: "`\(reader.excerpt(of: token))`", reason: reason,
      suggestion: "split the expression, or keep a part of it in a column"
    )
  }

  /// An expression that can be asked for.
  @discardableResult
  private func check(_ expression: AnyExpression, from start: Token) throws(ParseError) -> AnyExpression {
    if case .invalid(let error) = expression.form { throw tooDeep(start, error.summary) }
    return expression
  }
}

// MARK: - Calls

extension QueryParser {
  private mutating func call() throws(ParseError) -> AnyExpression {
    let start = reader.current
    let name = reader.spelling(of: start).lowercased()
    let function = ExpressionFunction.named.first { $0.rawValue.lowercased() == name }
    let aggregate = AnyAggregate.Function(rawValue: name)
    guard function != nil || aggregate != nil || name == "if" else {
      let names = ExpressionFunction.named.map(\.rawValue) + AnyAggregate.Function.allCases.map(\.rawValue) + ["if"]
      throw reader.error(
        expected: "a function", reason: "there is no function of this name",
        suggestion: FunctionHabits.suggestion(for: name)
          ?? NearestName.nearest(to: name, in: names).map { "did you mean \($0)?" }
          ?? "there are \(names.joined(separator: ", "))")
    }
    try enter(at: start)
    defer { level -= 1 }
    reader.advance()
    let open = reader.current
    reader.advance()
    if let function { return try check(try self.function(function, open), from: start) }
    if let aggregate { return try check(try self.aggregate(aggregate, open), from: start) }
    let condition = try query()
    try expectComma("`if` takes a condition and two values, as in if(weight > 90, 1, 0)")
    let then = try argument()
    try expectComma("`if` takes a condition and two values, as in if(weight > 90, 1, 0)")
    let otherwise = try argument()
    try close(open)
    return try check(AnyExpression(.conditional(condition, then: then, else: otherwise)), from: start)
  }

  private mutating func function(_ function: ExpressionFunction, _ open: Token) throws(ParseError) -> AnyExpression {
    var arguments = [try argument()]
    while case .comma = reader.current.kind, arguments.count < function.argumentCount.upperBound {
      reader.advance()
      arguments.append(try argument())
    }
    try close(open)
    return AnyExpression(.function(function, arguments))
  }

  private mutating func argument() throws(ParseError) -> AnyExpression {
    guard let argument = try expression(comparedWith: nil) else {
      throw reader.error(expected: "a value or a key", suggestion: operandSuggestion)
    }
    return argument
  }

  private mutating func expectComma(_ suggestion: String) throws(ParseError) {
    guard case .comma = reader.current.kind else { throw reader.error(expected: "`,`", suggestion: suggestion) }
    reader.advance()
  }

  /// Reads what is between the parentheses of an aggregate: rows that refer, and what of them.
  private mutating func aggregate(
    _ function: AnyAggregate.Function, _ open: Token
  ) throws(ParseError) -> AnyExpression {
    let start = reader.current
    let firstPart = parts?.count
    var aggregated: AnyExpression? = try argument()
    if reader.accept(word: "of") {
    } else {
      // A plain name is that of the table itself.
      guard let table = aggregated?.plainKey else {
        throw reader.error(
          expected: "`of` and a table", suggestion: "write `\(function.rawValue)(… of track by album_id)`")
      }
      aggregated = nil
      forget(partsFrom: firstPart)
      if function != .count {
        throw reader.error(
          expected: "`of` and a table", reason: "\(function.rawValue) is worked out of a value of each row",
          suggestion: "write `\(function.rawValue)(\(reader.excerpt(of: start)) of track by album_id)`")
      }
      let rows = try relatedRows(of: table, isNested: false)
      try close(open)
      return AnyExpression(.aggregate(function, nil, rows))
    }
    guard let table = reader.acceptKey() else {
      throw reader.error(expected: "a table", suggestion: "name the table whose rows refer to this one")
    }
    relate(partsFrom: firstPart, to: table)
    let rows = try relatedRows(of: table, isNested: false)
    try close(open)
    return AnyExpression(.aggregate(function, aggregated, rows))
  }

  /// Reads `any` or `no` and rows that refer; `nil` where something else begins.
  mutating func existence() throws(ParseError) -> AnyQuery? {
    guard case .word(nil) = reader.current.kind else { return nil }
    let name = reader.spelling(of: reader.current).lowercased()
    guard name == "any" || name == "no", isTableAndReference else { return nil }
    let start = reader.current
    try enter(at: start)
    defer { level -= 1 }
    reader.advance()
    guard let table = reader.acceptKey() else { return nil }
    let expression = try check(AnyExpression(.exists(try relatedRows(of: table, isNested: true))), from: start)
    let query = AnyQuery(.condition(.holds(expression)))
    note(.query(query), from: start)
    return name == "any" ? query : !query
  }

  /// Whether a name follows, and behind it what only goes with rows that refer: `any track by album_id`.
  private var isTableAndReference: Bool {
    var reader = reader
    reader.advance()
    guard reader.acceptKey() != nil else { return false }
    switch reader.current.kind {
    case .leftParenthesis, .rightParenthesis, .comma, .end, .word(.and), .word(.or): return true
    default: return reader.accept(word: "by")
    }
  }

  /// Reads `by album_id` and a query, each of which may be left out.
  ///
  /// - Parameter isNested: whether the query stands in parentheses, rather than behind `where`.
  private mutating func relatedRows(of table: String, isNested: Bool) throws(ParseError) -> RelatedRows {
    let start = reader.previous ?? reader.current
    var columns: [String] = []
    if reader.accept(word: "by") {
      let open = reader.current
      let isList = if case .leftParenthesis = open.kind { true } else { false }
      if isList { reader.advance() }
      repeat {
        if case .comma = reader.current.kind { reader.advance() }
        guard let column = reader.acceptKey() else {
          throw reader.error(expected: "a key", suggestion: "name the column by which the rows refer to this one")
        }
        columns.append(column)
      } while isList && { if case .comma = reader.current.kind { true } else { false } }()
      if isList { try close(open) }
    }
    note(.expression(AnyExpression(.exists(RelatedRows(table, by: columns)))), from: start)
    relatedTables.append(table)
    defer { relatedTables.removeLast() }
    if isNested {
      guard case .leftParenthesis = reader.current.kind else { return RelatedRows(table, by: columns) }
      let open = reader.current
      reader.advance()
      let query = try query()
      try close(open)
      return RelatedRows(table, by: columns, where: query)
    }
    return RelatedRows(table, by: columns, where: reader.accept(word: "where") ? try query() : .true)
  }
}

/// What other languages call functions.
enum FunctionHabits {
  static func suggestion(for name: String) -> String? { habits[name].map { "write \($0)" } }

  private static let habits = [
    "lower": "folded(…), which folds the case of every language", "lcase": "folded(…)", "len": "length(…)",
    "ifnull": "coalesce(…, …)", "nvl": "coalesce(…, …)", "isnull": "`… is null`", "iif": "if(…, …, …)",
    "case": "if(…, …, …)", "concat": "`… || …`", "ceil": "ceiling(…)", "avg": "average(…)",
    "strftime": "year(…), date(…)",
    "mod": "`… % …`", "dayofweek": "weekday(…)",
  ]
}
