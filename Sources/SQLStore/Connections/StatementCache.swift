import SQL

/// Prepared statements, to be used again, by their SQL.
///
/// Whoever uses a statement has it to himself, so that two nested uses of the same SQL never share a cursor. Of the others,
/// those unused for longest are given up first.
struct StatementCache {
  /// A statement that is kept.
  final class Entry {
    let statement: RawStatement
    fileprivate var isInUse = true
    fileprivate var lastUse: Int

    fileprivate init(_ statement: RawStatement, lastUse: Int) {
      self.statement = statement
      self.lastUse = lastUse
    }
  }

  private let capacity: Int
  private var entries: [StatementText: Entry] = [:]
  private var uses = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Takes a statement that nobody uses; `nil` where there is none.
  mutating func take(_ text: StatementText) -> Entry? {
    guard let entry = entries[text], !entry.isInUse else { return nil }
    uses += 1
    entry.lastUse = uses
    entry.isInUse = true
    return entry
  }

  /// Keeps a statement that is in use, unless there is one of the same SQL.
  mutating func keep(_ statement: RawStatement, _ text: StatementText) -> Entry {
    uses += 1
    let entry = Entry(statement, lastUse: uses)
    guard entries[text] == nil else { return entry }
    if entries.count >= capacity,
      let oldest = entries.lazy.filter({ !$0.value.isInUse }).min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
    }
    entries[text] = entry
    return entry
  }

  /// Makes a statement ready for its next use.
  func release(_ entry: Entry) {
    entry.statement.reset()
    entry.isInUse = false
  }
}
