import Query
import Repository
import SQL

/// The changes of an existing table that are made automatically: additions, which do not touch stored values.
///
/// A table that does not exist is created with any set, also with the empty one.
public struct SchemaAdditions: OptionSet, Hashable, Sendable {
  /// The raw value: the set's bits.
  public let rawValue: Int

  /// Makes a set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Columns that are nullable or have a default, with their indexes.
  public static let columns = SchemaAdditions(rawValue: 1)
  /// Indexes of existing columns. A unique index is refused with the code `conflict` if rows have the same value.
  public static let indexes = SchemaAdditions(rawValue: 2)
  /// All additions.
  public static let all: SchemaAdditions = [.columns, .indexes]

  func contains(_ difference: SchemaDifference) -> Bool {
    if difference.deletesData || difference.statements.isEmpty { return false }
    return switch difference.kind {
    case .missingTable: true
    case .missingColumn: contains(.columns)
    case .missingIndex, .missingUniqueness: contains(.indexes)
    default: false
    }
  }
}

extension SchemaDifference {
  /// Returns the difference with the statements that would remove it, if that takes no copy of the table.
  ///
  /// - Parameter expected: the schema with which the table is opened.
  func resolving(towards expected: TableSchema, _ compiler: Compiler) -> SchemaDifference {
    switch (kind, self.expected, present) {
    case (.missingTable, _, _):
      return repaired(by: compiler.create(expected))
    case (.missingColumn, let column?, _) where column.isAddable && !expected.primaryKeyColumns.contains(column):
      var statements = [compiler.addColumn(column, to: table)]
      // A column can't be added as unique: https://www.sqlite.org/lang_altertable.html#altertabaddcol
      if column.isUnique {
        statements.append(compiler.uniqueIndex(on: column, of: expected))
      } else if column.isIndexed {
        statements.append(compiler.index(on: column, of: expected))
      }
      return repaired(by: statements)
    case (.missingUniqueness, let column?, _):
      return repaired(by: [compiler.uniqueIndex(on: column, of: expected)])
    case (.missingUniqueness, nil, _) where rule != nil:
      let indexes = compiler.partialUniqueIndexes(of: expected)
      guard let index = indexes.first(where: { $0.rule == rule }) else { return self }
      return repaired(by: index.statements)
    case (.missingUniqueness, nil, _) where !columns.isEmpty:
      let name = compiler.indexName(of: columns, in: table)
      return repaired(by: [compiler.index(on: columns, of: table, name: name, isUnique: true)])
    case (.missingIndex, let column?, _):
      return repaired(by: [compiler.index(on: column, of: expected)])
    // A column with an index can't be dropped.
    case (.unknownColumn, _, let column?) where !column.isIndexed && !column.isUnique:
      return repaired(by: [compiler.dropColumn(column.name, from: table)], deletingData: true)
    default:
      return self
    }
  }
}

extension Compiler {
  func uniqueIndex(on column: ColumnSchema, of table: TableSchema) -> String {
    index(
      on: [column.name], of: table.name, name: indexName(of: [column.name], in: table.name), isUnique: true)
  }
}

extension RepositoryError {
  /// Returns the error for a table that differs from the schema with which it is opened, with the statements that would fix it.
  static func schemaMismatch(_ differences: [SchemaDifference], in table: String) -> RepositoryError? {
    .mismatch(differences, in: table) { differences in
      let safe = differences.filter { !$0.statements.isEmpty && !$0.deletesData }
      if safe.isEmpty {
        return differences.allSatisfy { $0.kind == .format }
          ? "change the property to the stored type, or convert the column in a migration"
          : "change the schema, or copy the table in a migration with `rebuild`"
      }
      let statements = safe.flatMap(\.statements).joined(separator: "; ")
      return safe.count == differences.count
        ? (safe.allSatisfy(SchemaAdditions.all.contains) ? "add the missing parts with `adopt`, or run: " : "run: ")
          + statements
        : "run: \(statements); for the rest, change the schema, or copy the table in a migration with `rebuild`"
    }
  }
}
