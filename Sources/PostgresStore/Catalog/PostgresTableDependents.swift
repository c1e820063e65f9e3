import Repository
import SQL
import SQLStore

/// The objects that belong to a table, and are created again after the table was replaced: its indexes and triggers, and the
/// foreign keys of other tables. Views of the table prevent its replacement, and privileges have to be granted again.
struct PostgresTableDependents: TableDependents {
  /// An object of the table, with the statements that create it and drop it.
  struct Object {
    /// The kind of object, for messages.
    let kind: String
    let name: String
    let create: [String]
    let drop: String
  }

  let indexes: [Object]
  let triggers: [Object]
  let foreignKeys: [Object]

  init(of name: String, on connection: Connection) throws(RepositoryError) {
    func objects(_ kind: String, _ sql: String) throws(RepositoryError) -> [Object] {
      var found: [Object] = []
      let statement = CompiledStatement(sql: sql, bindings: [.text(connection.compiler.dialect.quoted(name))])
      try connection.query(statement) { row in
        found.append(
          Object(
            kind: kind, name: row.text(0), create: [row.text(1)] + (row.text(at: 3).map { [$0] } ?? []),
            drop: row.text(2)))
      }
      return found
    }
    indexes = try objects("index", Self.indexes)
    triggers = try objects("trigger", Self.triggers)
    foreignKeys = try objects("foreign key", Self.foreignKeys)
  }

  func restoreIndexes(of table: TableSchema, on connection: Connection) throws(RepositoryError) {
    try restore(indexes, of: table, on: connection)
  }

  func restoreRest(of table: TableSchema, on connection: Connection) throws(RepositoryError) {
    try restore(triggers + foreignKeys, of: table, on: connection)
  }

  private func restore(
    _ objects: [Object], of table: TableSchema, on connection: Connection
  ) throws(RepositoryError) {
    for object in objects {
      do throws(RepositoryError) {
        for sql in object.create { try connection.execute(sql) }
      } catch {
        throw RepositoryError(
          .unsupported, "the \(object.kind) \(object.name) prevents replacing \(table.name)",
          reason: error.reason ?? error.summary,
          suggestion: "drop the \(object.kind) first, and create it again afterwards", sql: error.sql, underlying: error
        )
      }
    }
  }

  private static let indexes = """
    SELECT x.relname::text, pg_get_indexdef(i.indexrelid), format('DROP INDEX %s', i.indexrelid::regclass), \
    CASE WHEN i.indpred IS NOT NULL THEN format('COMMENT ON INDEX %s IS %L', i.indexrelid::regclass, \
    obj_description(i.indexrelid, 'pg_class')) END \
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid \
    WHERE i.indrelid = $1::text::regclass \
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid AND k.conrelid = i.indrelid) \
    ORDER BY i.indexrelid
    """

  private static let triggers = """
    SELECT t.tgname::text, pg_get_triggerdef(t.oid), '', NULL::text FROM pg_catalog.pg_trigger t \
    WHERE t.tgrelid = $1::text::regclass AND NOT t.tgisinternal ORDER BY t.oid
    """

  private static let foreignKeys = """
    SELECT format('%s of %s', k.conname, k.conrelid::regclass), \
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)), \
    format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname), NULL::text FROM pg_catalog.pg_constraint k \
    WHERE k.confrelid = $1::text::regclass AND k.conrelid <> k.confrelid AND k.contype = 'f' AND k.conparentid = 0 \
    ORDER BY k.oid
    """
}
