import Query
import Repository
import SQL
import SQLStore

/// The number that SQLite gives each row of a table, where no column of the table is another name of it.
/// https://www.sqlite.org/lang_createtable.html#rowid
struct Rowid {
  /// The column by which statements name the rowid.
  let column: ColumnSchema

  /// Finds the rowid of a table of SQLite.
  static func find(of definition: TableDefinition, in store: SQLDatabase) throws(RepositoryError) -> Finding {
    let table = definition.schema
    if definition.isWithoutRowid || table.primaryKeyColumns.contains(where: \.isGenerated) { return .none }
    let name = try store.runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inspection.hiddenRowid(of: table)
    }
    guard let name else { return .unreadable }
    return .found(Rowid(column: ColumnSchema(name, .integer)))
  }

  enum Finding {
    /// The table has no rowid, or a column that is the rowid.
    case none
    case found(Rowid)
    /// No statement reads it beside all columns, as where columns have all its names.
    case unreadable
  }

  /// Passes rows to a closure, each with its rowid in front.
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
