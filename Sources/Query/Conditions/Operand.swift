/// What a key is compared with: a value, or another key of the same row.
///
/// `Key` is the key's name in a query, and the column's position once a query is resolved against a table.
public enum Operand<Key: Hashable & Sendable>: Hashable, Sendable {
  /// A value that is the same for every row.
  case value(Value)
  /// Another key, compared row by row.
  case key(Key)

  func mapKey<NewKey, Failure: Error>(
    _ transform: (Key) throws(Failure) -> NewKey
  ) throws(Failure) -> Operand<NewKey> {
    switch self {
    case .value(let value): .value(value)
    case .key(let key): .key(try transform(key))
    }
  }
}

extension Operand where Key == Int {
  /// The operand's value in one row.
  func value(in row: UnsafeBufferPointer<Value>) -> Value {
    switch self {
    case .value(let value): value
    case .key(let column): row[column]
    }
  }
}
