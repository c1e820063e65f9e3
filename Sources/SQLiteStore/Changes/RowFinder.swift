import Query
import Repository
import SQL

/// Reads rows as they are now, one by one.
struct RowFinder {
  private let text: StatementText
  private let columnCount: Int

  /// Makes a finder; `nil` for a table whose rows can't be found again.
  init?(in table: TableSchema, _ traits: TableTraits) {
    let dialect = SQLiteStore.compiler.dialect
    let condition: String
    switch traits.identity {
    case .rowNumber(let name): condition = "\(name) = ?"
    case .key: condition = table.primaryKeyColumns.map { "\(dialect.quoted($0.name)) = ?" }.joined(separator: " AND ")
    case .none: return nil
    }
    let names = table.columns.map { dialect.quoted($0.name) }.joined(separator: ", ")
    text = StatementText("SELECT \(names) FROM \(dialect.quoted(table.name)) WHERE \(condition)")
    columnCount = table.columns.count
  }

  /// The values of a row; `nil` where it is gone.
  func row(_ identity: RowIdentity, in connection: Connection) throws(RepositoryError) -> [Value]? {
    var values: [Value]?
    try connection.query(CompiledStatement(text, bindings: identity.values)) { row in
      values = row.values(count: columnCount)
    }
    return values
  }
}
