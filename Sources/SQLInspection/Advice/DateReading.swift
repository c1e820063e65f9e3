import ErrorDetails
package import Query

/// Reads the dates of a query as a column has them: a day without a time as that whole day, where the column has times, and any date
/// as a number, where the column has numbers that mean dates.
package struct DateReading {
  private static let sampleSize = 100
  /// The texts of instants before and after all others, on a server.
  private static let infinities = ["infinity", "-infinity"]

  private let table: TableSchema
  private let forms: [Name: NumericDateForm]
  private let source: EmptyResultHints.ColumnSource
  private var samples: [Int: [String]] = [:]
  /// The notes on how dates were read.
  package private(set) var notes: [String] = []
  /// The error for a date in a form that is not read, with which a column that holds dates as numbers is compared.
  package private(set) var refusal: QueryError?

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
    // Without numbers, only what was written by hand is read in another way, and a query that is so long was hardly.
    forms.isEmpty && !query.isHandwritten ? query : rewritten(query)
  }

  private mutating func rewritten(_ query: AnyQuery) -> AnyQuery {
    query.mapConditions { read($0) }
  }

  private mutating func read(_ condition: Condition<AnyExpression>) -> AnyQuery {
    let condition = condition.mapKeys { read($0) }
    return withinBounds(condition) ?? AnyQuery(.condition(condition))
  }

  /// Returns the bounds that replace a condition which compares dates; `nil` for any other condition.
  private mutating func withinBounds(_ condition: Condition<AnyExpression>) -> AnyQuery? {
    if case .text = condition { return nil }
    guard let key = condition.key else { return nil }
    if let column = key.plainKey.flatMap({ table.columns.first(named: $0) }) {
      let spelled = condition.mapValues { column.spelled($0) }
      if spelled != condition { return AnyQuery(.condition(spelled)) }
    }
    let texts = condition.operands.compactMap { operand -> String? in
      if case .value(.text(let text)) = operand { text } else { nil }
    }
    if texts.isEmpty { return nil }
    if let form = form(of: key, comparedWith: texts) {
      let bounds = Bounds(
        Self.readingConstants(of: key, as: form),
        start: { text in DatePeriod(text).map { form.number(of: $0.first) } ?? form.number(of: text) },
        end: { text in DatePeriod(text).map { form.number(of: $0.end) } })
      if refusal == nil { refusal = Self.refusal(of: texts, for: key, form) }
      return bounds.query(condition)
    }
    guard let name = key.plainKey, let position = try? table.position(of: name) else { return nil }
    let column = table.columns[position]
    guard column.kinds.contains(.text), column.nativeType?.isDate ?? true, column.format == nil else { return nil }
    if column.nativeType == nil { noteOtherForms(texts, position) }
    guard let shape = DateShape(of: sample(position)) else {
      noteMixture(texts, position)
      return nil
    }
    if shape.isMixed { noteMixture(texts, position) }
    guard
      texts.contains(where: { text in
        shape.hasTimes && CalendarDay(text) != nil || shape.text(of: text).map { $0 != text } ?? false
      })
    else { return nil }
    let bounds = Bounds(
      key, start: { text in shape.text(of: text).map(Value.text) },
      end: { text in shape.hasTimes ? CalendarDay(text).map { .text($0.endAsText) } : nil })
    guard let query = bounds.query(condition), query != AnyQuery(.condition(condition)) else { return nil }
    note(
      shape.hasTimes && texts.contains { CalendarDay($0) != nil }
        ? "a date means the whole day: \(AnyQuery(.condition(condition))) becomes \(query)"
        : "in the form of the column's times, \(AnyQuery(.condition(condition))) becomes \(query)")
    return query
  }

  /// The error for the first text with digits that is no date, in which a mistake would find nothing.
  private static func refusal(of texts: [String], for key: AnyExpression, _ form: NumericDateForm) -> QueryError? {
    // What the expression itself may be is compared as it is.
    let sources = key.valueSources
    let misfit = texts.first { text in
      !sources.contains(AnyExpression(.value(.text(text)))) && text.utf8.contains { 0x30...0x39 ~= $0 }
        && DatePeriod(text) == nil && form.number(of: text) == nil
    }
    guard let misfit else { return nil }
    // Which number of 01/02/2024 is the month, only its author knows.
    let meant = misfit.contains("/") ? nil : DateOrder.date(fromAnyOrder: misfit)
    return QueryError(
      .kindMismatch, "'\(misfit)', compared with \(key), is not a date",
      reason:
        "write a date as '2024-01-31', '2024-01-31 12:00:00', '2024-01-31T12:00:00+02:00', or '2024-01' for a month",
      suggestion: meant.map { "did you mean '\($0)'?" })
  }

  /// Returns the form in which an expression holds dates as numbers: that of the columns whose values it has. `nil` where it
  /// holds none, or not only such.
  private mutating func form(of key: AnyExpression, comparedWith texts: [String]) -> NumericDateForm? {
    if forms.isEmpty { return nil }
    var found: [NumericDateForm?] = []
    for source in key.valueSources {
      if case .value = source.form { continue }
      let form = source.plainKey.flatMap { forms[Name($0)] }
      if let form, let position = table.columns.firstIndex(named: source.plainKey ?? "") {
        noteMisfit(of: form, position)
      }
      found.append(form)
    }
    guard let form = found.lazy.compactMap({ $0 }).first else {
      noteArithmetic(in: key, comparedWith: texts)
      return nil
    }
    if found.allSatisfy({ $0 == form }) { return form }
    note("can't compare \(key) with dates: some values are not dates as \(form.rawValue)")
    return nil
  }

  /// An expression with the constants between which it chooses as numbers, too.
  private static func readingConstants(of expression: AnyExpression, as form: NumericDateForm) -> AnyExpression {
    switch expression.form {
    case .value(.text(let text)): form.number(of: text).map { AnyExpression(.value($0)) } ?? expression
    case .function(.coalesce, _), .conditional:
      expression.mapOperands({ operand, _ in readingConstants(of: operand, as: form) }, queries: { query, _ in query })
    case .key, .path, .value, .function, .aggregate, .exists, .group, .invalid: expression
    }
  }

  /// Notes that what is worked out of a column's numbers is not compared with dates.
  private mutating func noteArithmetic(in key: AnyExpression, comparedWith texts: [String]) {
    for source in key.valueSources {
      guard case .function(let function, _) = source.form, function.isArithmetic else { continue }
      var dated: (column: String, form: NumericDateForm)?
      source.forEachPart { part, table in
        if table == nil, let name = part.plainKey, let form = forms[Name(name)] { dated = (name, form) }
      }
      guard let dated, texts.contains(where: { dated.form.number(of: $0) != nil }) else { continue }
      note("\(source) is a number and does not compare with dates; use \(dated.column) itself")
    }
  }

  /// The expression with the dates of its conditions as numbers, where columns hold them so.
  package mutating func read(_ expression: AnyExpression) -> AnyExpression {
    if forms.isEmpty { return expression }
    // Rows of other tables have columns of their own.
    let own = table.name
    return expression.mapOperands { operand, table in
      table.map { Name($0) == own } ?? true ? read(operand) : operand
    } queries: { query, table in
      table.map { Name($0) == own } ?? true ? rewritten(query) : query
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
      "\(example) in \(table.columns[position].name) is not a date as \(form.rawValue)"
        + (fitting.isEmpty ? "" : "; \(fitting.joined(separator: " or ")) reads the number as a date"))
  }

  private mutating func note(_ text: String) {
    let text = VisibleText.visible(text.unicodeScalars)
    if notes.count < 3, !notes.contains(text) { notes.append(text) }
  }

  /// Notes a text that looks like a date in another form than those of the column.
  private mutating func noteOtherForms(_ texts: [String], _ position: Int) {
    if texts.contains(where: { DateParts($0) != nil }),
      let example = sample(position).first(where: { DateParts($0) == nil && DateOrder.date(fromAnyOrder: $0) != nil })
    {
      note(
        "\(table.columns[position].name) contains dates such as '\(example)', which compare as text; import "
          + "--date-order converts the dates to a form that sorts by time")
    }
    for text in texts {
      guard let meant = DateOrder.date(fromAnyOrder: text), let example = sample(position).first,
        DateParts(example) != nil
      else { continue }
      note(
        "'\(text)' looks like a date, but \(table.columns[position].name) contains dates such as '\(example)'; did "
          + "you mean '\(meant)'?")
    }
  }

  /// Notes that dates are compared as texts, where the column writes them in several ways or with offsets from UTC.
  private mutating func noteMixture(_ texts: [String], _ position: Int) {
    let isDate = { (text: String) in NumericDateForm.microseconds.number(of: text) != nil || Self.isTime(text) }
    let dates = sample(position).filter(isDate)
    guard texts.contains(where: isDate), dates.count * 2 > sample(position).count else { return }
    let other =
      dates.first { $0.dropFirst(10).first != dates[0].dropFirst(10).first }
      ?? dates.first { $0.utf8.count != dates[0].utf8.count }
    if Self.isTime(dates[0]), other == nil { return }
    note(
      "\(table.columns[position].name) contains dates such as '\(dates[0])'\(other.map { " and '\($0)'" } ?? ""), "
        + "which compare as text: the same time is another text in another form")
  }

  /// Whether a text is a time of day: `10:00`, `10:00:00`, `10:00:00.5`.
  private static func isTime(_ text: String) -> Bool { DateParts("2000-01-01 \(text)") != nil }

  private mutating func sample(_ position: Int) -> [String] {
    if let known = samples[position] { return known }
    var texts: [String] = []
    try? source(position) { value in
      if case .text(let text) = value, !Self.infinities.contains(text) { texts.append(text) }
      return texts.count < Self.sampleSize
    }
    // All values of a date's own type have one form, even if the first can't be read.
    if texts.isEmpty {
      switch table.columns[position].nativeType {
      case .day: texts = ["2000-01-01"]
      case .timestamp: texts = [DateText.text(ofDay: 0) + "T00:00:00.000000000Z"]
      default: break
      }
    }
    samples[position] = texts
    return texts
  }
}

