public import Query

extension Compiler {
  /// Returns the statements that create a table with its constraints, and then the indexes of its columns.
  public func create(_ table: TableSchema) -> [String] { create([table]) }

  /// Returns the statements that create several tables, which may refer to each other.
  public func create(_ tables: [TableSchema]) -> [String] { create(tables, with: [:]) }

  /// Returns the same statements, with more clauses at the end of the definitions of some columns.
  package func create(_ tables: [TableSchema], with clauses: [Name: String]) -> [String] {
    var (statements, references) = ([String](), [String]())
    // Replicated tables have to be on each server before the tables that refer to them are distributed.
    let tables = tables.filter { $0.distribution == .reference } + tables.filter { $0.distribution != .reference }
    for table in tables {
      if dialect.namesConstraints {
        let (created, added) = createNamingConstraints(
          table, referencedTablesExist: tables.count == 1, with: clauses)
        statements += created
        if let distribution = dialect.distribution(of: table) { statements.append(distribution) }
        references += added
      } else {
        statements.append(createTable(table, with: clauses))
        statements += partialUniqueIndexes(of: table).flatMap(\.statements)
      }
      statements += table.columns.filter(\.isIndexed).map { index(on: $0, of: table) }
    }
    return statements + references
  }

  private func createTable(_ table: TableSchema, with clauses: [Name: String]) -> String {
    // A single key is declared with its column: that makes an integer key SQLite's rowid.
    // https://www.sqlite.org/lang_createtable.html#rowid
    let hasSingleKey = table.primaryKey.count == 1
    var definitions = table.columns.enumerated().map { position, column in
      var definition = definition(of: column) + (clauses[Name(column.name)] ?? "")
      if hasSingleKey, table.primaryKey[0] == position {
        definition += " PRIMARY KEY"
      } else if column.isUnique {
        definition += " UNIQUE"
      }
      return definition
    }
    if table.primaryKey.count > 1 { definitions.append("PRIMARY KEY (\(names(table.primaryKeyColumns)))") }
    definitions += table.uniqueSets.map { set in "UNIQUE (\(names(set.map { table.columns[$0] })))" }
    definitions += table.resolvedChecks().map { constraint(of: $0.rule, $0.query) }
    definitions += table.references.map(foreignKey)
    return create(table.name, definitions)
  }

  func create(_ table: String, _ definitions: [String]) -> String {
    "CREATE TABLE \(dialect.quoted(table)) (\(definitions.joined(separator: ", ")))\(dialect.tableOptions)"
  }

  package func foreignKey(_ reference: ReferenceRule) -> String {
    let (columns, key) = (list(reference.columns), list(reference.key))
    return "FOREIGN KEY (\(columns)) REFERENCES \(dialect.quoted(reference.table)) (\(key))"
      + dialect.onDelete(reference.onDelete) + (reference.isDeferred ? " DEFERRABLE INITIALLY DEFERRED" : "")
  }

  /// Returns the checks of a table and their SQL in its definition, by which the checks of a stored table are recognised.
  public func checkConstraints(of table: TableSchema) -> [(rule: CheckRule, sql: String)] {
    table.resolvedChecks().map { ($0.rule, constraint(of: $0.rule, $0.query)) }
  }

  private func constraint(of rule: CheckRule, _ query: ResolvedQuery) -> String {
    var writer = StatementWriter(dialect.portable, query.scope, isDefinition: true)
    writer.write(query.predicate)
    return "CONSTRAINT \(dialect.quoted(rule.name)) CHECK (\(dialect.check(writer.statement.sql)))"
  }

  private func list(_ names: [String]) -> String { names.map(dialect.quoted).joined(separator: ", ") }

  /// Returns the statement that creates the index of one column, with the name of ``indexName(of:in:)``.
  public func index(on column: ColumnSchema, of table: TableSchema) -> String {
    index(on: [column], of: table.name, name: indexName(of: [column.name], in: table.name), isUnique: false)
  }

  /// Returns the name of the index of columns: `table.column`, with a hash instead of its end if it would be too long.
  public func indexName(of columns: [String], in table: String) -> String {
    shortened(Self.fullIndexName(of: columns, in: table))
  }

  func shortened(_ name: String) -> String { dialect.maximumNameLength.map { shortened(name, to: $0) } ?? name }

  /// Returns the name of the index of columns in a database without a limit for names.
  package static func fullIndexName(of columns: [String], in table: String) -> String {
    // Names that may contain the point themselves are quoted, so that the indexes of two columns never have the same name.
    ([table] + columns).map { name in
      name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil }
        ? name : Quoting.quote(name, with: "\"")
    }.joined(separator: ".")
  }

  /// Returns a name of limited length: of a longer name the beginning, followed by a hash of the whole name.
  func shortened(_ name: String, to limit: Int) -> String {
    guard name.utf8.count > limit else { return name }
    var hash = FNVHash()
    hash.add(name)
    let end = "." + String(hash.value, radix: 36)
    var start = ""
    for scalar in name.unicodeScalars {
      if start.utf8.count + UTF8.width(scalar) + end.utf8.count > limit { break }
      start.unicodeScalars.append(scalar)
    }
    return start + end
  }

  /// Returns the definition of a column in a statement that creates or adds it.
  func definition(of column: ColumnSchema) -> String {
    var definition = "\(dialect.quoted(column.name)) \(dialect.typeName(column))"
    if !column.isNullable { definition += " NOT NULL" }
    if let value = column.defaultValue { definition += " DEFAULT \(dialect.plainLiteral(value))" }
    if column.isGenerated { definition += dialect.generatedKey(column) }
    return definition
  }
}

