/// A row of a result, read by position.
///
/// A row has to implement only ``value(at:)``. The other methods read a value of one kind without a ``Value`` in between,
/// for rows that support it.
public protocol Row: AnyObject {
  /// Returns the value of one column.
  ///
  /// - Throws: ``ValueError`` if the store holds something that is not a value, such as a text that is not UTF-8.
  func value(at position: Int) throws(ValueError) -> Value

  /// Returns whether a column is null.
  func isNull(at position: Int) -> Bool

  /// Returns the integer of a column; `nil` if it holds anything else.
  func integer(at position: Int) -> Int64?

  /// Returns the real of a column; `nil` if it holds anything else.
  func real(at position: Int) -> Double?

  /// Returns the text of a column; `nil` if it holds anything else.
  func text(at position: Int) -> String?

  /// Returns the number of a column, in plain notation, if the database stores it in an exact type of its own, such as
  /// PostgreSQL's `numeric`; `nil` for every other column.
  func decimal(at position: Int) -> String?
}

extension Row {
  /// Returns whether a column is null.
  public func isNull(at position: Int) -> Bool { (try? value(at: position))?.isNull == true }

  /// Returns the integer of a column; `nil` if it holds anything else.
  public func integer(at position: Int) -> Int64? {
    if case .integer(let integer)? = try? value(at: position) { integer } else { nil }
  }

  /// Returns the real of a column; `nil` if it holds anything else.
  public func real(at position: Int) -> Double? {
    if case .real(let real)? = try? value(at: position) { real } else { nil }
  }

  /// Returns the text of a column; `nil` if it holds anything else.
  public func text(at position: Int) -> String? {
    if case .text(let text)? = try? value(at: position) { text } else { nil }
  }

  /// Returns `nil`: no column is of such a type.
  public func decimal(at position: Int) -> String? { nil }

  /// Returns the values of some columns; `nil` if one can't be read.
  package func values(at positions: [Int]) -> [Value]? {
    var values: [Value] = []
    for position in positions {
      guard let value = try? value(at: position) else { return nil }
      values.append(value)
    }
    return values
  }
}

/// A row with its values in memory.
package final class ValueRow: Row {
  private let values: [Value]

  package init(_ values: [Value]) {
    self.values = values
  }

  package func value(at position: Int) -> Value { values[position] }
}
