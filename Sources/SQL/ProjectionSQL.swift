public import Query

// Statements for some columns of rows, for computed expressions, and for the first rows of each group.
extension Compiler {
  /// Returns a statement that selects the columns of a projection.
  ///
  /// ```swift
  /// let request = try ProjectionRequest([.key("name")], isDistinct: true).resolved(in: table)
  /// compiler.select(request).sql  // SELECT "name" FROM "pokemon" GROUP BY "name" ORDER BY "name" ASC
  /// ```
  public func select(_ projection: ResolvedProjection) -> CompiledStatement { select(projection, in: .sort) }

  /// Returns a statement that selects the columns of a projection in another order.
  package func select(_ projection: ResolvedProjection, in order: ResultOrder) -> CompiledStatement {
    writing(projection, in: order).statement
  }

  /// Writes the statement that selects the columns of a projection.
  ///
  /// - Parameter isDefinition: whether values are written into the SQL itself.
  func writing(
    _ projection: ResolvedProjection, in order: ResultOrder, isDefinition: Bool = false
  ) -> StatementWriter {
    var writer = StatementWriter(dialect, projection.request.query.scope, isDefinition: isDefinition)
    writer.qualifyColumns(of: projection)
    let source = writer.source(of: projection)
    let terms = projection.columns.map { writer.term($0) }
    let names = terms.map { term in
      projection.isDistinct ? dialect.groupKey(term) : isDefinition ? term.sql : dialect.resultTerm(term)
    }
    writer.write("SELECT \(names.joined(separator: ", ")) FROM ")
    source(&writer, self)
    if projection.isDistinct { writer.write(groups(terms)) }
    write(order, of: projection, to: &writer)
    writeRange(of: projection.request, to: &writer)
    return writer
  }

  /// Returns a statement that counts the rows of a projection, without regard to its limit and its offset.
  package func count(_ projection: ResolvedProjection) -> CompiledStatement {
    var writer = StatementWriter(dialect, projection.request.query.scope)
    let source = writer.source(of: projection)
    let terms = projection.isDistinct ? projection.columns.map { writer.term($0) } : []
    writer.write(projection.isDistinct ? "SELECT count(*) FROM (SELECT 1 FROM " : "SELECT count(*) FROM ")
    source(&writer, self)
    if projection.isDistinct { writer.write(groups(terms) + ") AS \(dialect.quoted("different"))") }
    return writer.statement
  }

  func writeRange(of request: ResolvedRequest, to writer: inout StatementWriter) {
    let range = dialect.range(hasLimit: request.limit != nil, hasOffset: request.offset > 0) { bound in
      writer.bind(bound.value(limit: request.limit, offset: request.offset), .range(bound))
    }
    writer.write(range)
  }

  private func groups(_ columns: [SQLTerm]) -> String {
    " GROUP BY \(columns.map(dialect.groupTerm).joined(separator: ", "))"
  }

  /// Returns the rank of a row within its group.
  fileprivate func place(_ limit: ResolvedProjection.Limit, _ writer: inout StatementWriter) -> String {
    let keys = limit.keys.map { dialect.groupTerm(writer.term($0)) }
    let parts = [
      keys.isEmpty ? "" : "PARTITION BY \(keys.joined(separator: ", "))",
      String(order(limit.sort.terms, &writer).dropFirst()),
    ]
    return "row_number() OVER (\(parts.filter { !$0.isEmpty }.joined(separator: " ")))"
  }
}

extension StatementWriter {
  /// Qualifies the table's columns if they could be confused with those of the result, some of which have generated names.
  fileprivate mutating func qualifyColumns(of projection: ResolvedProjection) {
    guard dialect.sortsByResultNames, frame.alias == nil, projection.groupLimit == nil else { return }
    let isMade = projection.columns.contains { position in
      if frame.scope.expression(position) != nil { return true }
      let term = term(position)
      return projection.isDistinct && dialect.groupKey(term) != term.sql
    }
    if isMade { frame = makeFrame(of: frame.scope, mayJoin: true) }
  }

  /// Returns the source of a projection.
  ///
  /// The first rows of each group are selected by a subquery, which provides all requested expressions under its own names.
  ///
  /// - Returns: a closure that writes the source, after `FROM`.
  fileprivate mutating func source(
    of projection: ResolvedProjection
  ) -> (inout StatementWriter, Compiler) -> Void {
    let query = projection.request.query
    guard let limit = projection.groupLimit else {
      return { writer, compiler in
        writer.writeTables(of: query.predicate)
        compiler.write(query, to: &writer)
      }
    }
    let compiler = Compiler(for: dialect)
    let place = compiler.place(limit, &self)
    var outer: [Int: SQLTerm] = [:]
    var columns: [String] = []
    for position in projection.columns + projection.request.sort.terms.map(\.column) where outer[position] == nil {
      let inner = term(position)
      let name = dialect.quoted("c\(position)")
      columns.append("\(inner.sql) AS \(name)")
      outer[position] = SQLTerm(name, inner.column)
    }
    columns.append("\(place) AS \(dialect.quoted("place"))")
    let inner = frame
    frame.terms = outer
    return { [columns] writer, compiler in
      let frame = writer.frame
      writer.frame = inner
      writer.write("(SELECT \(columns.joined(separator: ", ")) FROM ")
      writer.writeTables(of: query.predicate)
      compiler.write(query, to: &writer)
      writer.write(") AS \(writer.dialect.quoted("ranked")) WHERE \(writer.dialect.quoted("place")) <= ")
      writer.frame = frame
      let count = writer.bind(.integer(Int64(limit.count)))
      writer.write(count)
    }
  }
}
