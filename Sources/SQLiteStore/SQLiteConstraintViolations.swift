import Query
import Repository
import SQL
import SQLStore

// SQLite reports little about a violated constraint, so the details are looked up.
extension SQLiteDriver {
  package func isRuleViolation(_ error: RepositoryError) -> Bool {
    guard let result = error.underlying as? ResultCode else { return false }
    return [.conflict, .check, .reference, .nullValue].contains(result.meaning)
  }

  package func explain(
    _ error: RepositoryError, of write: FailedWrite, in table: TableSchema, on connection: Connection
  ) -> RepositoryError {
    let violation = ConstraintViolation(connection: connection, catalog: SQLiteCatalog(connection))
    return switch write {
    case .row(let row): violation.explained(error, row, in: table)
    case .update(let query, let assignments):
      (try? connection.firstViolation(of: query, set: assignments, in: table) { violation.explained($0, $1, in: table) })
        ?? violation.explained(error, update: connection.compiler.update(query, set: assignments))
    case .deletion(let statement): violation.explained(error, deletion: statement, from: table)
    }
  }

  /// Returns the error of a commit with the reference that it violated. The transaction is still open:
  /// https://www.sqlite.org/foreignkeys.html#fk_deferred
  package func explain(_ error: RepositoryError, ofCommitOn connection: Connection) -> RepositoryError {
    guard let result = error.underlying as? ResultCode, result.meaning == .reference else { return error }
    let violation = ConstraintViolation(connection: connection, catalog: SQLiteCatalog(connection))
    let found = (try? violation.referencesToMissingRows())?.first
    return
      (found.map { RepositoryError.foreignKeyViolationAtEnd($0.reference, in: $0.table) }
      ?? RepositoryError(.foreignKeyViolation, error.summary, reason: error.reason)).attaching(result)
  }
}

/// The lookup of a violated constraint and its values.
private struct ConstraintViolation {
  let connection: Connection
  let catalog: SQLiteCatalog

  /// Returns SQLite's error about a row, with all details that can be looked up.
  func explained(_ error: RepositoryError, _ row: [Value], in table: TableSchema) -> RepositoryError {
    guard let result = error.underlying as? ResultCode else { return error }
    switch result.meaning {
    case .conflict:
      // The message is compared with the names of the table rather than split: names may contain points and commas.
      guard let columns = uniqueColumns(namedBy: result.subject, in: table) else {
        // A trigger may have written to another table.
        if let other = result.columns, Name(other.table) != table.name { return error }
        return RepositoryError.unnamedConflict(result, in: table.name).attaching(result)
      }
      let values = columns.compactMap { name in
        table.columns.firstIndex(named: name).map { row[$0] }
      }
      return RepositoryError.conflict(in: table, columns: columns, values: values).attaching(result)
    case .nullValue:
      guard let column = table.columns.first(where: { Name("\(table.name).\($0.name)") == result.subject }) else {
        return error
      }
      return RepositoryError.nullValue(of: column.name, in: table.name).attaching(result)
    case .check:
      if result.subject.isEmpty { return error }
      let rule = table.checks.first(named: result.subject)
      return RepositoryError.brokenCheck(result.subject, in: table.name, query: rule?.query).attaching(result)
    case .reference:
      guard let found = try? foreignKeyViolation(of: row, in: table) else { return error }
      return found.attaching(result)
    default: return error
    }
  }

  /// Returns the columns of the violated unique constraint, which the schema declares, or else only the database has.
  private func uniqueColumns(namedBy subject: String, in table: TableSchema) -> [String]? {
    table.uniqueColumns(namedBy: subject)
      ?? (try? catalog.schema(ofTable: table.name))?.flatMap { $0.uniqueColumns(namedBy: subject) }
  }

  /// Finds the first reference of a row to a missing row. A deferred one is checked after the others, and not before the end of
  /// the transaction.
  private func foreignKeyViolation(of row: [Value], in table: TableSchema) throws(RepositoryError) -> RepositoryError? {
    guard let present = try catalog.schema(ofTable: table.name) else { return nil }
    let row = try completed(row, in: table)
    let tables = try SQLiteCatalog.TableEntries(catalog)
    let immediate = present.references.filter { !$0.isDeferred }
    let deferred = connection.isInTransaction ? [] : present.references.filter(\.isDeferred)
    for reference in immediate + deferred {
      let values = reference.columns.map { name in
        table.columns.firstIndex(named: name).map { row[$0] } ?? .null
      }
      if values.contains(where: \.isNull) { continue }
      guard let entry = tables[referredToAs: reference.table] else { return nil }
      let target = try catalog.schema(of: entry)
      let query = AnyQuery.all(of: zip(reference.key, values).map { .equal(key: $0, value: $1) })
      if try connection.integer(connection.compiler.count(try target.resolve(query))) > 0 { continue }
      // A row may refer to itself.
      let own = reference.key.map { name in table.columns.firstIndex(named: name).map { row[$0] } ?? .null }
      if Name(reference.table) == table.name, own == values { continue }
      return reference.isDeferred
        ? .foreignKeyViolationAtEnd(reference, in: table.name)
        : .foreignKeyViolation(reference, in: table.name, values: values)
    }
    return nil
  }

