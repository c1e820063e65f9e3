public import Query

/// All that a database says about a table or a view: more than queries need to know.
public struct TableDefinition: Hashable, Sendable {
  /// What else there is to a column than its ``ColumnSchema`` says.
  public struct Column: Hashable, Sendable {
    /// The column as queries know it.
    public let schema: ColumnSchema
    /// The type as it was declared; empty where there is none.
    public let declaredType: String
    /// What a row holds that is added without the column, as SQL.
    public let defaultExpression: String?
    /// The collation by which its texts are compared in SQL, unless that is by bytes, or unknown as in a view.
    public let collation: String?
    /// How the column is worked out, as SQL; `nil` for one that is written.
    public let generatedBy: String?
    /// Whether what is worked out is kept in the rows.
    public let isStored: Bool
  }

  /// A foreign key, with what ``ReferenceRule`` has no word for.
  public struct Reference: Hashable, Sendable {
    /// The names of the columns that refer.
    public let columns: [String]
    /// The name of the table they refer to.
    public let table: String
    /// The names of the columns that they refer to; empty for the primary key.
    public let key: [String]
    /// What becomes of the row when the one that it refers to is deleted, in SQLite's words: `CASCADE`.
    public let onDelete: String
    /// The same where that one's key changes.
    public let onUpdate: String
  }

  /// The table as queries know it.
  public let schema: TableSchema
  /// What it is.
  public let kind: TableOverview.Kind
  /// Whether every value is of its column's type.
  public let isStrict: Bool
  /// Whether the rows are kept in the order of their key, without a number of their own.
  public let isWithoutRowNumbers: Bool
  /// The columns, in order.
  public let columns: [Column]
  /// The indexes, in alphabetical order.
  public let indexes: [IndexDetails]
  /// The foreign keys, in the order in which they were declared.
  public let references: [Reference]
  /// The checks, as SQL.
  public let checks: [String]
  /// The names of the triggers, in alphabetical order.
  public let triggers: [String]
  /// The statements that made all this: the table, then its indexes and triggers.
  public let statements: [String]
}

/// An index of a table.
public struct IndexDetails: Hashable, Sendable {
  /// A part of an index.
  public struct Term: Hashable, Sendable {
    /// The column's name; `nil` for an expression.
    public let column: String?
    /// The expression as SQL, or the column's name.
    public let text: String
    /// Whether the index holds it from great to small.
    public let isDescending: Bool
    /// The collation, unless it is by bytes.
    public let collation: String?
  }

  /// What made the index.
  public enum Origin: Hashable, Sendable {
    /// A statement of its own.
    case statement
    /// A rule of uniqueness.
    case uniqueRule
    /// The primary key.
    case primaryKey
  }

  /// The name; SQLite makes one up for an index that no statement names.
  public let name: String
  /// What the index is of, in order.
  public let terms: [Term]
  /// Whether no two rows may agree in all terms.
  public let isUnique: Bool
  /// Which rows it holds, as SQL; `nil` for all.
  public let condition: String?
  /// What made it.
  public let origin: Origin
}
