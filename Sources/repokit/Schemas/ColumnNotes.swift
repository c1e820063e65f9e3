import Query
import SQLiteStore

/// What there is to say about a column besides its name and type.
struct ColumnNotes {
  let texts: [String]

  init(_ position: Int, of table: TableDefinition) {
    let (details, schema) = (table.columns[position], table.schema)
    let column = details.schema
    var notes: [String] = []
    if let part = schema.primaryKey.firstIndex(of: position) {
      notes.append(schema.primaryKey.count == 1 ? "key" : "key \(part + 1) of \(schema.primaryKey.count)")
    } else if column.isUnique {
      notes.append("unique")
    } else if column.isIndexed {
      notes.append("indexed")
    }
    if let expression = details.generatedBy {
      notes.append("\(details.isStored ? "kept" : "worked out") as \(expression)")
    }
    if column.isNullable { notes.append("may be null") }
    if let expression = details.defaultExpression { notes.append("default \(expression)") }
    if let collation = details.collation { notes.append("collation \(collation)") }
    if let declared = column.loose {
      notes.append(declared.isEmpty ? "declared without a type" : "declared \(details.declaredType)")
    }
    texts = notes
  }
}
