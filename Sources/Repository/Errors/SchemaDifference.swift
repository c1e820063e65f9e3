package import Query

/// A difference between a table and the schema with which it is opened.
public struct SchemaDifference: Hashable, Sendable {
  /// The kind of the difference.
  public let kind: Kind
  /// The table.
  public let table: String
  /// The column, if the difference concerns a single column.
  public let column: String?
  /// The description of the difference, in one sentence without any stored value.
  public let summary: String
  /// Whether a repository can be opened nevertheless: stored values and the semantics of queries are not affected.
  public let isTolerable: Bool
  /// The store's own statements that would repair the table, in order; empty if the repair takes more than that, such as a
  /// copy of the table, and in a store without such a language.
  public let statements: [String]
  /// Whether these statements delete stored values.
  public let deletesData: Bool
  /// The column according to the schema.
  package let expected: ColumnSchema?
  /// The column according to the table.
  package let present: ColumnSchema?
  /// The columns that the difference concerns together, if there are several.
  package let columns: [String]

  package init(
    _ kind: Kind, _ table: String, expected: ColumnSchema? = nil, present: ColumnSchema? = nil,
    columns: [String] = [], _ summary: String,
    isTolerable: Bool = false, statements: [String] = [], deletesData: Bool = false
  ) {
    self.kind = kind
    self.table = table
    self.expected = expected
    self.present = present
    self.columns = columns
    column = (expected ?? present)?.name
    self.summary = summary
    self.isTolerable = isTolerable
    self.statements = statements
    self.deletesData = deletesData
  }

  /// Returns the same difference with the statements that would repair it.
  package func repaired(by statements: [String], deletingData deletesData: Bool = false) -> SchemaDifference {
    SchemaDifference(
      kind, table, expected: expected, present: present, columns: columns, summary,
      isTolerable: isTolerable, statements: statements,
      deletesData: deletesData)
  }

  /// The kind of a difference; later versions may add kinds, so switch with a default.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String

    /// Makes a kind, for stores of your own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind of a table that does not exist.
    public static let missingTable = Kind(rawValue: "missingTable")
    /// The kind of a column of the schema that the table lacks.
    public static let missingColumn = Kind(rawValue: "missingColumn")
    /// The kind of a column of the table that the schema lacks.
    public static let unknownColumn = Kind(rawValue: "unknownColumn")
    /// The kind of a column that holds values of another type.
    public static let type = Kind(rawValue: "type")
    /// The kind of a column that is nullable only in the schema, or only in the table.
    public static let nullability = Kind(rawValue: "nullability")
    /// The kind of a column that is unique in the schema, but not in the table.
    public static let missingUniqueness = Kind(rawValue: "missingUniqueness")
    /// The kind of a column that is indexed in the schema, but not in the table.
    public static let missingIndex = Kind(rawValue: "missingIndex")
    /// The kind of a column whose keys the store does not generate.
    public static let generation = Kind(rawValue: "generation")
    /// The kind of a check that is missing, or differs.
    public static let check = Kind(rawValue: "check")
    /// The kind of a foreign key that is missing, or differs.
    public static let reference = Kind(rawValue: "reference")
    /// The kind of a column of UUIDs, dates or decimals that holds the forms of other programs.
    public static let format = Kind(rawValue: "format")
    /// The kind of a primary key of other columns.
    public static let primaryKey = Kind(rawValue: "primaryKey")
  }
}

extension SchemaDifference: CustomStringConvertible {
  /// The summary, and the statements that would repair the table.
  public var description: String {
    statements.isEmpty ? "\(table): \(summary)" : "\(table): \(summary): \(statements.joined(separator: "; "))"
  }
}

/// The differences that prevent a table from being opened: the underlying error of an error with the code
/// ``RepositoryError/Code/schemaMismatch``.
public struct SchemaMismatch: Error, Hashable {
  /// The differences that can't be tolerated.
  public let differences: [SchemaDifference]

  /// Makes an error, for stores of your own.
  public init(differences: [SchemaDifference]) { self.differences = differences }
}

extension TableSchema {
  /// Returns the differences of a table from this schema, column by column.
  ///
  /// Defaults are not compared: elements are saved with all their values.
  ///
  /// - Parameters:
  ///   - present: the existing table.
  ///   - columnsWithDefault: the columns of the table, as texts, that get a value if a row is added without them.
  package func differences(from present: TableSchema, columnsWithDefault: Set<Value> = []) -> [SchemaDifference] {
    columns.indices.flatMap { differences(of: columns[$0], at: $0, from: present) }
      + present.columns.indices.compactMap {
        unknown(present.columns[$0], at: $0, columnsWithDefault: columnsWithDefault)
      }
      + keyDifferences(from: present)
      + ruleDifferences(from: present)
  }

