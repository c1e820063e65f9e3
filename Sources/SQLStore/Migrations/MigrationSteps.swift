public import Query
public import Repository
import SQL

/// Notes down what a ``Migration`` does, in order. Nothing is run yet.
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
  /// The schema is today's. As soon as the model type changes, this migration is another one than the one that was applied,
  /// which is an error: write the table as it was into the program then, as a `TableSchema`.
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
  ///   - ifMissing: whether a table of that name may be there, as in files of a program that had no migrations: `true` for
  ///     the first migration of such a program. The table has to be the one that is described, or the migration fails with
  ///     what is different; an index that is missing is created.
  public mutating func create(_ table: TableSchema, ifMissing: Bool = false) throws(RepositoryError) {
    try table.checkCascades()
    if ifMissing {
      add(.baseline(table), ["create if missing"] + table.declaration)
    } else {
      add(["create"] + table.declaration) { $0.create(table) }
    }
  }

  /// Gives a table another name. Its indexes keep theirs.
  public mutating func rename(table: String, to name: String) throws(RepositoryError) {
    try check(table, name)
    add(["rename table", table, name]) { [$0.rename(table: table, to: name)] }
  }

  /// Drops a table with its rows and indexes; it is an error where other tables refer to it, as their rows could be deleted
  /// with it.
  public mutating func drop(table: String) throws(RepositoryError) {
    try check(table)
    add(.drop(table: table), ["drop table", table])
  }

  /// Adds a column, with the index that it asks for.
  ///
  /// - Throws: ``/Repository/RepositoryError`` for a column that may not be null and has no default: SQLite would not know what the
  ///   rows hold that are there.
  public mutating func addColumn(_ column: ColumnSchema, to table: String) throws(RepositoryError) {
    try check(table, column.name)
    guard column.isAddable else {
      throw RepositoryError(
        .invalidSchema, "column \(column.name) can't be added to \(table)",
        reason: "it may not be null, and has no default for the rows that are there",
        suggestion: "give it a default, or rebuild the table with `taking:`, which says what those rows hold")
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

  /// Gives a column another name; indexes, triggers and views that name it go along.
  public mutating func renameColumn(_ column: String, to name: String, in table: String) throws(RepositoryError) {
    try check(table, column, name)
    add(["rename column", table, column, name]) { [$0.renameColumn(column, to: name, in: table)] }
  }

  /// Drops a column with what it holds, and the index that its schema asked for. Another index that names it, a trigger or
  /// a view is in the way, and so is a unique column: ``rebuild(_:as:taking:)`` does without those.
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
  ///   - name: the index's name; `table.column` unless something else is said.
  ///   - isUnique: whether no two rows may hold the same values.
  ///   - concurrently: whether others may write to the table meanwhile, where the database can build an index so. It is the one
  ///     step of its migration then, which is no transaction: an index that a build has left unfinished is built anew by the
  ///     next try.
  public mutating func addIndex(
    on columns: String..., of table: String, name: String? = nil, isUnique: Bool = false, concurrently: Bool = false
  ) throws(RepositoryError) {
    let usualName = Compiler.fullIndexName(of: columns, in: table)
    for column in columns { try check(table, name ?? usualName, column) }
    if columns.isEmpty { throw RepositoryError(.invalidSchema, "an index of \(table) has no columns") }
    // It is the same index, however it is built.
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
  /// - Throws: ``/Repository/RepositoryError`` where a value can't be bound, and for statements that `store.sql` refuses, too.
  public mutating func execute(_ statement: SQLStatement) throws(RepositoryError) {
    let statement = try statement.checked()
    add(.statements([statement]), statement.declaration)
  }

  /// Runs code that asks and writes the database by repositories or statements, within the migration's transaction.
  ///
  /// It can't be shown by a dry run, and its checksum is its description's. Describe tables within it as they are at
  /// this point, not by model types that will change.
  ///
  /// - Parameters:
  ///   - description: what it does, in words.
  ///   - body: the code. If it throws, nothing of the migration is kept.
  public mutating func run(
    _ description: String, _ body: @escaping @Sendable (SQLTransaction) async throws -> Void
  ) throws(RepositoryError) {
    add(.code(description, body), ["code", description])
  }

  /// Replaces a table by one with another schema, and copies the rows: for what `ALTER TABLE` can't do,
  /// such as another type, another key, or a column that may not be null any more.
  ///
  /// It goes by SQLite's own procedure (https://www.sqlite.org/lang_altertable.html#otheralter): indexes, triggers and views
  /// of the table stay, and foreign keys of others still lead to it. Where one of them makes no sense with the new schema,
  /// the migration fails and names it. The new schema is all that the table has afterwards: a `CHECK`, a collation or an
  /// `AUTOINCREMENT` that another program declared is gone, and so is a column that the new schema lacks, with what it
  /// held. Foreign keys that would get lost are an error.
  ///
  /// ```swift
  /// try $0.rebuild("pokemon", as: table, taking: ["weight": "weight / 10.0", "full_name": "name || ' (' || type || ')'"])
  /// ```
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - schema: what it is afterwards, under the same name.
  ///   - expressions: what columns of the new table are made of, in SQL over columns of the old one. Others take what the
  ///     column of the same name held, and columns that are new are null or have their default.
  public mutating func rebuild(
    _ table: String, as schema: TableSchema, taking expressions: KeyValuePairs<String, SQLStatement> = [:]
  ) throws(RepositoryError) {
    try schema.checkCascades()
    let rebuild = try TableRebuild(table, as: schema, taking: expressions)
    add(.rebuild(rebuild), rebuild.declaration)
  }

  private func check(_ names: String...) throws(RepositoryError) {
    if names.contains("") { throw RepositoryError(.invalidSchema, "a table, a column or an index has no name") }
    if names.contains(where: { $0.utf8.contains(0) }) {
      throw RepositoryError(.invalidSchema, "the name of a table, a column or an index contains a NUL")
    }
  }
}
