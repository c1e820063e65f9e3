/// A part of a query's text that can be resolved by itself.
struct QueryPart {
  enum Content {
    case query(AnyQuery)
    case expression(AnyExpression)
    /// A path, and where each of its steps begins.
    case path([String], offsets: [Int])
  }

  let content: Content
  /// Where it stands in the text's UTF-8.
  let range: Range<Int>
  /// The tables to whose rows it leads, the innermost last; none for what is about the rows of the query's own table.
  var tables: [String]
}

extension QueryParser {
  /// Keeps a part that ends before the current token, where parts are wanted.
  mutating func note(_ content: @autoclosure () -> QueryPart.Content, from start: Token) {
    if parts == nil { return }
    let content = content()
    // A path keeps where its steps are, which was noted before.
    if case .expression(let expression) = content, case .path = expression.form { return }
    let end = max(start.range.upperBound, reader.previous?.range.upperBound ?? 0)
    parts?.append(QueryPart(content: content, range: start.range.lowerBound..<end, tables: relatedTables))
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

extension TableSchema {
  /// The line of a query's text to which an error belongs, and below it a `^` below the part that is to blame: the smallest one
  /// that is refused in the same words when it is resolved by itself.
  ///
  /// - Returns: `nil` where no part is.
  package func caret(
    at error: QueryError, in text: String, parameters: Set<Name> = [],
    value: @escaping (ParameterOccurrence) -> Value = { _ in .null }, with tables: @escaping TableLookup
  ) -> String? {
    var parser = QueryParser(text, QueryParameters(parameters, value: value))
    parser.parts = []
    guard (try? parser.parse()) != nil else { return nil }
    return caret(at: error, in: text, parser, with: tables)
  }

  /// The same for the text of a sort, or of a key of one.
  package func caret(at error: QueryError, inSort text: String, with tables: @escaping TableLookup) -> String? {
    var parser = SortParser(text, notingParts: true)
    guard (try? parser.parse()) != nil else { return nil }
    return caret(at: error, in: text, parser.parser, with: tables)
  }

  private func caret(
    at error: QueryError, in text: String, _ parser: QueryParser, with tables: @escaping TableLookup
  ) -> String? {
    guard let parts = parser.parts else { return nil }
    for part in parts.sorted(by: { $0.range.count < $1.range.count }) {
      guard let offset = part.offset(of: error, in: self, with: tables) else { continue }
      return CaretLines(text: text, position: parser.reader.position(of: offset)).description
    }
    return nil
  }
}

extension QueryPart {
  /// Where the part is wrong, if that is the error of the whole query.
  fileprivate func offset(of error: QueryError, in table: TableSchema, with tables: @escaping TableLookup) -> Int? {
    var table = table
    for name in self.tables {
      guard let related = try? tables(name) else { return nil }
      table = related
    }
    guard let own = refusal(of: content, in: table, with: tables), own.code == error.code, own.summary == error.summary
    else { return nil }
    guard case .path(let steps, let offsets) = content else { return range.lowerBound }
    for last in steps.indices.dropFirst() {
      let start = Content.path(Array(steps[...last]), offsets: offsets)
      guard let refusal = refusal(of: start, in: table, with: tables) else { continue }
      // Either the column at the end is missing, or the one before it refers to nothing.
      return offsets[refusal.code == .unknownKey ? last : last - 1]
    }
    return range.lowerBound
  }

  private func refusal(
    of content: Content, in table: TableSchema, with tables: @escaping TableLookup
  ) -> QueryError? {
    var resolver = ScopeResolver(table, tables)
    do throws(QueryError) {
      switch content {
      case .query(let query): _ = try query.resolved(in: table, with: tables)
      case .expression(let expression): _ = try resolver.position(of: expression)
      case .path(let steps, _): _ = try resolver.position(of: AnyExpression(.path(steps)))
      }
      return nil
    } catch {
      return error
    }
  }
}