  private func differences(
    of column: ColumnSchema, at position: Int, from present: TableSchema
  ) -> [SchemaDifference] {
    guard let index = present.columns.firstIndex(named: column.name, near: position) else {
      return [SchemaDifference(.missingColumn, name, expected: column, "column \(column.name) is missing")]
    }
    let found = present.columns[index]
    var differences: [SchemaDifference] = []
    func add(_ kind: SchemaDifference.Kind, _ summary: String, isTolerable: Bool = false) {
      differences.append(
        SchemaDifference(
          kind, name, expected: column, present: found, "column \(column.name) \(summary)", isTolerable: isTolerable))
    }
    if found.declaredType == nil, found.type != column.type { add(.type, "holds \(found.type), not \(column.type)") }
    if column.isUnique, !found.isUnique, primaryKeyColumns != [column] { add(.missingUniqueness, "is not unique") }
    if found.isNullable != column.isNullable {
      add(.nullability, "may \(found.isNullable ? "be null" : "not be null")")
    }
    if column.isGenerated, !found.isGenerated { add(.generation, "is not generated") }
    // The index of the primary key also serves lookups by its first column.
    if column.isIndexed, !found.isIndexed, !column.isUnique, primaryKeyColumns.first != column {
      add(.missingIndex, "has no index", isTolerable: true)
    }
    return differences
  }

  /// Returns the difference of an unknown column; it is tolerable if rows can be added without the column.
  private func unknown(
    _ column: ColumnSchema, at position: Int, columnsWithDefault: Set<Value>
  ) -> SchemaDifference? {
    if columns.firstIndex(named: column.name, near: position) != nil { return nil }
    let isTolerable = column.isNullable || columnsWithDefault.contains(.text(column.name))
    return SchemaDifference(
      .unknownColumn, name, present: column,
      "column \(column.name) is not in the schema\(isTolerable ? "" : " and may not be null")", isTolerable: isTolerable
    )
  }

  private func keyDifferences(from present: TableSchema) -> [SchemaDifference] {
    let (found, key) = (present.primaryKeyColumns.map(\.name), primaryKeyColumns.map(\.name))
    if found.map(Name.init) == key.map(Name.init) { return [] }
    return [
      SchemaDifference(
        .primaryKey, name,
        "the primary key is \(found.isEmpty ? "missing" : found.joined(separator: ", ")), "
          + (key.isEmpty ? "and the schema has none" : "not \(key.joined(separator: ", "))"))
    ]
  }
}

// Additional constraints of the table are not a difference.
extension TableSchema {
  private func ruleDifferences(from present: TableSchema) -> [SchemaDifference] {
    let sets = Set(present.uniqueSets.map { set in Set(set.map { Value.text(present.columns[$0].name) }) })
    let uniqueness = uniqueSets.map { set in set.map { columns[$0].name } }
      .filter { !sets.contains(Set($0.map(Value.text))) }
      .map { names in
        SchemaDifference(
          .missingUniqueness, name, columns: names, "\(names.joined(separator: " and ")) are not unique together")
      }
    let checks = checks.filter { !present.checks.contains($0) }
      .map { SchemaDifference(.check, name, "the rule \($0.name) is missing or another") }
    return uniqueness + checks + references.compactMap { difference(of: $0, from: present) }
  }

  private func difference(of reference: ReferenceRule, from present: TableSchema) -> SchemaDifference? {
    let names = reference.columns.joined(separator: " and ")
    let same = present.references.filter {
      $0.columns.map(Name.init) == reference.columns.map(Name.init) && Name($0.table) == reference.table
    }
    if same.isEmpty { return SchemaDifference(.reference, name, "\(names) does not refer to \(reference.table)") }
    if same.contains(reference) { return nil }
    return SchemaDifference(
      .reference, name, "\(names) refers to \(reference.table) otherwise, in its key or its rule for deletions")
  }
}

extension RepositoryError {
  /// Returns the error for a table that differs from the schema with which it is opened; `nil` if no difference matters.
  ///
  /// - Parameter suggestion: the advice what to do about the differences.
  package static func mismatch(
    _ differences: [SchemaDifference], in table: String,
    suggestion: ([SchemaDifference]) -> String = { _ in "change the schema, or the table" }
  ) -> RepositoryError? {
    let differences = differences.filter { !$0.isTolerable }
    if differences.isEmpty { return nil }
    return RepositoryError(
      .schemaMismatch, "table \(table) differs from its schema",
      reason: differences.map(\.summary).joined(separator: "; "), suggestion: suggestion(differences),
      underlying: SchemaMismatch(differences: differences))
  }
}
