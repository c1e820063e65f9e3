public import Query
public import Repository
import SQL

/// A recorder of the steps of a ``Migration``, in order. Nothing is run yet.
public struct MigrationSteps {
  private(set) var steps: [MigrationStep] = []

  mutating func add(_ work: MigrationStep.Work, _ declaration: [String]) {
    steps.append(MigrationStep(work: work, declaration: declaration))
  }

  private mutating func add(_ declaration: [String], _ write: @escaping @Sendable (Compiler) -> [String]) {
    add(.definition(write), declaration)
  }

  /// Creates the table of a model type, with its indexes.
  ///
  /// The step uses the current schema. When the model type changes, this migration differs from the one that was applied,
  /// which is an error: then write the former table into the program, as a `TableSchema`.
  ///
  /// - Parameter ifMissing: as in ``create(_:ifMissing:)-(TableSchema,_)``.
  public mutating func create<Element: Storable>(
    _ schema: Schema<Element>, ifMissing: Bool = false
  ) throws(RepositoryError) {
    try create(try schema.table(), ifMissing: ifMissing)
  }

  /// Creates a table, with its indexes.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - ifMissing: whether the table may exist, as in files of a program that had no migrations: `true` for the first
  ///     migration of such a program. The table has to equal the description, or the migration fails with the differences; a
  ///     missing index is created.
  public mutating func create(_ table: TableSchema, ifMissing: Bool = false) throws(RepositoryError) {
    try table.checkCascades()
    if ifMissing {
      add(.baseline(table), ["create if missing"] + table.declaration)
    } else {
      add(["create"] + table.declaration) { $0.create(table) }
    }
  }

  /// Renames a table. Its indexes keep their names.
  public mutating func rename(table: String, to name: String) throws(RepositoryError) {
    try check(table, name)
    add(["rename table", table, name]) { [$0.rename(table: table, to: name)] }
  }

  /// Drops a table with its rows and indexes; it is an error if other tables refer to it, as their rows could be deleted
  /// with it.
  public mutating func drop(table: String) throws(RepositoryError) {
    try check(table)
    add(.drop(table: table), ["drop table", table])
  }

  /// Adds a column, with its index if it has one.
  ///
  /// - Throws: ``/Repository/RepositoryError`` for a column that is not nullable and has no default: SQLite would have no
  ///   value for existing rows.
  public mutating func addColumn(_ column: ColumnSchema, to table: String) throws(RepositoryError) {
    try check(table, column.name)
    guard column.isAddable else {
      throw RepositoryError(
        .invalidSchema, "can't add column \(column.name) to \(table)",
        reason: "the column may not be null, and has no default for existing rows",
        suggestion: "add a default, or rebuild the table with `taking:` to set a value for existing rows")
    }
    add(["add", table] + column.declaration) { compiler in
      var statements = [compiler.addColumn(column, to: table)]
      if column.isUnique || column.isIndexed {
        let name = compiler.indexName(of: [column.name], in: table)
        statements.append(compiler.index(on: [column.name], of: table, name: name, isUnique: column.isUnique))
      }
      return statements
    }
  }

  /// Renames a column; indexes, triggers and views that name it are adapted.
  public mutating func renameColumn(_ column: String, to name: String, in table: String) throws(RepositoryError) {
    try check(table, column, name)
    add(["rename column", table, column, name]) { [$0.renameColumn(column, to: name, in: table)] }
  }

