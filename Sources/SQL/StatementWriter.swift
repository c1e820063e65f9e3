import Query

/// A statement that is being written: its SQL so far, and the values of the placeholders so far.
struct StatementWriter {
  let dialect: any Dialect
  let table: TableSchema
  private(set) var sql = ""
  private(set) var bindings: [Value] = []
  /// The conditions so far, in the order in which they stand in the SQL.
  private(set) var conditions: [(condition: Condition<Int>, isNegated: Bool, sql: String)] = []
  /// Whether conditions may stand in another order than in the query.
  var isReordered = false
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

  /// Makes an expression of a condition that is a part of the statement.
  mutating func note(_ condition: Condition<Int>, isNegated: Bool) -> Expression {
    let expression = expression(condition, isNegated: isNegated)
    conditions.append((condition, isNegated, expression.sql))
    return expression
  }

  func name(_ column: Int) -> String {
    dialect.quoted(table.columns[column].name)
  }

  var statement: CompiledStatement { CompiledStatement(sql: sql, bindings: bindings) }
}
