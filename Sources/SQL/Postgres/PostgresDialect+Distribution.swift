public import Query

// Tables that are distributed over several servers: https://docs.citusdata.com/en/stable/develop/api_udf.html
extension PostgresDialect {
  /// Returns a block that makes Citus distribute the rows, if it is installed.
  public func distribution(of table: TableSchema) -> String? {
    func text(_ text: String) -> String { literal(.text(text)) }
    let (function, call): (String, String)
    switch table.distribution {
    case nil: return nil
    case .by(let column):
      function = "create_distributed_table"
      call = "\(function)(\(text(quoted(table.name))), \(text(column)))"
    case .reference:
      function = "create_reference_table"
      call = "\(function)(\(text(quoted(table.name))))"
    }
    return "DO \(text("BEGIN IF \(Self.hasFunction(function)) THEN PERFORM \(call); END IF; END"))"
  }

  /// A condition that rows can be distributed over several servers, in SQL.
  package static let isDistributing = hasFunction("create_distributed_table")

  private static func hasFunction(_ name: String) -> String {
    "EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.proname = '\(name)' AND pg_catalog.pg_function_is_visible(p.oid))"
  }
}
