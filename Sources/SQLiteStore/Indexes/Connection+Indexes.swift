import Query
import Repository
import SQL

extension Connection {
  /// The indexes of a table, or of all tables, by table and name.
  func indexes(ofTable table: String? = nil) throws(RepositoryError) -> [IndexDescription] {
    let sizes = try? indexSizes()
    var indexes: [IndexDescription] = []
    var tables: [String] = []
    if let table { tables = [table] } else { tables = try tableNames() }
    for name in tables {
      var rows: [(name: String, isUnique: Bool, origin: String, isPartial: Bool, sql: String)] = []
      try query(
        CompiledStatement(
          sql: """
            SELECT name, "unique", origin, partial, (SELECT sql FROM sqlite_schema AS made \
            WHERE made.type = 'index' AND made.name = list.name) FROM pragma_index_list(?) AS list ORDER BY name
            """,
          bindings: [.text(name)])
      ) { row in
        rows.append((row.text(0), row.integer(1) == 1, row.text(2), row.integer(3) == 1, row.text(4)))
      }
      for row in rows {
        indexes.append(
          IndexDescription(
            name: row.name, table: name, columns: try columns(ofIndex: row.name), isUnique: row.isUnique,
            isPartial: row.isPartial, origin: .init(rawValue: row.origin) ?? .created,
            definition: row.sql, size: sizes.map { $0[.text(row.name)] ?? 0 }))
      }
    }
    return indexes
  }

  private func columns(ofIndex name: String) throws(RepositoryError) -> [String?] {
    var columns: [String?] = []
    try query(
      CompiledStatement(sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno", bindings: [.text(name)])
    ) { row in
      columns.append(row.text(at: 0))
    }
    return columns
  }

  /// How many bytes each index takes, by its name as a value, which is compared by its bytes. https://www.sqlite.org/dbstat.html
  private func indexSizes() throws(RepositoryError) -> [Value: Int] {
    var sizes: [Value: Int] = [:]
    try query(
      CompiledStatement(
        sql: """
          SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE \
          AND name IN (SELECT name FROM sqlite_schema WHERE type = 'index')
          """,
        bindings: [])
    ) { row in
      sizes[.text(row.text(0))] = Int(row.integer(1))
    }
    return sizes
  }

  /// The values that more than one row has in some columns, as an index of them would compare, with the most frequent first.
  func duplicates(
    of columns: [String], in table: TableSchema, limit: Int
  ) throws(RepositoryError) -> [DuplicateValues] {
    let dialect = SQLiteStore.compiler.dialect
    let names = columns.map(dialect.quoted)
    // Nulls are never the same.
    let condition = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let list = names.joined(separator: ", ")
    var duplicates: [DuplicateValues] = []
    try query(
      CompiledStatement(
        sql: """
          SELECT \(list), count(*) FROM \(dialect.quoted(table.name)) WHERE \(condition) \
          GROUP BY \(list) HAVING count(*) > 1 ORDER BY count(*) DESC, \(list) LIMIT ?
          """,
        bindings: [.integer(Int64(limit))])
    ) { row in
      duplicates.append(
        DuplicateValues(values: row.values(count: names.count), count: Int(row.integer(names.count))))
    }
    return duplicates
  }
}
