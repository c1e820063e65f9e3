package import Query
package import Repository
import SQL
import SQLStore

// The rules of a table that SQLite keeps in its definition: references, checks and partial unique constraints.
extension SQLiteCatalog {
  /// Returns the references of a table, in the order in which they were declared.
  package func references(ofTable name: String) throws(RepositoryError) -> [ReferenceRule] {
    var references: [ReferenceRule] = []
    let entries = try foreignKeyEntries(ofTable: name)
    let deferred = entries.isEmpty ? [] : try deferredReferences(ofTable: name)
    for (position, entry) in entries.enumerated() {
      let key = entry.key.isEmpty ? try self.key(ofTable: entry.table) : entry.key
      references.append(
        ReferenceRule(
          entry.columns, to: entry.table, key: key, onDelete: DeleteRule(action: entry.onDelete),
          isDeferred: deferred.contains(position)))
    }
    return references
  }

  /// Returns the positions of the deferred references of a table, in the order in which they were declared, which only the
  /// table's definition contains.
  private func deferredReferences(ofTable name: String) throws(RepositoryError) -> Set<Int> {
    let sql = try names("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [.text(name)])
    return sql.first.map(SQLToken.deferredReferences(in:)) ?? []
  }

  /// Returns those checks of a schema that the table has, with the same text: SQLite stores checks as SQL, which only SQLite
  /// can parse. A check that another program wrote differently counts as missing.
  package func checks(of expected: TableSchema) throws(RepositoryError) -> [CheckRule] {
    if expected.checks.isEmpty { return [] }
    var sql = ""
    try query(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(expected.name)]
    ) { row in
      sql = row.text(0)
    }
    return connection.compiler.checkConstraints(of: expected).filter { sql.utf8.contains($0.sql.utf8) }.map(\.rule)
  }

  /// Returns those partial unique constraints of a schema that the table has, as indexes with the same text.
  package func partialUnique(of expected: TableSchema) throws(RepositoryError) -> [PartialUniqueRule] {
    if expected.partialUnique.isEmpty { return [] }
    let partial = try indexEntries(ofTable: expected.name).filter { $0.isUnique && $0.isPartial }
    let definitions = try definitions(ofIndexesOf: expected.name)
    let found = partial.compactMap { definitions[.text($0.name)] }
    return connection.compiler.partialUniqueIndexes(of: expected).filter { index in
      found.contains { $0.utf8.suffix(index.definition.utf8.count).elementsEqual(index.definition.utf8) }
    }.map(\.rule)
  }

  private func key(ofTable name: String) throws(RepositoryError) -> [String] {
    try columnEntries(ofTable: name).filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(
      \.name)
  }
}

extension DeleteRule {
  /// Makes the rule from SQLite's name of an action. `SET DEFAULT` is not supported, and treated as a restriction.
  fileprivate init(action: String) {
    switch action {
    case "CASCADE": self = .cascade
    case "SET NULL": self = .setNull
    default: self = .restrict
    }
  }
}
