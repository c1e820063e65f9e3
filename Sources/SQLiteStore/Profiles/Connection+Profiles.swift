import Query
import Repository
import SQL

extension Connection {
  /// Works out the profiles of some columns of the rows that a query means, a column at a time.
  func profiles(
    of columns: [ColumnSchema], in query: ResolvedQuery, commonCount: Int,
    progress: (ColumnProfile) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    for (column, bounds) in zip(columns, try bounds(of: columns, in: query)) {
      var builder = ProfileBuilder(column, bounds, commonCount: commonCount)
      let statement = SQLiteDialect().values(of: column, in: query)
      try self.query(statement) { row in
        builder.add(try? row.value(at: 0), times: Int(row.integer(1)))
      }
      // Where an integer and a real may be equal, they are one of the values that differ.
      let isMixed = column.type == .any || column.collation == ColumnSchema.unknownCollation
      let types = isMixed ? try types(of: column, in: query) : nil
      try progress(builder.profile(types: types))
    }
  }

  /// In batches, since a result may have 2,000 columns at most.
  private func bounds(
    of columns: [ColumnSchema], in query: ResolvedQuery
  ) throws(RepositoryError) -> [ProfileBuilder.Bounds] {
    var bounds: [ProfileBuilder.Bounds] = []
    for start in stride(from: 0, to: columns.count, by: 200) {
      let batch = Array(columns[start..<min(columns.count, start + 200)])
      try self.query(SQLiteDialect().ranges(of: batch, in: query)) { row in
        let rowCount = Int(row.integer(0))
        for position in batch.indices {
          bounds.append(
            ProfileBuilder.Bounds(
              rowCount: rowCount, valueCount: Int(row.integer(3 * position + 1)),
              least: (try? row.value(at: 3 * position + 2)) ?? .null,
              greatest: (try? row.value(at: 3 * position + 3)) ?? .null))
        }
      }
    }
    return bounds
  }

  private func types(of column: ColumnSchema, in query: ResolvedQuery) throws(RepositoryError) -> [ValueType: Int] {
    var counts: [ValueType: Int] = [:]
    try self.query(SQLiteDialect().types(of: column, in: query)) { row in
      if let type = ValueType(rawValue: row.text(0)) { counts[type] = Int(row.integer(1)) }
    }
    return counts
  }
}
