import Query
import SQLInspection
import SQLStore

/// Reads a call's texts in the query language, with its parameters, and points at their errors.
struct QueryReader {
  private let parameters: Parameters
  private let table: (schema: TableSchema, others: OtherTables)?

  /// A reader that only checks syntax, before anything is opened.
  init(_ parameters: Parameters) {
    (self.parameters, table) = (parameters, nil)
  }

  /// A reader of texts about the rows of a table.
  init(_ parameters: Parameters, in schema: TableSchema, beside others: OtherTables) {
    (self.parameters, table) = (parameters, (schema, others))
  }

  /// Reads a condition.
  func query(_ text: String) throws(Failure) -> AnyQuery {
    try read(nil) { parameters throws(ParseError) in
      try ParsedText(query: text, parameters)
    } before: { query throws(Failure) in
      guard let table else { return }
      do throws(QueryError) {
        try DecimalColumns(table: table.schema, store: table.others.store).check(query)
      } catch {
        throw Failure(error)
      }
    } check: { query, table, tables throws(QueryError) in
      _ = try query.resolved(in: table, with: tables)
    }
  }

  /// A query with dates as their columns have them: a day as that whole day where there are times, and a date as a number where
  /// that is said. What was read so is told.
  func readingDates(
    _ query: AnyQuery, _ forms: [(column: String, type: DateForm)] = []
  ) throws(Failure) -> AnyQuery {
    guard let table else { return query }
    for (column, _) in forms {
      do throws(QueryError) {
        _ = try table.schema.position(of: column)
      } catch {
        throw Failure(error).at(OptionDescription.dates.name)
      }
    }
    var reading = DateReading(of: table.schema, forms: forms.map { ($0.column, $0.type) }) { column, body in
      try table.others.forEachValue(of: column, in: table.schema, body)
    }
    let read = reading.read(query)
    for note in reading.notes { StandardStreams.report("note: \(note)\n") }
    return read
  }

  /// Reads a sort order.
  ///
  /// - Parameter columns: the columns of the result, which may be named, too.
  func sort(
    _ text: String, _ option: OptionDescription = .sort, of columns: [ProjectedColumn] = []
  ) throws(Failure) -> AnySort {
    try read(option) { parameters throws(ParseError) in
      try ParsedText(sort: text, parameters)
    } check: { sort, table, tables throws(QueryError) in
      let names = columns.isEmpty ? table.columns.map { .key($0.name) } : columns
      _ = try ProjectionRequest(names, of: FetchRequest(sortedBy: sort)).resolved(in: table, with: tables)
    }
  }

  /// Reads a condition on groups.
  func having(
    _ text: String, groupedBy keys: [AnyExpression], _ option: OptionDescription
  ) throws(Failure) -> AnyQuery {
    try read(option, groupedBy: keys) { parameters throws(ParseError) in
      try ParsedText(having: text, parameters)
    } check: { query, table, tables throws(QueryError) in
      _ = try AggregateRequest([.count], groupedBy: keys, having: query).resolved(in: table, with: tables)
    }
  }

  /// An aggregate, as `sum(weight where legendary = true)`.
  func aggregate(_ text: String, _ option: OptionDescription) throws(Failure) -> AnyAggregate {
    try read(option) { parameters throws(ParseError) in
      try ParsedText(aggregate: text, parameters)
    } check: { aggregate, table, tables throws(QueryError) in
      _ = try AggregateRequest([aggregate]).resolved(in: table, with: tables)
    }
  }

  /// An aggregate of what an option names.
  func aggregate(
    _ function: AnyAggregate.Function, of text: String, _ option: OptionDescription
  ) throws(Failure) -> AnyAggregate {
    func aggregate(_ key: AnyExpression) -> AnyAggregate { AnyAggregate(function, of: key) }
    let key = try key(text, option) { key, table, tables throws(QueryError) in
      _ = try AggregateRequest([aggregate(key)]).resolved(in: table, with: tables)
    }
    return aggregate(key)
  }

