/// Prepared statements that wait to be used again, by their SQL.
///
/// Whoever uses a statement takes it out and brings it back, so that two nested uses of the same SQL never share a cursor.
/// Of those that wait, the ones unused for longest are given up first.
struct StatementCache {
  private let capacity: Int
  private var waiting: [String: (statement: RawStatement, lastUse: Int)] = [:]
  private var uses = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  mutating func take(_ sql: String) -> RawStatement? {
    waiting.removeValue(forKey: sql)?.statement
  }

  mutating func bringBack(_ statement: RawStatement) {
    statement.reset()
    uses += 1
    if waiting.count >= capacity, waiting[statement.sql] == nil,
      let oldest = waiting.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      waiting[oldest.key] = nil
    }
    waiting[statement.sql] = (statement, uses)
  }
}
