import Query
import Repository
import SQL
import SQLStore

/// The number that a database gives each row of a table, where no column of the table is another name of it.
struct RowNumber {
  /// The column that stands for the number in statements.
  let column: ColumnSchema

  /// The row numbers of a table.
  ///
  /// - Parameter definition: a table of SQLite.
  /// - Returns: `nil` where rows have none, and where a column has the number.
  static func find(of definition: TableDefinition, in store: SQLDatabase) throws(RepositoryError) -> Finding {
    let table = definition.schema
    if definition.isWithoutRowid || table.primaryKeyColumns.contains(where: \.isGenerated) { return .none }
    let traits = try store.runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inspection.traits(of: table)
    }
    guard case .rowNumber(let name) = traits.identity else { return .hidden }
    return .found(RowNumber(column: ColumnSchema(name, .integer)))
  }

  enum Finding {
    case none, found(RowNumber)
    /// Columns have all names of the number, so that no statement reaches it.
    case hidden
  }

  /// Passes rows to a closure, each with its number in front.
  ///
  /// - Parameters:
  ///   - columns: the columns that are read.
  ///   - body: takes the values of a row, and returns whether to continue.
  func forEachRow(
    of table: TableSchema, _ columns: [ColumnSchema], in store: SQLDatabase, _ body: ([Value]) -> Bool
  ) throws(RepositoryError) {
    try store.runBlocking(.read) { connection throws(RepositoryError) in
      let names = ([column] + columns).map { connection.quoted($0.name) }.joined(separator: ", ")
      let statement = CompiledStatement(sql: "SELECT \(names) FROM \(connection.quoted(table.name))", bindings: [])
      try connection.read(statement) { row throws(RepositoryError) in
        var count = 0
        while try row.step() {
          count += 1
          var values: [Value] = []
          for position in 0...columns.count {
            do throws(ValueError) {
              values.append(try row.value(at: position))
            } catch {
              throw .unreadableRow(
                error, column: columns[position - 1].name, key: Array(values.prefix(1)), at: count, in: table)
            }
          }
          if !body(values) { return }
        }
      }
    }
  }
}
