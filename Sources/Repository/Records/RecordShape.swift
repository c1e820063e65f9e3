import Query

/// What the records of one table have in common: their keys, and which of them identify a record.
final class RecordShape: Hashable, Sendable {
  let keys: [String]
  let primaryKey: [Int]

  init(keys: [String], primaryKey: [Int]) {
    self.keys = keys
    self.primaryKey = primaryKey
  }

  convenience init(of table: TableSchema) {
    let keys = table.columns.map(\.name)
    // Without a key, a row is told apart by all that it holds.
    self.init(keys: keys, primaryKey: table.primaryKey.isEmpty ? Array(keys.indices) : table.primaryKey)
  }

  static func == (lhs: RecordShape, rhs: RecordShape) -> Bool {
    lhs === rhs || lhs.hasKeys(of: rhs) && lhs.primaryKey == rhs.primaryKey
  }

  /// Whether the keys are the same, by their bytes, in the same order.
  func hasKeys(of other: RecordShape) -> Bool {
    keys.elementsEqual(other.keys) { $0.utf8.elementsEqual($1.utf8) }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(keys)
  }
}
