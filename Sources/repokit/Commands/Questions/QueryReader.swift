import Query
import Repository
import SQLInspection
import SQLStore

/// Reads a call's texts in the query language, with its parameters, and points at their errors.
///
/// Each text is parsed, its keys are found in the table, advisers look at it, and its dates become what their columns hold. A
/// reader without a table, before anything is opened, parses alone.
struct QueryReader {
  private let parameters: Parameters
  private let table: (schema: TableSchema, others: OtherTables)?
  private let dates: DateColumns

  /// A reader that only checks syntax, before anything is opened.
  init(_ parameters: Parameters) {
    (self.parameters, table, dates) = (parameters, nil, .none)
  }

  /// A reader of texts about the rows of a table.
  ///
  /// - Parameter dates: the columns that hold dates as numbers.
  init(_ parameters: Parameters, in schema: TableSchema, beside others: OtherTables, dates: DateColumns = .none) {
    (self.parameters, table, self.dates) = (parameters, (schema, others), dates)
  }

  /// Reads a condition.
  ///
  /// - Parameter check: what the command requires of it.
  func query(_ text: String, _ check: (AnyQuery) throws(Failure) -> Void = { _ in }) throws(Failure) -> AnyQuery {
    let query = try read(nil) { parameters throws(ParseError) in
      try ParsedText(query: text, parameters)
    } before: { query, table, others throws(QueryError) in
      try DecimalColumns(table: table, store: others.store).check(query)
    } resolve: { query, table, tables throws(QueryError) in
      _ = try query.resolved(in: table, with: tables)
    } check: { query throws(Failure) in
      try check(query)
    } parts: {
      QueryParts(queries: [$0])
    }
    let read = try readingDates(query) { $0.read(query) }
    try refuseNumbersBesideTexts(in: read)
    return read
  }

  /// Refuses a number that is compared with a column that has texts only: all texts sort after numbers.
  private func refuseNumbersBesideTexts(in query: AnyQuery) throws(Failure) {
    guard let (schema, others) = table else { return }
    let notes = ComparisonNotes(of: schema) { column, body in try others.forEachValue(of: column, in: schema, body) }
    guard let mistake = notes.textMistake(in: query) else { return }
    let count = try? others.store.blocking.repository(Schema(schema)).count(mistake.unless)
    if count == 0 { throw Failure(mistake.note, status: .usageError) }
  }

  /// Reads a sort order.
  ///
  /// - Parameter columns: the columns of the result, which may be named, too.
  func sort(
    _ text: String, _ option: OptionDescription = .sort, of columns: [ProjectedColumn] = []
  ) throws(Failure) -> AnySort {
    let sort = try read(option) { parameters throws(ParseError) in
      try ParsedText(sort: text, parameters)
    } resolve: { sort, table, tables throws(QueryError) in
      let names = columns.isEmpty ? table.columns.map { .key($0.name) } : columns
      _ = try ProjectionRequest(names, of: FetchRequest(sortedBy: sort)).resolved(in: table, with: tables)
    } parts: {
      QueryParts(expressions: $0.terms.map(\.key))
    }
    return try readingDates(sort) { dates in
      AnySort(sort.terms.map { SortTerm(dates.read($0.key), direction: $0.direction, nulls: $0.nulls) })
    }
  }

  /// Reads a condition on groups.
  ///
  /// - Parameter keys: the keys of the groups as they are written, which the condition repeats.
  func having(
    _ text: String, groupedBy keys: [AnyExpression], _ option: OptionDescription
  ) throws(Failure) -> AnyQuery {
    let query = try read(option, groupedBy: keys) { parameters throws(ParseError) in
      try ParsedText(having: text, parameters)
    } resolve: { query, table, tables throws(QueryError) in
      _ = try AggregateRequest([.count], groupedBy: keys, having: query).resolved(in: table, with: tables)
    } parts: {
      QueryParts(queries: [$0])
    }
    return try dates.forms.isEmpty ? query : readingDates(query) { $0.read(query) }
  }

  /// An aggregate, as `sum(weight where legendary = true)`.
  func aggregate(_ text: String, _ option: OptionDescription) throws(Failure) -> AnyAggregate {
    let aggregate = try read(option) { parameters throws(ParseError) in
      try ParsedText(aggregate: text, parameters)
    } resolve: { aggregate, table, tables throws(QueryError) in
      _ = try AggregateRequest([aggregate]).resolved(in: table, with: tables)
    } parts: {
      QueryParts(queries: [$0.query], expressions: $0.key.map { [$0] } ?? [], aggregate: $0)
    }
    let read = try readingDates(aggregate) { $0.read(aggregate) }
    try refuseNumbersBesideTexts(in: read.query)
    return read
  }

