import Query
import Repository
import Synchronization

/// The one table of a faked database: integers by their keys, with transactions that see one state each.
final class FakeTable: Sendable {
  typealias Rows = [Int64: Int64]

  let schema: TableSchema
  private let state: Mutex<(rows: Rows, revision: Int)>

  init(_ schema: TableSchema, holding rows: Rows = [:]) {
    self.schema = schema
    state = Mutex((rows, 0))
  }

  fileprivate var current: (rows: Rows, revision: Int) { state.withLock(\.self) }

  /// Replaces the rows, unless another commit has done so since a revision.
  fileprivate func replace(with rows: Rows, since revision: Int) -> Bool {
    state.withLock { state in
      guard state.revision == revision else { return false }
      state = (rows, revision + 1)
      return true
    }
  }
}

/// What a connection sees of a table, and has written to it.
struct FakeSession {
  private let table: FakeTable
  private var transaction: (rows: FakeTable.Rows, revision: Int, hasWritten: Bool)?
  private var savepoints: [(name: Substring, rows: FakeTable.Rows)] = []

  init(_ table: FakeTable) { self.table = table }

  /// A table with what the connection sees.
  var copy: FakeTable { FakeTable(table.schema, holding: transaction?.rows ?? table.current.rows) }

  mutating func begin() {
    let (rows, revision) = table.current
    (transaction, savepoints) = ((rows, revision, false), [])
  }

  mutating func rollBack() { transaction = nil }

  /// Commits. As one writer at most succeeds, no two may have read the same rows: PostgreSQL refuses fewer of them.
  mutating func commit() throws(RepositoryError) {
    defer { transaction = nil }
    guard let transaction, transaction.hasWritten else { return }
    if !table.replace(with: transaction.rows, since: transaction.revision) {
      throw RepositoryError(.busy, "can't serialize the transaction with a concurrent transaction")
    }
  }

  /// Runs any other statement.
  ///
  /// - Returns: the rows of its result.
  mutating func run(_ sql: String, _ values: [Value]) throws(RepositoryError) -> [[Value]] {
    let words = sql.split(separator: " ")
    let integers = values.compactMap { value in if case .integer(let integer) = value { integer } else { nil } }
    switch (words.first, integers.first, integers.last) {
    case ("SAVEPOINT", _, _): savepoints.append((words[words.count - 1], transaction?.rows ?? [:]))
    case ("RELEASE", _, _): _ = endSavepoint(words[words.count - 1])
    case ("ROLLBACK", _, _):
      // It is there still, to be released.
      guard let savepoint = endSavepoint(words[words.count - 1]) else { break }
      transaction?.rows = savepoint.rows
      savepoints.append(savepoint)
    case ("SELECT", let key, _):
      let rows = transaction?.rows ?? table.current.rows
      return rows.filter { key == nil || $0.key == key }.sorted { $0.key < $1.key }.map {
        [.integer($0), .integer($1)]
      }
    case ("INSERT", let key?, let value?): try change { $0[key] = value }
    case ("UPDATE", let summand?, let key?): try change { $0[key]? += summand }
    default: break
    }
    return []
  }

  private mutating func endSavepoint(_ name: Substring) -> (name: Substring, rows: FakeTable.Rows)? {
    guard let position = savepoints.lastIndex(where: { $0.name == name }) else { return nil }
    defer { savepoints.removeSubrange(position...) }
    return savepoints[position]
  }

  /// Writes, in a transaction of the statement's own if none is open.
  private mutating func change(_ body: (inout FakeTable.Rows) -> Void) throws(RepositoryError) {
    let isAlone = transaction == nil
    if isAlone { begin() }
    if var rows = transaction?.rows, let revision = transaction?.revision {
      body(&rows)
      transaction = (rows, revision, true)
    }
    if isAlone { try commit() }
  }
}
