package import Query

/// What the values of one column are like, worked out exactly of all rows.
package struct ColumnProfile: Hashable, Sendable {
  /// A value, and how many rows have it.
  package struct Frequency: Hashable, Sendable {
    /// The value.
    package let value: Value
    /// How many rows have it.
    package let count: Int
  }

  /// The column.
  package let column: ColumnSchema
  /// How many rows were looked at.
  package let rowCount: Int
  /// In how many of them the column is null.
  package let nullCount: Int
  /// How many values differ, null left out; an integer and a real that are equal count as one.
  package let distinctCount: Int
  /// How many values there are of each type that SQLite keeps, those left out of which there is none.
  package let typeCounts: [ValueType: Int]
  /// The least value in the total order; null where there is none.
  package let min: Value
  /// The greatest value in the total order; null where there is none.
  package let max: Value
  /// The average of the numbers; null where there is none, and where both infinities are among them.
  package let mean: Value
  /// How long the texts are; `nil` where there is none.
  package let lengths: TextLengths?
  /// The most common values, the most common first and by value where as many rows have them; none of which one row alone
  /// has, unless all have.
  package let common: [Frequency]
  /// How the finite numbers are spread; `nil` where there are no two that differ.
  package let histogram: Histogram?
  /// How many texts can't be read, because they are not UTF-8. They are left out of everything but the counts.
  package let unreadableCount: Int
}
