import ErrorDetails

// Calls by name: functions, and aggregates of the rows that refer to a row or of the rows of a group.

extension QueryParser {
  mutating func call(_ use: ParameterUse) throws(ParseError) -> AnyExpression {
    let start = reader.current
    let name = reader.spelling(of: start).lowercased()
    let function = ExpressionFunction.named.first { $0.rawValue.lowercased() == name }
    let aggregate = AnyAggregate.Function.allCases.first { $0.rawValue.lowercased() == name }
    guard function != nil || aggregate != nil || name == "if" else {
      let names = ExpressionFunction.named.map(\.rawValue) + AnyAggregate.Function.allCases.map(\.rawValue) + ["if"]
      throw reader.error(
        expected: "a function", reason: "unknown function",
        suggestion: FunctionHabits.suggestion(for: name)
          ?? NearestName.nearest(to: name, in: names).map { "did you mean \($0)?" }
          ?? "the functions are \(names.joined(separator: ", "))")
    }
    try enter(at: start)
    defer { level -= 1 }
    reader.advance()
    let open = reader.current
    reader.advance()
    if let function { return try check(try self.function(function, use, open), from: start) }
    if let aggregate { return try check(try self.aggregate(aggregate, open), from: start) }
    let condition = try query()
    try expectComma("`if` needs a condition and two values, such as if(weight > 90, 1, 0)")
    let then = try argument(use)
    try expectComma("`if` needs a condition and two values, such as if(weight > 90, 1, 0)")
    let otherwise = try argument(use == .any ? .compared(then) : use)
    try close(open)
    return try check(AnyExpression(.conditional(condition, then: then, else: otherwise)), from: start)
  }

  private mutating func function(
    _ function: ExpressionFunction, _ use: ParameterUse, _ open: Token
  ) throws(ParseError) -> AnyExpression {
    let first = function == .coalesce ? use : function.argumentUse()
    var arguments = [try argument(first)]
    while case .comma = reader.current.kind, arguments.count < function.argumentCount.upperBound {
      reader.advance()
      let use = function == .coalesce ? first : function.argumentUse(at: arguments.count)
      arguments.append(try argument(use == .any ? .compared(arguments[0]) : use))
    }
    if arguments.count < function.argumentCount.lowerBound {
      throw reader.error(expected: "`,`", suggestion: "write \(function.signature)")
    }
    try close(open)
    return AnyExpression(.function(function, arguments))
  }

  private mutating func argument(_ use: ParameterUse) throws(ParseError) -> AnyExpression {
    guard let argument = try expression(use) else {
      let isStar = if case .operation(.multiply) = reader.current.kind { true } else { false }
      throw reader.error(
        expected: "a value or a key",
        suggestion: isStar
          ? "count(track) counts the rows that refer to this row, and count() the rows of a group" : operandSuggestion)
    }
    return argument
  }

  private mutating func expectComma(_ suggestion: String) throws(ParseError) {
    guard case .comma = reader.current.kind else { throw reader.error(expected: "`,`", suggestion: suggestion) }
    reader.advance()
  }

  /// Parses the arguments of an aggregate: referring rows and an expression of them, or an expression of a group's rows.
  private mutating func aggregate(
    _ function: AnyAggregate.Function, _ open: Token
  ) throws(ParseError) -> AnyExpression {
    let start = reader.current
    let isOfGroup = isOfGroups
    // The operand of an aggregate refers to the rows of a group, not to the groups.
    isOfGroups = false
    defer { isOfGroups = isOfGroup }
    if isOfGroup, function == .count, startsFilter || isAtEnd { return try groupAggregate(.count, of: nil, open) }
    let (firstPart, beginning, parameterCount) = (parts?.count, reader, parameters.count)
    var aggregated: AnyExpression? = try argument(.any)
    if reader.accept(word: "of") {
    } else if isOfGroup, function != .count || aggregated?.plainKey == nil || isAtEnd || reader.isAt(word: "where") {
      return try groupAggregate(function, of: aggregated, open)
    } else {
      // Without `of`, a plain name is that of the referring table: `count(track)`.
      guard let table = aggregated?.plainKey else {
        throw reader.error(
          expected: "`of` and a table", suggestion: relatedSuggestion(function, of: aggregated))
      }
      forget(partsFrom: firstPart)
      if function != .count {
        throw reader.error(
          expected: "`of` and a table",
          reason: "\(function.rawValue) needs a column of related rows",
          suggestion: relatedSuggestion(function, of: aggregated ?? .key(reader.excerpt(of: start))))
      }
      aggregated = nil
      let rows = try relatedRows(of: table, isNested: false)
      try close(open)
      return AnyExpression(.aggregate(function, nil, rows))
    }
    guard let table = reader.acceptKey() else {
      throw reader.error(expected: "a table", suggestion: "name the table that refers to this row")
    }
    relate(partsFrom: firstPart, to: table)
    if parameters.count > parameterCount {
      // The table is known only now: the operand is parsed again, so that its parameters are compared with columns of that
      // table.
      let end = reader
      reader = beginning
      relatedTables.append(table)
      aggregated = try argument(.any)
      relatedTables.removeLast()
      reader = end
    }
    let rows = try relatedRows(of: table, isNested: false)
    try close(open)
    return AnyExpression(.aggregate(function, aggregated, rows))
  }