  /// An aggregate of what an option names.
  func aggregate(
    _ function: AnyAggregate.Function, of text: String, _ option: OptionDescription
  ) throws(Failure) -> AnyAggregate {
    func aggregate(_ key: AnyExpression) -> AnyAggregate { AnyAggregate(function, of: key) }
    let key = try key(text, option) { key, table, tables throws(QueryError) in
      _ = try AggregateRequest([aggregate(key)]).resolved(in: table, with: tables)
    } parts: {
      QueryParts(expressions: [$0], aggregate: aggregate($0))
    }
    return try readingDates(aggregate(key)) { $0.read(aggregate(key)) }
  }

  /// An aggregate as an order names it, in its text form or with `avg` instead of `average`; `nil` for any other text.
  func aggregate(like text: String) -> AnyAggregate? {
    let isShort = text.lowercased().hasPrefix("avg")
    let parse = { try? AnyAggregate(parsing: isShort ? "average" + text.dropFirst(3) : text) }
    let read = parse() ?? (try? ParsedText(aggregate: text, parameters.values(in: table, ParameterMisfits())).content)
    return read.flatMap { aggregate in try? readingDates(aggregate) { $0.read(aggregate) } }
  }

  /// Reads what an option names: a column, or else an expression.
  func key(_ text: String, _ option: OptionDescription) throws(Failure) -> AnyExpression {
    try groupKey(text, option).read
  }

  /// Reads what an option names, as it is written, and with dates as their columns have them.
  func groupKey(
    _ text: String, _ option: OptionDescription
  ) throws(Failure) -> (written: AnyExpression, read: AnyExpression) {
    let key = try key(text, option) { key, table, tables throws(QueryError) in
      var resolver = ScopeResolver(table, tables)
      _ = try resolver.position(of: key)
    } parts: {
      QueryParts(expressions: [$0])
    }
    return (key, try readingDates(key) { $0.read(key) })
  }

  /// The columns of a result.
  func columns(_ text: String, _ option: OptionDescription) throws(Failure) -> [ProjectedColumn] {
    let columns = try read(option) { parameters throws(ParseError) in
      try ParsedText(columns: text, parameters)
    } resolve: { columns, table, tables throws(QueryError) in
      _ = try ProjectionRequest(columns).resolved(in: table, with: tables)
    } parts: {
      QueryParts(expressions: $0.map(\.expression))
    }
    return try readingDates(columns) { dates in
      columns.map { column in
        let read = dates.read(column.expression)
        return read == column.expression ? column : ProjectedColumn(read, as: column.name)
      }
    }
  }

  /// Reads an assignment to a column, such as `weight = weight * 2`.
  func assignment(_ text: String, _ resolve: Resolution<Assignment>) throws(Failure) -> Assignment {
    let assignment = try read(nil, pointsAtStart: true) { parameters throws(ParseError) in
      try ParsedText(assignment: text, parameters)
    } resolve: { assignment, table, tables throws(QueryError) in
      try resolve(assignment, table, tables)
    } check: { assignment throws(Failure) in
      if assignment.value == nil { try dates.check(assignment.expression) }
    } parts: {
      QueryParts(expressions: $0.value == nil ? [$0.expression] : [])
    }
    if dates.forms.isEmpty || assignment.value != nil { return assignment }
    return try readingDates(assignment) { Assignment(assignment.key, $0.read(assignment.expression)) }
  }

  // MARK: -

  /// Finds the keys of a text in the table.
  typealias Resolution<Content> = (Content, TableSchema, @escaping TableLookup) throws(QueryError) -> Void

