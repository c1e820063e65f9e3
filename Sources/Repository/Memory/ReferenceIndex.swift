import Query

/// A reference, and which rows refer to which key: deleting finds them without looking at each.
struct ReferenceIndex: Sendable {
  let rule: ReferenceRule
  /// The positions of the columns that refer.
  let columns: [Int]
  private(set) var rows: [RowKey: Set<MemoryTable.Identity>] = [:]

  init(_ rule: ReferenceRule, columns: [Int]) {
    self.rule = rule
    self.columns = columns
  }

  mutating func note(_ row: [Value], _ identity: MemoryTable.Identity) {
    let key = RowKey(row, columns)
    if !key.hasNull { rows[key, default: []].insert(identity) }
  }

  mutating func forget(_ row: [Value], _ identity: MemoryTable.Identity) {
    let key = RowKey(row, columns)
    rows[key]?.remove(identity)
    if rows[key]?.isEmpty == true { rows[key] = nil }
  }
}
