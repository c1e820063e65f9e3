import Query

/// A statement that is being written: its SQL so far, and the values of the placeholders so far.
struct StatementWriter {
  let dialect: any Dialect
  let table: TableSchema
  private(set) var sql = ""
  private(set) var bindings: [Value] = []
  /// Whether values are written into the SQL itself.
  let isDefinition: Bool

  init(_ dialect: any Dialect, _ table: TableSchema, isDefinition: Bool = false) {
    self.dialect = dialect
    self.table = table
    self.isDefinition = isDefinition
  }

  mutating func write(_ text: String) {
    sql += text
  }

  /// Adds a value and returns its placeholder, which has to be written before the next one is bound.
  mutating func bind(_ value: Value) -> String {
    if isDefinition { return dialect.literal(value) }
    bindings.append(value)
    return dialect.placeholder(bindings.count)
  }

  func name(_ column: Int) -> String {
    dialect.quoted(table.columns[column].name)
  }

  var statement: CompiledStatement { CompiledStatement(sql: sql, bindings: bindings) }
}