  /// Reads a text as it is written, and shows it to the advisers, if the table is known.
  ///
  /// - Parameters:
  ///   - keys: the keys of the groups that the text is about.
  ///   - pointsAtStart: whether the caret of an error that concerns no part of the text is below its start.
  ///   - before: a check of the types that precedes the resolution.
  ///   - check: what the command requires of the text.
  ///   - parts: what advisers look at.
  private func read<Content>(
    _ option: OptionDescription?, groupedBy keys: [AnyExpression] = [], pointsAtStart: Bool = false,
    _ parse: (QueryParameters) throws(ParseError) -> ParsedText<Content>,
    before: (Content, TableSchema, OtherTables) throws(QueryError) -> Void = { _, _, _ in },
    resolve: Resolution<Content>, check: (Content) throws(Failure) -> Void = { _ in },
    parts: (Content) -> QueryParts
  ) throws(Failure) -> Content {
    let misfits = ParameterMisfits()
    let parsed: ParsedText<Content>
    do throws(ParseError) {
      parsed = try parse(parameters.values(in: table, misfits))
    } catch {
      let advice = SQLAdvice.forCondition(error.text) ?? SQLAdvice.forStep(of: error.text, at: error.position)
      let failure = Failure(error, advice: advice).adding(
        error.found == "`match`"
          ? "\(FullTextMatch.option.name) 'words' searches a full-text table by index" : nil)
      throw option.map { failure.at($0.name) } ?? failure
    }
    guard let table else { return parsed.content }
    try misfits.check()
    do throws(QueryError) {
      try before(parsed.content, table.schema, table.others)
    } catch {
      throw Failure(error)
    }
    // What is compared with dates becomes a comparison with numbers after this.
    let schema = table.schema.acceptingAnyValue(in: dates.forms.map(\.column))
    do throws(QueryError) {
      try resolve(parsed.content, schema, table.others.find)
    } catch {
      let caret =
        parsed.caret(at: error, in: schema, groupedBy: keys, with: table.others.find)
        ?? (pointsAtStart ? parsed.caretAtStart : nil)
      let better = error.betterSuggestion(caret: caret, in: table.schema, with: table.others.find)
      throw Failure(error, caret: caret, suggestion: better).adding(error.advice(in: table.schema))
    }
    try check(parsed.content)
    let text = AdvisedText(
      table: table.schema, others: table.others, dates: dates,
      paths: parsed.jsonPaths(in: table.schema, with: table.others.find), parts: parts(parsed.content))
    for adviser in QueryAdviser.all {
      for note in try adviser.notes(text) { table.others.tellOnce(note) }
    }
    return parsed.content
  }

  /// Returns the content of a text as a closure reads it, with dates in the form of their columns: a day is that whole day in a
  /// column of times, and a date is a number in a column that holds dates as numbers. Notes tell how they were read.
  private func readingDates<Content>(
    _ content: Content, _ read: (inout DateReading) -> Content
  ) throws(Failure) -> Content {
    guard let table else { return content }
    for (column, _) in dates.forms {
      do throws(QueryError) {
        _ = try table.schema.position(of: column)
      } catch {
        throw Failure(error).at(OptionDescription.dates.name)
      }
    }
    var reading = DateReading(of: table.schema, forms: dates.forms.map { ($0.column, $0.type) }) { column, body in
      try table.others.forEachValue(of: column, in: table.schema, body)
    }
    let content = read(&reading)
    if let refusal = reading.refusal { throw Failure(refusal) }
    for note in reading.notes { table.others.tellOnce("note: \(note)") }
    return content
  }

  /// Whether a text that names no column may be more than a name.
  private static func isExpression(_ text: String) -> Bool {
    text.contains { "():.+-*/%|'[".contains($0) } || text.lowercased().hasSuffix(" ignoring case")
  }

  /// Reads a column or an expression. A column's name without quotes is always that column, even if it is also a keyword or an
  /// expression; so is any other text without the signs of an expression.
  private func key(
    _ text: String, _ option: OptionDescription, resolve: Resolution<AnyExpression>,
    parts: (AnyExpression) -> QueryParts
  ) throws(Failure) -> AnyExpression {
    let parse = { (parameters: QueryParameters) throws(ParseError) in try ParsedText(expression: text, parameters) }
    guard let table else {
      // Only where the table is known is it known which names there are.
      let isName = !Self.isExpression(text)
      let content = (try? parse(parameters.values(in: nil, ParameterMisfits())))?.content
      return isName ? .key(text) : content ?? .key(text)
    }
    let isName = table.schema.columns.contains(named: text) || !Self.isExpression(text)
    if !isName || (try? parse(.none))?.content == .key(text) {
      return try read(option, pointsAtStart: true, parse, resolve: resolve, parts: parts)
    }
    do throws(QueryError) {
      try resolve(.key(text), table.schema, table.others.find)
    } catch {
      let better = error.betterSuggestion(caret: nil, in: table.schema, with: table.others.find)
      throw Failure(error, caret: nil, suggestion: better)
    }
    return .key(text)
  }
}
