import Repository
import SQL

extension Connection {
  /// An empty copy of the database in memory, with everything that the schema names.
  func copySchemaInMemory() throws(RepositoryError) -> Connection {
    var definitions: [(sql: String, isVirtual: Bool)] = []
    try query(CompiledStatement(sql: Self.definitions, bindings: [])) { row in
      definitions.append((row.text(0), row.integer(1) == 1))
    }
    let database = try Self.translating { () throws(ResultCode) in
      try RawDatabase(path: ":memory:", mode: .create)
    }
    let copy = Connection(database)
    // Other programs may have written texts in double quotes into their definitions.
    try Self.translating { () throws(ResultCode) in try database.setDoubleQuotedTexts(allowed: true) }
    for definition in definitions {
      do throws(RepositoryError) {
        try copy.execute(definition.sql)
      } catch {
        // A virtual table whose module is not here can't be used in the file either.
        if !definition.isVirtual { throw error }
      }
    }
    try Self.translating { () throws(ResultCode) in try database.setDoubleQuotedTexts(allowed: false) }
    return copy
  }

  private static func translating<Result>(
    _ body: () throws(ResultCode) -> Result
  ) throws(RepositoryError) -> Result {
    do throws(ResultCode) {
      return try body()
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Tables before what names them. The tables that a virtual one keeps its things in are made by itself.
  private static let definitions = """
    SELECT sql, sql LIKE 'CREATE VIRTUAL %' FROM sqlite_schema WHERE sql IS NOT NULL \
    AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
    AND name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow') \
    ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, rowid
    """
}
