package import Query
package import Repository
import SQL
import SQLStore
package import SQLiteStore

/// All that a database says about a table or a view: more than queries need to know.
package struct TableDefinition: Hashable, Sendable {
  /// What else there is to a column than its ``ColumnSchema`` says.
  package struct Column: Hashable, Sendable {
    /// The column as queries know it.
    package let schema: ColumnSchema
    /// The type as it was declared; empty where there is none.
    package let declaredType: String
    /// What a row holds that is added without the column, as SQL.
    package let defaultExpression: String?
    /// The collation by which its texts are compared in SQL, unless that is by bytes, or unknown as in a view.
    package let collation: String?
    /// How the column is worked out, as SQL; `nil` for one that is written.
    package let generatedBy: String?
    /// Whether what is worked out is kept in the rows.
    package let isStored: Bool
  }

  /// A foreign key, with what ``ReferenceRule`` has no word for.
  package struct Reference: Hashable, Sendable {
    /// The names of the columns that refer.
    package let columns: [String]
    /// The name of the table they refer to.
    package let table: String
    /// The names of the columns that they refer to; empty for the primary key.
    package let key: [String]
    /// What becomes of the row when the one that it refers to is deleted, in SQLite's words: `CASCADE`.
    package let onDelete: String
    /// The same where that one's key changes.
    package let onUpdate: String
  }

  /// The table as queries know it.
  package let schema: TableSchema
  /// What it is.
  package let kind: TableOverview.Kind
  /// Whether every value is of its column's type.
  package let isStrict: Bool
  /// Whether the rows are kept in the order of their key, without a number of their own.
  package let isWithoutRowid: Bool
  /// The columns, in order.
  package let columns: [Column]
  /// The indexes, in alphabetical order.
  package let indexes: [IndexDetails]
  /// The foreign keys, in the order in which they were declared.
  package let references: [Reference]
  /// The checks, as SQL.
  package let checks: [String]
  /// The names of the triggers, in alphabetical order.
  package let triggers: [String]
  /// The statements that made all this: the table, then its indexes and triggers.
  package let statements: [String]
}

/// An index of a table.
package struct IndexDetails: Hashable, Sendable {
  /// A part of an index.
  package struct Term: Hashable, Sendable {
    /// The column's name; `nil` for an expression.
    package let column: String?
    /// The expression as SQL, or the column's name.
    package let text: String
    /// Whether the index holds it from great to small.
    package let isDescending: Bool
    /// The collation, unless it is by bytes.
    package let collation: String?
  }

  /// What made the index.
  package enum Origin: Hashable, Sendable {
    /// A statement of its own.
    case statement
    /// A rule of uniqueness.
    case uniqueRule
    /// The primary key.
    case primaryKey
  }

  /// The name; SQLite makes one up for an index that no statement names.
  package let name: String
  /// What the index is of, in order.
  package let terms: [Term]
  /// Whether no two rows may agree in all terms.
  package let isUnique: Bool
  /// Which rows it holds, as SQL; `nil` for all.
  package let condition: String?
  /// What made it.
  package let origin: Origin
}

extension SQLiteStore {
  /// Describes a table or a view with all that the database says about it.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/missingTable`` where there is none with this name;
  ///   the error suggests the nearest one.
  package func definition(ofTable name: String) throws(RepositoryError) -> TableDefinition {
    try runBlocking(.read) { connection throws(RepositoryError) in
      let catalog = SQLiteCatalog(connection)
      guard let definition = try DefinitionReader(catalog).definition(ofTable: name) else {
        throw .missingTable(name, among: try catalog.tableNames())
      }
      return definition
    }
  }

