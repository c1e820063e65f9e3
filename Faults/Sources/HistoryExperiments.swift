import Foundation
import PostgresStore
import Repository
import SQLiteStore
import TestSupport

extension Experiment {
  /// Some order of the transactions explains all that was read: SQLite's file, by several processes.
  static let historyInFile = Experiment(
    "history-file", "4 processes append to lists and read them by transactions, in one database"
  ) { scale in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    let store = try SQLiteStore(path: path)
    try await ListWorkload.prepare(store)
    let seed = SplitMix64.newSeed()
    let count = scale.pick(quick: 10, full: 150)
    let helpers = try await Helper.atOnce(4, "appendToLists") { [path, "\($0)", "\(seed)", "\(count)"] }
    var history = ListHistory()
    var finding = Finding()
    for helper in helpers {
      for line in await helper.lines() { history.add(try ListHistory.Transaction(line: line)) }
      finding.expect(await helper.wait() == nil, "a process failed")
    }
    try await finding.check(history, of: store, inRealTime: true, mayRefuse: false, seed)
    return finding
  }

  /// The same by tasks of one process, in memory.
  static let historyInMemory = Experiment(
    "history-memory", "8 tasks append to lists and read them by transactions, in memory"
  ) { scale in
    var finding = Finding()
    let timeout = Duration.seconds(600)
    let seed = SplitMix64.newSeed()
    func run(_ store: some Store) async throws {
      try await ListWorkload.prepare(store)
      let history = try await ListWorkload.run(store, tasks: 8, seed, count: scale.pick(quick: 20, full: 500))
      try await finding.check(history, of: store, inRealTime: true, mayRefuse: false, seed)
    }
    try await run(MemoryStore(timeout: timeout))
    try await run(try SQLiteStore.inMemory(timeout: timeout))
    return finding
  }

  /// The same in PostgreSQL, whose serializable transactions run at once, and whose replica is read from.
  static let historyInPostgres = Experiment(
    "history-postgres",
    "8 tasks append to lists and read them by transactions, in PostgreSQL, some reads from its standby"
  ) { scale in
    var finding = Finding()
    guard PostgresServerProcess.isInstalled else {
      finding.leaveOut(because: Finding.noServer)
      return finding
    }
    let primary = try PostgresServerProcess.started()
    let follower = try PostgresServerProcess.started(following: primary)
    // Without it, commits reach the log so late that reads go to the primary in place of the standby.
    try await primary.set("synchronous_commit = on")
    let store = try PostgresStore(
      primary.connection, replica: PostgresServerProcess.connection(to: [follower], "target_session_attrs=any"),
      connections: 8, timeout: .seconds(600), notifies: false)
    let seed = SplitMix64.newSeed()
    try await ListWorkload.prepare(store)
    // Asked within the read itself, since a store reads from the primary where the standby is not as far.
    let places = Journal<Bool>()
    let history = try await ListWorkload.run(store, tasks: 8, seed, count: scale.pick(quick: 20, full: 300)) {
      places.note(try await store.sql.query("SELECT pg_is_in_recovery()", as: Bool.self) == [true])
    }
    let (fromStandby, fromPrimary) = (places.entries.count { $0 }, places.entries.count { !$0 })
    finding.expect(fromStandby > 0, "no read came from the standby, \(fromPrimary) from the primary")
    finding.note("\(fromStandby) reads from the standby, \(fromPrimary) from the primary")
    // What a standby has not yet heard of may have ended; and two serializable transactions may be ordered otherwise than in
    // time, and than a standby sees them: https://www.postgresql.org/docs/current/transaction-iso.html#XACT-SERIALIZABLE,
    // https://www.postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-CAVEATS
    try await finding.check(
      history, of: store, inRealTime: false, readsCommitOrder: true, readsOwnCommits: true, mayRefuse: true, seed)
    return finding
  }
}

extension Role {
  /// `appendToLists DATABASE NUMBER SEED COUNT`: runs transactions from the moment when its input is closed, and tells what
  /// each of them did.
  static let appendToLists = Role("appendToLists") { arguments in
    let store = try SQLiteStore(path: arguments[0], timeout: .seconds(120))
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let workload = try ListWorkload(store, task: numbers[0], UInt64(numbers[1]))
    tell("ready")
    waitForRelease()
    for transaction in try await workload.run(store, count: numbers[2]) { tell(transaction.line) }
  }
}

extension Finding {
  /// - Parameter mayRefuse: whether the store may refuse transactions beside each other, rather than let them wait.
  fileprivate mutating func check(
    _ history: ListHistory, of store: some Store, inRealTime: Bool, readsCommitOrder: Bool = false,
    readsOwnCommits: Bool = false, mayRefuse: Bool, _ seed: UInt64
  ) async throws {
    let lists = try store.repository(of: NumberList.self)
    let final = Dictionary(uniqueKeysWithValues: try await lists.findAll().map { ($0.id, $0.numbers) })
    let contradictions = history.contradictions(
      final: final, inRealTime: inRealTime, readsCommitOrder: readsCommitOrder, readsOwnCommits: readsOwnCommits)
    for contradiction in contradictions.prefix(3) {
      expect(false, contradiction)
    }
    let counts = [true, false, nil].map { outcome in history.transactions.count { $0.isCommitted == outcome } }
    expect(counts[0] > 0, "nothing was committed")
    if !mayRefuse { expect(counts[1] + counts[2] == 0, "\(counts[1]) were refused, \(counts[2]) are unknown") }
    note("\(counts[0]) transactions in some order, \(counts[1]) refused, \(counts[2]) unknown, seed \(seed)")
  }
}

