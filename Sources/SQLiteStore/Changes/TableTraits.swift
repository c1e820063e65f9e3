import Query
import Repository
import SQL

/// What a schema does not tell of a table, and those who change its rows have to know.
struct TableTraits {
  /// How a row is found again.
  enum Identity {
    /// By the number that SQLite gives each row, under one of its names.
    case rowNumber(String)
    /// By the primary key.
    case key
    case none
  }

  var identity = Identity.none
  /// Whether rows are kept by SQLite itself, so that what it counts are rows of tables.
  var isPlain = false
  /// The positions of the columns that follow from others.
  var computed: Set<Int> = []
  /// The positions of the columns that have a default.
  var defaulted: Set<Int> = []
  /// The positions of the columns of the declared key, in its order: that of a loose table may be null, and is no primary
  /// key in a schema.
  var key: [Int] = []
  /// Whether the definition may say that a conflict replaces rows.
  var mayReplace = false
}

extension Connection {
  /// Looks what is special about a table.
  func traits(of table: TableSchema) throws(RepositoryError) -> TableTraits {
    var traits = TableTraits()
    try query(
      CompiledStatement(
        sql: "SELECT type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ?", bindings: [.text(table.name)])
    ) { row in
      let kind = row.text(0)
      traits.isPlain = kind == "table" || kind == "shadow"
      if kind == "view" { return }
      // SQLite has room for that many columns in a result, and the number would be one more.
      // https://www.sqlite.org/limits.html#max_column
      if row.integer(1) == 0, let free = table.freeRowNumberName, table.columns.count < 2_000 {
        traits.identity = .rowNumber(free)
      } else if !table.primaryKey.isEmpty {
        traits.identity = .key
      }
    }
    var key: [(part: Int64, position: Int)] = []
    try query(
      CompiledStatement(
        sql: "SELECT name, hidden, dflt_value IS NOT NULL, pk FROM pragma_table_xinfo(?)", bindings: [.text(table.name)]
      )
    ) { row in
      let name = row.text(0)
      guard let position = table.columns.firstIndex(where: { $0.isCalled(name) }) else { return }
      // https://www.sqlite.org/pragma.html#pragma_table_xinfo
      if row.integer(1) > 1 { traits.computed.insert(position) }
      if row.integer(2) == 1 { traits.defaulted.insert(position) }
      if row.integer(3) > 0 { key.append((row.integer(3), position)) }
    }
    traits.key = key.sorted { $0.part < $1.part }.map(\.position)
    traits.mayReplace =
      try integer(
        CompiledStatement(
          sql: """
            SELECT count(*) FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND type = 'table' \
            AND sql LIKE '%replace%'
            """,
          bindings: [.text(table.name)])) > 0
    return traits
  }
}