  /// The advice how to write an aggregate of referring rows.
  private func relatedSuggestion(_ function: AnyAggregate.Function, of expression: AnyExpression?) -> String {
    guard case .path(let steps)? = expression?.form, steps.count == 2 else {
      let text = VisibleText.excerpt(of: Array((expression?.description ?? "…").utf8)[...])
      return "name the referring table, such as \(function.rawValue)(\(text) of track)"
    }
    return "write \(function.rawValue)(\(AnyExpression.key(steps[1])) of \(AnyExpression.key(steps[0])))"
  }

  /// Parses the condition on the rows of a group's aggregate, and the end of the aggregate.
  private mutating func groupAggregate(
    _ function: AnyAggregate.Function, of key: AnyExpression?, _ open: Token
  ) throws(ParseError) -> AnyExpression {
    let query = reader.accept(word: "where") ? try query() : .true
    try close(open)
    return .group(AnyAggregate(function, of: key, where: query))
  }

  private var isAtEnd: Bool { if case .rightParenthesis = reader.current.kind { true } else { false } }

  /// Whether `where` and a condition follow, rather than a key of that name. As in Swift, a minus that is followed by a blank
  /// is an operation, and else a sign.
  private var startsFilter: Bool {
    var reader = reader
    guard reader.accept(word: "where") else { return false }
    let token = reader.current
    switch token.kind {
    case .rightParenthesis, .comma, .dot, .comparisonOperator, .operation, .end: return false
    case .minus:
      reader.advance()
      return reader.current.range.lowerBound == token.range.upperBound
    default: return true
    }
  }

  /// Parses `any` or `no` and referring rows; `nil` if something else begins.
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

  /// Whether the name of a table follows, and after it a token that may follow referring rows, as in `any track by album_id`.
  private var isTableAndReference: Bool {
    var reader = reader
    reader.advance()
    guard reader.acceptKey() != nil else { return false }
    switch reader.current.kind {
    case .leftParenthesis, .rightParenthesis, .comma, .end, .word(.and), .word(.or): return true
    default: return reader.accept(word: "by")
    }
  }

  /// Parses `by album_id` and a query, each of which is optional.
  ///
  /// - Parameter isNested: whether the query is in parentheses, rather than after `where`.
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
          throw reader.error(expected: "a key", suggestion: "name the column that refers to this row")
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

/// The names that functions have in other languages.
enum FunctionHabits {
  static func suggestion(for name: String) -> String? { habits[name].map { "write \($0)" } }

  private static let habits = [
    "lower": "folded(…), which folds the case of every language", "lcase": "folded(…)", "len": "length(…)",
    "ifnull": "coalesce(…, …)", "nvl": "coalesce(…, …)", "isnull": "`… is null`", "iif": "if(…, …, …)",
    "case": "if(…, …, …)", "concat": "`… || …`", "ceil": "ceiling(…)", "avg": "average(…)",
    "strftime": "year(…), date(…)",
    "mod": "`… % …`", "dayofweek": "weekday(…)", "substr": "substring(…, …, …)", "mid": "substring(…, …, …)",
    "left": "substring(…, 1, …)", "instr": "position(…, …)", "strpos": "position(…, …)", "charindex": "position(…, …)",
    "split_part": "part(…, …, …)", "split": "part(…, …, …)", "ltrim": "trim(…)", "rtrim": "trim(…)", "btrim": "trim(…)",
    "sqrt": "squareRoot(…)", "rnd": "round(…, …)", "int": "integer(…)", "tonumber": "number(…)", "trunc": "floor(…)",
    "datediff": "daysBetween(…, …)", "julianday": "daysBetween(…, …)",
    "timestampdiff": "secondsBetween(…, …)", "dateadd": "addDays(…, …) or addMonths(…, …)",
    "date_add": "addDays(…, …) or addMonths(…, …)", "isoweek": "week(…)", "weekofyear": "week(…)",
  ]
}
