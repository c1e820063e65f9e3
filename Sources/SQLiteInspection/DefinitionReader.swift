import Query
import Repository
import SQLInspection
import SQLStore
import SQLiteStore

/// Reads the definitions of an SQLite database's tables.
struct SQLiteDefinitionReader {
  private typealias Statement = (type: String, name: String, sql: String, normalForm: String)

  private let catalog: SQLiteCatalog
  private let tables: SQLiteCatalog.TableEntries
  /// The statements of the whole database by the folded names of their tables, as SQLite has no index of them.
  private var statements: [[UInt8]: [Statement]] = [:]

  init(_ catalog: SQLiteCatalog) throws(RepositoryError) {
    self.catalog = catalog
    tables = try SQLiteCatalog.TableEntries(catalog)
    try catalog.query(
      """
      SELECT tbl_name, type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL \
      ORDER BY CASE type WHEN 'index' THEN 1 WHEN 'trigger' THEN 2 ELSE 0 END, name
      """
    ) { row in
      let text = DefinitionText(row.text(3))
      statements[Name(row.text(0)).folded, default: []].append(
        (row.text(1), row.text(2), text.statement, text.normalForm))
    }
  }

  /// Reads the full definition of a table; `nil` where no table has exactly this name.
  func definition(ofTable name: String) throws(RepositoryError) -> TableDefinition? {
    guard let entry = tables[name] else { return nil }
    let schema = try catalog.schema(of: entry)
    let kind = TableOverview.Kind(rawValue: entry.type) ?? .table
    let statements = self.statements[Name(name).folded] ?? []
    let text = DefinitionText(kind == .table ? statements.first { $0.type == "table" }?.sql ?? "" : "")
    return TableDefinition(
      .sqlite, schema: schema, kind: kind, isStrict: entry.isStrict, isWithoutRowid: entry.isWithoutRowid,
      columns: try columnDetails(of: schema, text),
      indexes: try IndexReader(catalog).indexes(
        ofTable: name,
        definitions: Dictionary(statements.filter { $0.type == "index" }.map { (.text($0.name), $0.sql) }) { $1 }),
      references: try referenceDetails(ofTable: name, text), checks: text.checks,
      triggers: statements.filter { $0.type == "trigger" }.map(\.name), statements: statements.map(\.sql),
      normalForms: statements.map(\.normalForm))
  }

  private func columnDetails(
    of table: TableSchema, _ text: DefinitionText
  ) throws(RepositoryError) -> [TableDefinition.Column] {
    var generated = text.generated[...]
    return zip(table.columns, try catalog.columnEntries(ofTable: table.name)).map { schema, entry in
      TableDefinition.Column(
        schema: schema, declaredType: entry.declaredType.withoutGenerationWords,
        defaultExpression: entry.isComputed ? nil : entry.defaultExpression,
        collation: schema.collation == ColumnSchema.unknownCollation ? nil : schema.collation,
        generatedBy: entry.isComputed ? generated.popFirst() ?? "" : nil, isStored: entry.isStored)
    }
  }

  private func referenceDetails(
    ofTable name: String, _ text: DefinitionText
  ) throws(RepositoryError) -> [TableDefinition.Reference] {
    let faults = try catalog.referenceFaults(ofTable: name, among: tables)
    let deferrals = text.deferrals
    return try catalog.foreignKeyEntries(ofTable: name).enumerated().map { position, key in
      TableDefinition.Reference(
        columns: key.columns, table: key.table, key: key.key, onDelete: key.onDelete, onUpdate: key.onUpdate,
        deferral: deferrals.indices.contains(position) ? deferrals[position] : .notDeferrable,
        problem: faults.first { $0.number == key.number }?.problem)
    }
  }
}

extension String {
  /// SQLite treats the words before a generated column's expression as a part of its type.
  fileprivate var withoutGenerationWords: String {
    let words = " GENERATED ALWAYS"
    guard uppercased().hasSuffix(words) else { return uppercased() == "GENERATED ALWAYS" ? "" : self }
    return String(dropLast(words.count))
  }
}

/// Reads the indexes of an SQLite database.
struct IndexReader {
  private let catalog: SQLiteCatalog

  init(_ catalog: SQLiteCatalog) { self.catalog = catalog }

  /// The indexes of a table, by their names.
  ///
  /// - Parameters:
  ///   - definitions: the statements that created them, by the names of the indexes that have one.
  ///   - sizes: their sizes in bytes, by their names; `nil` where these are unknown.
  func indexes(
    ofTable name: String, definitions: [Value: String], sizes: [Value: Int]? = nil
  ) throws(RepositoryError) -> [IndexDescription] {
    var indexes: [IndexDescription] = []
    for entry in try catalog.indexEntries(ofTable: name).sorted(by: {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }) {
      let definition = definitions[.text(entry.name)] ?? ""
      let text = DefinitionText(definition)
      var written = text.indexTerms[...]
      let terms = try catalog.terms(ofIndex: entry.name).map { term in
        let own = written.popFirst()
        return IndexDescription.Term(
          column: term.column, text: term.column ?? own ?? "", isDescending: term.isDescending,
          collation: term.collation.uppercased() == "BINARY" ? nil : term.collation)
      }
      let origin: IndexDescription.Origin =
        switch entry.origin {
        case "pk": .primaryKey
        case "u": .uniqueRule
        default: .statement
        }
      indexes.append(
        IndexDescription(
          name: entry.name, table: name, terms: terms, isUnique: entry.isUnique,
          condition: entry.isPartial ? text.condition ?? "" : nil, origin: origin, definition: definition,
          size: sizes.map { $0[.text(entry.name)] ?? 0 }))
    }
    return indexes
  }

  /// Returns the size of each index in bytes, by its name as a value, which is compared by its bytes.
  /// https://www.sqlite.org/dbstat.html
  func sizes() throws(RepositoryError) -> [Value: Int] {
    var sizes: [Value: Int] = [:]
    try catalog.query(
      """
      SELECT name, pgsize FROM temp.dbstat WHERE aggregate = 1 \
      AND name IN (SELECT name FROM sqlite_schema WHERE type = 'index')
      """
    ) { row in
      sizes[.text(row.text(0))] = Int(row.integer(1))
    }
    return sizes
  }
}
