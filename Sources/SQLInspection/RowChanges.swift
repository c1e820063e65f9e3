import Query
import Repository
import SQL
import SQLStore

/// Makes manual changes of rows within an open transaction, and reports their effects.
struct RowChangeWriter {
  let connection: Connection
  /// Called with the number of rows that have been read.
  let progress: (Int) -> Void

  /// Changes rows of a table, within an open transaction.
  ///
  /// - Throws: ``RepositoryError`` where the table has no such columns, or one of its rules is broken.
  func change(
    _ change: RowChange, in table: TableSchema, detail: ChangeDetail
  ) throws(RepositoryError) -> ChangeReport {
    let traits = try connection.inspection.traits(of: table)
    switch change {
    case .set(let query, let assignments):
      return try set(assignments, where: try connection.resolve(query, in: table), in: table, traits, detail)
    case .insert(let assignments):
      return try insert(assignments, into: table, traits, detail)
    case .delete(let query):
      return try delete(where: try connection.resolve(query, in: table), from: table, traits, detail)
    }
  }

  private func set(
    _ assignments: [Assignment], where query: ResolvedQuery, in table: TableSchema, _ traits: TableTraits,
    _ detail: ChangeDetail
  ) throws(RepositoryError) -> ChangeReport {
    let assignments = try resolve(assignments, in: table, traits, isUpdate: true)
    let affected = try AffectedRows(of: query, in: connection, traits, detail, progress: progress)
    let effects = try Cascades(of: connection, on: table, traits, isDeletion: false)
    let count = try connection.update(query, set: assignments, in: table)
    var report = try self.report(on: table, traits, affected, count: count, of: query)
    report.effects = try effects.effects(count: count, growth: 0)
    let finder = RowLookup(in: table, traits, connection.compiler)
    report.changed = try affected.rows(in: connection) { before, identity throws(RepositoryError) in
      // Rows that can't be read again are reported with the values that were set.
      guard let identity else { return assignments.applied(to: before) }
      return try finder?.row(identity.applying(assignments, in: table, traits), in: connection)
    }
    return report
  }

  private func delete(
    where query: ResolvedQuery, from table: TableSchema, _ traits: TableTraits, _ detail: ChangeDetail
  ) throws(RepositoryError) -> ChangeReport {
    let affected = try AffectedRows(of: query, in: connection, traits, detail, progress: progress)
    let effects = try Cascades(of: connection, on: table, traits, isDeletion: true)
    let count = try connection.delete(query, from: table)
    var report = try self.report(on: table, traits, affected, count: count, of: query)
    report.effects = try effects.effects(count: count, growth: -count)
    report.changed = try affected.rows(in: connection) { _, _ in nil }
    return report
  }

  private func insert(
    _ assignments: [Assignment], into table: TableSchema, _ traits: TableTraits, _ detail: ChangeDetail
  ) throws(RepositoryError) -> ChangeReport {
    let assignments = try resolve(assignments, in: table, traits, isUpdate: false)
    let missing = table.columns.indices.filter { position in
      let column = table.columns[position]
      return !column.isNullable && !column.isGenerated && !traits.defaulted.contains(position)
        && !traits.computed.contains(position) && !assignments.columns.contains(position)
    }
    if !missing.isEmpty {
      let names = missing.map { table.columns[$0].name }
      throw RepositoryError(
        .invalidQuery,
        "the row for \(table.name) needs \(names.joined(separator: ", "))",
        reason: "\(names.count == 1 ? "the column is" : "the columns are") required, without a default")
    }
    if traits.isView { try connection.inspection.checkInsertion(into: table) }
    let total = detail == .counts ? nil : try connection.rowCount(ofTable: table.name)
    let effects = try Cascades(of: connection, on: table, traits, isDeletion: false)
    let statement = connection.compiler.insert(assignments, into: table)
    var inserted: [Value]?
    do throws(RepositoryError) {
      try connection.query(statement) { row in inserted = row.values(count: table.columns.count) }
    } catch {
      let row = assignments.applied(to: table.columns.map { _ in .null })
      throw connection.driver.explain(error, of: .row(row), in: table, on: connection)
    }
    guard var row = inserted else {
      throw RepositoryError(
        .constraint, "the database did not add the row to \(table.name)",
        reason: "a rule of the table or a trigger ignores such rows")
    }
    // The values after triggers ran.
    if case .rowid = traits.identity, traits.countsChangesExactly {
      let inserted = RowIdentity(number: connection.raw.generatedKey)
      row = try RowLookup(in: table, traits, connection.compiler)?.row(inserted, in: connection) ?? row
    }
    var report = ChangeReport(table: table, count: 1, total: total, key: traits.key)
    report.effects = try effects.effects(count: 1, growth: 1)
    try report.changed.append(before: nil, after: row)
    return report
  }