  /// Drops a column with its values, and the index of its schema. The step fails if the column is unique, or if another index,
  /// a trigger or a view names it: ``rebuild(_:as:taking:)`` has no such restrictions.
  public mutating func dropColumn(_ column: String, from table: String) throws(RepositoryError) {
    try check(table, column)
    add(["drop column", table, column]) { compiler in
      let index = compiler.drop(index: compiler.indexName(of: [column], in: table), ifExists: true)
      return [index, compiler.dropColumn(column, from: table)]
    }
  }

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns, in order.
  ///   - table: the table.
  ///   - name: the index's name; by default `table.column`.
  ///   - isUnique: whether no two rows may hold the same values.
  ///   - concurrently: whether other connections may write to the table during the build, if the database supports it. The step
  ///     is then the only one of its migration, and runs outside a transaction: an index that a build has left unfinished is
  ///     built again by the next attempt.
  public mutating func addIndex(
    on columns: String..., of table: String, name: String? = nil, isUnique: Bool = false, concurrently: Bool = false
  ) throws(RepositoryError) {
    let usualName = Compiler.fullIndexName(of: columns, in: table)
    for column in columns { try check(table, name ?? usualName, column) }
    if columns.isEmpty { throw RepositoryError(.invalidSchema, "an index of \(table) has no columns") }
    // The declaration, and so the checksum, does not depend on how the index is built.
    let declaration = [isUnique ? "unique index" : "index", table, name ?? usualName] + columns
    let index = MigratedIndex(columns: columns, table: table, name: name, isUnique: isUnique)
    if concurrently {
      add(.concurrentIndex(index), declaration)
    } else {
      add(declaration) { [index.sql(by: $0).statement] }
    }
  }

  /// Drops an index.
  public mutating func drop(index name: String) throws(RepositoryError) {
    try check(name)
    add(["drop index", name]) { [$0.drop(index: name)] }
  }

  /// Runs a statement.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if a value can't be bound, and for statements that `store.sql` refuses, too.
  public mutating func execute(_ statement: SQLStatement) throws(RepositoryError) {
    let statement = try statement.checked()
    add(.statements([statement]), statement.declaration)
  }

  /// Runs code that reads and writes the database by repositories or statements, within the migration's transaction.
  ///
  /// A dry run can't show the code, and the checksum covers only its description. In the code, describe tables as they are at
  /// this point, not by model types that will change.
  ///
  /// - Parameters:
  ///   - description: the description of the code, in words.
  ///   - body: the code. If it throws, the migration is rolled back.
  public mutating func run(
    _ description: String, _ body: @escaping @Sendable (SQLTransaction) async throws -> Void
  ) throws(RepositoryError) {
    add(.code(description, body), ["code", description])
  }

  /// Replaces a table by one with another schema, and copies the rows: for changes that `ALTER TABLE` does not support, such
  /// as another type, another key, or a column that becomes not nullable.
  ///
  /// The step follows SQLite's procedure (https://www.sqlite.org/lang_altertable.html#otheralter): indexes, triggers and views
  /// of the table are kept, and foreign keys of others still refer to it. If one of them is not valid with the new schema,
  /// the migration fails and names it. Afterwards the table only has what the new schema contains: a `CHECK`, a collation or
  /// an `AUTOINCREMENT` that another program declared is lost, and so is a column that the new schema lacks, with its
  /// values. Foreign keys that would get lost are an error.
  ///
  /// ```swift
  /// try $0.rebuild("pokemon", as: table, taking: ["weight": "weight / 10.0", "full_name": "name || ' (' || type || ')'"])
  /// ```
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - schema: the schema afterwards, with the same name.
  ///   - expressions: the expressions of columns of the new table, in SQL over columns of the old one. Others take the value
  ///     of the column with the same name, and new columns are null or have their default.
  public mutating func rebuild(
    _ table: String, as schema: TableSchema, taking expressions: KeyValuePairs<String, SQLStatement> = [:]
  ) throws(RepositoryError) {
    try schema.checkCascades()
    let plan = try RebuildPlan(table, as: schema, taking: expressions)
    add(.rebuild(plan), plan.declaration)
  }

  private func check(_ names: String...) throws(RepositoryError) {
    if names.contains("") { throw RepositoryError(.invalidSchema, "a table, a column or an index has no name") }
    if names.contains(where: { $0.utf8.contains(0) }) {
      throw RepositoryError(.invalidSchema, "the name of a table, a column or an index contains a NUL character")
    }
  }
}