/// Conditions on a column that compare it with dates, of which one without a time is a whole day.
private struct Bounds {
  private let key: AnyExpression
  /// The value that represents a date, or the beginning of a day; `nil` for what is no date.
  private let start: (String) -> Value?
  /// The value behind all of what a text without a time means; `nil` for an instant.
  private let end: (String) -> Value?

  init(_ key: AnyExpression, start: @escaping (String) -> Value?, end: @escaping (String) -> Value?) {
    (self.key, self.start, self.end) = (key, start, end)
  }

  func query(_ condition: Condition<AnyExpression>) -> AnyQuery? {
    switch condition {
    case .comparison(let comparison):
      guard case .value(let operand) = comparison.operand else { return nil }
      return compare(comparison.operator, operand)
    case .between(let between):
      func bound(_ comparisonOperator: ComparisonOperator, _ operand: Operand<AnyExpression>) -> (
        query: AnyQuery, isDate: Bool
      ) {
        if let query = operand.value.flatMap({ compare(comparisonOperator, $0) }) { return (query, true) }
        return (
          AnyQuery(.condition(.comparison(Comparison(key: key, operator: comparisonOperator, operand: operand)))), false
        )
      }
      let (start, end) = (bound(.greaterThanOrEqual, between.lower), bound(.lessThanOrEqual, between.upper))
      return start.isDate || end.isDate ? start.query && end.query : nil
    case .membership(let list):
      let queries = list.values.map { compare(.equal, $0) ?? .compare(key, .equal, value: $0) }
      return .any(of: queries)
    default: return nil
    }
  }

  private func compare(_ comparisonOperator: ComparisonOperator, _ operand: Value) -> AnyQuery? {
    guard case .text(let text) = operand, let start = start(text) else { return nil }
    guard let end = end(text) else { return .compare(key, comparisonOperator, value: start) }
    let isWithin = AnyQuery.compare(key, .greaterThanOrEqual, value: start) && .compare(key, .lessThan, value: end)
    switch comparisonOperator {
    case .equal: return isWithin
    case .notEqual: return !isWithin
    case .lessThan, .greaterThanOrEqual: return .compare(key, comparisonOperator, value: start)
    case .lessThanOrEqual: return .compare(key, .lessThan, value: end)
    case .greaterThan: return .compare(key, .greaterThanOrEqual, value: end)
    }
  }
}
