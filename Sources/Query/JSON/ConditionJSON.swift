import ErrorDetails

// The JSON form of conditions: how each operator is read and written.

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

extension QueryJSONWriter {
  /// Writes a condition.
  mutating func write(_ condition: Condition<AnyExpression>) throws(JSONCodingError) {
    switch condition {
    case .constant(let constant):
      return try append(.boolean(constant))
    case .invalid(let invalid):
      throw error(invalid)
    case .comparison(let comparison):
      try begin(comparison.key, .comparisonOperator(comparison.operator))
      try write(.value)
      try write(comparison.operand)
    case .between(let between):
      try begin(between.key, .between)
      try write(.lower)
      try write(between.lower)
      try write(.upper)
      try write(between.upper)
    case .membership(let membership):
      try begin(membership.key, .in)
      try write(.values)
      try beginArray()
      for value in membership.values { try write(value) }
      end()
    case .text(let match):
      try begin(match.key, .text(match.operation))
      try write(.value, .text(match.text))
      if match.isIgnoringCase { try write(.ignoring, .text("case")) }
    case .holds(let key):
      return try write(expression: key)
    }
    end()
  }

  private mutating func begin(_ key: AnyExpression, _ name: ConditionOperator) throws(JSONCodingError) {
    try beginObject()
    try write(.key)
    try write(key)
    try write(.op, .text(name.rawValue))
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
    if let same = CommonMistakes.synonyms[letters] ?? names.first(where: { $0.filter { $0 != " " } == letters }) {
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
}
