/// A rule that the values of some columns are the key of a row, be it in another table or in the same one.
///
/// A row in which one of the columns is null refers to nothing, and keeps the rule.
public struct ReferenceRule: Hashable, Sendable {
  /// The names of the columns that refer.
  public let columns: [String]
  /// The name of the table that they refer to.
  public let table: String
  /// The names of the columns that they refer to, in the same order: that table's primary key.
  public let key: [String]
  /// What becomes of a row when the one that it refers to is deleted.
  public let onDelete: DeleteRule

  /// Describes a reference.
  ///
  /// - Parameters:
  ///   - columns: the names of the columns that refer.
  ///   - table: the name of the table that they refer to.
  ///   - key: the names of that table's primary key.
  ///   - onDelete: what becomes of a row when the one that it refers to is deleted.
  public init(_ columns: [String], to table: String, key: [String], onDelete: DeleteRule = .restrict) {
    self.columns = columns
    self.table = table
    self.key = key
    self.onDelete = onDelete
  }
}
