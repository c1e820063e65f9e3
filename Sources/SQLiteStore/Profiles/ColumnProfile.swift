public import Query

/// What the values of one column are like, worked out exactly of all rows.
public struct ColumnProfile: Hashable, Sendable {
  /// A value, and how many rows have it.
  public struct Frequency: Hashable, Sendable {
    /// The value.
    public let value: Value
    /// How many rows have it.
    public let count: Int
  }

  /// The column.
  public let column: ColumnSchema
  /// How many rows were looked at.
  public let rowCount: Int
  /// In how many of them the column is null.
  public let nullCount: Int
  /// How many values differ, null left out; an integer and a real that are equal count as one.
  public let distinctCount: Int
  /// How many values there are of each type that SQLite keeps, those left out of which there is none.
  public let typeCounts: [ValueType: Int]
  /// The least value in the total order; null where there is none.
  public let min: Value
  /// The greatest value in the total order; null where there is none.
  public let max: Value
  /// The average of the numbers; null where there is none, and where both infinities are among them.
  public let mean: Value
  /// How long the texts are; `nil` where there is none.
  public let lengths: TextLengths?
  /// The most common values, the most common first and by value where as many rows have them; none of which one row alone
  /// has, unless all have.
  public let common: [Frequency]
  /// How the finite numbers are spread; `nil` where there are no two that differ.
  public let histogram: Histogram?
  /// How many texts can't be read, because they are not UTF-8. They are left out of everything but the counts.
  public let unreadableCount: Int
}

/// How many Unicode scalars texts have.
public struct TextLengths: Hashable, Sendable {
  /// Of the shortest.
  public let min: Int
  /// Of the longest.
  public let max: Int
  /// Of all on average.
  public let mean: Double
}
