import ErrorDetails
package import Query

/// Hints for a query that finds nothing: values that a column does not have, and similar ones that it has.
///
/// Only a bounded part of the table is read, so that no hint costs more than a moment.
package struct EmptyResultHints {
  /// A function that passes the values of a column, by its position, to a closure, in no order, until it returns `false`.
  package typealias ColumnSource = (Int, (Value) -> Bool) throws -> Void

  private static let mostHints = 3

  private let table: TableSchema
  private let source: ColumnSource

  package init(of table: TableSchema, _ source: @escaping ColumnSource) {
    (self.table, self.source) = (table, Self.bounded(source))
  }

  /// The same source, which ends behind the first rows of a table, whatever the closure still wants.
  static func bounded(_ source: @escaping ColumnSource) -> ColumnSource {
    { column, body in
      var count = 0
      try source(column) { value in
        count += 1
        // One more shows that there are more.
        return body(value) && count <= ColumnValues.mostRows
      }
    }
  }

  /// Returns a line for each hint.
  package func hints(for query: AnyQuery) -> [String] {
    var values: [ColumnPath: ColumnValues] = [:]
    var hints: [String] = []
    for condition in query.isHandwritten ? Array(query.affirmedConditions) : [] where hints.count < Self.mostHints {
      if let hint = numberHint(for: condition) {
        hints.append(hint)
        continue
      }
      guard let found = pathCondition(condition), let wanted = WantedValues(found.condition) else { continue }
      let path = found.path
      let present = values[path] ?? ColumnValues(of: path.column, source(of: path))
      values[path] = present
      if present.isEmpty { return ["\(table.name.visible) has no rows"] }
      hints += wanted.hints(for: present, called: found.name.visible)
    }
    return Array(hints.prefix(Self.mostHints))
  }

  /// A column, or a path into its texts of JSON.
  private struct ColumnPath: Hashable {
    let column: Int
    let pointer: JSONPointer?
  }

  /// A condition on the values at a path.
  private struct PathCondition {
    let path: ColumnPath
    /// The name of the path in a hint.
    let name: String
    /// The condition with that name as its key.
    let condition: Condition<AnyExpression>
  }

  /// Finds the path that a condition is about; `nil` for what no hint can tell of.
  private func pathCondition(_ condition: Condition<AnyExpression>) -> PathCondition? {
    guard let key = condition.key else { return nil }
    if let name = key.plainKey {
      guard let column = try? table.position(of: name) else { return nil }
      return PathCondition(
        path: ColumnPath(column: column, pointer: nil), name: table.columns[column].name, condition: condition)
    }
    guard case .path(let steps) = key.form, let found = table.jsonPlace(of: steps, with: { _ in nil }), found.step == 0
    else { return nil }
    let name = key.description
    return PathCondition(
      path: ColumnPath(column: found.column, pointer: JSONPointer(Array(steps.dropFirst()))), name: name,
      condition: condition.mapKeys { $0 == key ? .key(name) : $0 })
  }

  private func source(of path: ColumnPath) -> ColumnSource {
    guard let pointer = path.pointer else { return source }
    return { column, body in try source(column) { value in body(pointer.value(in: value)) } }
  }

  /// A hint where a text is compared with a column of numbers.
  private func numberHint(for condition: Condition<AnyExpression>) -> String? {
    guard let misfit = table.numberMisfit(in: condition) else { return nil }
    let column = table.columns[misfit.position]
    for text in misfit.texts {
      let name = column.name.visible
      guard let number = Value(literal: text), number.kind == .number else {
        let reference = table.references.first { $0.columns == [column.name] }
        guard column.type == .integer, let reference else { continue }
        return
          "\(name) is a number that refers to a row of \(reference.table.visible): write \(name), a dot and a "
          + "column of \(reference.table.visible)"
      }
      let start =
        condition.equalityList() == nil
        ? "no \(AnyQuery(.condition(condition)).description.visible)" : "\(name) has no '\(text)'"
      return "\(start); did you mean the number \(number), without quotes?"
    }
    return nil
  }
}

/// The different values of a column that has few of them.
struct ColumnValues {
  static let mostRows = 100_000
  private static let mostValues = 1_000
  /// A longer text is hardly a typing error.
  private static let mostBytes = 64

  /// The values; `nil` where there are too many.
  let values: Set<Value>?
  /// Whether the table has no rows at all.
  let isEmpty: Bool
  /// Whether the table has more rows than were looked at.
  let isPart: Bool

  /// The name of the sample in messages, where the table has more rows.
  static var partName: String { "the first \(mostRows) rows" }

  /// Looks through the first rows of a table.
  init(of column: Int, _ source: EmptyResultHints.ColumnSource) {
    var (values, count) = (Set<Value>(), 0)
    var isTooMuch = false
    do {
      try source(column) { value in
        count += 1
        if count > Self.mostRows { return false }
        if case .text(let text) = value, text.utf8.count > Self.mostBytes { return true }
        values.insert(value)
        isTooMuch = values.count > Self.mostValues
        return !isTooMuch
      }
    } catch {
      // A hint is no reason to fail.
      isTooMuch = true
    }
    self.values = isTooMuch ? nil : values
    isEmpty = count == 0 && !isTooMuch
    isPart = count > Self.mostRows
  }
}

