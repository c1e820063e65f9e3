package import Query

/// One way in which a table differs from the schema with which it is opened.
public struct SchemaDifference: Hashable, Sendable {
  /// What is different.
  public let kind: Kind
  /// The table.
  public let table: String
  /// The column, where the difference is one column's.
  public let column: String?
  /// What is different, in one sentence without any stored value.
  public let summary: String
  /// Whether a repository can be opened all the same: what is stored and what a query means are not concerned.
  public let isTolerable: Bool
  /// The store's own statements that would repair the table, in their order; none where it takes more than that, such as a
  /// copy of the table, and in a store without such a language.
  public let statements: [String]
  /// Whether these statements delete what is stored.
  public let deletesData: Bool
  /// The column as the schema has it.
  package let expected: ColumnSchema?
  /// The column as the table has it.
  package let present: ColumnSchema?
  /// The columns that the difference concerns together, where they are several.
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

  /// The same difference with the statements that would repair it.
  package func repaired(by statements: [String], deletingData deletesData: Bool = false) -> SchemaDifference {
    SchemaDifference(
      kind, table, expected: expected, present: present, columns: columns, summary,
      isTolerable: isTolerable, statements: statements,
      deletesData: deletesData)
  }

  /// What is different; later versions add kinds, so switch with a default.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String

    /// Makes a kind, for stores of your own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The table is not there.
    public static let missingTable = Kind(rawValue: "missingTable")
    /// A column of the schema is not in the table.
    public static let missingColumn = Kind(rawValue: "missingColumn")
    /// The table has a column that the schema does not know.
    public static let unknownColumn = Kind(rawValue: "unknownColumn")
    /// A column holds values of another type.
    public static let type = Kind(rawValue: "type")
    /// A column may be null in one of the two alone.
    public static let nullability = Kind(rawValue: "nullability")
    /// Two rows may hold the same value in a column that the schema calls unique.
    public static let missingUniqueness = Kind(rawValue: "missingUniqueness")
    /// A column has no index.
    public static let missingIndex = Kind(rawValue: "missingIndex")
    /// The store does not generate the keys of a column.
    public static let generation = Kind(rawValue: "generation")
    /// A check is missing, or says something else.
    public static let check = Kind(rawValue: "check")
    /// Columns refer to nothing, or otherwise than the schema says.
    public static let reference = Kind(rawValue: "reference")
    /// A column of UUIDs or dates holds what other programs keep for the same.
    public static let format = Kind(rawValue: "format")
    /// Other columns are the primary key.
    public static let primaryKey = Kind(rawValue: "primaryKey")
  }
}

extension SchemaDifference: CustomStringConvertible {
  /// The summary, and the statements that would repair the table.
  public var description: String {
    statements.isEmpty ? "\(table): \(summary)" : "\(table): \(summary): \(statements.joined(separator: "; "))"
  }
}

/// The differences because of which a table could not be opened: the underlying error of one with the code
/// ``RepositoryError/Code/schemaMismatch``.
public struct SchemaMismatch: Error, Hashable {
  /// The differences, those that can be tolerated left out.
  public let differences: [SchemaDifference]

  /// Makes an error, for stores of your own.
  public init(differences: [SchemaDifference]) { self.differences = differences }
}

extension TableSchema {
  /// How a table differs from this schema, column by column.
  ///
  /// Defaults are not compared: elements are saved with all their values.
  ///
  /// - Parameters:
  ///   - present: the table as it is.
  ///   - columnsWithDefault: the columns of the table, as texts, that have a value of their own where a row is added without them.
  package func differences(from present: TableSchema, columnsWithDefault: Set<Value> = []) -> [SchemaDifference] {
    columns.flatMap { differences(of: $0, from: present) }
      + present.columns.compactMap { unknown($0, columnsWithDefault: columnsWithDefault) }
      + keyDifferences(from: present)
      + ruleDifferences(from: present)
  }

  private func differences(of column: ColumnSchema, from present: TableSchema) -> [SchemaDifference] {
    guard let found = present.columns.first(named: column.name) else {
      return [SchemaDifference(.missingColumn, name, expected: column, "column \(column.name) is missing")]
    }
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
    // The first column of a key is looked up by the key.
    if column.isIndexed, !found.isIndexed, !column.isUnique, primaryKeyColumns.first != column {
      add(.missingIndex, "has no index", isTolerable: true)
    }
    return differences
  }

  /// A column that the schema does not know is left alone where rows can be added without it.
  private func unknown(_ column: ColumnSchema, columnsWithDefault: Set<Value>) -> SchemaDifference? {
    if columns.contains(named: column.name) { return nil }
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

// More rules than the schema has are no difference.
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
  /// Says how a table differs from the schema with which it is opened; `nil` if it does not, or not so that it matters.
  ///
  /// - Parameter suggestion: what to do about the differences that matter.
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
