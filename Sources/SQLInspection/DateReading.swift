package import Query

/// Reads the dates of a query as a column has them: a day without a time as that whole day, where the column has times, and any date
/// as a number, where the column has numbers that mean dates.
package struct DateReading {
  private static let sampleSize = 20

  private let table: TableSchema
  private let forms: [Name: NumericDateForm]
  private let source: EmptyResultHints.ColumnSource
  private var samples: [Int: [String]] = [:]
  /// The notes on how dates were read.
  package private(set) var notes: [String] = []

  /// - Parameter forms: the columns that hold dates as numbers.
  package init(
    of table: TableSchema, forms: [(column: String, form: NumericDateForm)] = [],
    _ source: @escaping EmptyResultHints.ColumnSource
  ) {
    self.table = table
    self.forms = Dictionary(forms.map { (Name($0.column), $0.form) }) { first, _ in first }
    self.source = EmptyResultHints.bounded(source)
  }

  /// The query with dates as its columns have them.
  package mutating func read(_ query: AnyQuery) -> AnyQuery {
    // A query that is so long was hardly written by hand.
    query.partCount > 100 ? query : rewritten(query)
  }

  private mutating func rewritten(_ query: AnyQuery) -> AnyQuery {
    switch query.form {
    case .condition(let condition): return read(condition) ?? query
    case .and(let lhs, let rhs): return rewritten(lhs) && rewritten(rhs)
    case .or(let lhs, let rhs): return rewritten(lhs) || rewritten(rhs)
    case .not(let inner): return !rewritten(inner)
    }
  }

  private mutating func read(_ condition: Condition<AnyExpression>) -> AnyQuery? {
    if case .text = condition { return nil }
    guard let key = condition.key, let name = column(of: key), let position = try? table.position(of: name) else {
      return nil
    }
    let texts = condition.operands.compactMap { operand -> String? in
      if case .value(.text(let text)) = operand { text } else { nil }
    }
    if texts.isEmpty { return nil }
    let column = table.columns[position]
    if let form = forms[Name(column.name)] {
      noteMisfit(of: form, position)
      let bounds = Bounds(key, start: { form.number(of: $0) }, end: { form.number(of: $0.next) })
      return bounds.query(condition)
    }
    guard key.plainKey != nil, column.kinds.contains(.text), column.storage == nil, column.format == nil else {
      return nil
    }
    noteOtherForms(texts, position)
    guard texts.contains(where: { CalendarDay($0) != nil }), hasTimes(position) else { return nil }
    let bounds = Bounds(key, start: Value.text, end: { .text($0.endAsText) })
    guard let query = bounds.query(condition), query != AnyQuery(.condition(condition)) else { return nil }
    note("\(AnyQuery(.condition(condition))) takes a date for that whole day: \(query)")
    return query
  }

  /// The column whose values an expression has: a key, or an extreme or the average of a group.
  private func column(of expression: AnyExpression) -> String? {
    guard case .group(let aggregate) = expression.form else { return expression.plainKey }
    return [.min, .max, .average].contains(aggregate.function) ? aggregate.key?.plainKey : nil
  }

  /// The expression with the dates of its conditions as numbers, where columns hold them so.
  package mutating func read(_ expression: AnyExpression) -> AnyExpression {
    if forms.isEmpty { return expression }
    switch expression.form {
    case .function(let function, let arguments):
      var read: [AnyExpression] = []
      for argument in arguments { read.append(self.read(argument)) }
      return AnyExpression(.function(function, read))
    case .conditional(let query, let then, let otherwise):
      return AnyExpression(.conditional(rewritten(query), then: read(then), else: read(otherwise)))
    case .group(let aggregate): return .group(read(aggregate))
    // Relations lead to rows of other tables.
    case .key, .path, .value, .aggregate, .exists, .invalid: return expression
    }
  }

  /// The aggregate with the dates of its condition as numbers, where columns hold them so.
  package mutating func read(_ aggregate: AnyAggregate) -> AnyAggregate {
    if forms.isEmpty { return aggregate }
    let key = aggregate.key.map { read($0) }
    return AnyAggregate(aggregate.function, of: key, where: rewritten(aggregate.query))
  }

  /// Notes numbers that are not dates in the form that was given.
  private mutating func noteMisfit(of form: NumericDateForm, _ position: Int) {
    var example: Value?
    try? source(position) { value in
      if value.kind == .number { example = value }
      return example == nil
    }
    guard let example, form.text(of: example) == example else { return }
    let fitting = NumericDateForm.allCases.filter { $0.isLikely(for: example) }.map(\.rawValue)
    note(
      "\(example) in \(table.columns[position].name) is no date as \(form.rawValue)"
        + (fitting.isEmpty ? "" : "; it would be one as \(fitting.joined(separator: " or "))"))
  }

  private mutating func note(_ text: String) {
    let text = VisibleText.visible(text.unicodeScalars)
    if notes.count < 3, !notes.contains(text) { notes.append(text) }
  }

  /// Notes a text that looks like a date in another form than those of the column.
  private mutating func noteOtherForms(_ texts: [String], _ position: Int) {
    if texts.contains(where: { DateParts($0) != nil }), let example = sample(position).first,
      DateOrder.date(fromAnyOrder: example) != nil
    {
      note(
        "the dates of \(table.columns[position].name) are written as '\(example)', and compared as texts; "
          + "import --date-order makes dates of them that sort and compare as such")
    }
    for text in texts {
      guard let meant = DateOrder.date(fromAnyOrder: text), let example = sample(position).first,
        DateParts(example) != nil
      else { continue }
      note(
        "'\(text)' looks like a date, and those of \(table.columns[position].name) are written as '\(example)'; "
          + "did you mean '\(meant)'?")
    }
  }

  /// Whether the column's dates have times.
  private mutating func hasTimes(_ position: Int) -> Bool {
    let sample = sample(position)
    return !sample.isEmpty && sample.allSatisfy { $0.utf8.count > 10 && DateParts($0) != nil }
  }

  private mutating func sample(_ position: Int) -> [String] {
    if let known = samples[position] { return known }
    var texts: [String] = []
    try? source(position) { value in
      if case .text(let text) = value { texts.append(text) }
      return texts.count < Self.sampleSize
    }
    samples[position] = texts
    return texts
  }
}

