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
      let found = (try? brokenReference(after: statement)) ?? .stillReferenced(in: table.name)
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
    // What other programs have left behind is none of this deletion's doing.
    let before = try brokenReferences()
    try execute("PRAGMA defer_foreign_keys = ON")
    try execute(statement.sql, statement.bindings)
    let after = try brokenReferences()
    for name in after.keys.sorted() {
      let references = try references(ofTable: name)
      // SQLite counts them from the last one.
      for (position, reference) in references.enumerated() {
        let number = references.count - 1 - position
        if after[name]?[number] ?? 0 > before[name]?[number] ?? 0 { return .stillReferenced(by: reference, in: name) }
      }
    }
    return nil
  }

  /// How many rows refer to nothing, by the table's name and SQLite's number of the reference.
  private func brokenReferences() throws(RepositoryError) -> [String: [Int: Int]] {
    var broken: [String: [Int: Int]] = [:]
    for name in try tableNames() {
      try query(
        CompiledStatement(
          sql: "SELECT fkid, count(*) FROM pragma_foreign_key_check(?) GROUP BY fkid", bindings: [.text(name)])
      ) { row in
        broken[name, default: [:]][Int(row.integer(0))] = Int(row.integer(1))
      }
    }
    return broken
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

extension RepositoryError {
  /// What another program's table forbids in a way that keeps back which one it is.
  fileprivate static func stillReferenced(in table: String) -> RepositoryError {
    RepositoryError(.stillReferenced, "rows of other tables refer to a row of \(table) that was to be deleted")
  }
}
