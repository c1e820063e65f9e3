import Query
import Repository
import SQL

// Creating tables with their rules, and reading back which rules a table has.
extension Connection {
  /// The tables as the database has them, `nil` for one that it does not have, with those checks that are as expected.
  func schemas(ofTables expected: [TableSchema]) throws(RepositoryError) -> [TableSchema?] {
    var schemas: [TableSchema?] = []
    for table in expected {
      let present = try schema(ofTable: table.name)
      let checks = present == nil ? [] : try checks(of: table).filter { Self.isAskable($0, of: present) }
      do throws(QueryError) {
        schemas.append(try present?.adding(checks: checks))
      } catch {
        throw RepositoryError(error)
      }
    }
    return schemas
  }

  private static func isAskable(_ check: CheckRule, of table: TableSchema?) -> Bool {
    table.map { (try? check.query.resolved(in: $0)) != nil } ?? false
  }

  /// Creates those of some tables that are missing.
  ///
  /// - Returns: the tables as the database has them then.
  func create(tables: [TableSchema]) throws(RepositoryError) -> [TableSchema?] {
    // Somebody else may have made them meanwhile.
    let present = try schemas(ofTables: tables)
    for (table, present) in zip(tables, present) where present == nil {
      try table.checkReferences(among: try tableNames()) { name throws(RepositoryError) in
        if let table = tables.first(named: name) { return table }
        return try schema(ofTable: name)
      }
    }
    for (table, present) in zip(tables, present) where present == nil { try create(table) }
    return zip(tables, present).map { $1 ?? $0 }
  }

  /// The references of a table, in the order in which they were declared.
  func references(ofTable name: String) throws(RepositoryError) -> [ReferenceRule] {
    var parts: [(number: Int64, table: String, column: String, key: String?, action: String)] = []
    try query(
      CompiledStatement(
        // SQLite counts them from the last one.
        sql: "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq",
        bindings: [.text(name)])
    ) { row in
      parts.append((row.integer(0), row.text(1), row.text(2), row.text(at: 3), row.text(4)))
    }
    var references: [ReferenceRule] = []
    while let first = parts.first {
      let own = parts.prefix { $0.number == first.number }
      parts.removeFirst(own.count)
      var key = own.compactMap(\.key)
      if key.count < own.count { key = try self.key(ofTable: first.table) }
      references.append(
        ReferenceRule(own.map(\.column), to: first.table, key: key, onDelete: DeleteRule(action: first.action)))
    }
    return references
  }

  /// The names of the columns that are unique together, of each index of several columns.
  func uniqueSets(ofTable name: String) throws(RepositoryError) -> [[String]] {
    var sets: [(index: String, columns: [String])] = []
    try query(
      CompiledStatement(
        sql: """
          SELECT list.name, info.name FROM pragma_index_list(?) AS list JOIN pragma_index_info(list.name) AS info \
          WHERE list."unique" = 1 AND list.partial = 0 AND list.origin <> 'pk' ORDER BY list.seq DESC, info.seqno
          """,
        bindings: [.text(name)])
    ) { row in
      // An index of an expression has no name for it, and is left out below.
      let (index, column) = (row.text(0), row.text(1))
      if sets.last?.index == index {
        sets[sets.count - 1].columns.append(column)
      } else {
        sets.append((index, [column]))
      }
    }
    var seen: Set<[String]> = []
    return sets.map(\.columns).filter { $0.count > 1 && !$0.contains("") && seen.insert($0).inserted }
  }

  /// Those checks of a schema that the table has, in the same words: SQLite keeps checks as SQL, which nothing but SQLite
  /// can read. One that another program wrote in other words counts as missing.
  func checks(of expected: TableSchema) throws(RepositoryError) -> [CheckRule] {
    if expected.checks.isEmpty { return [] }
    var sql = ""
    try query(
      CompiledStatement(
        sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", bindings: [.text(expected.name)])
    ) { row in
      sql = row.text(0)
    }
    return SQLiteStore.compiler.constraints(of: expected).filter { sql.contains($0.sql) }.map(\.rule)
  }

  private func key(ofTable name: String) throws(RepositoryError) -> [String] {
    var names: [String] = []
    try query(
      CompiledStatement(
        sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", bindings: [.text(name)])
    ) { row in
      names.append(row.text(0))
    }
    return names
  }
}

extension DeleteRule {
  /// What SQLite calls a rule; one that sets a default has no name here, and restricts nothing less.
  fileprivate init(action: String) {
    switch action {
    case "CASCADE": self = .cascade
    case "SET NULL": self = .setNull
    default: self = .restrict
    }
  }
}
