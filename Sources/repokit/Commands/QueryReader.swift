import Query
import SQLInspection
import SQLStore

/// Reads a call's texts in the query language, with its parameters, and points at their errors.
struct QueryReader {
  private let parameters: Parameters
  private let table: (schema: TableSchema, others: OtherTables)?
  /// The columns that hold dates as numbers.
  private var dates: [(column: String, type: NumericDateForm)] = []

  /// A reader that only checks syntax, before anything is opened.
  init(_ parameters: Parameters) {
    (self.parameters, table) = (parameters, nil)
  }

  /// A reader of texts about the rows of a table.
  ///
  /// - Parameter dates: the columns that hold dates as numbers.
  init(
    _ parameters: Parameters, in schema: TableSchema, beside others: OtherTables,
    dates: [(column: String, type: NumericDateForm)] = []
  ) {
    (self.parameters, table, self.dates) = (parameters, (schema, others), dates)
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

  /// A query whose dates have the form of their columns: a day in a column of times becomes a whole day, and a date in a column
  /// of numbers becomes a number. The conversions are reported on stderr.
  func readingDates(_ query: AnyQuery) throws(Failure) -> AnyQuery {
    functionNotes?.tell(of: query)
    expressionNotes?.tell(of: query)
    return try readingDates(query) { $0.read(query) }
  }

  private var functionNotes: DateFunctionNotes? {
    table.map { DateFunctionNotes(table: $0.schema, others: $0.others, dates: dates) }
  }

  private var expressionNotes: ExpressionNotes? { table.map { ExpressionNotes(table: $0.schema, others: $0.others) } }

  /// Returns the content of a text as a closure reads it, with dates in the form of their columns.
  private func readingDates<Content>(
    _ content: Content, of expressions: [AnyExpression] = [], _ read: (inout DateReading) -> Content
  ) throws(Failure) -> Content {
    guard let table else { return content }
    for expression in expressions {
      functionNotes?.tell(of: expression)
      expressionNotes?.tell(of: expression)
    }
    for (column, _) in dates {
      do throws(QueryError) {
        _ = try table.schema.position(of: column)
      } catch {
        throw Failure(error).at(OptionDescription.dates.name)
      }
    }
    var reading = DateReading(of: table.schema, forms: dates.map { ($0.column, $0.type) }) { column, body in
      try table.others.forEachValue(of: column, in: table.schema, body)
    }
    let content = read(&reading)
    if let refusal = reading.refusal { throw Failure(refusal) }
    for note in reading.notes { table.others.tellOnce("note: \(note)") }
    return content
  }

  /// Reads a sort order.
  ///
  /// - Parameter columns: the columns of the result, which may be named, too.
  func sort(
    _ text: String, _ option: OptionDescription = .sort, of columns: [ProjectedColumn] = []
  ) throws(Failure) -> AnySort {
    let sort = try read(option) { parameters throws(ParseError) in
      try ParsedText(sort: text, parameters)
    } check: { sort, table, tables throws(QueryError) in
      let names = columns.isEmpty ? table.columns.map { .key($0.name) } : columns
      _ = try ProjectionRequest(names, of: FetchRequest(sortedBy: sort)).resolved(in: table, with: tables)
    }
    return try readingDates(sort, of: sort.terms.map(\.key)) { dates in
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
    } check: { query, table, tables throws(QueryError) in
      _ = try AggregateRequest([.count], groupedBy: keys, having: query).resolved(in: table, with: tables)
    }
    functionNotes?.tell(of: query)
    expressionNotes?.tell(of: query)
    return try dates.isEmpty ? query : readingDates(query) { $0.read(query) }
  }

  /// An aggregate, as `sum(weight where legendary = true)`.
  func aggregate(_ text: String, _ option: OptionDescription) throws(Failure) -> AnyAggregate {
    let aggregate = try read(option) { parameters throws(ParseError) in
      try ParsedText(aggregate: text, parameters)
    } check: { aggregate, table, tables throws(QueryError) in
      _ = try AggregateRequest([aggregate]).resolved(in: table, with: tables)
    }
    functionNotes?.tell(of: aggregate.query)
    expressionNotes?.tell(of: aggregate)
    return try readingDates(aggregate, of: aggregate.key.map { [$0] } ?? []) { $0.read(aggregate) }
  }

  /// An aggregate of what an option names.
  func aggregate(
    _ function: AnyAggregate.Function, of text: String, _ option: OptionDescription
  ) throws(Failure) -> AnyAggregate {
    func aggregate(_ key: AnyExpression) -> AnyAggregate { AnyAggregate(function, of: key) }
    let key = try key(text, option) { key, table, tables throws(QueryError) in
      _ = try AggregateRequest([aggregate(key)]).resolved(in: table, with: tables)
    }
    expressionNotes?.tell(of: aggregate(key))
    return try readingDates(aggregate(key), of: [key]) { $0.read(aggregate(key)) }
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
    }
    return (key, try readingDates(key, of: [key]) { $0.read(key) })
  }

