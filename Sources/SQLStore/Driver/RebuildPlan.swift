package import Query
package import Repository

/// The plan of a rebuild: a table gets another schema, and keeps its rows.
///
/// A migration makes the plan, and each database has a rebuilder of tables that carries it out. A table that gets other rows, as
/// from an import, is replaced instead, see ``TableReplacement``.
package struct RebuildPlan: Sendable {
  package let table: String
  package let schema: TableSchema
  /// The expressions of columns, in the schema's order.
  let expressions: [(column: String, sql: SQLStatement)]
  /// The statement that creates the table under a given name, for a table that the schema does not describe completely; the
  /// table's indexes are then kept.
  package let definition: (@Sendable (_ name: String) -> String)?

  /// Makes the plan for another definition of a table.
  ///
  /// - Parameters:
  ///   - schema: the table afterwards, without the columns that the database computes.
  ///   - expressions: the expressions of the columns that do not keep their values.
  package init(
    _ schema: TableSchema, taking expressions: [(column: String, sql: SQLStatement)],
    definition: @escaping @Sendable (_ name: String) -> String
  ) {
    (table, self.schema, self.expressions, self.definition) = (schema.name, schema, expressions, definition)
  }

  init(
    _ table: String, as schema: TableSchema, taking expressions: KeyValuePairs<String, SQLStatement>
  ) throws(RepositoryError) {
    guard Name(schema.name) == table else {
      throw RepositoryError(
        .invalidSchema, "the new schema of \(table) has the name \(schema.name)",
        suggestion: "name the schema \(table), and rename the table before or after")
    }
    var named: Set<Name> = []
    for (name, expression) in expressions {
      guard named.insert(Name(name)).inserted else {
        throw RepositoryError(.invalidSchema, "`taking:` names column \(name) of \(table) twice")
      }
      do throws(QueryError) {
        _ = try schema.position(of: name)
      } catch {
        throw RepositoryError(error)
      }
      _ = try expression.checked()
    }
    self.table = table
    self.schema = schema
    definition = nil
    self.expressions = schema.columns.compactMap { column in
      expressions.first { Name(column.name) == $0.key }.map { (column.name, $0.value) }
    }
  }

  /// Returns an unused name for the time of a rebuild, made from a name by appended underscores.
  ///
  /// - Parameters:
  ///   - short: the name in the place of one that is too long.
  ///   - limit: the maximum number of bytes, beyond which a database cuts names.
  ///   - isTaken: returns whether something else has a name.
  package static func freeName(
    _ name: String, or short: String? = nil, upTo limit: Int = .max,
    isTaken: (_ name: String) throws(RepositoryError) -> Bool
  ) throws(RepositoryError) -> String {
    var name = name
    var short = short
    while true {
      if name.utf8.count > limit {
        guard let other = short else {
          throw RepositoryError(
            .constraint, "the database has no free name for the rebuilt table",
            reason: "\(name.dropLast()) exists",
            suggestion: "drop or rename the leftovers of an interrupted change")
        }
        (name, short) = (other, nil)
      }
      if try !isTaken(name) { return name }
      name += "_"
    }
  }

  var declaration: [String] {
    var words = ["rebuild"] + schema.declaration
    for expression in expressions { words += ["take", expression.column] + expression.sql.declaration }
    return words
  }

  /// Returns the statement that copies the rows of the old table into the new one.
  ///
  /// - Parameters:
  ///   - source: the name that the old table has meanwhile: a temporary one, or the final name where the new table has a
  ///     temporary one.
  ///   - present: the old table.
  ///   - target: the temporary name of the new table; `nil` if it has its final name.
  ///   - rowids: the names of the rowid in both tables, where the rows keep it and no column is the rowid.
  package func copying(
    rowsOf source: String, as present: TableSchema, to target: String? = nil,
    keeping rowids: (source: String, target: String)? = nil
  ) throws(RepositoryError) -> SQLStatement {
    var (names, sources) = (SQLStatement(), SQLStatement())
    for column in schema.columns {
      guard let source = try self.source(of: column, in: present) else { continue }
      if !names.isEmpty {
        names.write(", ")
        sources.write(", ")
      }
      names.append("\(identifier: column.name)")
      sources.append(source)
    }
    if names.isEmpty {
      throw RepositoryError(
        .invalidSchema, "the rebuild would drop every column of \(table)",
        suggestion: "drop the table, and create another table")
    }
    if let rowids {
      names.append(", \(identifier: rowids.target)")
      sources.append(", \(identifier: rowids.source)")
    }
    return """
      INSERT INTO \(identifier: target ?? table) (\(part: names)) SELECT \(part: sources) FROM \(identifier: source)
      """
  }

  /// Returns the expression of a column of the new table; `nil` if all rows get null or the column's default.
  private func source(of column: ColumnSchema, in present: TableSchema) throws(RepositoryError) -> SQLStatement? {
    if let expression = expressions.first(where: { Name(column.name) == $0.column }) {
      return "(\(part: expression.sql))"
    }
    if present.columns.contains(named: column.name) { return "\(identifier: column.name)" }
    if column.isAddable { return nil }
    throw RepositoryError(
      .invalidSchema, "column \(column.name) is new in \(table), but has no value for existing rows",
      reason: "the column may not be null, and has no default", suggestion: "set the value with `taking:`")
  }
}

/// The objects that name a table, and are restored after it was rebuilt or replaced.
package protocol TableDependents {
  /// Creates the indexes while the table is empty, so that the row that violates a unique index is known.
  func restoreIndexes(of table: TableSchema, on connection: Connection) throws(RepositoryError)
  /// Creates the other dependents, and checks that every object that names the table is valid with the new table.
  func restoreRest(of table: TableSchema, on connection: Connection) throws(RepositoryError)
}

extension ColumnSchema {
  /// Whether the column can be added to a table with rows.
  var isAddable: Bool { isNullable || defaultValue != nil }
}
