import ErrorDetails

extension QueryJSONReader {
  /// The content where a query is expected: a complete query, or a connective or negation of others.
  private enum Node {
    case query(AnyQuery)
    case connective(Connective)
  }

  /// A connective, or a negation, whose members are not all read yet.
  private struct Connective {
    let name: QueryJSONField
    /// The position of the current member.
    var member: Int
    /// The end of the members.
    let end: Int
    /// The members that have been read.
    private(set) var combined: AnyQuery?

    init(_ name: QueryJSONField, members: Range<Int>) {
      (self.name, member, end) = (name, members.lowerBound, members.upperBound)
    }

    /// Adds a member, and returns what has been read so far.
    mutating func add(_ query: AnyQuery) -> AnyQuery {
      let all =
        switch (name, combined) {
        case (.not, _): !query
        case (.and, let combined?): combined && query
        case (_, let combined?): combined || query
        case (_, nil): query
        }
      combined = all
      return all
    }
  }

  /// Reads a query with an explicit stack, because a form may be nested deeper than the thread's stack allows.
  func query(at root: Int) throws(JSONCodingError) -> AnyQuery {
    var unfinished: [Connective] = []
    var node = try node(at: root)
    while true {
      switch node {
      case .connective(let connective):
        unfinished.append(connective)
        node = try self.node(at: connective.member)
      case .query(let query):
        guard var connective = unfinished.popLast() else { return query }
        let combined = connective.add(query)
        connective.member = end(of: connective.member)
        if connective.member < connective.end {
          unfinished.append(connective)
          node = try self.node(at: connective.member)
        } else {
          node = .query(combined)
        }
      }
    }
  }

  private func node(at index: Int) throws(JSONCodingError) -> Node {
    if case .boolean(let constant) = tokens[index] { return .query(constant ? .true : .false) }
    let fields = try fields(
      at: index, of: "a query",
      known: [.key, .op, .value, .lower, .upper, .values, .ignoring, .and, .or, .not, .expression])
    if fields.count == 1, fields[0].name == .expression {
      return .query(
        try parsed(at: fields[0].value) { text throws(ParseError) in
          isOfGroups ? try AnyQuery(parsingHaving: text) : try AnyQuery(parsing: text)
        })
    }
    guard let connective = fields.first(where: { [.and, .or, .not].contains($0.name) }) else {
      return .query(AnyQuery(.condition(try condition(fields, at: index))))
    }
    if let other = fields.first(where: { $0.name != connective.name }) {
      throw error(
        .unexpectedField, "\(other.name.rawValue) and \(connective.name.rawValue) exclude each other", at: index,
        suggestion: "put each part of the query into a separate object")
    }
    if connective.name == .not {
      return .connective(Connective(.not, members: connective.value..<end(of: connective.value)))
    }
    guard case .array = tokens[connective.value] else {
      throw mismatch(at: connective.value, expected: "a list of queries")
    }
    let members = (connective.value + 1)..<end(of: connective.value)
    // The conjunction of nothing is true, the disjunction is false.
    if members.isEmpty { return .query(connective.name == .and ? .true : .false) }
    return .connective(Connective(connective.name, members: members))
  }
}

