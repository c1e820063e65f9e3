import Query
import Repository
import SQL

extension Connection {
  /// Reads all that there is to say about a table; `nil` where there is none of exactly this name.
  func definition(ofTable name: String) throws(RepositoryError) -> TableDefinition? {
    guard let schema = try schema(ofTable: name) else { return nil }
    var kind = (kind: TableOverview.Kind.table, isStrict: false, isWithoutRowNumbers: false)
    try query(
      CompiledStatement(
        sql: "SELECT type, strict, wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
        bindings: [.text(name)])
    ) { row in
      kind = (TableOverview.Kind(rawValue: row.text(0)) ?? .table, row.integer(1) == 1, row.integer(2) == 1)
    }
    var statements: [(type: String, name: String, sql: String)] = []
    try query(
      CompiledStatement(
        sql: """
          SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL \
          ORDER BY CASE type WHEN 'index' THEN 1 WHEN 'trigger' THEN 2 ELSE 0 END, name
          """, bindings: [.text(name)])
    ) { row in
      statements.append((row.text(0), row.text(1), row.text(2)))
    }
    let text = DefinitionText(kind.kind == .table ? statements.first { $0.type == "table" }?.sql ?? "" : "")
    return TableDefinition(
      schema: schema, kind: kind.kind, isStrict: kind.isStrict, isWithoutRowNumbers: kind.isWithoutRowNumbers,
      columns: try columnDetails(of: schema, text), indexes: try indexDetails(ofTable: name),
      references: try referenceDetails(ofTable: name), checks: text.checks,
      triggers: statements.filter { $0.type == "trigger" }.map(\.name), statements: statements.map(\.sql))
  }

  private func columnDetails(
    of table: TableSchema, _ text: DefinitionText
  ) throws(RepositoryError) -> [TableDefinition.Column] {
    var columns: [TableDefinition.Column] = []
    var generated = text.generated[...]
    try query(
      CompiledStatement(
        sql: "SELECT name, type, dflt_value, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid",
        bindings: [.text(table.name)])
    ) { row in
      guard columns.count < table.columns.count else { return }
      let schema = table.columns[columns.count]
      // 2 and 3 for columns that are worked out: https://www.sqlite.org/pragma.html#pragma_table_xinfo
      let isGenerated = row.integer(3) >= 2
      columns.append(
        TableDefinition.Column(
          schema: schema, declaredType: row.text(1).withoutGenerationWords,
          defaultExpression: isGenerated ? nil : row.text(at: 2),
          collation: schema.collation == ColumnSchema.unknownCollation ? nil : schema.collation,
          generatedBy: isGenerated ? generated.popFirst() ?? "" : nil, isStored: row.integer(3) == 3))
    }
    return columns
  }

  private func indexDetails(ofTable name: String) throws(RepositoryError) -> [IndexDetails] {
    var indexes: [(name: String, isUnique: Bool, origin: String, isPartial: Bool, sql: String)] = []
    try query(
      CompiledStatement(
        sql: """
          SELECT list.name, list."unique", list.origin, list.partial, (SELECT sql FROM sqlite_schema AS made \
          WHERE made.type = 'index' AND made.name = list.name) FROM pragma_index_list(?) AS list ORDER BY list.name
          """, bindings: [.text(name)])
    ) { row in
      indexes.append((row.text(0), row.integer(1) == 1, row.text(2), row.integer(3) == 1, row.text(4)))
    }
    var details: [IndexDetails] = []
    for index in indexes {
      let text = DefinitionText(index.sql)
      var written = text.indexTerms[...]
      var terms: [IndexDetails.Term] = []
      try query(
        CompiledStatement(
          sql: "SELECT name, \"desc\", coll FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno",
          bindings: [.text(index.name)])
      ) { row in
        let (column, own, collation) = (row.text(at: 0), written.popFirst(), row.text(2))
        terms.append(
          IndexDetails.Term(
            column: column, text: column ?? own ?? "", isDescending: row.integer(1) == 1,
            collation: collation.uppercased() == "BINARY" ? nil : collation))
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
    var parts: [(number: Int64, table: String, column: String, key: String?, onDelete: String, onUpdate: String)] = []
    try query(
      CompiledStatement(
        // SQLite counts them from the last one.
        sql: """
          SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq
          """, bindings: [.text(name)])
    ) { row in
      parts.append((row.integer(0), row.text(1), row.text(2), row.text(at: 3), row.text(4), row.text(5)))
    }
    var references: [TableDefinition.Reference] = []
    while let first = parts.first {
      let own = parts.prefix { $0.number == first.number }
      parts.removeFirst(own.count)
      references.append(
        TableDefinition.Reference(
          columns: own.map(\.column), table: first.table, key: own.compactMap(\.key), onDelete: first.onDelete,
          onUpdate: first.onUpdate))
    }
    return references
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
