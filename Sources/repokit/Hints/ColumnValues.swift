import Query
import SQLiteStore

/// The different values of a column that has few of them.
struct ColumnValues {
  private static let mostRows = 100_000
  private static let mostValues = 1_000
  /// A longer text is nothing that somebody mistypes.
  private static let mostBytes = 64

  /// The values; `nil` where there are too many.
  let values: Set<Value>?
  /// Whether the table has no rows at all.
  let isEmpty: Bool
  /// Whether the table has more rows than were looked at.
  let isPart: Bool

  /// How many rows were looked at where there are more.
  static var partName: String { "its first \(mostRows) rows" }

  /// Looks through the first rows of a table.
  init(of column: Int, in table: OpenTable) {
    var (values, count) = (Set<Value>(), 0)
    var isTooMuch = false
    do throws(RepositoryError) {
      try table.forEachValue(of: column) { value in
        count += 1
        if count > Self.mostRows { return false }
        if case .text(let text) = value, text.utf8.count > Self.mostBytes { return true }
        values.insert(value)
        isTooMuch = values.count > Self.mostValues
        return !isTooMuch
      }
    } catch {
      // A hint is no reason to fail.
      isTooMuch = true
    }
    self.values = isTooMuch ? nil : values
    isEmpty = count == 0 && !isTooMuch
    isPart = count > Self.mostRows
  }
}
