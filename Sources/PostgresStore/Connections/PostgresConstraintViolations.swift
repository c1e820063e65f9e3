import Query
import Repository
import SQL
import SQLStore
import Synchronization

// PostgreSQL names the violated constraint but not its columns, and evaluates checks in the order of their names: the columns,
// and the first violated check in the order of declaration, are looked up.
extension PostgresDriver {
  func isRuleViolation(_ error: RepositoryError) -> Bool {
    (error.underlying as? PostgresError).map { $0.errorClass == "23" || $0.isMisfit || $0.isExhaustion } == true
  }

  func explain(
    _ error: RepositoryError, of write: FailedWrite, in table: TableSchema, on connection: Connection
  ) -> RepositoryError {
    guard let fault = error.underlying as? PostgresError, isRuleViolation(error) else { return error }
    do throws(RepositoryError) {
      try connection.recover(.operation)
      let deferred = try explainedByAnyName(fault, of: table) { fault throws(RepositoryError) in
        try deferredViolation(fault, on: connection)
      }
      if let deferred { return deferred.attaching(fault, sql: error.sql) }
      switch write {
      case .row where fault.isExhaustion:
        return RepositoryError.exhaustedKeys(of: table.name).attaching(fault, sql: error.sql)
      case .row(let row) where fault.isMisfit:
        return try misfit(fault, row, in: table, on: connection).map { column, advice in
          RepositoryError(error.code, column, reason: error.reason, suggestion: advice).attaching(fault, sql: error.sql)
        } ?? error
      case .row(let row):
        return try explainedByAnyName(fault, of: table) { fault throws(RepositoryError) in
          try explained(fault, row, in: table, on: connection)
        }?.attaching(fault, sql: error.sql) ?? error
      case .update(let query, let assignments):
        return try connection.firstViolation(of: query, set: assignments, in: table) { error, row in
          explain(error, of: .row(row), in: table, on: connection)
        } ?? error
      case .deletion:
        return try explainedByAnyName(fault, of: table) { fault throws(RepositoryError) in
          try explained(fault, deletionFrom: table, on: connection)
        }?.attaching(fault, sql: error.sql) ?? error
      }
    } catch {
      return error.code == .cancelled ? error : RepositoryError(fault, sql: error.sql)
    }
  }

  /// Returns the error of a commit with the deferred reference that it violated. The server has rolled back the transaction.
  func explain(_ error: RepositoryError, ofCommitOn connection: Connection) -> RepositoryError {
    guard let fault = error.underlying as? PostgresError,
      let found = try? deferredViolation(fault, on: connection)
    else { return error }
    return found.attaching(fault, sql: error.sql)
  }

  /// Returns the error about a deferred reference; `nil` if the error is about something else.
  private func deferredViolation(
    _ fault: PostgresError, on connection: Connection
  ) throws(RepositoryError) -> RepositoryError? {
    guard fault.sqlState == "23503", let table = fault.table, let constraint = fault.constraint,
      let reference = try rule(of: table, on: connection, { $0.reference(named: constraint) }), reference.isDeferred
    else { return nil }
    return .foreignKeyViolationAtEnd(reference, in: table)
  }

  /// Returns the column that can't hold its value, which the server does not name, and what to write instead; `nil` if no such
  /// column is found.
  private func misfit(
    _ fault: PostgresError, _ row: [Value], in table: TableSchema, on connection: Connection
  ) throws(RepositoryError) -> (summary: String, advice: String)? {
    let catalog = PostgresCatalog(connection)
    var json: [(summary: String, advice: String)] = []
    for column in try catalog.columns(ofTable: table.name) {
      guard let position = table.columns.firstIndex(named: column.name), position < row.count else { continue }
      let value = row[position]
      let kind = if case .text = value { "text" } else { "number" }
      let summary = "\(table.columns[position].name) of \(table.name) can't store this \(kind)"
      if let advice = column.advice(insteadOf: value) { return (summary, advice) }
      guard case .text(let text) = value, fault.sqlState == "22P02" else { continue }
      if column.isJSON { json.append((summary, #"write JSON, such as {"a": 1}"#)) }
      if column.isEnumeration {
        let labels = try catalog.labels(ofColumn: column.name, in: table.name)
        let shown = labels.prefix(10).map { Value.text($0).description }.joined(separator: ", ")
        if !labels.map(Name.init).contains(Name(text)) {
          return (summary, "write one of \(shown)\(labels.count > 10 ? " and others" : "")")
        }
      }
    }
    return json.count == 1 ? json[0] : nil
  }

  /// Returns the details of an error by the names in it, or else by the names without the suffix of a shard.
  private func explainedByAnyName(
    _ fault: PostgresError, of table: TableSchema,
    _ explain: (PostgresError) throws(RepositoryError) -> RepositoryError?
  ) throws(RepositoryError) -> RepositoryError? {
    if let error = try explain(fault) { return error }
    return try fault.withoutShard(of: table.name).map(explain) ?? nil
  }

  /// Returns the error about a row with all available details; `nil` without any.
  private func explained(
    _ fault: PostgresError, _ row: [Value], in table: TableSchema, on connection: Connection
  ) throws(RepositoryError) -> RepositoryError? {
    // A trigger may have written to another table.
    guard let name = fault.table.map(Name.init), name == table.name else { return nil }
    func values(of columns: [String]) -> [Value] {
      columns.compactMap { name in table.columns.firstIndex(named: name).map { row[$0] } }
    }
    switch fault.sqlState {
    case "23514":
      guard let broken = table.resolvedChecks().first(where: { !$0.query.matches(row) }) else { return nil }
      return .brokenCheck(broken.rule.name, in: table.name, query: broken.rule.query)
    case "23505":
      guard let constraint = fault.constraint,
        let columns = try rule(of: table.name, on: connection, { $0.uniqueColumns(named: constraint) })
      else { return nil }
      return .conflict(in: table, columns: columns, values: values(of: columns))
    case "23503":
      guard let constraint = fault.constraint,
        let reference = try rule(of: table.name, on: connection, { $0.reference(named: constraint) })
      else { return nil }
      return .foreignKeyViolation(reference, in: table.name, values: values(of: reference.columns))
    default: return nil
    }
  }

  /// Returns the error about a deletion, which a row of another table prevents.
  private func explained(
    _ fault: PostgresError, deletionFrom table: TableSchema, on connection: Connection
  ) throws(RepositoryError) -> RepositoryError? {
    guard ["23503", "23001"].contains(fault.sqlState), let child = fault.table, let constraint = fault.constraint,
      let reference = try rule(of: child, on: connection, { $0.reference(named: constraint) })
    else { return nil }
    return .restrictViolation(by: reference, in: child)
  }

  /// Returns the result of a lookup in a table's constraints, which are cached, and read again if they are outdated.
  private func rule<Found>(
    of table: String, on connection: Connection, _ find: (TableRules) -> Found?
  ) throws(RepositoryError) -> Found? {
    if let found = rules.withLock({ $0[Name(table)] }).flatMap(find) { return found }
    let current = try PostgresCatalog(connection).rules(ofTable: table)
    rules.withLock { $0[Name(table)] = current }
    return find(current)
  }
}
