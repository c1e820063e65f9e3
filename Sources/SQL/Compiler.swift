public import Query

/// Turns requests into one dialect's SQL.
///
/// ```swift
/// let compiler = Compiler(for: SQLiteDialect())
/// let request = try FetchRequest(.greaterThan(key: "weight", value: 90.0), limit: 3).resolved(in: table)
/// compiler.select(request).sql
/// // SELECT "id", "weight" FROM "pokemon" WHERE "weight" > ? ORDER BY "id" ASC NULLS FIRST LIMIT ?
/// ```
///
/// It asks no connection and knows no model type; what it is given has been checked against the table, so it can't fail.
public struct Compiler: Sendable {
  /// The database whose SQL is written.
  public let dialect: any Dialect

  /// Makes a compiler for one dialect.
  public init(for dialect: any Dialect) {
    self.dialect = dialect
  }

  /// Selects all columns of the rows that a request means, in its order.
  public func select(_ request: ResolvedRequest) -> CompiledStatement { writing(request).statement }

  /// Selects all columns of the row with a key, whose values are to be bound in the order of the key's columns, in the form in
  /// which the columns hold them.
  public func selectByKey(of table: TableSchema) -> String {
    let key = table.primaryKeyColumns.enumerated().map { position, column in
      "\(dialect.quoted(column.name)) = \(dialect.placeholder(position + 1))"
    }
    return "SELECT \(names(table.columns)) FROM \(dialect.quoted(table.name)) WHERE \(key.joined(separator: " AND "))"
  }

  /// Counts the rows that a query means.
  public func count(_ query: ResolvedQuery) -> CompiledStatement { writingCount(query).statement }

  /// Selects all columns of the rows that a request means, and what else is wanted of each row behind them.
  package func select(_ request: ResolvedRequest, and expressions: [String]) -> CompiledStatement {
    writing(request, and: expressions).statement
  }

  func writing(_ request: ResolvedRequest, and expressions: [String] = []) -> StatementWriter {
    var writer = StatementWriter(dialect, request.table)
    let results = ([names(request.table.columns)] + expressions).joined(separator: ", ")
    writer.write("SELECT \(results) FROM \(dialect.quoted(request.table.name))")
    write(request.query, to: &writer)
    writer.write(" ORDER BY ")
    let terms = request.sort.terms.map { term in
      dialect.sortTerm(
        request.table.columns[term.column], ascending: term.direction == .ascending, nullsFirst: term.nulls == .first)
    }
    writer.write(terms.joined(separator: ", "))
    writer.write(dialect.range(limit: request.limit, offset: request.offset, bind: { writer.bind($0) }))
    return writer
  }

  func writingCount(_ query: ResolvedQuery) -> StatementWriter {
    var writer = StatementWriter(dialect, query.table)
    writer.write("SELECT count(*) FROM \(dialect.quoted(query.table.name))")
    write(query, to: &writer)
    return writer
  }

  func write(_ query: ResolvedQuery, to writer: inout StatementWriter) {
    if case .all(let clauses) = query.clause, clauses.isEmpty { return }
    writer.write(" WHERE ")
    writer.write(query.clause)
  }

  func names(_ columns: some Sequence<ColumnSchema>) -> String {
    columns.map { dialect.quoted($0.name) }.joined(separator: ", ")
  }
}
