import Query
import Repository

extension TableSchema {
  /// The table as the database keeps it, where that is less strict than the schema: what a query means is checked against
  /// the schema, and its SQL has to make up for conversions and collations that the schema knows nothing of.
  ///
  /// - Returns: `nil` where the database's table is as strict as the schema.
  func loosened(like present: TableSchema) throws(RepositoryError) -> TableSchema? {
    var isLoose = false
    let columns = columns.map { column in
      guard let found = present.columns.first(where: { $0.isCalled(column.name) }),
        found.loose != nil || found.collation != nil
      else { return column }
      isLoose = true
      return ColumnSchema(
        column.name, found.loose == nil ? column.type : found.type, isNullable: column.isNullable,
        isUnique: column.isUnique, isIndexed: column.isIndexed,
        isGenerated: column.isGenerated, loose: found.loose, collation: found.collation)
    }
    guard isLoose else { return nil }
    do throws(QueryError) {
      return try TableSchema(name, columns: columns, primaryKey: primaryKeyColumns.map(\.name))
    } catch {
      throw RepositoryError(error)
    }
  }
}