// MARK: - Changes of tables, one statement each
extension Compiler {
  /// Returns the statement that adds a column. A unique constraint or an index requires further statements.
  public func addColumn(_ column: ColumnSchema, to table: String) -> String { addColumn(column, to: table, with: "") }

  /// Returns the same statement, with more clauses at the end of the column's definition.
  package func addColumn(_ column: ColumnSchema, to table: String, with clauses: String) -> String {
    "ALTER TABLE \(dialect.quoted(table)) ADD COLUMN \(definition(of: column, with: clauses))"
  }

  /// Returns the definition of a column, with more clauses at its end.
  package func definition(of column: ColumnSchema, with clauses: String) -> String { definition(of: column) + clauses }

  /// Returns the clause of a column whose value is the result of an expression.
  ///
  /// - Throws: ``QueryError`` for an expression that the table does not have.
  package func clause(computing expression: AnyExpression, in table: TableSchema) throws(QueryError) -> String {
    var resolver = ScopeResolver(table) { _ in nil }
    let position = try resolver.position(of: expression)
    var writer = StatementWriter(dialect.portable, resolver.scope, isDefinition: true)
    let sql = writer.term(position).sql
    return " GENERATED ALWAYS AS (\(sql)) \(dialect.storageOfComputedColumns)"
  }

  /// Returns the clause of a column that has the time of the insertion as its default, as a text in the format of a `Date`.
  package var clauseOfCurrentTime: String { " DEFAULT (\(dialect.currentTime))" }

  /// Returns the statement that renames a column.
  public func renameColumn(_ column: String, to name: String, in table: String) -> String {
    dialect.renameColumn(column, to: name, in: table)
  }

  /// Returns the statement that drops a column with its values.
  public func dropColumn(_ column: String, from table: String) -> String {
    "ALTER TABLE \(dialect.quoted(table)) DROP COLUMN \(dialect.quoted(column))"
  }

  /// Returns the statement that renames a table, and the constraints that are named after it.
  public func rename(table: String, to name: String) -> String { dialect.rename(table: table, to: name) }

  /// Returns the statement that drops a table with its rows and indexes.
  public func drop(table: String) -> String { "DROP TABLE \(dialect.quoted(table))" }

  /// Returns the statement that creates an index of one or several columns.
  public func index(on columns: [ColumnSchema], of table: String, name: String, isUnique: Bool) -> String {
    let terms = columns.map { dialect.indexTerm($0.name, isNullable: $0.isNullable) }
    return index(of: terms, of: table, name: name, isUnique: isUnique)
  }

  /// Returns the statement that creates an index of columns of which only the names are known, and which may be nullable.
  public func index(on columns: [String], of table: String, name: String, isUnique: Bool) -> String {
    let terms = columns.map { dialect.indexTerm($0, isNullable: true) }
    return index(of: terms, of: table, name: name, isUnique: isUnique)
  }

  private func index(of terms: [String], of table: String, name: String, isUnique: Bool) -> String {
    "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table)) "
      + "(\(terms.joined(separator: ", ")))"
  }

  /// Returns the statement that drops an index.
  public func drop(index name: String, ifExists: Bool = false) -> String {
    "DROP INDEX \(ifExists ? "IF EXISTS " : "")\(dialect.quoted(name))"
  }
}

extension Compiler {
  /// Returns a statement that creates a view of the rows of a projection.
  ///
  /// ```swift
  /// compiler.createView("heavy", columns: ["name"], of: request, in: .any)
  /// // CREATE VIEW "heavy" ("name") AS SELECT "name" FROM "pokemon" WHERE "weight" > 90
  /// ```
  ///
  /// Other programs also read a view, so it uses the database's own functions if these are equivalent.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns.
  ///   - order: the order of the rows, which a view only needs if it has a limit.
  package func createView(
    _ name: String, columns: [String], of projection: ResolvedProjection, in order: ResultOrder
  ) -> String {
    let select = Compiler(for: dialect.ofViews).writing(projection, in: order, isDefinition: true).statement.sql
    let columns = columns.map(dialect.quoted).joined(separator: ", ")
    return "CREATE VIEW \(dialect.quoted(name)) (\(columns)) AS \(select)"
  }

  /// Returns a statement that drops a view.
  package func drop(view name: String) -> String { "DROP VIEW \(dialect.quoted(name))" }
}

extension Dialect {
  /// Returns `ALTER TABLE … RENAME COLUMN … TO …`.
  public func renameColumn(_ column: String, to name: String, in table: String) -> String {
    "ALTER TABLE \(quoted(table)) RENAME COLUMN \(quoted(column)) TO \(quoted(name))"
  }

  /// Returns `ALTER TABLE … RENAME TO …`.
  public func rename(table: String, to name: String) -> String {
    "ALTER TABLE \(quoted(table)) RENAME TO \(quoted(name))"
  }
}
