package import Query

// Named constraints, for databases whose errors name a constraint and no columns.
extension Compiler {
  /// Returns the statements that create a table whose rules are constraints with names, which errors then contain.
  ///
  /// - Parameter referencedTablesExist: whether all other tables that the table refers to exist.
  /// - Returns: the statements, followed by those that add references.
  func createNamingConstraints(
    _ table: TableSchema, referencedTablesExist: Bool, with clauses: [Name: String]
  ) -> (created: [String], references: [String]) {
    let unique = uniqueConstraints(of: table)
    // `CREATE TABLE` creates the primary key before all other constraints, wherever it is written. If the key comes later in the
    // order of checks, the key and the constraints after it are added by further statements. Partial constraints come before
    // all but a key of one integer, and are indexes, which further statements create.
    let partial = partialUniqueIndexes(of: table).reversed().flatMap(\.statements)
    let hasIntegerKey = table.hasIntegerKey
    let isKeyFirst = unique.firstIndex(where: \.isPrimaryKey) ?? 0 == 0 && (partial.isEmpty || hasIntegerKey)
    let created =
      partial.isEmpty
      ? isKeyFirst ? unique[...] : unique.prefix { !$0.isPrimaryKey } : unique.prefix(hasIntegerKey ? 1 : 0)
    let checks = checkConstraints(of: table)
    let references = table.references.map { reference in
      constraint(foreignKeyName(of: reference, in: table.name), foreignKey(reference))
    }
    var definitions = table.columns.map { definition(of: $0) + (clauses[Name($0.name)] ?? "") }
    let areInline = referencedTablesExist && isKeyFirst && table.distribution == nil
    definitions += created.map(\.definition) + checks.map(\.sql) + (areInline ? references : [])
    func adding(_ constraints: [String]) -> [String] {
      constraints.map { "ALTER TABLE \(dialect.quoted(table.name)) ADD \($0)" }
    }
    let statements =
      [create(table.name, definitions)] + partial + adding(unique.dropFirst(created.count).map(\.definition))
      + checks.compactMap { dialect.comment($0.sql, onConstraint: $0.rule.name, of: table.name) }
    return (statements, areInline ? [] : adding(references))
  }

  /// Returns the name of a unique constraint, or of the primary key.
  package func uniqueConstraintName(of columns: [String], in table: String, isPrimaryKey: Bool) -> String {
    shortened(Self.fullIndexName(of: columns, in: table) + (isPrimaryKey ? ".primary key" : ".unique key"))
  }

  /// Returns the name of the constraint of a reference.
  package func foreignKeyName(of reference: ReferenceRule, in table: String) -> String {
    // A name with a blank is quoted, so that this is never the name of an index.
    let (columns, key) = (reference.columns, Self.fullIndexName(of: reference.key, in: reference.table))
    return shortened("\(Self.fullIndexName(of: columns, in: table)).foreign key.\(key)")
  }

  /// Returns the unique constraints in the order in which a row is checked against them: a key of one integer, and then in
  /// reverse order of declaration, where sets of columns count as declared after all columns.
  private func uniqueConstraints(of table: TableSchema) -> [(isPrimaryKey: Bool, definition: String)] {
    var rules = table.columns.indices.filter { table.columns[$0].isUnique || table.primaryKey == [$0] }.map { [$0] }
    if table.primaryKey.count > 1 { rules.append(table.primaryKey) }
    rules += table.uniqueSets
    rules.reverse()
    if table.hasIntegerKey {
      rules = [table.primaryKey] + rules.filter { $0 != table.primaryKey }
    }
    return rules.map { columns in
      let (columns, isPrimaryKey) = (columns.map { table.columns[$0] }, columns == table.primaryKey)
      let name = uniqueConstraintName(of: columns.map(\.name), in: table.name, isPrimaryKey: isPrimaryKey)
      return (isPrimaryKey, constraint(name, "\(isPrimaryKey ? "PRIMARY KEY" : "UNIQUE") (\(names(columns)))"))
    }
  }

  private func constraint(_ name: String, _ rule: String) -> String { "CONSTRAINT \(dialect.quoted(name)) \(rule)" }
}

extension TableSchema {
  /// Whether the primary key is one column of integers, which is checked before all other unique constraints.
  fileprivate var hasIntegerKey: Bool { primaryKey.count == 1 && columns[primaryKey[0]].type == .integer }
}