  /// An aggregate as an order names it, in its text form or with `avg` instead of `average`; `nil` for any other text.
  func aggregate(like text: String) -> AnyAggregate? {
    let isShort = text.lowercased().hasPrefix("avg")
    let parse = { try? AnyAggregate(parsing: isShort ? "average" + text.dropFirst(3) : text) }
    return parse() ?? (try? ParsedText(aggregate: text, parameters.values(in: table, ParameterMisfits())).content)
  }

  /// What an option names: a column, or else an expression.
  func key(_ text: String, _ option: OptionDescription) throws(Failure) -> AnyExpression {
    try key(text, option) { key, table, tables throws(QueryError) in
      var resolver = ScopeResolver(table, tables)
      _ = try resolver.position(of: key)
    }
  }

  /// The columns of a result.
  func columns(_ text: String, _ option: OptionDescription) throws(Failure) -> [ProjectedColumn] {
    try read(option) { parameters throws(ParseError) in
      try ParsedText(columns: text, parameters)
    } check: { columns, table, tables throws(QueryError) in
      _ = try ProjectionRequest(columns).resolved(in: table, with: tables)
    }
  }

  /// What a column is given, as `weight = weight * 2`.
  func assignment(
    _ text: String, _ check: (Assignment, TableSchema, @escaping TableLookup) throws(QueryError) -> Void
  ) throws(Failure) -> Assignment {
    try read(
      nil, isOneThing: true,
      { parameters throws(ParseError) in
        try ParsedText(assignment: text, parameters)
      }, check: check)
  }

  // MARK: -

  private typealias Check<Content> = (Content, TableSchema, @escaping TableLookup) throws(QueryError) -> Void

  private func read<Content>(
    _ option: OptionDescription?, groupedBy keys: [AnyExpression] = [], isOneThing: Bool = false,
    _ parse: (QueryParameters) throws(ParseError) -> ParsedText<Content>,
    before: (Content) throws(Failure) -> Void = { _ in }, check: Check<Content>
  ) throws(Failure) -> Content {
    let misfits = ParameterMisfits()
    let parsed: ParsedText<Content>
    do throws(ParseError) {
      parsed = try parse(parameters.values(in: table, misfits))
    } catch {
      let failure = Failure(error).adding(
        error.summary.hasSuffix("found `match`")
          ? "\(FullTextMatch.option.name) 'words' asks the index of a full-text table" : nil)
      throw option.map { failure.at($0.name) } ?? failure
    }
    guard let table else { return parsed.content }
    try misfits.check()
    try before(parsed.content)
    do throws(QueryError) {
      try check(parsed.content, table.schema, table.others.find)
    } catch {
      let caret = parsed.caret(at: error, in: table.schema, groupedBy: keys, with: table.others.find)
      throw Failure(error, caret: caret ?? (isOneThing ? parsed.caretAtStart : nil)).adding(
        Self.adviceOnJSON(error, in: table.schema))
    }
    return parsed.content
  }

  /// What to do where a path leads into a column of texts, which may hold JSON.
  private static func adviceOnJSON(_ error: QueryError, in table: TableSchema) -> String? {
    let column = table.columns.first { error.summary == "\($0.name) of \(table.name) refers to no other table" }
    guard let column, column.type == .text || column.type == .any else { return nil }
    return "no path leads into JSON: \(column.name) contains '\"city\": \"Rome\"' finds a part of its text"
  }

  /// Whether a text that names no column may be more than a name.
  private static func isExpression(_ text: String) -> Bool {
    text.contains { "():.+-*/%|'".contains($0) } || text.lowercased().hasSuffix(" ignoring case")
  }

  /// A name without quotes is what it is, whatever it would mean in a query.
  private func key(
    _ text: String, _ option: OptionDescription, check: Check<AnyExpression>
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
      return try read(option, isOneThing: true, parse, check: check)
    }
    do throws(QueryError) {
      try check(.key(text), table.schema, table.others.find)
    } catch {
      throw Failure(error)
    }
    return .key(text)
  }
}
