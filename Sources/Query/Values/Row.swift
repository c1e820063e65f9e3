/// One row of a result, read by position.
///
/// A row has to know ``value(at:)`` alone. The others read a value of one kind without the detour by a ``Value``, for rows
/// that can do so.
public protocol Row: AnyObject {
  /// The value of one column.
  ///
  /// - Throws: ``ValueError`` where the store holds something that is no value, such as a text that is not UTF-8.
  func value(at position: Int) throws(ValueError) -> Value

  /// Whether a column is null.
  func isNull(at position: Int) -> Bool

  /// The integer of a column; `nil` where it holds anything else.
  func integer(at position: Int) -> Int64?

  /// The real of a column; `nil` where it holds anything else.
  func real(at position: Int) -> Double?

  /// The text of a column; `nil` where it holds anything else.
  func text(at position: Int) -> String?
}

extension Row {
  /// Whether a column is null.
  public func isNull(at position: Int) -> Bool { (try? value(at: position))?.isNull == true }

  /// The integer of a column; `nil` where it holds anything else.
  public func integer(at position: Int) -> Int64? {
    if case .integer(let integer)? = try? value(at: position) { integer } else { nil }
  }

  /// The real of a column; `nil` where it holds anything else.
  public func real(at position: Int) -> Double? {
    if case .real(let real)? = try? value(at: position) { real } else { nil }
  }

  /// The text of a column; `nil` where it holds anything else.
  public func text(at position: Int) -> String? {
    if case .text(let text)? = try? value(at: position) { text } else { nil }
  }

  /// The values of some columns; `nil` where one can't be read.
  package func values(at positions: [Int]) -> [Value]? {
    var values: [Value] = []
    for position in positions {
      guard let value = try? value(at: position) else { return nil }
      values.append(value)
    }
    return values
  }
}

/// A row whose values are there.
package final class ValueRow: Row {
  private let values: [Value]

  package init(_ values: [Value]) {
    self.values = values
  }

  package func value(at position: Int) -> Value { values[position] }
}