/// Conditions on a column that compare it with dates, of which one without a time is a whole day.
private struct Bounds {
  private let key: AnyExpression
  /// The value that stands for a date, or for the beginning of a day; `nil` for what is no date.
  private let start: (String) -> Value?
  /// The value behind all of a day.
  private let end: (CalendarDay) -> Value

  init(_ key: AnyExpression, start: @escaping (String) -> Value?, end: @escaping (CalendarDay) -> Value) {
    (self.key, self.start, self.end) = (key, start, end)
  }

  func query(_ condition: Condition<AnyExpression>) -> AnyQuery? {
    switch condition {
    case .comparison(let comparison):
      guard case .value(let operand) = comparison.operand else { return nil }
      return compare(comparison.relation, operand)
    case .between(let between):
      guard case .value(let lower) = between.lower, case .value(let upper) = between.upper,
        let start = compare(.greaterThanOrEqual, lower), let end = compare(.lessThanOrEqual, upper)
      else { return nil }
      return start && end
    case .membership(let list):
      let queries = list.values.map { compare(.equal, $0) ?? .compare(key, .equal, value: $0) }
      return .any(of: queries)
    case .constant, .text, .holds, .invalid: return nil
    }
  }

  private func compare(_ relation: Relation, _ operand: Value) -> AnyQuery? {
    guard case .text(let text) = operand, let start = start(text) else { return nil }
    guard let end = CalendarDay(text).map(end) else { return .compare(key, relation, value: start) }
    let isThatDay = AnyQuery.compare(key, .greaterThanOrEqual, value: start) && .compare(key, .lessThan, value: end)
    switch relation {
    case .equal: return isThatDay
    case .notEqual: return !isThatDay
    case .lessThan, .greaterThanOrEqual: return .compare(key, relation, value: start)
    case .lessThanOrEqual: return .compare(key, .lessThan, value: end)
    case .greaterThan: return .compare(key, .greaterThanOrEqual, value: end)
    }
  }
}
