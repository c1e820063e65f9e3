import SQL

/// Prepared statements by their SQL, for repeated use.
///
/// Statements are checked out exclusively, so that two nested uses of the same SQL never share a cursor. Of the others, the
/// least recently used is evicted first.
struct StatementCache {
  /// A cached statement.
  final class Entry {
    let statement: any PreparedStatement
    fileprivate var isCheckedOut = true
    fileprivate var lastUse: Int

    fileprivate init(_ statement: any PreparedStatement, lastUse: Int) {
      self.statement = statement
      self.lastUse = lastUse
    }
  }

  private let capacity: Int
  private var entries: [StatementText: Entry] = [:]
  /// The last used statement, which is usually also the next one: it is found without hashing its SQL.
  private var latest: (text: StatementText, entry: Entry)?
  private var uses = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Checks a statement out; `nil` if no statement with this SQL is cached and free.
  mutating func checkOut(_ text: StatementText) -> Entry? {
    let entry: Entry
    if let latest, latest.text == text {
      entry = latest.entry
    } else {
      guard let found = entries[text] else { return nil }
      latest = (text, found)
      entry = found
    }
    if entry.isCheckedOut { return nil }
    uses += 1
    entry.lastUse = uses
    entry.isCheckedOut = true
    return entry
  }

  /// Adds a statement, which is checked out, unless the cache has one with the same SQL.
  mutating func keep(_ statement: any PreparedStatement, _ text: StatementText) -> Entry {
    uses += 1
    let entry = Entry(statement, lastUse: uses)
    guard entries[text] == nil else { return entry }
    if entries.count >= capacity,
      let oldest = entries.lazy.filter({ !$0.value.isCheckedOut }).min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
      if latest?.entry === oldest.value { latest = nil }
    }
    entries[text] = entry
    return entry
  }

  /// Resets a statement for its next use.
  func checkIn(_ entry: Entry) {
    entry.statement.reset()
    entry.isCheckedOut = false
  }
}
