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
  /// The store's own statements that would mend the table, in their order; none where it takes more than that, such as a
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

  /// The same difference with the statements that would mend it.
  package func mended(by statements: [String], deletingData deletesData: Bool = false) -> SchemaDifference {
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
    /// Other columns are the primary key.
    public static let primaryKey = Kind(rawValue: "primaryKey")
  }
}

extension SchemaDifference: CustomStringConvertible {
  /// The summary, and the statements that would mend the table.
  public var description: String {
    statements.isEmpty ? "\(table): \(summary)" : "\(table): \(summary): \(statements.joined(separator: "; "))"
  }
}
