import Query
import SQL

/// A dialect of no database: a compiler that only works for SQLite would show here.
struct NonsenseDialect: Dialect {
  var namesConstraints = false
  /// The readers of the SQL, by which a column is compared.
  private(set) var readers = "raw"
  func quoted(_ name: String) -> String { "«\(name)»" }
  func placeholder(_ position: Int) -> String { "&\(position)" }
  var maximumNameLength: Int? { 24 }
  func literal(_ value: Value) -> String { "<\(value)>" }
  func plainLiteral(_ value: Value) -> String { "always \(value)" }
  func check(_ expression: String) -> String { "SURELY \(expression)" }
  func onDelete(_ rule: DeleteRule) -> String { " THEN \(rule)" }
  func comparand(_ column: SQLTerm, _ comparisonOperator: ComparisonOperator, with values: [Value]) -> String {
    "\(readers)(\(column.sql))"
  }
  /// Texts end at "!", which no column holds, as PostgreSQL's can't hold a NUL.
  func comparison(_ column: ColumnSchema, _ comparisonOperator: ComparisonOperator, _ value: Value) -> ComparisonOutcome
  {
    guard case .text(let text) = value, let end = text.firstIndex(of: "!") else {
      return column.comparison(comparisonOperator, value)
    }
    switch comparisonOperator {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .lessThan, .lessThanOrEqual: return .bound(.lessThanOrEqual, .text(String(text[..<end])))
    case .greaterThan, .greaterThanOrEqual: return .bound(.greaterThan, .text(String(text[..<end])))
    }
  }
  func comparison(_ lhs: SQLTerm, _ comparisonOperator: ComparisonOperator, _ rhs: SQLTerm) -> String {
    "sign(\(lhs.sql), \(rhs.sql)) \(comparisonOperator.rawValue) 0"
  }
  func membership(
    _ column: SQLTerm, _ values: [Value], isNegated: Bool, bind: (@escaping ListBinding) -> String
  ) -> String {
    if column.type != .integer { return "NO \(isNegated) LIST OF \(bind { .value(.integer(Int64($0.count))) })" }
    return "\(column.sql) \(isNegated ? "OUTSIDE" : "WITHIN") \(bind { .list($0, column.type) })"
  }
  func sortKey(_ column: SQLTerm) -> String { column.sql }
  func sortTerm(_ column: SQLTerm, ascending: Bool, nullsFirst: Bool) -> String {
    "\(sortKey(column)) \(ascending ? "UP" : "DOWN")"
      + (column.isNullable ? nullsFirst ? " NOTHING AHEAD" : " NOTHING BEHIND" : "")
  }
  func aggregate(_ function: AnyAggregate.Function, of column: SQLTerm?, isReal: Bool) -> String {
    "\(function) OF \(column.map(\.sql) ?? "rows")\(isReal ? " AS REAL" : "")"
  }
  func aggregate(
    _ function: AnyAggregate.Function, of column: ColumnSchema?, isReal: Bool, from found: Value
  ) -> Value {
    .text("\(function) of \(column?.name ?? "rows")\(isReal ? " as real" : "") from \(found)")
  }
  func groupTerm(_ column: SQLTerm) -> String { "alike(\(column.sql))" }
  func groupKey(_ column: SQLTerm) -> String { "shared(\(column.sql))" }
  func matches(
    _ column: SQLTerm, _ operation: TextOperation, _ sought: String, ignoringCase: Bool,
    bind: (@escaping TextBinding) -> String
  ) -> String {
    "\(operation)(\(column.sql), \(bind { .text($0) }), \(ignoringCase))"
  }
  func apply(_ function: ExpressionFunction, to arguments: [SQLTerm], as column: ColumnSchema) -> SQLTerm {
    SQLTerm("\(function) OF {\(arguments.map(\.sql).joined(separator: "; "))}", column)
  }
  func value(_ term: SQLTerm, as column: ColumnSchema) -> String { "\(term.sql) as \(column.type)" }
  var planningBarrier: String { "~" }
  var inlineListCount: Int { 4 }
  var acceptsEmptyLists: Bool { true }
  func list(_ values: [Value], bind: (@escaping ListBinding) -> String) -> String {
    "EACH OF \(bind { .value(.integer(Int64($0.count))) })"
  }
  func range(hasLimit: Bool, hasOffset: Bool, bind: (RangeBound) -> String) -> String {
    (hasOffset ? " SKIP \(bind(.offset))" : "") + (hasLimit ? " TAKE \(bind(.limit))" : "")
  }
  func upsert(into table: TableSchema) -> String {
    " OR ELSE [\(table.primaryKeyColumns.map { quoted($0.name) }.joined(separator: ","))] IN \(quoted(table.name))"
  }
  func generatedKey(_ column: ColumnSchema) -> String { " COUNTED" }
  func generatedKey(_ column: ColumnSchema, of table: TableSchema, unless placeholder: String) -> String? {
    "\(placeholder) OR COUNT \(quoted(table.name))"
  }
  func comment(_ text: String, onConstraint name: String, of table: String) -> String? {
    "\(quoted(name)) OF \(quoted(table)) MEANS \(literal(.text(text)))"
  }
  func indexTerm(_ column: String, isNullable: Bool) -> String {
    quoted(column) + (isNullable ? " NOTHING AHEAD" : "")
  }
  func typeName(_ column: ColumnSchema) -> String { "type:\(column.type)" }
  var tableOptions: String { " PLEASE" }
  var portable: any Dialect { read(by: "portable") }
  var ofViews: any Dialect { read(by: "seen") }
  private func read(by readers: String) -> NonsenseDialect {
    var dialect = self
    dialect.readers = readers
    return dialect
  }
  func repeatablePlaceholder(_ position: Int) -> String { "&&\(position)" }
  func valueTerm(_ column: SQLTerm) -> String { "usual(\(column.sql))" }
  func relatedAggregate(_ function: AnyAggregate.Function, of term: SQLTerm?, isReal: Bool) -> String {
    "\(function) ABOUT \(term.map(\.sql) ?? "rows")\(isReal ? " AS REAL" : "")"
  }
  func totalOfReals(_ function: AnyAggregate.Function) -> ((_ query: String) -> String)? {
    function == .average ? { "TOTAL OF {\($0)}" } : nil
  }
  var sortsByResultNames: Bool { true }
  var insertOverride: String { " NEVERTHELESS" }
  func distribution(of table: TableSchema) -> String? {
    if case .by(let column)? = table.distribution { "SPREAD \(quoted(table.name)) BY \(quoted(column))" } else { nil }
  }
  func rename(table: String, to name: String) -> String { "CALL \(quoted(table)) \(quoted(name))" }
  func renameColumn(_ column: String, to name: String, in table: String) -> String {
    "CALL \(quoted(column)) \(quoted(name)) IN \(quoted(table))"
  }
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