extension QueryJSONReader {
  /// Reads a condition from its fields, which are known, but may not go together.
  func condition(_ fields: [Field], at index: Int) throws(JSONCodingError) -> Condition<AnyExpression> {
    func field(_ name: QueryJSONField) throws(JSONCodingError) -> Int {
      guard let field = fields.first(where: { $0.name == name }) else {
        throw missing(name, of: "the condition", at: index, suggestion: Self.suggestion(without: name, fields))
      }
      return field.value
    }
    let key = try key(at: try field(.key))
    let name = try self.operator(at: try field(.op))
    let known = name.fields
    if let other = fields.first(where: { !([.key, .op] + known.required + known.optional).contains($0.name) }) {
      let all = (known.required + known.optional).map(\.rawValue).joined(separator: " and ")
      throw error(
        .unexpectedField, "\(other.name.rawValue) and \(name.rawValue) exclude each other", at: index,
        suggestion: "\(name.rawValue) accepts \(all)")
    }
    switch name {
    case .comparisonOperator(let comparisonOperator):
      return .comparison(
        Comparison(key: key, operator: comparisonOperator, operand: try operand(at: try field(.value))))
    case .between:
      return .between(
        Between(key: key, lower: try operand(at: try field(.lower)), upper: try operand(at: try field(.upper))))
    case .in:
      return .membership(Membership(key: key, values: try values(at: try field(.values))))
    case .text(let operation):
      let text = try text(at: try field(.value), "text to search for")
      let ignoring = fields.first { $0.name == .ignoring }
      if let ignoring { try checkIgnoring(at: ignoring.value) }
      return .text(TextMatch(key: key, operation: operation, text: text, isIgnoringCase: ignoring != nil))
    }
  }

  private func `operator`(at index: Int) throws(JSONCodingError) -> ConditionOperator {
    let name = try text(at: index, "the name of an operator")
    if let known = ConditionOperator(rawValue: name) { return known }
    throw error(
      .unknownOperator, "unknown operator \(VisibleText.excerpt(of: Array(name.utf8)[...]))", at: index,
      suggestion: ConditionOperator.suggestion(for: name))
  }

  private func values(at index: Int) throws(JSONCodingError) -> [Value] {
    guard case .array = tokens[index] else { throw mismatch(at: index, expected: "a list of values") }
    var values: [Value] = []
    var place = index + 1
    while place < end(of: index) {
      if case .object = tokens[place], (try? tag(at: place, known: [.key])) != nil {
        throw error(
          .unexpectedField, "`in` accepts values, not keys", at: place,
          suggestion: "join conditions that use `=` with `or`")
      }
      values.append(try value(at: place))
      place = end(of: place)
    }
    return values
  }

