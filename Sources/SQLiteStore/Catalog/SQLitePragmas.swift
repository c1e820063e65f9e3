package import Query
package import Repository
import SQLStore

// The results of SQLite's pragmas about tables, columns, indexes and foreign keys, which only this file reads.
// https://www.sqlite.org/pragma.html
//
// The pragmas are read as tables of the temporary schema, which contains no tables: without a schema, a table of the database
// that is called "pragma_table_list" would be read instead. Names that begin with "sqlite_" are SQLite's own.
// https://www.sqlite.org/pragma.html#pragfunc
extension SQLiteCatalog {
  // MARK: Tables

  /// A table, a view, or a shadow table, in which a virtual table stores its rows.
  package struct TableEntry {
    package let name: String
    /// The type: `table`, `view`, `virtual` or `shadow`.
    package let type: String
    package let isStrict: Bool
    package let isWithoutRowid: Bool
    /// Whether the rows of the table have a rowid.
    package var hasRowid: Bool { type == "table" && !isWithoutRowid }
  }

  /// Returns all tables and views of the file, in alphabetical order.
  package func tableEntries() throws(RepositoryError) -> [TableEntry] {
    try tableEntries("SELECT name, type, strict, wr FROM temp.pragma_table_list WHERE schema = 'main' ORDER BY name")
  }

  /// The tables and views of a file by their names, for callers that look up many: SQLite goes through all of them for each
  /// single lookup.
  package struct TableEntries {
    /// The tables and views in alphabetical order.
    let inOrder: [TableEntry]
    private let entries: [[UInt8]: TableEntry]

    package init(_ catalog: SQLiteCatalog) throws(RepositoryError) {
      inOrder = try catalog.tableEntries()
      entries = Dictionary(inOrder.map { (Name($0.name).folded, $0) }) { first, _ in first }
    }

    /// A table or a view of exactly this name.
    package subscript(name: String) -> TableEntry? {
      self[referredToAs: name].flatMap { Name($0.name) == Name(name) ? $0 : nil }
    }

    /// The table or view to which a foreign key refers by a name; the case of the name is ignored.
    subscript(referredToAs name: String) -> TableEntry? { entries[Name(name).folded] }
  }

  /// Returns the table or the view with a name; `nil` if there is none.
  package func tableEntry(_ name: String) throws(RepositoryError) -> TableEntry? {
    try tableEntries(
      "SELECT name, type, strict, wr FROM temp.pragma_table_list(?1) WHERE schema = 'main' AND name = ?1", [.text(name)]
    ).first
  }

  private func tableEntries(_ sql: String, _ bindings: [Value] = []) throws(RepositoryError) -> [TableEntry] {
    // Whatever its argument is, the pragma first resolves the columns of all views, which takes a time that grows with the
    // third power of their number where each selects from the one before.
    try connection.database.withoutViews { () throws(RepositoryError) in
      try rows(sql, bindings) { row in
        TableEntry(
          name: row.text(0), type: row.text(1), isStrict: row.integer(2) == 1, isWithoutRowid: row.integer(3) == 1)
      }
    }
  }

  /// Returns the names of the tables and views that have triggers, including the connection's temporary triggers.
  func tablesWithTriggers() throws(RepositoryError) -> [String] {
    try rows(
      """
      SELECT tbl_name FROM main.sqlite_schema WHERE type = 'trigger' \
      UNION SELECT tbl_name FROM temp.sqlite_schema WHERE type = 'trigger'
      """, []
    ) { row in row.text(0) }
  }

  // MARK: Columns

  /// A column that can be selected.
  package struct ColumnEntry {
    package let name: String
    package let declaredType: String
    package let isNotNull: Bool
    package let defaultExpression: String?
    /// The position in the primary key, counted from 1; 0 for a column outside it.
    package let keyPosition: Int
    /// Whether the database computes the column.
    package let isComputed: Bool
    /// Whether the column is computed when a row is written, rather than when it is read.
    package let isStored: Bool
  }

  /// Returns the columns of a table or a view, without the hidden ones of virtual tables.
  package func columnEntries(ofTable name: String) throws(RepositoryError) -> [ColumnEntry] {
    try rows(
      "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM temp.pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid",
      [.text(name)]
    ) { row in
      // 2 and 3 for computed columns: https://www.sqlite.org/pragma.html#pragma_table_xinfo
      let hidden = row.integer(5)
      return ColumnEntry(
        name: row.text(0), declaredType: row.text(1), isNotNull: row.integer(2) == 1,
        defaultExpression: row.text(at: 3), keyPosition: Int(row.integer(4)), isComputed: hidden > 1,
        isStored: hidden == 3)
    }
  }

