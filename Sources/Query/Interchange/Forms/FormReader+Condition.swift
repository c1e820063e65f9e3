extension FormReader {
  /// Reads a condition from its fields, which are all known but may not go together.
  func condition(_ fields: [Field], at index: Int) throws(InterchangeError) -> Condition<String> {
    func field(_ name: FormField) throws(InterchangeError) -> Int {
      guard let field = fields.first(where: { $0.name == name }) else {
        throw missing(name, of: "the condition", at: index, suggestion: Self.suggestion(without: name, fields))
      }
      return field.value
    }
    let key = try text(at: try field(.key))
    let name = try self.operator(at: try field(.op))
    let known = name.fields
    if let other = fields.first(where: { !([.key, .op] + known.required + known.optional).contains($0.name) }) {
      let all = (known.required + known.optional).map(\.rawValue).joined(separator: " and ")
      throw error(
        .unexpectedField, "\(other.name.rawValue) does not go with \(name.rawValue)", at: index,
        suggestion: "\(name.rawValue) takes \(all)")
    }
    switch name {
    case .relation(let relation):
      return .comparison(Comparison(key: key, relation: relation, operand: try operand(at: try field(.value))))
    case .between:
      return .between(
        Between(key: key, lower: try operand(at: try field(.lower)), upper: try operand(at: try field(.upper))))
    case .in:
      return .membership(Membership(key: key, values: try values(at: try field(.values))))
    case .text(let operation):
      let text = try text(at: try field(.value), "a text to look for")
      let ignoring = fields.first { $0.name == .ignoring }
      if let ignoring { try checkIgnoring(at: ignoring.value) }
      return .text(TextMatch(key: key, operation: operation, text: text, isIgnoringCase: ignoring != nil))
    }
  }

  private func `operator`(at index: Int) throws(InterchangeError) -> ConditionOperator {
    let name = try text(at: index, "the name of an operator")
    if let known = ConditionOperator(rawValue: name) { return known }
    throw error(
      .unknownOperator, "no operator \(VisibleText.excerpt(of: Array(name.utf8)[...]))", at: index,
      suggestion: ConditionOperator.suggestion(for: name))
  }

  private func values(at index: Int) throws(InterchangeError) -> [Value] {
    guard case .array = tokens[index] else { throw mismatch(at: index, expected: "a list of values") }
    var values: [Value] = []
    var place = index + 1
    while place < end(of: index) {
      if case .object = tokens[place], (try? tag(at: place, known: [.key])) != nil {
        throw error(
          .unexpectedField, "`in` takes values, no keys", at: place, suggestion: "join conditions with `=` by `or`")
      }
      values.append(try value(at: place))
      place = end(of: place)
    }
    return values
  }

  private func checkIgnoring(at index: Int) throws(InterchangeError) {
    if try text(at: index, #""case""#) == "case" { return }
    throw error(.invalidValue, "what can be ignored is the case alone", at: index, suggestion: #"write "case""#)
  }

  private static func suggestion(without name: FormField, _ fields: [Field]) -> String? {
    let names = fields.map(\.name)
    return switch name {
    case .op where names.contains(.values): #"add "op": "in""#
    case .op where names.contains(.lower) || names.contains(.upper): #"add "op": "between""#
    case .op: #"add "op", such as "op": "=""#
    case .values where names.contains(.value): #"name the list "values""#
    case .value where names.contains(.values): #"`values` is for `in`"#
    default: nil
    }
  }
}
