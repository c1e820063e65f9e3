package import Query
package import Repository
import SQL

/// A table as a schema declares it, and as the database has it.
package struct StoredSchema: Sendable {
  /// The table as the schema declares it, with its columns as the database stores them.
  package let declared: TableSchema
  /// The table as the database has it; `nil` where it is missing.
  package let stored: TableSchema?
  /// The differences between both, with the statements that would remove them.
  package let differences: [SchemaDifference]

  /// Looks up a table, and compares it with its declaration.
  ///
  /// - Parameter readsAllRows: whether the values of all rows are checked, rather than of a few at either end.
  package init(
    _ declared: TableSchema, on connection: Connection, readingAllRows readsAllRows: Bool = false
  ) throws(RepositoryError) {
    try declared.checkNameLengths(atMost: connection.compiler.dialect.maximumNameLength)
    try connection.driver.check(declared, on: connection)
    let catalog = connection.catalog
    stored = try Self.stored(declared, catalog)
    self.declared = stored.map(declared.stored(as:)) ?? declared
    guard let stored else {
      let missing = SchemaDifference(.missingTable, declared.name, "the table is missing")
      differences = [missing.resolving(towards: declared, connection.compiler)]
      return
    }
    var differences = declared.differences(
      from: stored, columnsWithDefault: try catalog.columnsWithDefault(ofTable: declared.name))
    // A view has no key and no constraints: only the tables whose rows it shows have them.
    if !differences.isEmpty, try catalog.isView(declared.name) {
      differences = differences.filter { $0.kind == .missingColumn || $0.kind == .type }
    }
    let nonCanonicalForms = try Self.nonCanonicalForms(
      of: declared, storedAs: stored, isComplete: readsAllRows, on: connection)
    if !differences.isEmpty, try catalog.isAlterable(declared.name) {
      self.differences = differences.map { $0.resolving(towards: declared, connection.compiler) } + nonCanonicalForms
    } else {
      self.differences = differences + nonCanonicalForms
    }
  }

  /// Looks up several tables.
  package static func find(
    _ declared: [TableSchema], on connection: Connection
  ) throws(RepositoryError) -> [StoredSchema] {
    var found: [StoredSchema] = []
    for table in declared { found.append(try StoredSchema(table, on: connection)) }
    return found
  }

  /// Refuses tables of the database that differ from their declarations; missing tables are left to ``create(_:on:)``.
  static func checkExisting(_ tables: [StoredSchema]) throws(RepositoryError) {
    for table in tables where table.stored != nil {
      if let error = RepositoryError.schemaMismatch(table.differences, in: table.declared.name) { throw error }
    }
  }

  /// Creates those of several tables that do not exist yet.
  package static func create(_ declared: [TableSchema], on connection: Connection) throws(RepositoryError) {
    let catalog = connection.catalog
    var missing: [TableSchema] = []
    // Another connection may have created the tables in the meantime.
    for table in declared where try stored(table, catalog) == nil { missing.append(table) }
    for table in missing {
      let names = try catalog.tableNames()
      try table.checkIsCreatable(among: names + missing.map(\.name))
      try table.checkReferences(among: names) { name throws(RepositoryError) in
        if let table = declared.first(named: name) { return table }
        return try catalog.schema(ofTable: name)
      }
    }
    try connection.create(missing)
  }

  /// Returns a table as the database has it, with those checks and partial unique constraints that are as declared.
  private static func stored(
    _ declared: TableSchema, _ catalog: any SQLCatalog
  ) throws(RepositoryError) -> TableSchema? {
    guard let stored = try catalog.schema(ofTable: declared.name) else { return nil }
    let checks = try catalog.checks(of: declared).filter { (try? $0.query.resolved(in: stored)) != nil }
    let partial = try catalog.partialUnique(of: declared).filter { rule in
      !stored.isUnique(rule.columns) && (try? stored.adding(partialUnique: [rule])) != nil
    }
    return try RepositoryError.translating { () throws(QueryError) in
      try stored.adding(partialUnique: partial, checks: checks)
    }
  }

  /// Returns the table for which SQL is compiled, if the database is less strict than the schema: a query is checked against
  /// the declaration, and its SQL has to compensate for conversions and collations that the declaration does not have. `nil`
  /// if the database is as strict.
  func compiled() throws(RepositoryError) -> TableSchema? {
    guard let stored else { return nil }
    var isLessStrict = false
    let columns = declared.columns.enumerated().map { position, column in
      guard let found = stored.columns.firstIndex(named: column.name, near: position).map({ stored.columns[$0] }),
        found.declaredType != nil || found.collation != nil || found.nativeType != nil
          || column.mayHoldJSON && !found.mayHoldJSON
      else { return column }
      isLessStrict = true
      return ColumnSchema(
        column.name, found.declaredType == nil ? column.type : found.type, isNullable: column.isNullable,
        isUnique: column.isUnique, isIndexed: column.isIndexed,
        isGenerated: column.isGenerated, declaredType: found.declaredType, collation: found.collation,
        format: column.format
      ).stored(as: column.nativeType(storedAs: found)).holdingJSON(column.mayHoldJSON && found.mayHoldJSON)
        .holdingDates(as: column.dateForm)
    }
    guard isLessStrict else { return nil }
    return try RepositoryError.translating { () throws(QueryError) in
      try TableSchema(
        declared.name, columns: columns, primaryKey: declared.primaryKeyColumns.map(\.name),
        references: declared.references)
    }
  }
}

extension Connection {
  /// Creates tables and their indexes.
  ///
  /// - Parameter clauses: more clauses for the definitions of some columns, by their names.
  package func create(_ tables: [TableSchema], with clauses: [Name: String] = [:]) throws(RepositoryError) {
    for table in tables { try table.checkNameLengths(atMost: compiler.dialect.maximumNameLength) }
    for sql in compiler.create(tables, with: clauses) { try execute(sql) }
  }
}

extension TableSchema {
  /// Checks that a database preserves the names of the table, its columns and its checks: PostgreSQL truncates longer names
  /// without an error, so that two names may become one. https://www.postgresql.org/docs/current/sql-syntax-lexical.html
  ///
  /// - Parameter limit: the maximum number of bytes in a name; `nil` for any number.
  func checkNameLengths(atMost limit: Int?) throws(RepositoryError) {
    guard let limit else { return }
    let names = [("table", name)] + columns.map { ("column", $0.name) } + checks.map { ("check", $0.name) }
    guard let (kind, long) = names.first(where: { $0.1.utf8.count > limit }) else { return }
    throw RepositoryError(
      .invalidSchema, "the name \(long) is too long",
      reason: "the name has \(long.utf8.count) bytes, but the database accepts \(limit)",
      suggestion: "give the \(kind) a shorter name")
  }
}
