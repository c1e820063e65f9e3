import Query
import Repository
import SQL

extension SchemaDifference {
  /// The difference with SQLite's statements that would mend it, where it can do so without a copy of the table.
  ///
  /// - Parameter expected: the schema with which the table is opened.
  func mending(towards expected: TableSchema) -> SchemaDifference {
    let compiler = SQLiteStore.compiler
    switch (kind, self.expected, present) {
    case (.missingTable, _, _):
      return mended(by: compiler.create(expected))
    case (.missingColumn, let column?, _) where column.isAddable && !expected.primaryKeyColumns.contains(column):
      var statements = [compiler.addColumn(column, to: table)]
      // A column can't be unique from the start: https://www.sqlite.org/lang_altertable.html#altertabaddcol
      if column.isUnique {
        statements.append(compiler.uniqueIndex(on: column, of: expected))
      } else if column.isIndexed {
        statements.append(compiler.index(on: column, of: expected))
      }
      return mended(by: statements)
    case (.missingUniqueness, let column?, _):
      return mended(by: [compiler.uniqueIndex(on: column, of: expected)])
    case (.missingUniqueness, nil, _) where !columns.isEmpty:
      let name = compiler.indexName(of: columns, in: table)
      return mended(by: [compiler.index(on: columns, of: table, name: name, isUnique: true)])
    case (.missingIndex, let column?, _):
      return mended(by: [compiler.index(on: column, of: expected)])
    // A column that has an index can't be dropped.
    case (.unknownColumn, _, let column?) where !column.isIndexed && !column.isUnique:
      return mended(by: [compiler.dropColumn(column.name, from: table)], deletingData: true)
    default:
      return self
    }
  }
}

extension ColumnSchema {
  /// Whether a table with rows can be given the column.
  var isAddable: Bool { isNullable || defaultValue != nil }
}

extension Compiler {
  func uniqueIndex(on column: ColumnSchema, of table: TableSchema) -> String {
    index(
      on: [column.name], of: table.name, name: indexName(of: [column.name], in: table.name), isUnique: true)
  }
}

extension RepositoryError {
  /// Says how a table differs from the schema with which it is opened, and what would mend it.
  static func drift(_ differences: [SchemaDifference], in table: String) -> RepositoryError? {
    .mismatch(differences, in: table) { differences in
      let safe = differences.filter { !$0.statements.isEmpty && !$0.deletesData }
      if safe.isEmpty { return "change the schema, or copy the table in a migration with `rebuild`" }
      let statements = safe.flatMap(\.statements).joined(separator: "; ")
      return safe.count == differences.count
        ? "let `adopt` add what is missing, or run: \(statements)"
        : "run: \(statements); the rest takes another schema, or a copy of the table in a migration with `rebuild`"
    }
  }
}
