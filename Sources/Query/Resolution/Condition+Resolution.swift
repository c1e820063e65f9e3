extension Condition where Key == String {
  /// Finds the keys in a table and checks that the values fit their columns.
  package func resolved(in table: TableSchema) throws(QueryError) -> Condition<Int> {
    if case .invalid(let error) = self { throw .invalidValue(error) }
    // The key on the left comes first: what does not name a column after it may have been meant as a text.
    let compared = try key.map { key throws(QueryError) in table.columns[try table.position(of: key)] }
    let resolved = try mapKeys { key throws(QueryError) in
      do throws(QueryError) {
        return try table.position(of: key)
      } catch {
        throw compared?.kinds.contains(.text) == true ? error.suggestingText(key) : error
      }
    }
    switch resolved {
    case .constant, .invalid:
      break
    case .comparison(let comparison):
      try table.columns[comparison.key].check(comparison.operand, in: table)
    case .between(let between):
      try table.columns[between.key].check(between.lower, in: table)
      try table.columns[between.key].check(between.upper, in: table)
    case .membership(let membership):
      for value in membership.values { try table.columns[membership.key].check(value) }
    case .text(let text):
      let column = table.columns[text.key]
      if !column.kinds.contains(.text) {
        throw .kindMismatch(
          column, with: "a text", suggestion: "`\(text.operation.rawValue)` is for columns that hold texts")
      }
    }
    return resolved
  }

  /// The key on the left of a condition.
  private var key: String? {
    switch self {
    case .constant, .invalid: nil
    case .comparison(let comparison): comparison.key
    case .between(let between): between.key
    case .membership(let membership): membership.key
    case .text(let text): text.key
    }
  }
}

extension QueryError {
  /// The same error for an unknown key behind an operator: `name = Pikachu` lacks the quotes of a text.
  fileprivate func suggestingText(_ key: String) -> QueryError {
    // A name of any length, and with what a terminal would obey, is nothing to show.
    guard key.utf8.count <= 32, VisibleText.excerpt(of: Array(key.utf8)[...]) == key else { return self }
    let nearest = suggestion.flatMap { $0.hasPrefix("did you mean") ? $0.dropLast() : nil }
    return QueryError(
      code, summary, reason: reason,
      suggestion: nearest.map { "\($0), or the text \(Value.text(key))?" } ?? "did you mean \(Value.text(key))?")
  }
}

extension ColumnSchema {
  fileprivate func check(_ operand: Operand<Int>, in table: TableSchema) throws(QueryError) {
    switch operand {
    case .value(let value):
      try check(value)
    case .key(let key):
      let other = table.columns[key]
      if kinds.isDisjoint(with: other.kinds) {
        let held = Value.Kind.allCases.filter(other.kinds.contains).map(\.plural).joined(separator: " and ")
        throw .kindMismatch(self, with: "\(other.name), which holds \(held)", suggestion: nil)
      }
    }
  }

  fileprivate func check(_ value: Value) throws(QueryError) {
    if value.isNaN { throw .invalidValue(.notANumber) }
    if value.isNull || kinds.contains(value.kind) { return }
    switch value {
    case .null: return
    case .integer, .real:
      throw .kindMismatch(
        self, with: "a number", suggestion: kinds.contains(.text) ? "put the number in quotes" : nil)
    case .text(let text):
      // `Double` also reads "nan", "infinity" and "0x1p3".
      let isNumber = Double(text) != nil && text.utf8.allSatisfy("+-.0123456789Ee".utf8.contains)
      throw .kindMismatch(
        self, with: "a text",
        suggestion: kinds.contains(.number) && isNumber ? "write the number without quotes" : nil)
    case .blob:
      throw .kindMismatch(self, with: "a blob", suggestion: nil)
    }
  }
}
