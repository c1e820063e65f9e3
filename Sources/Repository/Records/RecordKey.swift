public import Query

/// The primary key of a record: `25`, `"pikachu"` or `["red", 25]`.
public struct RecordKey: PrimaryKey {
  /// The values of the key's columns.
  public let values: [Value]

  /// Makes a key of one or several columns.
  public init(values: [Value]) {
    self.values = values
  }

  /// The values of the key's columns.
  public func keyValues() -> [Value] { values }
}

extension RecordKey: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// Makes a key of one integer.
  public init(integerLiteral value: Int64) { self.init(values: [.integer(value)]) }

  /// Makes a key of one text.
  public init(stringLiteral value: String) { self.init(values: [.text(value)]) }

  /// Makes a key of several columns.
  public init(arrayLiteral elements: Value...) { self.init(values: elements) }
}
