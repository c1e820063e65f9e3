// What is called by its name: functions, and aggregates of the rows that refer to a row or of the rows of a group.

extension QueryParser {
  mutating func call() throws(ParseError) -> AnyExpression {
    let start = reader.current
    let name = reader.spelling(of: start).lowercased()
    let function = ExpressionFunction.named.first { $0.rawValue.lowercased() == name }
    let aggregate = AnyAggregate.Function.allCases.first { $0.rawValue.lowercased() == name }
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

  /// Reads what is between the parentheses of an aggregate: rows that refer, and what of them, or what of a group's rows.
  private mutating func aggregate(
    _ function: AnyAggregate.Function, _ open: Token
  ) throws(ParseError) -> AnyExpression {
    let start = reader.current
    let isOfGroup = isOfGroups
    // What an aggregate is of is about rows.
    isOfGroups = false
    defer { isOfGroups = isOfGroup }
    if isOfGroup, function == .count, startsFilter || isAtEnd { return try groupAggregate(.count, of: nil, open) }
    let firstPart = parts?.count
    var aggregated: AnyExpression? = try argument()
    if reader.accept(word: "of") {
    } else if isOfGroup, function != .count || aggregated?.plainKey == nil || isAtEnd || startsFilter {
      return try groupAggregate(function, of: aggregated, open)
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

  /// Reads which rows of a group an aggregate is of, and the end of it.
  private mutating func groupAggregate(
    _ function: AnyAggregate.Function, of key: AnyExpression?, _ open: Token
  ) throws(ParseError) -> AnyExpression {
    let query = reader.accept(word: "where") ? try query() : .true
    try close(open)
    return .group(AnyAggregate(function, of: key, where: query))
  }

  private var isAtEnd: Bool { if case .rightParenthesis = reader.current.kind { true } else { false } }

  /// Whether `where` and a condition follow, rather than a key of that name.
  private var startsFilter: Bool {
    var reader = reader
    guard reader.accept(word: "where") else { return false }
    switch reader.current.kind {
    case .rightParenthesis, .comma, .dot, .relation, .operation, .minus, .end: return false
    default: return true
    }
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
