public import Query
public import Repository
import SQL

extension SQLDatabase {
  /// Compares a table with a schema, column by column, and changes nothing.
  ///
  /// - Returns: the differences, each with the statements that would fix it, or none where that takes a copy of the
  ///   table. Those that opening a repository tolerates are among them.
  /// - Throws: ``/Repository/RepositoryError`` where the schema contradicts itself, or the database can't be read.
  public func schemaDifferences<Element: Storable>(of schema: Schema<Element>) throws(RepositoryError)
    -> [SchemaDifference]
  {
    try schemaDifferences(of: try schema.table())
  }

  /// The same for a table without a model type.
  public func schemaDifferences(of table: TableSchema) throws(RepositoryError) -> [SchemaDifference] {
    try runBlocking(.read) { connection throws(RepositoryError) in
      try StoredSchema(table, on: connection, readingAllRows: true).differences
    }
  }

  /// Makes a table fit a schema as far as it takes no more than additions: a table that is missing, columns that may be
  /// null or have a default, and indexes.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - additions: what may be added.
  /// - Returns: the differences that were fixed, none where there were none.
  /// - Throws: ``/Repository/RepositoryError``, with the code ``/Repository/RepositoryError/Code/schemaMismatch`` where the table differs in
  ///   something else; nothing is added then.
  @discardableResult
  public func adopt<Element: Storable>(
    _ schema: Schema<Element>, adding additions: SchemaAdditions = .all
  ) throws(RepositoryError) -> [SchemaDifference] {
    try adopt(try schema.table(), adding: additions)
  }

  /// Opens a repository, after such changes of its table as only add something.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - additions: what may be added.
  /// - Throws: as ``repository(_:)`` and ``adopt(_:adding:)`` do.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>, adding additions: SchemaAdditions
  ) throws(RepositoryError) -> AnyRepository<Element> {
    try adopt(schema, adding: additions)
    return try repository(schema)
  }

  /// Opens a repository of a model type that offers synchronous calls too, after such changes of its table as only add
  /// something.
  ///
  /// - Throws: as ``repository(_:adding:)`` does.
  public func repository<Element: Entity>(
    of type: Element.Type, adding additions: SchemaAdditions
  ) throws(RepositoryError) -> SQLRepository<Element> {
    try adopt(type.schema, adding: additions)
    return try repository(of: type)
  }

  /// Makes a table fit its declaration as far as that takes no more than additions.
  ///
  /// - Returns: the differences that were removed.
  /// - Throws: ``/Repository/RepositoryError`` where the table differs in something else; nothing is added then.
  private func adopt(
    _ table: TableSchema, adding additions: SchemaAdditions
  ) throws(RepositoryError) -> [SchemaDifference] {
    // A table to which nothing can be added does not need the right to write.
    let differences = try runBlocking(.read) { connection throws(RepositoryError) in
      try StoredSchema(table, on: connection).differences
    }
    if !differences.contains(where: additions.contains) {
      if let error = RepositoryError.drift(differences, in: table.name) { throw error }
      return []
    }
    return try runBlocking(.write) { connection throws(RepositoryError) in
      try connection.atomically { () throws(RepositoryError) in
        let added = try StoredSchema(table, on: connection).differences.filter { additions.contains($0) }
        for difference in added {
          for sql in difference.statements { try connection.execute(sql) }
        }
        let rest = try StoredSchema(table, on: connection).differences
        if let error = RepositoryError.drift(rest, in: table.name) { throw error }
        return added
      }
    }
  }
}

/// The changes of a table that are made automatically: additions, which touch nothing that is stored.
public struct SchemaAdditions: OptionSet, Hashable, Sendable {
  /// The set's bits.
  public let rawValue: Int

  /// Makes a set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Columns that may be null or have a default, with the indexes that they ask for.
  public static let columns = SchemaAdditions(rawValue: 1)
  /// Indexes of columns that are there. A unique one is refused with the code `conflict` where rows have the same value.
  public static let indexes = SchemaAdditions(rawValue: 2)
  /// Everything that only adds something.
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
  /// The difference with the statements that would remove it, where that takes no copy of the table.
  ///
  /// - Parameter expected: the schema with which the table is opened.
  func resolving(towards expected: TableSchema, _ compiler: Compiler) -> SchemaDifference {
    switch (kind, self.expected, present) {
    case (.missingTable, _, _):
      return repaired(by: compiler.create(expected))
    case (.missingColumn, let column?, _) where column.isAddable && !expected.primaryKeyColumns.contains(column):
      var statements = [compiler.addColumn(column, to: table)]
      // A column can't be unique from the start: https://www.sqlite.org/lang_altertable.html#altertabaddcol
      if column.isUnique {
        statements.append(compiler.uniqueIndex(on: column, of: expected))
      } else if column.isIndexed {
        statements.append(compiler.index(on: column, of: expected))
      }
      return repaired(by: statements)
    case (.missingUniqueness, let column?, _):
      return repaired(by: [compiler.uniqueIndex(on: column, of: expected)])
    case (.missingUniqueness, nil, _) where !columns.isEmpty:
      let name = compiler.indexName(of: columns, in: table)
      return repaired(by: [compiler.index(on: columns, of: table, name: name, isUnique: true)])
    case (.missingIndex, let column?, _):
      return repaired(by: [compiler.index(on: column, of: expected)])
    // A column that has an index can't be dropped.
    case (.unknownColumn, _, let column?) where !column.isIndexed && !column.isUnique:
      return repaired(by: [compiler.dropColumn(column.name, from: table)], deletingData: true)
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
  /// The error for a table that differs from the schema with which it is opened, with the statements that would fix it.
  static func drift(_ differences: [SchemaDifference], in table: String) -> RepositoryError? {
    .mismatch(differences, in: table) { differences in
      let safe = differences.filter { !$0.statements.isEmpty && !$0.deletesData }
      if safe.isEmpty {
        return differences.allSatisfy { $0.kind == .format }
          ? "keep the property as it is stored, or convert the column in a migration"
          : "change the schema, or copy the table in a migration with `rebuild`"
      }
      let statements = safe.flatMap(\.statements).joined(separator: "; ")
      return safe.count == differences.count
        ? (safe.allSatisfy(SchemaAdditions.all.contains) ? "let `adopt` add what is missing, or run: " : "run: ")
          + statements
        : "run: \(statements); the rest takes another schema, or a copy of the table in a migration with `rebuild`"
    }
  }
}
