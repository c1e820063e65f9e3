import Query
import Repository
import SQL
import SQLStore

/// The rebuild of a table by a plan, within the transaction of a migration: its rows are copied into a new table, which takes its
/// place, and the indexes, triggers and foreign keys of the old table are created again.
struct PostgresTableRebuilder {
  private let plan: RebuildPlan
  private let connection: Connection

  init(_ plan: RebuildPlan, on connection: Connection) {
    self.plan = plan
    self.connection = connection
  }

  /// Carries out the plan.
  ///
  /// - Parameter note: called with each statement that was run.
  func run(note: (SQLStatement) -> Void) throws(RepositoryError) {
    func execute(_ statement: SQLStatement) throws(RepositoryError) {
      _ = try connection.change(statement)
      note(statement)
    }
    func execute(_ statements: [String]) throws(RepositoryError) {
      for sql in statements { try execute(SQLStatement(verbatim: sql)) }
    }
    let (compiler, name) = (connection.compiler, plan.table)
    let catalog = PostgresCatalog(connection)
    let present = try catalog.requiredSchema(ofTable: name)
    guard try catalog.isAlterable(name) else {
      throw RepositoryError(.unsupported, "can't rebuild \(name), which is a view or a table of another server")
    }
    let lost = present.references.first { old in !plan.schema.references.contains { $0.columns == old.columns } }
    if let lost {
      throw RepositoryError(
        .unsupported, "\(name) would lose a foreign key: \(lost.columns.joined(separator: ", "))",
        reason: "the new schema lacks the reference", suggestion: "drop the constraint with ALTER TABLE first")
    }
    // The indexes that the new schema declares are created with it.
    let own = Set(plan.schema.columns.map { Value.text(compiler.indexName(of: [$0.name], in: name)) })
    let dependents = try PostgresTableDependents(of: name, on: connection)
    let (indexes, keys) = (dependents.indexes, dependents.foreignKeys)

    let old = try RebuildPlan.freeName(
      "repokit_old_\(name)", or: "repokit_old", upTo: 63, isTaken: catalog.isTaken(_:))
    try execute(keys.map(\.drop) + indexes.map(\.drop) + [compiler.rename(table: name, to: old)])
    try execute(compiler.create(plan.schema))
    try execute(try plan.copying(rowsOf: old, as: present))
    // A table can't be changed while checks of its rows are pending.
    let deferred = plan.schema.references.filter(\.isDeferred).map {
      compiler.dialect.quoted(compiler.foreignKeyName(of: $0, in: name))
    }.joined(separator: ", ")
    if !deferred.isEmpty {
      try execute(["SET CONSTRAINTS \(deferred) IMMEDIATE", "SET CONSTRAINTS \(deferred) DEFERRED"])
    }
    if let key = plan.schema.columns.first(where: \.isGenerated) {
      let quoted = compiler.dialect.quoted(key.name)
      try execute([
        "SELECT setval(\(PostgresDialect().sequence(of: key, in: plan.schema)), max(\(quoted))) "
          + "FROM \(compiler.dialect.quoted(name)) HAVING max(\(quoted)) > 0"
      ])
    }
    try execute([compiler.drop(table: old)])
    try execute(
      indexes.filter { !own.contains(.text($0.name)) && !compiler.isPartialUniqueIndex($0.name) }
        .flatMap(\.create) + dependents.triggers.flatMap(\.create)
        + keys.flatMap(\.create))
  }
}

extension PostgresCatalog {
  /// Returns whether a table can't be given a name: a relation or a type has it, in whichever schema, since one that is earlier in
  /// the search path would be found in the place of the table.
  fileprivate func isTaken(_ name: String) throws(RepositoryError) -> Bool {
    try connection.integer(
      CompiledStatement(
        sql: """
          SELECT (SELECT count(*) FROM pg_catalog.pg_class WHERE relname = $1::text) \
          + (SELECT count(*) FROM pg_catalog.pg_type WHERE typname = $1::text)
          """, bindings: [.text(name)])) > 0
  }
}
