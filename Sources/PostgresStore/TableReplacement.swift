import Query
import Repository
import SQL
import SQLStore

/// Replaces a table by one with another schema, within the transaction of a migration.
///
/// The rows are copied into a new table. What belongs to the old one is made again: indexes, triggers, and the foreign keys of
/// other tables. Views stand in the way, and rights that were granted are to be granted again.
struct TableReplacement {
  private let rebuild: TableRebuild
  private let connection: Connection

  init(_ rebuild: TableRebuild, on connection: Connection) {
    self.rebuild = rebuild
    self.connection = connection
  }

  /// - Parameter note: is given each statement that was run.
  func run(note: (SQLStatement) -> Void) throws(RepositoryError) {
    func run(_ statement: SQLStatement) throws(RepositoryError) {
      _ = try connection.change(statement)
      note(statement)
    }
    func run(_ statements: [String]) throws(RepositoryError) {
      for sql in statements { try run(SQLStatement(verbatim: sql)) }
    }
    let (compiler, name) = (connection.compiler, rebuild.table)
    let catalog = PostgresCatalog(connection)
    let present = try catalog.requiredSchema(ofTable: name)
    guard try catalog.isAlterable(name) else {
      throw RepositoryError(.unsupported, "\(name) is a view or a table of another server, and can't be rebuilt")
    }
    let lost = present.references.first { old in !rebuild.schema.references.contains { $0.columns == old.columns } }
    if let lost {
      throw RepositoryError(
        .unsupported, "\(name) would lose a foreign key: \(lost.columns.joined(separator: ", "))",
        reason: "the new schema has none there", suggestion: "drop the constraint by ALTER TABLE before")
    }
    // The indexes that the new schema asks for are made with it.
    let own = Set(rebuild.schema.columns.map { Value.text(compiler.indexName(of: [$0.name], in: name)) })
    let indexes = try belongings(Self.indexes)
    let (triggers, keys) = (try belongings(Self.triggers), try belongings(Self.foreignKeys))

    let old = "repokit_old_\(name)".utf8.count > 63 ? "repokit_old" : "repokit_old_\(name)"
    try run(keys.map(\.drop) + indexes.map(\.drop) + [compiler.rename(table: name, to: old)])
    try run(compiler.create(rebuild.schema))
    try run(try rebuild.copying(rowsOf: old, as: present))
    if let key = rebuild.schema.columns.first(where: \.isGenerated) {
      let quoted = compiler.dialect.quoted(key.name)
      try run([
        "SELECT setval(\(PostgresDialect().sequence(of: key, in: rebuild.schema)), max(\(quoted))) "
          + "FROM \(compiler.dialect.quoted(name)) HAVING max(\(quoted)) > 0"
      ])
    }
    try run([compiler.drop(table: old)])
    try run(
      indexes.filter { !own.contains(.text($0.name)) }.map(\.create) + triggers.map(\.create) + keys.map(\.create))
  }

  /// Something that belongs to the table, with the statements that make it and drop it.
  private typealias Belonging = (name: String, create: String, drop: String)

  private func belongings(_ sql: String) throws(RepositoryError) -> [Belonging] {
    var found: [Belonging] = []
    let statement = CompiledStatement(
      sql: sql, bindings: [.text(connection.compiler.dialect.quoted(rebuild.table))])
    try connection.query(statement) { row in found.append((row.text(0), row.text(1), row.text(2))) }
    return found
  }

  private static let indexes = """
    SELECT x.relname::text, pg_get_indexdef(i.indexrelid), format('DROP INDEX %s', i.indexrelid::regclass) \
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid \
    WHERE i.indrelid = $1::text::regclass \
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid AND k.conrelid = i.indrelid) \
    ORDER BY i.indexrelid
    """

  private static let triggers = """
    SELECT t.tgname::text, pg_get_triggerdef(t.oid), '' FROM pg_catalog.pg_trigger t \
    WHERE t.tgrelid = $1::text::regclass AND NOT t.tgisinternal ORDER BY t.oid
    """

  private static let foreignKeys = """
    SELECT k.conname::text, \
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)), \
    format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname) FROM pg_catalog.pg_constraint k \
    WHERE k.confrelid = $1::text::regclass AND k.conrelid <> k.confrelid AND k.contype = 'f' AND k.conparentid = 0 \
    ORDER BY k.oid
    """
}
