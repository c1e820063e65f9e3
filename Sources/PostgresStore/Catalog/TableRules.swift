package import Query
package import Repository
import SQL
import SQLStore

/// The constraints of a table that its indexes and foreign keys enforce, by the names that errors contain.
struct TableRules {
  private var indexes: [TableIndex] = []
  private var foreignKeys: [ForeignKey] = []

  // MARK: What errors name

  /// Returns the columns of a unique index, which has the name of its constraint if there is one. `nil` if no unique index has
  /// the name, or the index contains an expression.
  func uniqueColumns(named name: String) -> [String]? {
    indexes.first { $0.isUnique && $0.name == name }?.wholeColumns?.map(\.text)
  }

  /// Returns the reference of a foreign key; `nil` if no foreign key has the name, or the referenced table is not in the search
  /// path.
  ///
  /// A foreign key to a partitioned table is stored with another foreign key for each of the partitions, and a deletion
  /// violates one of these. The reference returned is then that of the declared key.
  func reference(named name: String) -> ReferenceRule? {
    guard var key = foreignKeys.first(where: { $0.name == name }) else { return nil }
    while let parent = parent(of: key) { key = parent }
    return key.rule
  }

  // MARK: Properties of a schema

  /// The columns of the primary key, in its order; empty without a key, and if other tables inherit from this one, whose rows
  /// the key does not identify.
  var primaryKey: [Name] { indexes.first { $0.isPrimaryKey && $0.isComplete }?.wholeColumns ?? [] }

  /// The sets of several columns that are unique together, except for the primary key.
  var uniqueSets: [[Name]] {
    var seen: Set<[Name]> = [primaryKey]
    return indexes.filter { $0.isUnique && $0.isComplete }.compactMap(\.wholeColumns).filter { columns in
      columns.count > 1 && seen.insert(columns).inserted
    }
  }

  /// The references in the order in which they were declared, except for those to tables that are not in the search path.
  var references: [ReferenceRule] { foreignKeys.filter { parent(of: $0) == nil }.compactMap(\.rule) }

  /// Returns whether an index makes a column unique on its own.
  func isUnique(_ column: Name) -> Bool {
    indexes.contains { $0.isUnique && $0.isComplete && $0.columns == [column] }
  }

  /// Returns whether an index of all rows begins with a column.
  func isIndexed(_ column: Name) -> Bool { indexes.contains { $0.isComplete && $0.columns.first == column } }

  /// Returns the foreign key of the same table of which another foreign key is a part. A key that a partition inherits from its
  /// partitioned table has no parent here, because the parent belongs to the other table.
  private func parent(of key: ForeignKey) -> ForeignKey? { foreignKeys.first { $0.number == key.parent } }

  /// Adds a constraint, or the next column of the latest one.
  fileprivate mutating func add(_ row: some PreparedStatement) {
    let isFirst = row.integer(3) == 1
    if row.text(1) == "f" {
      if isFirst { foreignKeys.append(ForeignKey(row)) }
      foreignKeys[foreignKeys.count - 1].add(row)
    } else {
      if isFirst { indexes.append(TableIndex(row)) }
      indexes[indexes.count - 1].add(row)
    }
  }
}

/// An ordered index of PostgreSQL, as all unique ones are, read only for the uniqueness and the columns of a schema.
private struct TableIndex {
  let name: Name
  let isPrimaryKey: Bool
  let isUnique: Bool
  /// Whether the index contains all rows that a query of the table finds: it is neither partial nor unfinished, and no other
  /// table inherits from this one. https://www.postgresql.org/docs/15/ddl-inherit.html#DDL-INHERIT-CAVEATS
  let isComplete: Bool
  /// The columns, each once; `nil` for an expression.
  private(set) var columns: [Name?] = []

  init(_ row: some PreparedStatement) {
    name = Name(row.text(2))
    isPrimaryKey = row.text(1) == "p"
    isUnique = isPrimaryKey || row.text(1) == "u"
    isComplete = row.integer(5) == 1
  }