  /// The columns of a result.
  func columns(_ text: String, _ option: OptionDescription) throws(Failure) -> [ProjectedColumn] {
    let columns = try read(option) { parameters throws(ParseError) in
      try ParsedText(columns: text, parameters)
    } check: { columns, table, tables throws(QueryError) in
      _ = try ProjectionRequest(columns).resolved(in: table, with: tables)
    }
    return try readingDates(columns, of: columns.map(\.expression)) { dates in
      columns.map { column in
        let read = dates.read(column.expression)
        return read == column.expression ? column : ProjectedColumn(read, as: column.name)
      }
    }
  }

  /// Reads an assignment to a column, such as `weight = weight * 2`.
  func assignment(
    _ text: String, _ check: (Assignment, TableSchema, @escaping TableLookup) throws(QueryError) -> Void
  ) throws(Failure) -> Assignment {
    let assignment = try read(
      nil, pointsAtStart: true,
      { parameters throws(ParseError) in
        try ParsedText(assignment: text, parameters)
      }, check: check)
    if assignment.value == nil { expressionNotes?.tell(of: assignment.expression) }
    return assignment
  }

  // MARK: -

  private typealias Check<Content> = (Content, TableSchema, @escaping TableLookup) throws(QueryError) -> Void

  /// Reads a text, and resolves it against the table, if that is known.
  ///
  /// - Parameters:
  ///   - pointsAtStart: whether the caret of an error that concerns no part of the text is below its start.
  ///   - before: a check of the content that precedes its resolution.
  ///   - check: resolves the content.
  private func read<Content>(
    _ option: OptionDescription?, groupedBy keys: [AnyExpression] = [], pointsAtStart: Bool = false,
    _ parse: (QueryParameters) throws(ParseError) -> ParsedText<Content>,
    before: (Content) throws(Failure) -> Void = { _ in }, check: Check<Content>
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
    try before(parsed.content)
    // What is compared with dates becomes a comparison with numbers after this.
    let schema = table.schema.acceptingAnyValue(in: dates.map(\.column))
    do throws(QueryError) {
      try check(parsed.content, schema, table.others.find)
    } catch {
      let caret = parsed.caret(at: error, in: schema, groupedBy: keys, with: table.others.find)
      throw Failure(error, caret: caret ?? (pointsAtStart ? parsed.caretAtStart : nil)).adding(
        Self.adviceOnPath(error, in: table.schema) ?? Self.adviceOnQuotes(error, in: table.schema))
    }
    for path in parsed.jsonPaths(in: table.schema, with: table.others.find) {
      guard let notes = JSONPathNotes(path, table.others) else { continue }
      if let refusal = notes.refusal { throw refusal }
      for note in notes.notes { table.others.tellOnce(note) }
    }
    return parsed.content
  }

  /// Returns the advice on a path into a column of texts of a server, which may hold JSON, or through a column that is declared to
  /// refer to nothing, as in files of Core Data.
  private static func adviceOnPath(_ error: QueryError, in table: TableSchema) -> String? {
    guard case .missingReference(let step, let owner) = error.subject else { return nil }
    let column = Name(owner) == table.name ? table.columns.first(named: step) : nil
    guard let column, column.type == .text, !column.mayHoldJSON else {
      if !table.references.isEmpty { return nil }
      let name = column.map(\.name) ?? "COLUMN"
      return
        "\(table.name) has no references: declare one with repokit column reference DATABASE \(table.name) \(name) "
        + "TARGET, or with --reference \(name)=TARGET.KEY for a file of rows"
    }
    let field = "\(Quoting.key(column.name)) #>> '{address,city}'"
    return "a query can't enter JSON on a server: create a view with \(field) as a column, and query the view"
  }

  /// Returns the advice on an unknown column that is a part of a name that needs quotes, as in `E-Mail`.
  private static func adviceOnQuotes(_ error: QueryError, in table: TableSchema) -> String? {
    guard case .missingColumn(let key, let owner) = error.subject, Name(owner) == table.name else { return nil }
    let column = table.columns.first { column in
      let parts = column.name.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      return Quoting.key(column.name) != column.name && parts.map(String.init).contains(named: key)
    }
    return column.map { "put a name with spaces or symbols in quotes: \(Quoting.key($0.name))" }
  }

  /// Whether a text that names no column may be more than a name.
  private static func isExpression(_ text: String) -> Bool {
    text.contains { "():.+-*/%|'".contains($0) } || text.lowercased().hasSuffix(" ignoring case")
  }

  /// Reads a column or an expression. A column's name without quotes is always that column, even if it is also a keyword or an
  /// expression; so is any other text without the signs of an expression.
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
      return try read(option, pointsAtStart: true, parse, check: check)
    }
    do throws(QueryError) {
      try check(.key(text), table.schema, table.others.find)
    } catch {
      throw Failure(error)
    }
    return .key(text)
  }
}