  /// Describes all tables and views, in alphabetical order; the time grows with their number alone.
  ///
  /// - Returns: for each the description, or why there is none: a view may name a table that was dropped.
  package func definitions() throws(RepositoryError) -> [(
    table: String, result: Result<TableDefinition, RepositoryError>
  )] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inReadSnapshot { () throws(RepositoryError) in
        let catalog = SQLiteCatalog(connection)
        let reader = try DefinitionReader(catalog)
        var definitions: [(table: String, result: Result<TableDefinition, RepositoryError>)] = []
        for name in try catalog.tableNames() {
          do throws(RepositoryError) {
            guard let definition = try reader.definition(ofTable: name) else { continue }
            definitions.append((name, .success(definition)))
          } catch {
            if error.code == .cancelled { throw error }
            definitions.append((name, .failure(error)))
          }
        }
        return definitions
      }
    }
  }
}

/// Reads all that the database says about a table.
struct DefinitionReader {
  private typealias Statement = (type: String, name: String, sql: String)

  private let catalog: SQLiteCatalog
  /// The statements of the whole database by the folded names of their tables, as SQLite has no index of them.
  private var statements: [[UInt8]: [Statement]] = [:]

  init(_ catalog: SQLiteCatalog) throws(RepositoryError) {
    self.catalog = catalog
    try catalog.query(
      """
      SELECT tbl_name, type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL \
      ORDER BY CASE type WHEN 'index' THEN 1 WHEN 'trigger' THEN 2 ELSE 0 END, name
      """
    ) { row in
      statements[Name(row.text(0)).folded, default: []].append((row.text(1), row.text(2), row.text(3)))
    }
  }

  /// Reads all that there is to say about a table; `nil` where no table has exactly this name.
  func definition(ofTable name: String) throws(RepositoryError) -> TableDefinition? {
    guard let schema = try catalog.schema(ofTable: name), let entry = try catalog.tableEntry(name) else { return nil }
    let kind = TableOverview.Kind(rawValue: entry.type) ?? .table
    let statements = self.statements[Name(name).folded] ?? []
    let text = DefinitionText(kind == .table ? statements.first { $0.type == "table" }?.sql ?? "" : "")
    return TableDefinition(
      schema: schema, kind: kind, isStrict: entry.isStrict, isWithoutRowid: entry.isWithoutRowid,
      columns: try columnDetails(of: schema, text), indexes: try indexDetails(ofTable: name, statements),
      references: try referenceDetails(ofTable: name), checks: text.checks,
      triggers: statements.filter { $0.type == "trigger" }.map(\.name), statements: statements.map(\.sql))
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

  private func indexDetails(
    ofTable name: String, _ statements: [Statement]
  ) throws(RepositoryError) -> [IndexDetails] {
    var details: [IndexDetails] = []
    for index in try catalog.indexEntries(ofTable: name).sorted(by: {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }) {
      let sql = statements.first { $0.type == "index" && Name($0.name) == index.name }?.sql
      let text = DefinitionText(sql ?? "")
      var written = text.indexTerms[...]
      let terms = try catalog.terms(ofIndex: index.name).map { term in
        let own = written.popFirst()
        return IndexDetails.Term(
          column: term.column, text: term.column ?? own ?? "", isDescending: term.isDescending,
          collation: term.collation.uppercased() == "BINARY" ? nil : term.collation)
      }
      let origin: IndexDetails.Origin =
        switch index.origin {
        case "pk": .primaryKey
        case "u": .uniqueRule
        default: .statement
        }
      details.append(
        IndexDetails(
          name: index.name, terms: terms, isUnique: index.isUnique, condition: index.isPartial ? text.condition : nil,
          origin: origin))
    }
    return details
  }

  private func referenceDetails(ofTable name: String) throws(RepositoryError) -> [TableDefinition.Reference] {
    try catalog.foreignKeyEntries(ofTable: name).map { key in
      TableDefinition.Reference(
        columns: key.columns, table: key.table, key: key.key, onDelete: key.onDelete, onUpdate: key.onUpdate)
    }
  }
}

extension String {
  /// SQLite takes the words before a generated column's expression for a part of its type.
  fileprivate var withoutGenerationWords: String {
    let words = " GENERATED ALWAYS"
    guard uppercased().hasSuffix(words) else { return uppercased() == "GENERATED ALWAYS" ? "" : self }
    return String(dropLast(words.count))
  }
}
