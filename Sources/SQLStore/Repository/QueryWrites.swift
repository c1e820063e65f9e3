package import Query
package import Repository
import SQL

// Updates and deletions by query, which return the number of rows or the rows themselves.
extension Connection {
  /// Updates columns of all rows that match a query.
  ///
  /// - Parameter table: the table as it was declared, which may be stricter than the table of the query.
  /// - Returns: the number of matching rows.
  package func update(
    _ query: ResolvedQuery, set assignments: ResolvedAssignments, in table: TableSchema
  ) throws(RepositoryError) -> Int {
    do throws(RepositoryError) {
      return try execute(compiler.update(query, set: assignments))
    } catch {
      guard driver.isRuleViolation(error), !table.primaryKey.isEmpty else { throw error }
      throw driver.explain(error, of: .update(query, assignments), in: table, on: self)
    }
  }

  /// Returns the error of an update that violated a constraint, for the first such row in the order of the keys: the rows
  /// are updated one by one, and these updates are undone.
  ///
  /// - Parameter explain: makes the error of a row from the error of the database.
  /// - Returns: `nil` if no single row violates a constraint.
  package func firstViolation(
    of query: ResolvedQuery, set assignments: ResolvedAssignments, in table: TableSchema,
    explain: (RepositoryError, [Value]) -> RepositoryError
  ) throws(RepositoryError) -> RepositoryError? {
    guard let request = try? query.request() else { return nil }
    try begin(.trial)
    defer { rollBack(to: .trial) }
    var rows: [[Value]] = []
    try self.query(compiler.select(request)) { row in
      rows.append((0..<table.columns.count).map { (try? row.value(at: $0)) ?? .null })
    }
    // All values are computed before the first change.
    let changed = rows.map(assignments.makeUpdate(StoredRows(connection: self)))
    for (before, after) in zip(rows, changed) {
      let key = table.query(forKey: table.primaryKey.map { before[$0] })
      let values = ResolvedAssignments(columns: assignments.columns, values: assignments.columns.map { after[$0] })
      do throws(RepositoryError) {
        try execute(compiler.update(try query.table.resolve(key), set: values))
      } catch {
        return explain(error, after)
      }
    }
    return nil
  }

  /// Deletes all rows that match a query.
  ///
  /// - Returns: the number of matching rows.
  /// - Throws: ``/Repository/RepositoryError``, which names the referring table, if a foreign key forbids the deletion.
  package func delete(_ query: ResolvedQuery, from table: TableSchema) throws(RepositoryError) -> Int {
    let statement = compiler.delete(query)
    // The database does not count rows that a cascade deletes, even if they match the query: they are counted before.
    let cascades = table.references.contains { $0.onDelete == .cascade }
    let count = cascades ? try integer(compiler.count(query)) : nil
    do throws(RepositoryError) {
      let deleted = try execute(statement)
      return count ?? deleted
    } catch {
      throw driver.explain(error, of: .deletion(statement), in: table, on: self)
    }
  }

  /// Returns the result rows of a statement, in the order of their keys.
  fileprivate func rows(
    of statement: CompiledStatement, in table: TableSchema
  ) throws(RepositoryError) -> [[Value]] {
    var rows: [[Value]] = []
    try query(statement) { row in rows.append(row.values(count: table.columns.count)) }
    let key = table.primaryKey
    return rows.sorted { lhs, rhs in
      guard let position = key.first(where: { lhs[$0] != rhs[$0] }) else { return false }
      return lhs[position] < rhs[position]
    }
  }
}

/// The rows of other tables in the database, for the errors of updates that read them.
///
/// Unchecked, because it is used only by the connection's user, and not retained.
private struct StoredRows: RelatedRowSource, @unchecked Sendable {
  let connection: Connection

  func makeFinder(of table: String, where columns: [Int], equal sources: [Int]) -> RelatedRowFinder {
    let schema = try? connection.catalog.requiredSchema(ofTable: table)
    return { [self] row, body in
      let key = sources.map { row[$0] }
      guard let schema, !key.contains(where: \.isNull),
        let query = try? AnyQuery.all(
          of: zip(columns, key).map { .equal(key: schema.columns[$0].name, value: $1) }
        ).resolved(in: schema), let request = try? query.request()
      else { return }
      var continues = true
      try? connection.query(connection.compiler.select(request)) { found in
        let values = schema.columns.indices.map { (try? found.value(at: $0)) ?? .null }
        if continues { continues = values.withUnsafeBufferPointer(body) }
      }
    }
  }
}

extension SQLTable {
  /// Updates columns of the rows that match a query.
  func updating(_ query: AnyQuery, _ assignments: [Assignment]) throws(RepositoryError) -> Work<Int> {
    try updating(query, assignments) { [schema] query, assignments, connection throws(RepositoryError) in
      try connection.update(query, set: assignments, in: schema)
    }
  }