  // MARK: Indexes

  /// A row of `PRAGMA index_list`: an index of a table without its columns.
  package struct IndexEntry {
    package let name: String
    package let isUnique: Bool
    /// The origin: `c` for a statement of its own, `u` for a unique constraint, `pk` for the primary key.
    package let origin: String
    package let isPartial: Bool
  }

  /// Returns the indexes of a table, in the order of their creation.
  package func indexEntries(ofTable name: String) throws(RepositoryError) -> [IndexEntry] {
    try rows(
      "SELECT name, \"unique\", origin, partial FROM temp.pragma_index_list(?) ORDER BY seq DESC", [.text(name)]
    ) { row in
      IndexEntry(
        name: row.text(0), isUnique: row.integer(1) == 1, origin: row.text(2), isPartial: row.integer(3) == 1)
    }
  }

  /// Returns the SQL of the indexes of a table that were created by a statement, by their names.
  package func definitions(ofIndexesOf table: String) throws(RepositoryError) -> [Value: String] {
    var definitions: [Value: String] = [:]
    try query(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL",
      [.text(table)]
    ) { row in
      definitions[.text(row.text(0))] = row.text(1)
    }
    return definitions
  }

  /// A term of an index's key.
  package struct IndexTerm {
    /// The column; `nil` for an expression.
    package let column: String?
    package let isDescending: Bool
    package let collation: String
  }

  /// Returns the terms of an index's key, in order.
  package func terms(ofIndex name: String) throws(RepositoryError) -> [IndexTerm] {
    try rows(
      "SELECT name, \"desc\", coll FROM temp.pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno", [.text(name)]
    ) { row in
      IndexTerm(column: row.text(at: 0), isDescending: row.integer(1) == 1, collation: row.text(2))
    }
  }

  // MARK: Foreign keys

  /// A foreign key of a table.
  package struct ForeignKeyEntry {
    /// SQLite's number of the foreign key.
    package let number: Int
    package let columns: [String]
    package let table: String
    /// The referenced columns; empty for the primary key.
    package let key: [String]
    package let onDelete: String
    package let onUpdate: String

    /// Whether a change of the referenced row changes rows of the referring table.
    var changesRows: Bool { [onDelete, onUpdate].contains { !["NO ACTION", "RESTRICT"].contains($0) } }
  }

  /// Returns the foreign keys of a table, in the order in which they were declared: SQLite numbers them from the last one.
  package func foreignKeyEntries(ofTable name: String) throws(RepositoryError) -> [ForeignKeyEntry] {
    var parts: [(number: Int, table: String, column: String, key: String?, onDelete: String, onUpdate: String)] = []
    try query(
      """
      SELECT id, "table", "from", "to", on_delete, on_update FROM temp.pragma_foreign_key_list(?) ORDER BY id DESC, seq
      """, [.text(name)]
    ) { row in
      parts.append((Int(row.integer(0)), row.text(1), row.text(2), row.text(at: 3), row.text(4), row.text(5)))
    }
    var entries: [ForeignKeyEntry] = []
    while let first = parts.first {
      let own = parts.prefix { $0.number == first.number }
      parts.removeFirst(own.count)
      let key = own.compactMap(\.key)
      entries.append(
        ForeignKeyEntry(
          number: first.number, columns: own.map(\.column), table: first.table, key: key.count == own.count ? key : [],
          onDelete: first.onDelete, onUpdate: first.onUpdate))
    }
    return entries
  }

  /// A foreign key with the number of rows that refer to missing rows.
  struct BrokenReference {
    /// SQLite's number of the foreign key.
    let number: Int
    /// The referenced table.
    let parent: String
    let count: Int
  }

  /// Returns the violated foreign keys of a table, in the order of the referenced tables.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if a foreign key can't be checked, because it refers to no key.
  func brokenReferences(ofTable name: String) throws(RepositoryError) -> [BrokenReference] {
    try rows(
      "SELECT fkid, parent, count(*) FROM temp.pragma_foreign_key_check(?) GROUP BY fkid, parent ORDER BY parent, fkid",
      [.text(name)]
    ) { row in
      BrokenReference(number: Int(row.integer(0)), parent: row.text(1), count: Int(row.integer(2)))
    }
  }

  /// Returns the results of a closure for each row of a statement's result.
  private func rows<Entry>(
    _ sql: String, _ bindings: [Value], _ entry: (any PreparedStatement) -> Entry
  ) throws(RepositoryError) -> [Entry] {
    var entries: [Entry] = []
    try query(sql, bindings) { row in entries.append(entry(row)) }
    return entries
  }
}