/// The values that a condition requires of a column.
struct WantedValues {
  /// The maximum number of a column's values for which all are listed.
  private static let mostNamed = 8

  let key: String
  /// The values, one of which the column has to equal; or the text that its own has to match.
  private let values: [Value]
  private let operation: TextOperation?
  private let condition: Condition<AnyExpression>

  /// - Returns: `nil` for conditions that allow no guess.
  init?(_ condition: Condition<AnyExpression>) {
    self.condition = condition
    guard let name = condition.key?.plainKey else { return nil }
    if case .text(let match) = condition {
      // A pattern with wildcards is like no value.
      if match.operation == .like, match.text.contains(where: "%_\\".contains) { return nil }
      (key, values, operation) = (name, [.text(match.text)], match.operation)
    } else if let list = condition.equalityList() {
      (key, values, operation) = (name, Array(list.values.prefix(3)), nil)
    } else {
      return nil
    }
  }

  /// Returns a line for each value that is missing.
  ///
  /// - Parameter name: the column's name, as it may be shown.
  func hints(for column: ColumnValues, called name: String) -> [String] {
    guard let present = column.values, !present.isEmpty else { return [] }
    if operation != nil, present.contains(where: { matches($0, AnyQuery(.condition(condition))) }) { return [] }
    return values.filter { operation != nil || !present.contains($0) }.compactMap { value in
      suggestion(for: value, among: present).map { suggestion in
        let part = column.isPart ? "in \(ColumnValues.partName), " : ""
        return operation.map { "\(part)no \(name) \($0.rawValue) \(Self.shown(value)); \(suggestion)" }
          ?? "\(part)\(name) has no \(Self.shown(value)); \(suggestion)"
      }
    }
  }

  private func suggestion(for value: Value, among present: Set<Value>) -> String? {
    let texts = present.compactMap { if case .text(let text) = $0 { text } else { nil } }.sorted()
    switch value {
    case .text(let text):
      if present.contains(where: { $0.kind == .number && $0.description == text }) {
        return "did you mean the number \(text), without quotes?"
      }
      if let folding = foldingQuery, present.contains(where: { matches($0, folding) }) {
        return "add `ignoring case` to ignore case"
      }
      let candidates = candidates(texts, for: text)
      // They look alike, and only Swift's own comparison treats them as equal.
      if candidates.contains(where: { operation == .contains ? $0.contains(text) : $0 == text }) {
        return
          "the column has the other Unicode spelling: accented letters have two spellings, as one character or as two"
      }
      if let nearest = NearestName.nearest(to: text, in: candidates) {
        return "did you mean \(Self.shown(.text(nearest)))?"
      }
      let hasOthers = present.contains { !$0.isNull && $0.kind != .text }
      guard operation == nil, !hasOthers, (1...Self.mostNamed).contains(texts.count) else { return nil }
      return "the values are \(texts.map { Self.shown(.text($0)) }.joined(separator: ", "))"
    case .integer, .real:
      return texts.contains(value.description) ? "did you mean the text \(Self.shown(.text(value.description)))?" : nil
    case .null, .blob:
      return nil
    }
  }

  /// The parts of values that a text may have been meant to be.
  private func candidates(_ texts: [String], for text: String) -> [String] {
    switch operation {
    case .hasPrefix: texts.map { String($0.prefix(text.count)) }
    case .hasSuffix: texts.map { String($0.suffix(text.count)) }
    case .contains, .like, nil: texts
    }
  }

  /// The same condition, but case-insensitive.
  private var foldingQuery: AnyQuery? {
    guard case .text(let match) = condition, !match.isIgnoringCase else { return nil }
    switch match.operation {
    case .contains: return .contains(key: key, value: match.text, ignoringCase: true)
    case .hasPrefix: return .hasPrefix(key: key, value: match.text, ignoringCase: true)
    case .hasSuffix: return .hasSuffix(key: key, value: match.text, ignoringCase: true)
    case .like: return .like(key: key, value: match.text, ignoringCase: true)
    }
  }

  /// Whether a query of the column finds a value.
  private func matches(_ value: Value, _ query: AnyQuery) -> Bool {
    let column = ColumnSchema(key, .any, isNullable: true)
    guard let table = try? TableSchema("values", columns: [column], primaryKey: []) else { return false }
    return (try? query.resolved(in: table))?.matches([value]) ?? false
  }

  private static func shown(_ value: Value) -> String {
    guard case .text(let text) = value else { return value.description }
    return Quoting.quote(VisibleText.excerpt(of: Array(text.utf8)[...]), with: "'")
  }
}

extension String {
  fileprivate var visible: String { VisibleText.visible(unicodeScalars) }
}
