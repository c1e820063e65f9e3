import Query
import Repository
import SQL

// Inserts with a conflict rule.
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
    var row = row
    for position in keptColumns { row[position] = found[position] }
    do throws(RepositoryError) {
      if try connection.execute(connection.compiler.update(query, set: assignments)) == 0 { return nil }
    } catch {
      guard driver.isRuleViolation(error) else { throw error }
      throw driver.explain(error, of: .row(row), in: schema, on: connection)
    }
    return row
  }
}