  mutating func add(_ row: some PreparedStatement) {
    let column = row.text(at: 4).map(Name.init)
    if !columns.contains(column) { columns.append(column) }
  }

  /// The columns; `nil` if there is an expression among them.
  var wholeColumns: [Name]? { columns.contains(nil) ? nil : columns.compactMap(\.self) }
}

/// A foreign key.
private struct ForeignKey {
  let number: Int64
  /// The number of the foreign key of which this one is a part; 0 for none.
  let parent: Int64
  let name: Name
  /// The referenced table; `nil` if it is not in the search path.
  private let table: String?
  private let onDelete: DeleteRule
  private let isDeferred: Bool
  private var columns: [String] = []
  private var key: [String] = []

  init(_ row: some PreparedStatement) {
    number = row.integer(0)
    parent = row.integer(6)
    name = Name(row.text(2))
    table = row.text(at: 7)
    onDelete = DeleteRule(action: row.text(9))
    isDeferred = row.integer(10) == 1
  }

  mutating func add(_ row: some PreparedStatement) {
    columns.append(row.text(4))
    key.append(row.text(8))
  }

  var rule: ReferenceRule? {
    table.map { ReferenceRule(columns, to: $0, key: key, onDelete: onDelete, isDeferred: isDeferred) }
  }
}

extension DeleteRule {
  /// Makes the rule of a foreign key's `confdeltype`. `SET DEFAULT` is not supported, and treated as a restriction.
  /// https://www.postgresql.org/docs/15/catalog-pg-constraint.html
  fileprivate init(action: String) {
    switch action {
    case "c": self = .cascade
    case "n": self = .setNull
    default: self = .restrict
    }
  }
}

extension PostgresCatalog {
  /// Returns the constraints of a table, those of indexes in the order of their creation.
  func rules(ofTable name: String) throws(RepositoryError) -> TableRules {
    var rules = TableRules()
    try query(Self.rules, [Self.parameter(name)]) { row in rules.add(row) }
    return rules
  }

  /// Returns the references of a table, in the order in which they were declared.
  package func references(ofTable name: String) throws(RepositoryError) -> [ReferenceRule] {
    try rules(ofTable: name).references
  }

  /// Returns the reference of a foreign key, which an error identifies by its name and the referring table.
  func foreignKey(named name: String, ofTable table: String) throws(RepositoryError) -> ReferenceRule? {
    try rules(ofTable: table).reference(named: name)
  }

  /// The columns of the indexes and of the foreign keys of the table `$1`, one per row, constraint by constraint.
  private static let rules = """
    WITH t AS (SELECT * FROM \(visibleTables) v WHERE v.relname = $1::text) \
    SELECT x.oid::int8 AS number, CASE WHEN i.indisprimary THEN 'p' WHEN i.indisunique THEN 'u' ELSE 'i' END AS kind, \
    x.relname::text, u.position, a.attname::text, \
    (i.indisvalid AND i.indpred IS NULL AND (t.relkind = 'p' OR NOT EXISTS ( \
    SELECT FROM pg_catalog.pg_inherits h WHERE h.inhparent = t.oid)))::int, \
    0::int8, NULL::text, NULL::text, NULL::text, 0 \
    FROM t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid \
    JOIN pg_catalog.pg_am m ON m.oid = x.relam AND m.amname = 'btree' \
    CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS u(number, position) \
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = u.number \
    WHERE u.position <= i.indnkeyatts \
    UNION ALL \
    SELECT k.oid::int8, 'f', k.conname::text, u.position, a.attname::text, 1, k.conparentid::int8, \
    CASE WHEN pg_table_is_visible(k.confrelid) THEN p.relname::text END, b.attname::text, k.confdeltype::text, \
    k.condeferred::int \
    FROM t JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f' \
    AND COALESCE((to_jsonb(k) ->> 'conenforced')::bool, true) \
    JOIN pg_catalog.pg_class p ON p.oid = k.confrelid \
    CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS u(number, key, position) \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = u.number \
    JOIN pg_catalog.pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = u.key \
    ORDER BY number, kind, position
    """
}