  private func checkIgnoring(at index: Int) throws(JSONCodingError) {
    if try text(at: index, #""case""#) == "case" { return }
    throw error(.invalidValue, "`ignoring` accepts only \"case\"", at: index, suggestion: #"write "case""#)
  }

  private static func suggestion(without name: QueryJSONField, _ fields: [Field]) -> String? {
    let names = fields.map(\.name)
    return switch name {
    case .op where names.contains(.values): #"add "op": "in""#
    case .op where names.contains(.lower) || names.contains(.upper): #"add "op": "between""#
    case .op: #"add "op", such as "op": "=""#
    case .values where names.contains(.value): #"name the list "values""#
    case .value where names.contains(.values): #"`values` belongs to `in`"#
    default: nil
    }
  }
}

extension QueryJSONReader {
  /// Reads the terms of a sort.
  func sort(at index: Int) throws(JSONCodingError) -> AnySort {
    AnySort(try list(at: index, of: "keys to sort by") { index throws(JSONCodingError) in try term(at: index) })
  }

  private func term(at index: Int) throws(JSONCodingError) -> SortTerm {
    let fields = try fields(at: index, of: "a term of a sort", known: [.key, .direction, .nulls])
    var key: AnyExpression?
    var direction = SortTerm.Direction.ascending
    var nulls: NullPlacement?
    for field in fields {
      switch field.name {
      case .key: key = try self.key(at: field.value)
      case .direction:
        direction = try self.direction(at: field.value)
      default: nulls = try choice(at: field.value, [("first", .first), ("last", .last)])
      }
    }
    guard let key else { throw missing(.key, of: "the term", at: index) }
    return SortTerm(key, direction: direction, nulls: nulls ?? direction.defaultNulls)
  }

  func direction(at index: Int) throws(JSONCodingError) -> SortTerm.Direction {
    try choice(at: index, [("ascending", .ascending), ("descending", .descending)])
  }

  private func choice<Choice>(at index: Int, _ choices: [(String, Choice)]) throws(JSONCodingError) -> Choice {
    let names = choices.map { "\"\($0.0)\"" }.joined(separator: " or ")
    let name = try text(at: index, names)
    if let choice = choices.first(where: { $0.0 == name }) { return choice.1 }
    throw error(
      .invalidValue, "expected \(names)", at: index,
      suggestion: NearestName.nearest(to: name, in: choices.map(\.0)).map { "did you mean \"\($0)\"?" })
  }
}

/// The operators of conditions, by their names in the text form of a query.
enum ConditionOperator: RawRepresentable, CaseIterable {
  case comparisonOperator(ComparisonOperator)
  case between
  case `in`
  case text(TextOperation)

  static let allCases =
    ComparisonOperator.allCases.map(Self.comparisonOperator) + [.between, .in] + TextOperation.allCases.map(Self.text)

  var rawValue: String {
    switch self {
    case .comparisonOperator(let comparisonOperator): comparisonOperator.rawValue
    case .between: "between"
    case .in: "in"
    case .text(let operation): operation.rawValue
    }
  }

  init?(rawValue: String) {
    if let comparisonOperator = ComparisonOperator(rawValue: rawValue) {
      self = .comparisonOperator(comparisonOperator)
    } else if let operation = TextOperation(rawValue: rawValue) {
      self = .text(operation)
    } else if rawValue == "between" {
      self = .between
    } else if rawValue == "in" {
      self = .in
    } else {
      return nil
    }
  }

  /// The fields of a condition besides its key and its operator, required and optional.
  var fields: (required: [QueryJSONField], optional: [QueryJSONField]) {
    switch self {
    case .comparisonOperator: ([.value], [])
    case .between: ([.lower, .upper], [])
    case .in: ([.values], [])
    case .text: ([.value], [.ignoring])
    }
  }
}

extension ConditionOperator {
  /// Returns what to write instead of an unknown operator.
  static func suggestion(for name: String) -> String {
    let names = allCases.map(\.rawValue)
    guard (1...64).contains(name.utf8.count) else { return list(names) }
    // "startsWith", "starts_with" and "STARTS-WITH" are the same name here.
    let letters = name.lowercased().filter { $0 != " " && $0 != "_" && $0 != "-" && $0 != "$" }
    if let suggestion = habits[letters] { return suggestion }
    if let same = synonyms[letters] ?? names.first(where: { $0.filter { $0 != " " } == letters }) {
      return "write \"\(same)\""
    }
    if letters.hasPrefix("not"), letters != "not" { return #"put the condition into {"not": …}"# }
    return NearestName.nearest(to: name, in: names).map { "did you mean \"\($0)\"?" } ?? list(names)
  }

  private static func list(_ names: [String]) -> String { "the operators are \(names.joined(separator: ", "))" }

  private static let habits = [
    "isnull": #"write "op": "=" and "value": null"#, "isnotnull": #"write "op": "!=" and "value": null"#,
    "notnull": #"write "op": "!=" and "value": null"#, "exists": #"write "op": "!=" and "value": null"#,
    "ilike": #"write "op": "like" and "ignoring": "case""#, "nin": #"put the condition into {"not": …}"#,
    "and": #"write {"and": […]}"#, "or": #"write {"or": […]}"#, "not": #"write {"not": …}"#,
    "&&": #"write {"and": […]}"#, "||": #"write {"or": […]}"#, "!": #"write {"not": …}"#,
  ]

  private static let synonyms = [
    "==": "=", "===": "=", "eq": "=", "equal": "=", "equals": "=", "is": "=",
    "<>": "!=", "!==": "!=", "≠": "!=", "ne": "!=", "neq": "!=", "notequal": "!=",
    "lt": "<", "le": "<=", "lte": "<=", "=<": "<=", "≤": "<=",
    "gt": ">", "ge": ">=", "gte": ">=", "=>": ">=", "≥": ">=",
    "lessthan": "<", "lessthanorequal": "<=", "greaterthan": ">", "greaterthanorequal": ">=",
    "beginswith": "starts with", "hasprefix": "starts with", "prefix": "starts with",
    "hassuffix": "ends with", "suffix": "ends with", "oneof": "in", "matches": "like",
  ]
}