  private func report(
    on table: TableSchema, _ traits: TableTraits, _ affected: AffectedRows, count: Int, of query: ResolvedQuery
  ) throws(RepositoryError) -> ChangeReport {
    // SQLite does not count the changes of a view's `INSTEAD OF` triggers.
    var report = ChangeReport(
      table: table, count: traits.countsChangesExactly ? count : affected.count ?? count, total: affected.total,
      fingerprint: affected.fingerprint, key: traits.key)
    if report.count == 0 {
      if let matching = affected.count {
        report.ignoredCount = matching
      } else {
        report.ignoredCount = try connection.integer(connection.compiler.count(query))
      }
    }
    return report
  }

  private func resolve(
    _ assignments: [Assignment], in table: TableSchema, _ traits: TableTraits, isUpdate: Bool
  ) throws(RepositoryError) -> ResolvedAssignments {
    let assignments = try connection.resolve(assignments, in: table, keysMayChange: true)
    do throws(QueryError) {
      if !isUpdate, assignments.computed != nil {
        throw QueryError(
          .invalidAssignment, "a new row of \(table.name) accepts values only, not expressions",
          reason: "an expression needs the values of an existing row")
      }
      if let position = assignments.columns.first(where: traits.computed.contains) {
        throw QueryError(
          .invalidAssignment, "can't set \(table.columns[position].name) of \(table.name)",
          reason: "the database computes this column from other columns")
      }
      return assignments
    } catch {
      throw RepositoryError(error)
    }
  }
}

/// Reads the current values of rows, one by one.
struct RowLookup {
  private let text: StatementText
  private let columnCount: Int

  /// Makes a finder; `nil` for a table whose rows can't be found again.
  init?(in table: TableSchema, _ traits: TableTraits, _ compiler: Compiler) {
    switch traits.identity {
    case .rowid(let name):
      let dialect = compiler.dialect
      let names = table.columns.map { dialect.quoted($0.name) }.joined(separator: ", ")
      text = StatementText(
        "SELECT \(names) FROM \(dialect.quoted(table.name)) WHERE \(name) = \(dialect.placeholder(1))")
    case .key: text = StatementText(compiler.selectByKey(of: table))
    case .none: return nil
    }
    columnCount = table.columns.count
  }

  /// The values of a row; `nil` where it is gone.
  func row(_ identity: RowIdentity, in connection: Connection) throws(RepositoryError) -> [Value]? {
    var values: [Value]?
    try connection.query(CompiledStatement(text, bindings: identity.values)) { row in
      values = row.values(count: columnCount)
    }
    return values
  }
}

/// The identity by which a row is found again after a change.
struct RowIdentity {
  /// The rowid, or the values of the row's key.
  let values: [Value]

  init(_ values: [Value]) {
    self.values = values
  }

  init(number: Int64) {
    values = [.integer(number)]
  }

  /// The identity of the row after columns were set, which may be those that identify it.
  func applying(_ assignments: ResolvedAssignments, in table: TableSchema, _ traits: TableTraits) -> RowIdentity {
    var values = values
    for (part, position) in table.primaryKey.enumerated() {
      guard let assigned = assignments.columns.firstIndex(of: position) else { continue }
      let value = assignments.values[assigned]
      switch traits.identity {
      case .key: values[part] = value
      // The one column that is another name of the rowid.
      case .rowid where table.columns[position].isGenerated: values = [value]
      case .rowid, .none: break
      }
    }
    return RowIdentity(values)
  }
}