  /// Returns a row with the key that would have been generated for it, because the row may refer to itself.
  private func completed(_ row: [Value], in table: TableSchema) throws(RepositoryError) -> [Value] {
    guard table.primaryKey.count == 1, row[table.primaryKey[0]].isNull else { return row }
    let dialect = connection.compiler.dialect
    let key = dialect.quoted(table.primaryKeyColumns[0].name)
    var row = row
    row[table.primaryKey[0]] = .integer(
      Int64(
        try catalog.integer(
          "SELECT coalesce(max(\(key)), 0) + 1 FROM \(dialect.quoted(table.name))")))
    return row
  }

  /// Returns SQLite's error about a deletion, with all details that can be looked up.
  func explained(
    _ error: RepositoryError, deletion statement: CompiledStatement, from table: TableSchema
  ) -> RepositoryError {
    guard let result = error.underlying as? ResultCode else { return error }
    switch result.meaning {
    case .reference:
      guard let (reference, child) = try? brokenReference(after: statement) else {
        return RepositoryError.restrictViolation(in: table.name).attaching(result)
      }
      let found: RepositoryError =
        reference.isDeferred
        ? .foreignKeyViolationAtEnd(reference, in: child) : .restrictViolation(by: reference, in: child)
      return found.attaching(result)
    case .cascadeTooDeep: return RepositoryError.cascadeTooDeep(from: table.name).attaching(result)
    case .check:
      // The foreign key of another table was to become null, which a check of that table forbids.
      guard let other = try? tableName(havingCheck: result.subject, referringFrom: table.name) else { return error }
      return RepositoryError.brokenCheck(result.subject, in: other).attaching(result)
    default: return error
    }
  }

  /// Returns SQLite's error about an update of which no single row violates a constraint: a deferred reference is violated at
  /// the end.
  func explained(_ error: RepositoryError, update statement: CompiledStatement) -> RepositoryError {
    guard let result = error.underlying as? ResultCode, result.meaning == .reference,
      let (reference, table) = try? brokenReference(after: statement), reference.isDeferred
    else { return error }
    return RepositoryError.foreignKeyViolationAtEnd(reference, in: table).attaching(result)
  }

  /// Runs a statement with deferred foreign keys, checks for references to missing rows, and rolls back.
  /// https://www.sqlite.org/pragma.html#pragma_defer_foreign_keys
  ///
  /// - Returns: the first reference with more missing rows than before, and its table. One that is deferred anyway comes after
  ///   the others, and is none within a transaction.
  private func brokenReference(
    after statement: CompiledStatement
  ) throws(RepositoryError) -> (reference: ReferenceRule, table: String)? {
    let isInTransaction = connection.isInTransaction
    try connection.begin(.trial)
    defer {
      connection.rollBack(to: .trial)
      _ = try? connection.execute("PRAGMA defer_foreign_keys = OFF")
    }
    // Other programs may have left broken references behind; this deletion did not cause those.
    let before = try brokenReferences()
    try connection.execute("PRAGMA defer_foreign_keys = ON")
    try connection.execute(statement)
    let broken = try referencesToMissingRows(besides: before)
    return broken.first { !$0.reference.isDeferred } ?? (isInTransaction ? nil : broken.first)
  }

  /// Returns the references with more missing rows than before, in the order of their tables; deferred ones come first.
  func referencesToMissingRows(
    besides before: [Name: [Int: Int]] = [:]
  ) throws(RepositoryError) -> [(reference: ReferenceRule, table: String)] {
    let after = try brokenReferences()
    var broken: [(reference: ReferenceRule, table: String)] = []
    for name in after.keys.sorted().map(\.text) {
      let references = try catalog.references(ofTable: name)
      // SQLite numbers foreign keys from the last one.
      for (position, reference) in references.enumerated() {
        let number = references.count - 1 - position
        if after[Name(name)]?[number] ?? 0 > before[Name(name)]?[number] ?? 0 { broken.append((reference, name)) }
      }
    }
    return broken.filter(\.reference.isDeferred) + broken.filter { !$0.reference.isDeferred }
  }

  /// Returns the numbers of references to missing rows, by the table's name and SQLite's number of the foreign key.
  private func brokenReferences() throws(RepositoryError) -> [Name: [Int: Int]] {
    var broken: [Name: [Int: Int]] = [:]
    for name in try catalog.tableNames() {
      for reference in try catalog.brokenReferences(ofTable: name) {
        broken[Name(name), default: [:]][reference.number, default: 0] += reference.count
      }
    }
    return broken
  }

  private func tableName(havingCheck check: String, referringFrom table: String) throws(RepositoryError) -> String? {
    let constraint = "CONSTRAINT \(connection.compiler.dialect.quoted(check)) CHECK"
    var names: [String] = []
    try catalog.query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND instr(sql, ?) > 0 ORDER BY name", [.text(constraint)]
    ) { row in
      names.append(row.text(0))
    }
    return names.first
  }
}

extension RepositoryError {
  /// Returns the error for a deletion that another program's table forbids, which SQLite does not name.
  fileprivate static func restrictViolation(in table: String) -> RepositoryError {
    RepositoryError(.restrictViolation, "can't delete a row of \(table), because rows of other tables refer to the row")
  }
}
