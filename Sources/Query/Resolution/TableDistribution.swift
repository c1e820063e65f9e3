/// The distribution of a table's rows over the servers of a database. Databases with one server ignore it.
public enum TableDistribution: Hashable, Sendable {
  /// Distribution by the value of a column: rows with equal values are on the same server.
  case by(String)
  /// Replication: each server has all rows, so that all tables may refer to them.
  case reference
}

extension TableSchema {
  /// Returns the table with its rows distributed over the servers of a database that has several, such as Citus.
  ///
  /// ```swift
  /// let visits = try visits.distributed(.by("trainer_id"))
  /// ```
  ///
  /// - Throws: ``QueryError`` with the code ``QueryError/Code/invalidSchema`` if there is no such column, or it may be null.
  public func distributed(_ distribution: TableDistribution) throws(QueryError) -> TableSchema {
    if case .by(let name) = distribution {
      guard let column = columns.first(named: name) else {
        throw .invalidSchema(self.name, "the rows are distributed by \(name), which is not a column")
      }
      if column.isNullable {
        throw .invalidSchema(self.name, "the rows are distributed by \(name), which may be null")
      }
    }
    return keeping(distribution)
  }

  /// The first unique constraint, including the primary key, that no server can enforce on its own, since rows with the same
  /// values may be on several; `nil` if there is none.
  package var undistributableRule: [String]? {
    guard case .by(let name) = distribution, let position = columns.firstIndex(named: name) else { return nil }
    let alone = columns.indices.filter { columns[$0].isUnique }.map { [$0] }
    let keys = primaryKey.isEmpty ? [] : [primaryKey]
    let partial = resolvedPartialUnique().map(\.columns)
    return (keys + alone + uniqueSets + partial).first { !$0.contains(position) }?.map { columns[$0].name }
  }
}