/// A list as a row.
private struct NumberList: Entity {
  let id: Int
  var text: String

  static let schema = Schema("list", NumberList.init, Column("id", \.id), Column("text", \.text))

  var numbers: [Int] { text.split(separator: ",").compactMap { Int($0) } }
}

/// Random transactions over five lists.
private struct ListWorkload: Sendable {
  private static let keys = 1...5
  let lists: AnyRepository<NumberList>
  let task: Int
  let seed: UInt64

  init(_ store: some Store, task: Int, _ seed: UInt64) throws {
    lists = try store.repository(of: NumberList.self)
    (self.task, self.seed) = (task, seed)
  }

  static func prepare(_ store: some Store) async throws {
    let lists = try store.repository(of: NumberList.self)
    try await lists.save(keys.map { NumberList(id: $0, text: "") })
  }

  /// Runs several tasks at once.
  ///
  /// - Parameter amidRead: called within each read of one state.
  static func run(
    _ store: some Store, tasks: Int, _ seed: UInt64, count: Int,
    amidRead: @escaping @Sendable () async throws -> Void = {}
  ) async throws -> ListHistory {
    try await withThrowingTaskGroup(of: [ListHistory.Transaction].self) { group in
      for task in 0..<tasks {
        let workload = try ListWorkload(store, task: task, seed)
        group.addTask { try await workload.run(store, count: count, amidRead: amidRead) }
      }
      var history = ListHistory()
      for try await transactions in group { transactions.forEach { history.add($0) } }
      return history
    }
  }

  func run(
    _ store: some Store, count: Int, amidRead: @escaping @Sendable () async throws -> Void = {}
  ) async throws -> [ListHistory.Transaction] {
    var generator = SplitMix64(seed: seed &+ UInt64(task))
    var done: [ListHistory.Transaction] = []
    var next = task * 1_000_000
    for _ in 0..<count {
      let isReading = Int.random(in: 0..<4, using: &generator) == 0
      let steps = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        (Int.random(in: Self.keys, using: &generator), !isReading && Bool.random(using: &generator))
      }
      let log = Journal<ListHistory.Operation>()
      var transaction = ListHistory.Transaction(operations: [], began: Self.now)
      let first = next
      next += steps.count
      do {
        if isReading {
          try await store.read { _ in
            for (key, _) in steps { _ = try await read(key, log) }
            try await amidRead()
          }
        } else {
          try await store.transaction { _ in
            for (offset, (key, isAppending)) in steps.enumerated() {
              var list = try await read(key, log)
              guard isAppending else { continue }
              list.text += "\(list.text.isEmpty ? "" : ",")\(first + offset)"
              try await lists.save(list)
              log.note(.append(first + offset, to: key))
            }
          }
        }
      } catch let error as RepositoryError {
        transaction.isCommitted = error.code == .timeout ? nil : false
        if error.code != .busy && error.code != .timeout { throw error }
      }
      (transaction.operations, transaction.ended) = (log.entries, Self.now)
      done.append(transaction)
    }
    return done
  }

  private func read(_ key: Int, _ log: Journal<ListHistory.Operation>) async throws -> NumberList {
    guard let list = try await lists.find(key) else { throw RepositoryError(.storeFailure, "list \(key) is gone") }
    log.note(.read(key, list.numbers))
    return list
  }

  /// Of the clock that all processes of a machine share.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension ListHistory.Transaction {
  /// As a process tells it: `begin end outcome operation…`, with `a3:17` for an append to list 3 and `r3:1,17` for a read.
  fileprivate var line: String {
    let outcome = isCommitted.map { $0 ? "committed" : "refused" } ?? "unknown"
    let operations = operations.map { operation in
      switch operation {
      case .append(let number, let key): "a\(key):\(number)"
      case .read(let key, let list): "r\(key):\(list.map(String.init).joined(separator: ","))"
      }
    }
    return (["\(began)", "\(ended)", outcome] + operations).joined(separator: " ")
  }

  fileprivate init(line: String) throws {
    let words = line.split(separator: " ")
    guard words.count >= 3, let began = Int64(words[0]), let ended = Int64(words[1]) else {
      throw RepositoryError(.storeFailure, "a process told this: \(line)")
    }
    let operations = words.dropFirst(3).map { word -> ListHistory.Operation in
      let parts = word.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
      let numbers = parts[1].split(separator: ",").compactMap { Int($0) }
      let key = Int(parts[0]) ?? 0
      return word.hasPrefix("a") ? .append(numbers[0], to: key) : .read(key, numbers)
    }
    let isCommitted: Bool? = words[2] == "unknown" ? nil : words[2] == "committed"
    self.init(operations: Array(operations), began: began, ended: ended, isCommitted: isCommitted)
  }
}
