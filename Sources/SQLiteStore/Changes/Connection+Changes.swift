import Query
import Repository
import SQL

// Changes that somebody asks for by hand.
extension Connection {
  /// Changes rows of a table, within a transaction that is open.
  ///
  /// - Throws: ``RepositoryError`` where the table has no such columns, or one of its rules is broken.
  func change(
    _ change: RowChange, in table: TableSchema, detail: ChangeDetail
  ) throws(RepositoryError) -> ChangeReport {
    let traits = try traits(of: table)
    do throws(RepositoryError) {
      switch change {
      case .set(let query, let assignments):
        return try set(assignments, where: try table.resolve(query), in: table, traits, detail)
      case .insert(let assignments):
        return try insert(assignments, into: table, traits, detail)
      case .delete(let query):
        return try delete(where: try table.resolve(query), from: table, traits, detail)
      }
    } catch {
      throw error.explained(forTable: table.name)
    }
  }

  private func set(
    _ assignments: [Assignment], where query: ResolvedQuery, in table: TableSchema, _ traits: TableTraits,
    _ detail: ChangeDetail
  ) throws(RepositoryError) -> ChangeReport {
    let assignments = try resolve(assignments, in: table, traits)
    let concerned = try ConcernedRows(of: query, in: self, traits, detail)
    let effects = try SideEffects(of: self, on: table, traits, isDeletion: false)
    let count = try update(query, set: assignments, in: table)
    var report = try self.report(on: table, traits, concerned, count: count)
    report.effects = try effects.effects(count: count, growth: 0)
    let finder = RowFinder(in: table, traits)
    report.rows = try concerned.rows(in: self) { before, identity throws(RepositoryError) in
      // What can't be found again is as it was told to be, as far as anybody knows.
      guard let identity else { return assignments.applied(to: before) }
      return try finder?.row(identity.applying(assignments, in: table, traits), in: self)
    }
    return report
  }

  private func delete(
    where query: ResolvedQuery, from table: TableSchema, _ traits: TableTraits, _ detail: ChangeDetail
  ) throws(RepositoryError) -> ChangeReport {
    let concerned = try ConcernedRows(of: query, in: self, traits, detail)
    let effects = try SideEffects(of: self, on: table, traits, isDeletion: true)
    let count = try delete(query, from: table)
    var report = try self.report(on: table, traits, concerned, count: count)
    report.effects = try effects.effects(count: count, growth: -count)
    report.rows = try concerned.rows(in: self) { _, _ in nil }
    return report
  }

  private func insert(
    _ assignments: [Assignment], into table: TableSchema, _ traits: TableTraits, _ detail: ChangeDetail
  ) throws(RepositoryError) -> ChangeReport {
    let assignments = try resolve(assignments, in: table, traits)
    let missing = table.columns.indices.filter { position in
      let column = table.columns[position]
      return !column.isNullable && !column.isGenerated && !traits.defaulted.contains(position)
        && !traits.computed.contains(position) && !assignments.columns.contains(position)
    }
    if !missing.isEmpty {
      let names = missing.map { table.columns[$0].name }
      throw RepositoryError(
        .invalidQuery,
        "\(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") missing in the row for \(table.name)",
        reason: "\(names.count == 1 ? "it" : "they") may not be null, and nothing stands for what is left out")
    }
    let total = detail == .counts ? nil : try rowCount(ofTable: table.name)
    let effects = try SideEffects(of: self, on: table, traits, isDeletion: false)
    let statement = SQLiteStore.compiler.insert(assignments, into: table)
    var inserted: [Value]?
    do throws(RepositoryError) {
      try query(statement) { row in inserted = row.values(count: table.columns.count) }
    } catch {
      let row = assignments.applied(to: table.columns.map { _ in .null })
      throw explained(error, row, in: table)
    }
    guard var row = inserted else {
      throw RepositoryError(
        .constraint, "the row was not added to \(table.name)",
        reason: "a rule of the table or a trigger ignores such rows")
    }
    // What triggers made of it.
    if case .rowNumber = traits.identity, traits.isPlain {
      row = try RowFinder(in: table, traits)?.row(RowIdentity(number: lastInsertedRow), in: self) ?? row
    }
    var report = ChangeReport(table: table, count: 1, total: total, key: traits.key)
    report.effects = try effects.effects(count: 1, growth: 1)
    report.rows = [.init(before: nil, after: row)]
    return report
  }

  private func report(
    on table: TableSchema, _ traits: TableTraits, _ concerned: ConcernedRows, count: Int
  ) throws(RepositoryError) -> ChangeReport {
    // SQLite does not count what triggers do in the place of a view.
    ChangeReport(
      table: table, count: traits.isPlain ? count : concerned.count ?? count, total: concerned.total,
      fingerprint: concerned.fingerprint, key: traits.key)
  }

  private func resolve(
    _ assignments: [Assignment], in table: TableSchema, _ traits: TableTraits
  ) throws(RepositoryError) -> ResolvedAssignments {
    do throws(QueryError) {
      let assignments = try ResolvedAssignments(assignments, in: table, keysMayChange: true)
      if let position = assignments.columns.first(where: traits.computed.contains) {
        throw QueryError(
          .invalidAssignment, "\(table.columns[position].name) of \(table.name) can't be set",
          reason: "its value follows from other columns")
      }
      return assignments
    } catch {
      throw RepositoryError(error)
    }
  }
}

extension RepositoryError {
  /// What SQLite says of views, for those who don't know that the name is one's.
  fileprivate func explained(forTable name: String) -> RepositoryError {
    guard let result = underlying as? ResultCode, result.message.hasPrefix("cannot modify") else { return self }
    return RepositoryError(
      .unsupported, "the rows of \(name) can't be changed", reason: "it is a view, and shows rows of tables",
      suggestion: "change the table where they are kept", sql: sql, storeCode: storeCode, underlying: underlying)
  }
}
