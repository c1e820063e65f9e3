/// A part of a text that can be resolved by itself.
struct QueryPart {
  enum Content {
    case query(AnyQuery)
    case expression(AnyExpression)
    /// A path, and where each of its steps begins.
    case path([String], offsets: [Int])
    case assignment(Assignment)
  }

  let content: Content
  /// Where it stands in the text's UTF-8.
  let range: Range<Int>
  /// The tables to whose rows it leads, the innermost last; none for what is about the rows of the text's own table.
  var tables: [String]
  /// Whether it is about groups of rows.
  let isOfGroups: Bool
}

extension QueryParser {
  /// Keeps a part that ends before the current token, where parts are wanted.
  mutating func note(_ content: @autoclosure () -> QueryPart.Content, from start: Token) {
    if parts == nil { return }
    let content = content()
    // A path keeps where its steps are, which was noted before.
    if case .expression(let expression) = content, case .path = expression.form { return }
    let end = max(start.range.upperBound, reader.previous?.range.upperBound ?? 0)
    parts?.append(
      QueryPart(
        content: content, range: start.range.lowerBound..<end, tables: relatedTables, isOfGroups: isOfGroups))
  }

  /// Notes that parts are about the rows of a related table, which is named behind them.
  mutating func relate(partsFrom first: Int?, to table: String) {
    guard let first, let count = parts?.count else { return }
    for index in first..<count { parts?[index].tables.insert(table, at: relatedTables.count) }
  }

  /// Forgets parts that turned out to mean something else.
  mutating func forget(partsFrom first: Int?) {
    if let first { parts?.removeSubrange(first...) }
  }
}

extension QueryPart {
  /// Where the part is wrong, if that is the error of the whole text.
  ///
  /// - Parameter keys: by what rows are grouped, for a part that is about groups.
  fileprivate func offset(
    of error: QueryError, in table: TableSchema, groupedBy keys: [AnyExpression], with tables: @escaping TableLookup
  ) -> Int? {
    var table = table
    for name in self.tables {
      guard let related = try? tables(name) else { return nil }
      table = related
    }
    func refusal(of content: Content) -> QueryError? {
      do throws(QueryError) {
        try resolve(content, in: table, groupedBy: keys, with: tables)
        return nil
      } catch {
        return error
      }
    }
    guard let own = refusal(of: content), own.code == error.code, own.summary == error.summary else { return nil }
    guard case .path(let steps, let offsets) = content else { return range.lowerBound }
    for last in steps.indices.dropFirst() {
      guard let refusal = refusal(of: .path(Array(steps[...last]), offsets: offsets)) else { continue }
      // Either the column at the end is missing, or the one before it refers to nothing.
      return offsets[refusal.code == .unknownKey ? last : last - 1]
    }
    return range.lowerBound
  }

  private func resolve(
    _ content: Content, in table: TableSchema, groupedBy keys: [AnyExpression], with tables: @escaping TableLookup
  ) throws(QueryError) {
    var resolver = ScopeResolver(table, tables)
    switch content {
    case .query(let query) where isOfGroups:
      _ = try AggregateRequest([.count], groupedBy: keys, having: query).resolved(in: table, with: tables)
    case .expression(let expression) where isOfGroups:
      let query = !AnyQuery.isNull(expression)
      _ = try AggregateRequest([.count], groupedBy: keys, having: query).resolved(in: table, with: tables)
    case .query(let query): _ = try query.resolved(in: table, with: tables)
    case .expression(let expression): _ = try resolver.position(of: expression)
    case .path(let steps, _): _ = try resolver.position(of: AnyExpression(.path(steps)))
    case .assignment(let assignment):
      // Its key is a part of its own.
      guard table.columns.contains(named: assignment.key) else { return }
      _ = try ResolvedAssignments([assignment], in: table, keysMayChange: true, with: tables)
    }
  }
}

// MARK: - Pointing at an error

/// What a text says, and where its parts stand in it: an error that comes to light when they are resolved can be pointed at.
package struct ParsedText<Content> {
  /// What the text says.
  package let content: Content
  private let reader: TokenReader
  private let parts: [QueryPart]

  fileprivate init(
    _ text: String, _ parameters: QueryParameters, isOfGroups: Bool = false,
    _ read: (inout QueryParser) throws(ParseError) -> Content
  ) throws(ParseError) {
    var parser = QueryParser(text, parameters, isOfGroups: isOfGroups)
    parser.parts = []
    content = try read(&parser)
    (reader, parts) = (parser.reader, parser.parts ?? [])
  }

  /// The line of the text to which an error belongs, and below it a `^` below the part that is to blame: the smallest one
  /// that is refused in the same words when it is resolved by itself.
  ///
  /// - Parameters:
  ///   - keys: by what rows are grouped, for a text about groups.
  ///   - tables: finds the other tables that the text leads to.
  /// - Returns: `nil` where no part is.
  package func caret(
    at error: QueryError, in table: TableSchema, groupedBy keys: [AnyExpression] = [],
    with tables: @escaping TableLookup
  ) -> String? {
    for part in parts.sorted(by: { $0.range.count < $1.range.count }) {
      guard let offset = part.offset(of: error, in: table, groupedBy: keys, with: tables) else { continue }
      return CaretLines(text: reader.text, position: reader.position(of: offset)).description
    }
    return nil
  }
}

extension ParsedText {
  /// The first line of the text with a `^` below its beginning, for an error of all of it.
  package var caretAtStart: String { CaretLines(text: reader.text, position: 0).description }
}

extension ParsedText<AnyQuery> {
  package init(query text: String, _ parameters: QueryParameters) throws(ParseError) {
    try self.init(text, parameters) { parser throws(ParseError) in try parser.parse() }
  }

  package init(having text: String, _ parameters: QueryParameters) throws(ParseError) {
    try self.init(text, parameters, isOfGroups: true) { parser throws(ParseError) in try parser.parse() }
  }
}

extension ParsedText<AnySort> {
  package init(sort text: String, _ parameters: QueryParameters) throws(ParseError) {
    try self.init(text, parameters) { parser throws(ParseError) in
      var sort = SortParser(parser)
      let terms = try sort.parse()
      parser = sort.parser
      return terms
    }
  }
}

extension ParsedText<AnyExpression> {
  package init(expression text: String, _ parameters: QueryParameters) throws(ParseError) {
    try self.init(text, parameters) { parser throws(ParseError) in try parser.parseExpression() }
  }
}

extension ParsedText<AnyAggregate> {
  package init(aggregate text: String, _ parameters: QueryParameters) throws(ParseError) {
    try self.init(text, parameters, isOfGroups: true) { parser throws(ParseError) in try parser.parseAggregate() }
  }
}

extension ParsedText<[ProjectedColumn]> {
  package init(columns text: String, _ parameters: QueryParameters) throws(ParseError) {
    try self.init(text, parameters) { parser throws(ParseError) in try parser.parseColumns() }
  }
}

extension ParsedText<Assignment> {
  package init(assignment text: String, _ parameters: QueryParameters) throws(ParseError) {
    try self.init(text, parameters) { parser throws(ParseError) in try parser.parseAssignments(isOne: true)[0] }
  }
}
