import Query

// The distribution of rows over the servers of a database that has several.
extension Schema {
  /// Returns the schema with elements that are distributed over the servers of a database that has several, by the value of
  /// a property: elements with equal values are on the same server.
  ///
  /// ```swift
  /// static let schema = Schema<Visit>(table: "visit") { … }.distributed(by: \.trainer)
  /// ```
  ///
  /// Stores with one server ignore the distribution. On PostgreSQL with Citus, each unique constraint and the primary key have
  /// to include the property.
  public func distributed(by property: any PartialKeyPath<Element> & Sendable) -> Schema {
    let key = key(of: property)
    return changingTable { table throws(QueryError) in try table.distributed(.by(key)) }
  }

  /// Returns the schema with elements that are replicated to each server, so that the elements of all other schemas may refer
  /// to them.
  ///
  /// Stores with one server ignore the replication.
  public func distributedAsReference() -> Schema {
    changingTable { table throws(QueryError) in try table.distributed(.reference) }
  }
}
