/// How a database of several servers spreads a table's rows over them. Databases of one server keep all together.
public enum TableDistribution: Hashable, Sendable {
  /// By the value of a column: rows that hold the same one are on the same server.
  case by(String)
  /// Each server has all rows, so that all tables may refer to them.
  case reference
}

extension TableSchema {
  /// The table with its rows spread over the servers of a database that has several, as Citus does.
  ///
  /// ```swift
  /// let visits = try visits.distributed(.by("trainer_id"))
  /// ```
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/invalidSchema`` where the column is none, or may be null.
  public func distributed(_ distribution: TableDistribution) throws(QueryError) -> TableSchema {
    if case .by(let name) = distribution {
      guard let column = columns.first(named: name) else {
        throw .invalidSchema(self.name, "its rows are distributed by \(name), which is no column")
      }
      if column.isNullable {
        throw .invalidSchema(self.name, "its rows are distributed by \(name), which may be null")
      }
    }
    return keeping(distribution)
  }

  /// The first rule of uniqueness, the primary key included, that no server can keep alone, since rows with the same values may
  /// be on several; `nil` where there is none.
  package var undistributableRule: [String]? {
    guard case .by(let name) = distribution, let position = columns.firstIndex(named: name) else { return nil }
    let alone = columns.indices.filter { columns[$0].isUnique }.map { [$0] }
    let keys = primaryKey.isEmpty ? [] : [primaryKey]
    return (keys + alone + uniqueSets).first { !$0.contains(position) }?.map { columns[$0].name }
  }
}
