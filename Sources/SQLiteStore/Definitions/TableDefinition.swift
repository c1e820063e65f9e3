package import Query

/// All that a database says about a table or a view: more than queries need to know.
package struct TableDefinition: Hashable, Sendable {
  /// What else there is to a column than its ``ColumnSchema`` says.
  package struct Column: Hashable, Sendable {
    /// The column as queries know it.
    package let schema: ColumnSchema
    /// The type as it was declared; empty where there is none.
    package let declaredType: String
    /// What a row holds that is added without the column, as SQL.
    package let defaultExpression: String?
    /// The collation by which its texts are compared in SQL, unless that is by bytes, or unknown as in a view.
    package let collation: String?
    /// How the column is worked out, as SQL; `nil` for one that is written.
    package let generatedBy: String?
    /// Whether what is worked out is kept in the rows.
    package let isStored: Bool
  }

  /// A foreign key, with what ``ReferenceRule`` has no word for.
  package struct Reference: Hashable, Sendable {
    /// The names of the columns that refer.
    package let columns: [String]
    /// The name of the table they refer to.
    package let table: String
    /// The names of the columns that they refer to; empty for the primary key.
    package let key: [String]
    /// What becomes of the row when the one that it refers to is deleted, in SQLite's words: `CASCADE`.
    package let onDelete: String
    /// The same where that one's key changes.
    package let onUpdate: String
  }

  /// The table as queries know it.
  package let schema: TableSchema
  /// What it is.
  package let kind: TableOverview.Kind
  /// Whether every value is of its column's type.
  package let isStrict: Bool
  /// Whether the rows are kept in the order of their key, without a number of their own.
  package let isWithoutRowNumbers: Bool
  /// The columns, in order.
  package let columns: [Column]
  /// The indexes, in alphabetical order.
  package let indexes: [IndexDetails]
  /// The foreign keys, in the order in which they were declared.
  package let references: [Reference]
  /// The checks, as SQL.
  package let checks: [String]
  /// The names of the triggers, in alphabetical order.
  package let triggers: [String]
  /// The statements that made all this: the table, then its indexes and triggers.
  package let statements: [String]
}
