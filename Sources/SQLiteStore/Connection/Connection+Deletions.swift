import Query
import Repository
import SQL

// Deleting rows, and what is deleted because it refers to them.
extension Connection {
  /// Deletes all rows that a query means.
  ///
  /// - Returns: how many the query means.
  /// - Throws: ``RepositoryError`` where a rule forbids it; it names what refers to the rows.
  func delete(_ query: ResolvedQuery, from table: TableSchema) throws(RepositoryError) -> Int {
    let statement = SQLiteStore.compiler.delete(query)
    // A row that was deleted because it refers to another one is not counted, be it that the query means it too.
    let isSetOff = table.references.contains { $0.onDelete == .cascade }
    let count = isSetOff ? try integer(SQLiteStore.compiler.count(query)) : nil
    do throws(RepositoryError) {
      let deleted = try execute(statement.sql, statement.bindings)
      return count ?? deleted
    } catch {
      throw explained(error, deletion: statement, from: table)
    }
  }

  /// What SQLite said about a deletion, with all that can be told about it.
  private func explained(
    _ error: RepositoryError, deletion statement: CompiledStatement, from table: TableSchema
  ) -> RepositoryError {
    guard let result = error.underlying as? ResultCode else { return error }
    switch result.meaning {
    case .reference:
      guard let found = try? brokenReference(after: statement) else { return error }
      return found.saying(result)
    case .cascadeTooDeep: return RepositoryError.cascadeTooDeep(from: table.name).saying(result)
    case .check:
      // The row of another table was to refer to nothing.
      guard let other = try? tableName(havingCheck: result.subject, referringFrom: table.name) else { return error }
      return RepositoryError.brokenCheck(result.subject, in: other).saying(result)
    default: return error
    }
  }

  /// Deletes all the same, as far as the end of a transaction allows that, looks at what refers to nothing then, and undoes
  /// it. https://www.sqlite.org/pragma.html#pragma_defer_foreign_keys
  private func brokenReference(after statement: CompiledStatement) throws(RepositoryError) -> RepositoryError? {
    let level = Level.savepoint(1_000_000)
    try begin(level)
    defer {
      rollBack(level)
      _ = try? execute("PRAGMA defer_foreign_keys = OFF")
    }
    try execute("PRAGMA defer_foreign_keys = ON")
    try execute(statement.sql, statement.bindings)
    for name in try tableNames() {
      var broken: Set<Int> = []
      try query(
        CompiledStatement(sql: "SELECT DISTINCT fkid FROM pragma_foreign_key_check(?)", bindings: [.text(name)])
      ) { row in
        broken.insert(Int(row.integer(0)))
      }
      let references = try references(ofTable: name)
      if let first = broken.max(), references.indices.contains(references.count - 1 - first) {
        // SQLite counts them from the last one.
        return .stillReferenced(by: references[references.count - 1 - first], in: name)
      }
    }
    return nil
  }

  private func tableName(havingCheck check: String, referringFrom table: String) throws(RepositoryError) -> String? {
    let constraint = "CONSTRAINT \(SQLiteStore.compiler.dialect.quoted(check)) CHECK"
    var names: [String] = []
    try query(
      CompiledStatement(
        sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND instr(sql, ?) > 0 ORDER BY name",
        bindings: [.text(constraint)])
    ) { row in
      names.append(row.text(0))
    }
    return names.first
  }
}
