/// A part of a text that can be resolved on its own.
struct QueryPart {
  enum Content {
    case query(AnyQuery)
    case expression(AnyExpression)
    /// A path, with the offset of each of its steps.
    case path([String], offsets: [Int])
    case assignment(Assignment)
  }

  let content: Content
  /// The range in the text's UTF-8.
  let range: Range<Int>
  /// The tables whose rows the part refers to, the innermost last; empty for rows of the text's own table.
  var tables: [String]
  /// Whether the part refers to groups of rows.
  let isOfGroups: Bool
}

extension QueryParser {
  /// Records a part that ends before the current token, if parts are needed.
  mutating func note(_ content: @autoclosure () -> QueryPart.Content, from start: Token) {
    if parts == nil { return }
    let content = content()
    // A path has been recorded already, with the offsets of its steps.
    if case .expression(let expression) = content, case .path = expression.form { return }
    let end = max(start.range.upperBound, reader.previous?.range.upperBound ?? 0)
    parts?.append(
      QueryPart(
        content: content, range: start.range.lowerBound..<end, tables: relatedTables, isOfGroups: isOfGroups))
  }

  /// Records that parts refer to the rows of a related table, whose name follows them in the text.
  mutating func relate(partsFrom first: Int?, to table: String) {
    guard let first, let count = parts?.count else { return }
    for index in first..<count { parts?[index].tables.insert(table, at: relatedTables.count) }
  }

  /// Discards parts that were read as keys, and turn out to name a table.
  mutating func forget(partsFrom first: Int?) {
    if let first { parts?.removeSubrange(first...) }
  }
}

extension QueryPart {
  /// Returns the offset of an error in the part; `nil` if resolving the part alone does not fail with the same error.
  ///
  /// - Parameter keys: the keys by which rows are grouped, for a part that refers to groups.
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
      // Either the column at the end is missing, or the one before it is not a reference.
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
      // The key of the assignment is a part of its own, which has the error for an unknown key.
      guard table.columns.contains(named: assignment.key) else { return }
      _ = try ResolvedAssignments([assignment], in: table, keysMayChange: true, with: tables)
    }
  }
}

// MARK: - Pointing at an error

/// The content of a text, with the positions of its parts, so that an error in resolving can be located.
package struct ParsedText<Content> {
  /// The parsed content.
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

  /// Returns the line of the text with an error, and a `^` below the part that causes it: the smallest one for which
  /// resolving fails with the same message.
  ///
  /// - Parameters:
  ///   - keys: the keys by which rows are grouped, for a text on groups.
  ///   - tables: the lookup of the other tables that the text leads to.
  /// - Returns: `nil` if no part causes the error.
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
  /// The first line of the text with a `^` below its beginning, for an error of the whole text.
  package var caretAtStart: String { CaretLines(text: reader.text, position: 0).description }
}

/// A path of a text that leads into the JSON texts of a column.
package struct JSONPath {
  /// The table of the column, and the column's position.
  package let table: TableSchema, column: Int
  /// The steps within the column's texts.
  package let steps: [String]
  /// The line of the text with a `^` below the path.
  package let caret: String
}

extension ParsedText {
  /// Returns the paths of the text that lead into JSON.
  package func jsonPaths(in table: TableSchema, with tables: @escaping TableLookup) -> [JSONPath] {
    parts.compactMap { part in
      guard case .path(let steps, let offsets) = part.content else { return nil }
      let table = part.tables.reduce(table as TableSchema?) { table, name in table == nil ? nil : try? tables(name) }
      guard let table, let found = table.jsonPlace(of: steps, with: tables) else { return nil }
      let caret = CaretLines(text: reader.text, position: reader.position(of: offsets[found.step])).description
      return JSONPath(
        table: found.table, column: found.column, steps: Array(steps[(found.step + 1)...]), caret: caret)
    }
  }
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
