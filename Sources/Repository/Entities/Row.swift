public import Query

/// One row of a result, read by position.
public protocol Row {
  /// The value of one column.
  ///
  /// - Throws: ``ValueError`` where the store holds something that is no value, such as a text that is not UTF-8.
  func value(at position: Int) throws(ValueError) -> Value
}

extension Row {
  /// The values of some columns; `nil` where one can't be read.
  func values(at positions: [Int]) -> [Value]? {
    var values: [Value] = []
    for position in positions {
      guard let value = try? value(at: position) else { return nil }
      values.append(value)
    }
    return values
  }
}

extension [Value]: Row {
  /// The value of one column.
  public func value(at position: Int) -> Value { self[position] }
}
