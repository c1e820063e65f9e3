import Query
import Repository
import SQL

// Inserts with a conflict rule, and writes that return the rows.
extension SQLTable {
  /// Inserts rows, and applies a rule to those that conflict with existing ones.
  ///
  /// - Parameter makeRows: makes the rows, after the rule was found to be valid.
  /// - Returns: the rows as they are stored, without those that were left out.
  func inserting(
    onConflict rule: ConflictRule, _ makeRows: () throws(RepositoryError) -> [[Value]]
  ) throws(RepositoryError) -> Work<[[Value]]> {
    let rule = try preparing { () throws(RepositoryError) in try schema.resolve(rule) }
    let rows = try makeRows()
    let unique: [Int]? = if case .update(let columns) = rule { columns } else { nil }
    // Where others write concurrently, the row may be inserted after it was looked up, so the insert itself has a conflict
    // target. SQLite accepts no target of several columns that include the column of the rowid, and needs none.
    let mayCollide = mayCollide
    let compiler = driver.compiler
    let insert = StatementText(
      unique == nil || mayCollide
        ? compiler.insert(into: schema, unlessSameIn: unique) : compiler.insert(into: schema))
    return { [self] connection throws(RepositoryError) in
      try connection.atomically { () throws(RepositoryError) in
        var written: [[Value]] = []
        try connection.write(to: schema, by: insert, fits) { writer throws(RepositoryError) in
          for row in rows {
            if let kept = try write(row, by: unique, with: writer, on: connection) { written.append(kept) }
          }
        }
        return written
      }
    }
  }

  /// Whether other connections may write concurrently.
  private var mayCollide: Bool { if case .independent = driver.concurrency { true } else { false } }

  /// Writes a row; `nil` if it is left out.
  private func write(
    _ row: [Value], by unique: [Int]?, with writer: RowWriter, on connection: Connection
  ) throws(RepositoryError) -> [Value]? {
    // On a server, another program may insert or delete the row between the update and the insert.
    for _ in 0..<10 {
      if let unique, let kept = try update(row, by: unique, on: connection) { return kept }
      let before = connection.raw.totalChangedRows
      let kept = try writer.write(row, mayBeLeftOut: true)
      if connection.raw.totalChangedRows != before { return kept }
      if unique == nil { return nil }
    }
    throw .conflict(in: schema.name, columns: (unique ?? []).map { schema.columns[$0].name })
  }

  /// Replaces the row with the same values in some columns; `nil` if there is none.
  private func update(
    _ row: [Value], by unique: [Int], on connection: Connection
  ) throws(RepositoryError) -> [Value]? {
    if unique.contains(where: { row[$0].isNull }) { return nil }
    let query = try resolve(
      AnyQuery.all(of: unique.map { .equal(key: schema.columns[$0].name, value: row[$0]) }))
    guard let request = try? query.request() else { return nil }
    let (columnCount, keptColumns) = (schema.columns.count, schema.primaryKey + unique)
    var found: [Value]?
    try connection.query(connection.compiler.select(request)) { row in found = row.values(count: columnCount) }
    guard let found else { return nil }
    let columns = schema.columns.indices.filter { !keptColumns.contains($0) }
    if columns.isEmpty { return found }
    let assignments = ResolvedAssignments(columns: columns, values: columns.map { row[$0] })
    if try connection.update(query, set: assignments, in: schema) == 0 { return nil }
    var row = row
    for position in keptColumns { row[position] = found[position] }
    return row
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
}

extension Connection {
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
