package import Query
package import Repository
import SQL
package import SQLInspection
import SQLStore
package import SQLiteStore

// What the tool asks of a database, answered by SQLite; the longer answers have files of their own.
extension SQLiteCatalog: InspectionCatalog {
  package var language: TableDefinition.Language { .sqlite }

  package func overviews(measuring: Bool, countingViews: Bool) throws(RepositoryError) -> [TableOverview] {
    try OverviewReader(catalog: self).overviews(measuring: measuring, countingViews: countingViews)
  }

  package func unusableDefinitions() throws(RepositoryError) -> [String] {
    try brokenDefinitionProblems().map(\.summary)
  }

  package func definitionReader() throws(RepositoryError) -> DefinitionReader {
    let reader = try SQLiteDefinitionReader(self)
    return { name throws(RepositoryError) in try reader.definition(ofTable: name) }
  }

  package func indexes(ofTables names: [String]) throws(RepositoryError) -> [IndexDescription] {
    let reader = IndexReader(self)
    let sizes = try? reader.sizes()
    var indexes: [IndexDescription] = []
    for name in names {
      indexes += try reader.indexes(ofTable: name, definitions: try definitions(ofIndexesOf: name), sizes: sizes)
    }
    return indexes
  }

  package func traits(of table: TableSchema) throws(RepositoryError) -> TableTraits {
    var traits = TableTraits()
    if let entry = try tableEntry(table.name) {
      traits.isView = entry.type == "view"
      traits.countsChangesExactly = entry.type == "table" || entry.type == "shadow"
      if let rowid = try readableRowid(ofTable: table.name) {
        traits.identity = .rowid(rowid)
      } else if !traits.isView, !table.primaryKey.isEmpty {
        traits.identity = .key
      }
    }
    var key: [(part: Int, position: Int)] = []
    for column in try columnEntries(ofTable: table.name) {
      guard let position = table.columns.firstIndex(named: column.name) else { continue }
      if column.isComputed { traits.computed.insert(position) }
      if column.defaultExpression != nil { traits.defaulted.insert(position) }
      if column.keyPosition > 0 { key.append((column.keyPosition, position)) }
    }
    traits.key = key.sorted { $0.part < $1.part }.map(\.position)
    traits.mayReplace =
      try integer(
        """
        SELECT count(*) FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND type = 'table' \
        AND sql LIKE '%replace%'
        """, [.text(table.name)]) > 0
    return traits
  }

  /// SQLite accepts `INSERT … RETURNING` for a view without a trigger for it, and adds nothing. Without `RETURNING`, it
  /// refuses the statement before it runs.
  package func checkInsertion(into view: TableSchema) throws(RepositoryError) {
    try explain("INSERT INTO \(SQLiteDriver.compiler.dialect.quoted(view.name)) DEFAULT VALUES") { _ in }
  }

  /// Counts only where the distinct values don't tell the types: an integer and a real that are equal are one distinct value.
  package func typeCounts(
    of column: ColumnSchema, in query: ResolvedQuery
  ) throws(RepositoryError) -> [ValueType: Int]? {
    guard column.type == .any || column.collation == ColumnSchema.unknownCollation else { return nil }
    var counts: [ValueType: Int] = [:]
    try connection.query(SQLiteDialect().types(of: column, in: query)) { row in
      if let type = ValueType(rawValue: row.text(0)) { counts[type] = Int(row.integer(1)) }
    }
    return counts
  }
}
