import Foundation
import Repository
import SQLiteStore

/// One time of what is done while something goes wrong, beside a process that reads. One task uses it at a time.
final class FaultyTrial: @unchecked Sendable {
  private let path: String
  private let source: FaultSource
  private let reader: Helper
  private(set) var faults: [String] = []
  /// How often the other process has read.
  private(set) var reads = 0
  /// The batches of which was told that they are saved, and those of which was told that they are not.
  private var told = Told()
  private var store: SQLiteStore?
  /// Whether others could not write after it, since a transaction could not be undone.
  private(set) var holdsOthersUp = false
  /// Whether the table is made, after which no statement changes the schema.
  private var isPrepared = false

  init(path: String, _ source: FaultSource, _ reader: Helper) {
    (self.path, self.source, self.reader) = (path, source, reader)
  }

  /// - Returns: how often something went wrong.
  func run(failing number: Int, _ howMany: Int) async throws -> Int {
    defer {
      store = nil
      for end in ["", "-wal", "-shm", "-journal", "-queue"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    reader.say(path)
    source.begin(number, howMany)
    let task = Task { @concurrent in await work() }
    source.concerns(task)
    await task.value
    let faultCount = source.faultCount
    source.begin(0, 0)
    reader.say("stop")
    while let line = await reader.line() {
      reads += Int(line) ?? 0
      if Int(line) != nil { break }
      faults.append(line)
    }
    // Seldom does anybody have to wait for what has failed until this store is used again.
    if isPrepared {
      do {
        let other = try SQLiteStore(path: path, journal: source.journal, timeout: .seconds(1))
        try await other.sqlRepository(of: Entry.self).save(Self.batch(49))
        told.saved.insert(49)
      } catch {
        holdsOthersUp = true
      }
    }
    // The store goes on when the disk does.
    if let store {
      do {
        let entries = try store.sqlRepository(of: Entry.self)
        try Self.blocking { try entries.blocking.save(Self.batch(50)) }
        try await store.transaction { _ in try await entries.save(Self.batch(51)) }
        told.saved.formUnion([50, 51])
      } catch {
        faults.append("the store does not go on: \(error)")
      }
    }
    do {
      try verify(SQLiteStore(path: path, journal: source.journal))
    } catch {
      faults.append("the database can't be read\(store == nil ? ", whose store was not opened" : ""): \(error)")
    }
    return faultCount
  }

  private static func blocking(_ body: () throws -> Void) throws { try body() }

  private static func batch(_ number: Int) -> [Entry] { Entry.batch(number, note: note(of: number)) }

  /// One of them is more than a few pages, which reach the disk before the commit.
  private static func note(of batch: Int) -> String {
    batch % 10 == 8 ? String(repeating: "x", count: 20_000) : "batch \(batch)"
  }

  private func work() async {
    store = attempt {
      try SQLiteStore(path: path, journal: source.journal, readers: 2, timeout: .milliseconds(20))
    }
    guard let store else { return }
    // So that the log is copied into the database now and then.
    attempt { try store.blocking.transaction(.writing) { try $0.execute("PRAGMA wal_autocheckpoint = 10") } }
    guard let entries = attempt({ try store.sqlRepository(of: Entry.self) }) else { return }
    isPrepared = true
    workBlocking(store, entries)
    await workAsynchronously(store, entries)
    _ = attempt { try store.blocking.integrityCheck() }
  }

  // MARK: What is done

  private func workBlocking(_ store: SQLiteStore, _ entries: SQLiteRepository<Entry>) {
    for batch in 0..<3 where attempt({ try entries.blocking.save(Self.batch(batch)) }) != nil {
      told.saved.insert(batch)
    }
    var made = Told()
    let isMade: Void? = attempt {
      try store.blocking.transaction { outer in
        // The body goes on whatever comes of its parts.
        do { try entries.blocking.save(Self.batch(3)); made.saved.insert(3) } catch { made.refused.insert(3) }
        do {
          try outer.transaction { inner in
            try entries.blocking.save(Self.batch(4))
            try? inner.transaction { _ in
              try entries.blocking.save(Self.batch(5))
              throw CancellationError()
            }
          }
          made.saved.insert(4)
        } catch {
          made.refused.insert(4)
        }
        try entries.blocking.save(Self.batch(6))
        do { try entries.blocking.delete(Self.batch(0).map(\.id)); made.refused.insert(0) } catch {}
      }
    }
    if isMade != nil { told.add(made, saved: [6], refused: [5]) }
    check(attempt { try entries.blocking.findAll(FetchRequest(sortedBy: .ascending(key: "id"))) })
    _ = attempt { try store.blocking.read { _ in (try entries.blocking.count(.true), try entries.blocking.find(4)) } }
    if attempt({ try entries.blocking.save(Self.batch(8)) }) != nil { told.saved.insert(8) }
  }

  private func workAsynchronously(_ store: SQLiteStore, _ entries: SQLiteRepository<Entry>) async {
    for batch in 10..<12 {
      if await attempt({ try await entries.save(Self.batch(batch)) }) != nil { told.saved.insert(batch) }
    }
    var made = Told()
    let isMade: Void? = await attempt {
      made = try await store.transaction { outer in
        var made = Told()
        do { try await entries.save(Self.batch(13)); made.saved.insert(13) } catch { made.refused.insert(13) }
        do {
          try await outer.transaction { inner in
            try await entries.save(Self.batch(14))
            try? await inner.transaction { _ in
              try await entries.save(Self.batch(15))
              throw CancellationError()
            }
          }
          made.saved.insert(14)
        } catch {
          made.refused.insert(14)
        }
        try await entries.insert(Self.batch(16))
        do {
          try await entries.filter { $0.batch == 10 }.delete()
          made.refused.insert(10)
        } catch {}
        return made
      }
    }
    if isMade != nil { told.add(made, saved: [16], refused: [15]) }
    check(await attempt { try await entries.findAll(sortedBy: { $0.id.ascending }) })
    _ = await attempt { try await store.read { _ in (try await entries.count(.true), try await entries.find(31)) } }
    if await attempt({ try await entries.save(Self.batch(18)) }) != nil { told.saved.insert(18) }
  }

  // MARK: What has to hold

  private func attempt<Result>(_ body: () throws -> Result) -> Result? {
    do { return try body() } catch { return refuse(error) }
  }

  private func attempt<Result>(_ body: () async throws -> Result) async -> Result? {
    do { return try await body() } catch { return refuse(error) }
  }

  private func refuse<Result>(_ error: any Error) -> Result? {
    if !(error is RepositoryError) { faults.append("an error of another type: \(error)") }
    return nil
  }

  private func check(_ found: [Entry]?) {
    guard let found else { return }
    if !Set(found.map(\.batch)).isSuperset(of: told.saved) { faults.append("a read misses a batch") }
    check(contents: found)
  }

  private func check(contents entries: [Entry]) {
    for entry in entries where entry.note != Self.note(of: entry.batch) {
      faults.append("row \(entry.id) has another note: \(entry.note.prefix(40))")
    }
  }

  private func verify(_ store: SQLiteStore) throws {
    let entries = try store.blocking.repository(of: Entry.self).findAll(FetchRequest())
    check(contents: entries)
    let rows = Dictionary(grouping: entries, by: \.batch).mapValues(\.count)
    for (batch, count) in rows where count != 3 { faults.append("\(count) rows of batch \(batch)") }
    for batch in told.saved where rows[batch] == nil { faults.append("batch \(batch) was acknowledged and is lost") }
    for batch in told.refused where rows[batch] != nil { faults.append("batch \(batch) was undone and is there") }
    for problem in try store.blocking.integrityCheck() { faults.append("\(problem)") }
  }
}

/// The batches of which was told that they are saved, and those of which was told that they are not, or no longer.
private struct Told {
  var saved: Set<Int> = []
  var refused: Set<Int> = []

  mutating func add(_ made: Told, saved others: Set<Int>, refused undone: Set<Int>) {
    saved = saved.union(made.saved).union(others).subtracting(made.refused)
    refused = refused.union(made.refused).union(undone).subtracting(made.saved)
  }
}
