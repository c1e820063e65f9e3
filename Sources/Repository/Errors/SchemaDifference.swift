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
  /// Whether opening a repository tolerates the difference: stored values and the semantics of queries are not affected.
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
  /// The partial unique constraint that is missing, or differs.
  package let rule: PartialUniqueRule?

  package init(
    _ kind: Kind, _ table: String, expected: ColumnSchema? = nil, present: ColumnSchema? = nil,
    columns: [String] = [], rule: PartialUniqueRule? = nil, _ summary: String,
    isTolerable: Bool = false, statements: [String] = [], deletesData: Bool = false
  ) {
    self.kind = kind
    self.table = table
    self.expected = expected
    self.present = present
    self.columns = columns
    self.rule = rule
    column = (expected ?? present)?.name
    self.summary = summary
    self.isTolerable = isTolerable
    self.statements = statements
    self.deletesData = deletesData
  }

  /// Returns the same difference with the statements that would repair it.
  package func repaired(by statements: [String], deletingData deletesData: Bool = false) -> SchemaDifference {
    SchemaDifference(
      kind, table, expected: expected, present: present, columns: columns, rule: rule, summary,
      isTolerable: isTolerable, statements: statements,
      deletesData: deletesData)
  }

  /// The kind of a difference; later versions may add kinds, so switch with a default.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String

    /// Makes a kind, for stores of your own.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The kind of the difference for a table that does not exist.
    public static let missingTable = Kind(rawValue: "missingTable")
    /// The kind of the difference for a column of the schema that the table lacks.
    public static let missingColumn = Kind(rawValue: "missingColumn")
    /// The kind of the difference for a column of the table that the schema lacks.
    public static let unknownColumn = Kind(rawValue: "unknownColumn")
    /// The kind of the difference for a column that stores values of another type.
    public static let type = Kind(rawValue: "type")
    /// The kind of the difference for a column that is nullable only in the schema, or only in the table.
    public static let nullability = Kind(rawValue: "nullability")
    /// The kind of the difference for columns that are unique in the schema, but not in the table, or not under
    /// the same condition.
    public static let missingUniqueness = Kind(rawValue: "missingUniqueness")
    /// The kind of the difference for a column that is indexed in the schema, but not in the table.
    public static let missingIndex = Kind(rawValue: "missingIndex")
    /// The kind of the difference for a column whose keys the store does not generate.
    public static let generation = Kind(rawValue: "generation")
    /// The kind of the difference for a check that is missing, or differs.
    public static let check = Kind(rawValue: "check")
    /// The kind of the difference for a foreign key that is missing, or differs.
    public static let reference = Kind(rawValue: "reference")
    /// The kind of the difference for a column of UUIDs, dates or decimals that contains the forms of other programs.
    public static let format = Kind(rawValue: "format")
    /// The kind of the difference for a primary key of other columns.
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
      .schemaMismatch, "table \(table) differs from the schema",
      reason: differences.map(\.summary).joined(separator: "; "), suggestion: suggestion(differences),
      underlying: SchemaMismatch(differences: differences))
  }
}
