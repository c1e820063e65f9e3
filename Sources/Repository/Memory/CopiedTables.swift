package import Query

/// Tables that were read from another store, for queries in memory.
///
/// The rows may break the constraints of their table, as those of a database may that enforces none.
package struct CopiedTables: Sendable {
  private var tables = MemoryTables()

  package init() {}

  package func contains(_ table: String) -> Bool { tables.table(named: table) != nil }

  /// Adds a table with its rows, in their order.
  package mutating func add(_ rows: [[Value]], of schema: TableSchema) {
    var table = MemoryTable(schema)
    for row in rows { _ = table.add(row) }
    tables.add(table)
  }

  /// Returns the rows of a projection.
  ///
  /// - Parameter isSorted: whether the rows are in the order of the sort, rather than in the one in which they were added.
  package func rows(
    _ projection: ResolvedProjection, of table: TableSchema, isSorted: Bool = true
  ) throws(RepositoryError) -> [[Value]] {
    let needsOrder = projection.isDistinct || projection.groupLimit != nil || projection.request.isReversed
    return try tables.table(table).rows(projection, isSorted: isSorted || needsOrder, beside: tables)
  }

  /// Returns the number of rows that match a query.
  package func count(_ query: ResolvedQuery, of table: TableSchema) throws(RepositoryError) -> Int {
    try tables.table(table).count(query, beside: tables)
  }

  /// Computes aggregates of the rows that match a query.
  package func aggregate(
    _ aggregates: ResolvedAggregates, of table: TableSchema
  ) throws(RepositoryError) -> [AggregateRow] {
    let table = try tables.table(table)
    do throws(AggregateError) {
      return try table.aggregate(aggregates, beside: tables)
    } catch {
      throw RepositoryError(error)
    }
  }
}
