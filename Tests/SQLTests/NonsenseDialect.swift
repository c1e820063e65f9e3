import Query
import SQL

/// A dialect of no database: a compiler that only works for SQLite would show here.
struct NonsenseDialect: Dialect {
  func quoted(_ name: String) -> String { "«\(name)»" }
  func placeholder(_ position: Int) -> String { "&\(position)" }
  func literal(_ value: Value) -> String { "<\(value)>" }
  func check(_ expression: String) -> String { "SURELY \(expression)" }
  func onDelete(_ rule: DeleteRule) -> String { " THEN \(rule)" }
  func comparand(_ column: ColumnSchema, with values: [Value]) -> String { "raw(\(quoted(column.name)))" }
  func comparands(_ lhs: ColumnSchema, _ rhs: ColumnSchema) -> (lhs: String, rhs: String) {
    ("raw(\(quoted(lhs.name)))", "raw(\(quoted(rhs.name)))")
  }
  func sortTerm(_ column: ColumnSchema, ascending: Bool, nullsFirst: Bool) -> String {
    "\(quoted(column.name)) \(ascending ? "UP" : "DOWN") \(nullsFirst ? "NOTHING AHEAD" : "NOTHING BEHIND")"
  }
  func aggregate(_ function: AnyAggregate.Function, of column: ColumnSchema?, isReal: Bool) -> String {
    "\(function) OF \(column.map { quoted($0.name) } ?? "rows")\(isReal ? " AS REAL" : "")"
  }
  func groupTerm(_ column: ColumnSchema) -> String { "alike(\(quoted(column.name)))" }
  func groupKey(_ column: ColumnSchema) -> String { "shared(\(quoted(column.name)))" }
  func matches(
    _ column: ColumnSchema, _ operation: TextOperation, _ sought: String, ignoringCase: Bool,
    bind: (Value) -> String
  ) -> String {
    "\(operation)(\(quoted(column.name)), \(bind(.text(sought))), \(ignoringCase))"
  }
  var planningBarrier: String { "~" }
  var inlineListCount: Int { 4 }
  func list(_ values: [Value], bind: (Value) -> String) -> String {
    "EACH OF \(bind(.integer(Int64(values.count))))"
  }
  func range(limit: Int?, offset: Int, bind: (Value) -> String) -> String {
    (offset == 0 ? "" : " SKIP \(bind(.integer(Int64(offset))))")
      + (limit.map { " TAKE \(bind(.integer(Int64($0))))" } ?? "")
  }
  func upsert(key: [String], others: [String]) -> String {
    " OR ELSE [\(key.joined(separator: ","))] => [\(others.joined(separator: ","))]"
  }
  func typeName(_ column: ColumnSchema) -> String { "type:\(column.type)" }
  var tableOptions: String { " PLEASE" }
}

/// A table with a column of every type, null and not null.
func pokemonTable() throws -> TableSchema {
  try TableSchema(
    "pokemon",
    columns: [
      ColumnSchema("id", .integer), ColumnSchema("name", .text, isUnique: true),
      ColumnSchema("type", .text, isIndexed: true), ColumnSchema("habitat", .text, isNullable: true),
      ColumnSchema("weight", .real), ColumnSchema("height", .real, isNullable: true),
      ColumnSchema("picture", .blob, isNullable: true), ColumnSchema("extra", .any, isNullable: true),
    ],
    primaryKey: ["id"])
}
