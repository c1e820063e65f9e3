package import Query

/// What a change of rows came to.
package struct ChangeReport: Hashable, Sendable {
  /// A row before and after; `nil` where it was not there yet, is gone, or can't be found again.
  package struct Row: Hashable, Sendable {
    package let before: [Value]?
    package let after: [Value]?
  }

  /// What the change set off in other rows.
  package struct Effect: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// Rows were deleted because they referred to a row that was, or because a rule of the table replaces rows.
      case deleted
      /// Rows no longer refer to a row that was deleted.
      case cleared
      /// Triggers and foreign keys changed rows in another way.
      case changed
    }

    package let kind: Kind
    /// The table of the rows; `nil` where it is not known.
    package let table: String?
    package let count: Int
  }

  package let table: TableSchema
  /// How many rows the change itself was about.
  package let count: Int
  /// How many rows the table had before; `nil` where nobody asked.
  package var total: Int?
  package var effects: [Effect] = []
  /// The rows, or the first of them, in the order of their keys; none where nobody asked.
  package var rows: [Row] = []
  /// A number that other rows would have made another one; 0 where nobody asked.
  package var fingerprint = 0
  /// The positions of the columns of the key, as the table declares it.
  package var key: [Int] = []

  /// Whether two changes were about the same rows and did the same to them. The order in which rows were met, and whether
  /// they were kept, don't matter.
  package func isSame(as other: ChangeReport) -> Bool {
    count == other.count && total == other.total && effects == other.effects && fingerprint == other.fingerprint
  }
}