  /// Resolves an update and passes it to a closure.
  func updating<Result>(
    _ query: AnyQuery, _ assignments: [Assignment],
    _ update: @escaping @Sendable (ResolvedQuery, ResolvedAssignments, Connection) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Work<Result> {
    let checked: ResolvedAssignments? = try preparing { () throws(RepositoryError) in
      // Of a query and assignments that are both refused, the query is named: one that leads to other tables is resolved later.
      if query.needsOtherTables { return nil }
      _ = try resolve(query)
      return assignments.needOtherTables ? nil : try resolve(assignments) { _ in nil }
    }
    return try work(on: query) { [self] query, connection throws(RepositoryError) in
      let found =
        if let checked { checked } else {
          try resolve(assignments, on: connection)
        }
      return try update(query, found, connection)
    }
  }

  /// Deletes the rows that match a query.
  func deleting(_ query: AnyQuery) throws(RepositoryError) -> Work<Int> {
    if let softDeletion { return try updating(query, softDeletion.assignments) }
    return try work(on: query) { [schema] query, connection throws(RepositoryError) in
      try connection.delete(query, from: schema)
    }
  }

  /// Deletes the rows with some keys.
  func deleting(_ keys: [[Value]]) throws(RepositoryError) -> Work<Int> {
    if let softDeletion {
      let updates = try keys.map { key throws(RepositoryError) in
        try updating(schema.query(forKey: key), softDeletion.assignments)
      }
      return { connection throws(RepositoryError) in
        try connection.atomically { () throws(RepositoryError) in
          var deleted = 0
          for update in updates { deleted += try update(connection) }
          return deleted
        }
      }
    }
    var queries: [ResolvedQuery] = []
    queries.reserveCapacity(keys.count)
    for key in keys { queries.append(try resolve(schema.query(forKey: key))) }
    return { [schema, queries] connection throws(RepositoryError) in
      try connection.atomically { () throws(RepositoryError) in
        var deleted = 0
        for query in queries { deleted += try connection.delete(query, from: schema) }
        return deleted
      }
    }
  }

  /// Updates columns of the rows that match a query, and returns these in the order of their keys.
  func updatingRows(_ query: AnyQuery, _ assignments: [Assignment]) throws(RepositoryError) -> Work<[[Value]]> {
    try updating(query, assignments) { [schema, mayCollide] query, assignments, connection throws(RepositoryError) in
      if !mayCollide, !schema.primaryKey.isEmpty, let request = try? query.request() {
        // SQLite's own `RETURNING` may convert an integer to a real, so the rows are read again by their keys, which an update
        // does not change.
        let compiler = connection.compiler
        let before = try connection.rows(of: compiler.select(request), in: schema)
        _ = try connection.update(query, set: assignments, in: schema)
        var after: [[Value]] = []
        for row in before {
          let key = try query.table.resolve(schema.query(forKey: schema.primaryKey.map { row[$0] }))
          guard let request = try? key.request() else { continue }
          after += try connection.rows(of: compiler.select(request), in: schema)
        }
        return after
      }
      do throws(RepositoryError) {
        return try connection.rows(
          of: connection.compiler.update(query, set: assignments, isReturning: true), in: schema)
      } catch {
        guard connection.driver.isRuleViolation(error), !schema.primaryKey.isEmpty else { throw error }
        throw connection.driver.explain(error, of: .update(query, assignments), in: schema, on: connection)
      }
    }
  }

  /// Deletes the rows that match a query, and returns these in the order of their keys.
  func deletingRows(_ query: AnyQuery) throws(RepositoryError) -> Work<[[Value]]> {
    if let softDeletion {
      return try updating(query, softDeletion.assignments) {
        [schema] query, assignments, connection throws(RepositoryError) in
        guard let request = try? query.request() else { return [] }
        let before = try connection.rows(of: connection.compiler.select(request), in: schema)
        _ = try connection.update(query, set: assignments, in: schema)
        return before
      }
    }
    return try work(on: query) { [schema, mayCollide] query, connection throws(RepositoryError) in
      let compiler = connection.compiler
      // `RETURNING` omits matching rows that a cascade has deleted before, and returns a row whose reference became null with
      // the null: the rows are read before the deletion.
      let changes = schema.references.contains { $0.onDelete != .restrict }
      var before: [[Value]]?
      if changes || !mayCollide, let request = try? query.request() {
        before = try connection.rows(of: compiler.select(request), in: schema)
      }
      do throws(RepositoryError) {
        let deleted = try connection.rows(of: compiler.delete(query, isReturning: true), in: schema)
        return before ?? deleted
      } catch {
        throw connection.driver.explain(error, of: .deletion(compiler.delete(query)), in: schema, on: connection)
      }
    }
  }

  private func resolve(
    _ assignments: [Assignment], with tables: @escaping TableLookup
  ) throws(RepositoryError) -> ResolvedAssignments {
    do throws(QueryError) {
      return try resolved(assignments, with: tables)
    } catch {
      throw RepositoryError(error, ofAssignmentsIn: schema)
    }
  }

  private func resolve(
    _ assignments: [Assignment], on connection: Connection
  ) throws(RepositoryError) -> ResolvedAssignments {
    let found = try relating(on: connection) { tables throws(QueryError) in
      do throws(QueryError) {
        return Result<_, QueryError>.success(try resolved(assignments, with: tables))
      } catch {
        // Only this error may be due to a table that has not been looked up yet.
        if error.code == .unknownRelation { throw error }
        return .failure(error)
      }
    }
    do throws(QueryError) {
      return try found.get()
    } catch {
      throw RepositoryError(error, ofAssignmentsIn: schema)
    }
  }

  /// Checks assignments against the schema, and resolves what they read in the table as the database has it.
  private func resolved(
    _ assignments: [Assignment], with tables: @escaping TableLookup
  ) throws(QueryError) -> ResolvedAssignments {
    let resolved = try ResolvedAssignments(assignments, in: schema, with: tables)
    if resolved.computed == nil { return resolved }
    return try storedSchema.map { table throws(QueryError) in
      try ResolvedAssignments(assignments, in: table, with: tables)
    } ?? resolved
  }
}
