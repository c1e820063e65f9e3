public import Query

/// A property that can't be stored, or a stored value that can't be read, and the column concerned.
public struct ColumnFault: Error, Hashable, Sendable {
  /// The column; `nil` where the model type's initialiser refused the row as a whole.
  public let column: String?
  /// What is wrong with the value.
  public let error: ValueError

  @usableFromInline
  init(column: String?, error: ValueError) {
    self.column = column
    self.error = error
  }
}
