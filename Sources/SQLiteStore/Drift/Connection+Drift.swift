import Query
import Repository
import SQL

extension Connection {
  /// Compares a table with a schema.
  ///
  /// - Returns: the table, `nil` where it is missing, and the differences with what would mend them.
  func drift(of expected: TableSchema) throws(RepositoryError) -> (
    present: TableSchema?, differences: [SchemaDifference]
  ) {
    guard let present = try schemas(ofTables: [expected])[0] else {
      let missing = SchemaDifference(.missingTable, expected.name, "the table is missing")
      return (nil, [missing.mending(towards: expected)])
    }
    let differences = expected.differences(from: present, omissible: try omissibleColumns(ofTable: expected.name))
    // Views and virtual tables can't be altered.
    guard !differences.isEmpty, try isPlainTable(expected.name) else { return (present, differences) }
    return (present, differences.map { $0.mending(towards: expected) })
  }

  /// Compares several tables.
  func drifts(of expected: [TableSchema]) throws(RepositoryError) -> [(
    present: TableSchema?, differences: [SchemaDifference]
  )] {
    var drifts: [(present: TableSchema?, differences: [SchemaDifference])] = []
    for table in expected { drifts.append(try drift(of: table)) }
    return drifts
  }

  /// Makes the changes that only add something.
  ///
  /// - Returns: the differences that are mended.
  func adopt(_ expected: TableSchema, adding additions: SchemaAdditions) throws(RepositoryError) -> [SchemaDifference] {
    try atomically { () throws(RepositoryError) in
      let added = try drift(of: expected).differences.filter { additions.contains($0) }
      for difference in added {
        for sql in difference.statements { try execute(sql) }
      }
      let rest = try drift(of: expected).differences
      if let error = RepositoryError.drift(rest, in: expected.name) { throw error }
      return added
    }
  }

  /// Whether a name is a table's that is neither virtual nor a view.
  func isPlainTable(_ name: String) throws(RepositoryError) -> Bool {
    try integer(
      CompiledStatement(
        sql: "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name = ?",
        bindings: [.text(name)])) > 0
  }

  /// The columns that have a value where a row is added without them: those with a default, and generated ones.
  private func omissibleColumns(ofTable name: String) throws(RepositoryError) -> Set<Value> {
    var columns: Set<Value> = []
    try query(
      CompiledStatement(
        sql: "SELECT name FROM pragma_table_xinfo(?) WHERE dflt_value IS NOT NULL OR hidden > 1",
        bindings: [.text(name)])
    ) { row in
      columns.insert(.text(row.text(0)))
    }
    return columns
  }
}
