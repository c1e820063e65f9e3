public import Query

/// A compiler of requests to one dialect's SQL.
///
/// ```swift
/// let compiler = Compiler(for: SQLiteDialect())
/// let request = try FetchRequest(.greaterThan(key: "weight", value: 90.0), limit: 3).resolved(in: table)
/// compiler.select(request).sql
/// // SELECT "id", "weight" FROM "pokemon" WHERE "weight" > ? ORDER BY "id" ASC LIMIT ?
/// ```
///
/// It needs no connection and no model type. Requests were checked against the table when they were resolved, so compilation
/// can't fail.
public struct Compiler: Sendable {
  /// The dialect of the SQL.
  public let dialect: any Dialect

  /// Makes a compiler for one dialect.
  public init(for dialect: any Dialect) {
    self.dialect = dialect
  }

  /// Returns a statement that selects all columns of the rows that match a request, in its order.
  public func select(_ request: ResolvedRequest) -> CompiledStatement { writing(request).statement }

  /// Returns a statement that selects all columns of the row with a key, whose values are to be bound in the order of the
  /// key's columns, in the form in which the columns hold them.
  public func selectByKey(of table: TableSchema) -> String {
    let key = table.primaryKeyColumns.enumerated().map { position, column in
      "\(dialect.quoted(column.name)) = \(dialect.placeholder(position + 1))"
    }
    return "SELECT \(results(table.columns)) FROM \(dialect.quoted(table.name)) WHERE \(key.joined(separator: " AND "))"
  }

  /// Returns a statement that counts the rows that match a query.
  public func count(_ query: ResolvedQuery) -> CompiledStatement { writingCount(query).statement }

  /// Returns a statement that selects all columns of the rows that match a request, followed by further expressions.
  package func select(_ request: ResolvedRequest, and expressions: [String]) -> CompiledStatement {
    writing(request, and: expressions).statement
  }

  /// - Parameter columns: the positions of the selected columns; all by default.
  func writing(
    _ request: ResolvedRequest, columns: [Int]? = nil, and expressions: [String] = []
  ) -> StatementWriter {
    // A further expression may be a name outside of the schema, such as SQLite's rowid, which is ambiguous in a join.
    var writer = StatementWriter(dialect, request.query.scope, mayJoin: expressions.isEmpty)
    let names = columns.map { writer.results($0) } ?? writer.results(request.table.columns.indices)
    let results = ([names] + expressions).joined(separator: ", ")
    writer.write("SELECT \(results) FROM ")
    writer.writeTables(of: request.query.predicate)
    write(request.query, to: &writer)
    write(request.sort.terms, to: &writer)
    writeRange(of: request, to: &writer)
    return writer
  }

  func writingCount(_ query: ResolvedQuery) -> StatementWriter {
    var writer = StatementWriter(dialect, query.scope)
    writer.write("SELECT count(*) FROM ")
    writer.writeTables(of: query.predicate)
    write(query, to: &writer)
    return writer
  }

  func write(_ query: ResolvedQuery, to writer: inout StatementWriter) {
    if case .all(let clauses) = query.predicate, clauses.isEmpty { return }
    writer.write(" WHERE ")
    writer.write(query.predicate)
  }

  func names(_ columns: some Sequence<ColumnSchema>) -> String {
    columns.map { dialect.quoted($0.name) }.joined(separator: ", ")
  }

  /// Returns columns of a result, separated by commas.
  func results(_ columns: some Sequence<ColumnSchema>) -> String {
    columns.map { dialect.resultTerm(dialect.term($0)) }.joined(separator: ", ")
  }
}

extension Compiler {
  /// Returns a statement that computes aggregates: it selects, for each group, its keys and then its aggregates.
  ///
  /// Groups are unordered: there are fewer of them than rows, so every store sorts and limits them in
  /// ``/Query/ResolvedAggregates``.
  public func select(_ aggregates: ResolvedAggregates) -> CompiledStatement {
    var writer = StatementWriter(dialect, aggregates.query.scope)
    let keys = aggregates.groups.map { writer.term($0) }
    let columns =
      keys.map(dialect.groupKey)
      + aggregates.aggregates.map { aggregate in
        dialect.aggregate(aggregate.function, of: aggregate.column.map { writer.term($0) }, isReal: aggregate.isReal)
      }
    writer.write("SELECT \(columns.joined(separator: ", ")) FROM ")
    writer.writeTables(of: aggregates.query.predicate)
    write(aggregates.query, to: &writer)
    if !keys.isEmpty { writer.write(" GROUP BY \(keys.map(dialect.groupTerm).joined(separator: ", "))") }
    return writer.statement
  }

  /// Returns the keys and aggregates of a group, for ``/Query/ResolvedAggregates``.
  ///
  /// - Parameter row: the result of the statement for the group.
  package func values(of row: [Value], for aggregates: ResolvedAggregates) -> [Value] {
    let scope = aggregates.query.scope
    return row.prefix(aggregates.groups.count)
      + zip(aggregates.aggregates, row.dropFirst(aggregates.groups.count)).map { aggregate, found in
        dialect.aggregate(
          aggregate.function, of: aggregate.column.map { scope.column($0) }, isReal: aggregate.isReal, from: found)
      }
  }
}

extension StatementWriter {
  /// Returns columns of the clause's table as those of a result, separated by commas.
  mutating func results(_ columns: some Sequence<Int>) -> String {
    columns.map { dialect.resultTerm(term($0)) }.joined(separator: ", ")
  }
}
