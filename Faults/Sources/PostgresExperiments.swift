import Foundation
import PostgresStore
import Query
import Synchronization
import TestSupport

extension Experiment {
  /// What was acknowledged before a server is killed is there, and what is told of the rest is true.
  static let postgresKill = Experiment(
    "postgres-kill", "PostgreSQL killed in a loop under 4 writers, by SIGQUIT and SIGKILL, 50 times"
  ) { scale in
    try await withServer { server, finding in
      let store = try server.store()
      let entries = try store.sqlRepository(of: Entry.self)
      let log = WriterLog()
      let rounds = scale.pick(quick: 2, full: 50)
      let seed = SplitMix64.newSeed()
      finding.note("seed \(seed)")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            while let batch = log.nextBatch() {
              log.note(batch, await Outcome(of: batch, in: store, entries, inTransaction: writer.isMultiple(of: 2)))
            }
          }
        }
        var random = SplitMix64(seed: seed)
        for round in 0..<rounds {
          try await Task.sleep(for: .milliseconds(.random(in: 50...300, using: &random)))
          server.kill(round.isMultiple(of: 2) ? SIGQUIT : SIGKILL)
          try server.startAgain()
        }
        try await Task.sleep(for: .milliseconds(500))
        log.end()
        try await group.waitForAll()
      }
      let there = Set(try await entries.findAll().map(\.batch))
      finding.add(log.truth(of: there, rows: try await entries.count()))
    }
  }

  /// Many tasks share few connections.
  static let postgresCrowd = Experiment("postgres-crowd", "1,000 tasks on 4 connections") { scale in
    try await withServer { server, finding in
      let store = try server.store(timeout: .seconds(120))
      let tallies = try store.sqlRepository(of: Tally.self)
      try await tallies.save([Tally(id: 1, value: 0)])
      let tasks = scale.pick(quick: 50, full: 1_000)
      let watch = Stopwatch()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<tasks {
          group.addTask {
            try await tallies.save(Tally(id: 10 + number, value: number))
            try await store.transaction(
              attempts: 10_000, backoff: .exponential(from: .milliseconds(1), atMost: .milliseconds(50))
            ) { _ in
              var tally = try await tallies.get(1)
              tally.value += 1
              try await tallies.save(tally)
            }
          }
        }
        try await group.waitForAll()
      }
      let value = try await tallies.get(1).value
      finding.expect(value == tasks, "\(value) of \(tasks) increments")
      finding.expect(try await tallies.count() == tasks + 1, "rows are missing")
      let sessions = try await store.sql.query(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'repository-kit'", as: Int.self)
      // One more than connections finds by key.
      finding.expect(sessions[0] <= 5, "\(sessions[0]) sessions")
      finding.note("\(tasks) increments of one row, none lost, in \(watch.elapsed.text), by \(sessions[0]) sessions")
    }
  }

  /// A client that is killed leaves nothing running.
  static let postgresClient = Experiment("postgres-client", "a client of PostgreSQL killed amid a long statement") {
    _ in
    try await withServer { server, finding in
      let store = try server.store()
      let tallies = try store.sqlRepository(of: Tally.self)
      try await tallies.save([Tally(id: 1, value: 0)])
      let client = try Helper("waitInPostgres", [server.connection])
      _ = await client.line()
      let running: SQLStatement = """
        SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600%' AND pid <> pg_backend_pid()
        """
      var count = 0
      while count == 0 {
        let counts = try await store.sql.query(running, as: Int.self)
        count = counts[0]
        try await Task.sleep(for: .milliseconds(10))
      }
      client.kill()
      let watch = Stopwatch()
      while count > 0, watch.elapsed < .seconds(60) {
        let counts = try await store.sql.query(running, as: Int.self)
        count = counts[0]
        try await Task.sleep(for: .milliseconds(50))
      }
      finding.expect(count == 0, "the statement of a client that is gone goes on")
      finding.note("its statement ended after \(watch.elapsed.text), and its lock with it")
      try await tallies.save(Tally(id: 1, value: 1))
    }
  }

  static func withServer(
    _ body: (PostgresServerProcess, inout Finding) async throws -> Void
  ) async throws -> Finding {
    var finding = Finding()
    guard PostgresServerProcess.isInstalled else {
      finding.leaveOut(because: Finding.noServer)
      return finding
    }
    let server = try PostgresServerProcess.started()
    // A server for tests does not wait for its log, and may lose what it has acknowledged.
    try await server.set("synchronous_commit = on")
    try await body(server, &finding)
    return finding
  }
}

extension PostgresServerProcess {
  /// Starts a server where one is installed.
  static func started(following other: PostgresServerProcess? = nil) throws -> PostgresServerProcess {
    guard let server = try start(following: other) else { throw WorkError("the server does not start") }
    return server
  }

  /// Gives the server a setting.
  func set(_ setting: String) async throws {
    let store = try store(connections: 1)
    try await store.sql.execute(SQLStatement(verbatim: "ALTER SYSTEM SET \(setting)"))
    _ = try await store.sql.query("SELECT pg_reload_conf()::int", as: Int.self)
  }

  func store(connections: Int = 4, timeout: Duration = .seconds(20)) throws -> PostgresStore {
    try PostgresStore(connection, connections: connections, timeout: timeout, notifies: false)
  }
}

/// What a writer was told of a batch.
enum Outcome: Hashable {
  case acknowledged
  case refused
  case unknown

  init(of batch: Int, in store: PostgresStore, _ entries: PostgresRepository<Entry>, inTransaction: Bool) async {
    do {
      if inTransaction {
        try await store.transaction { _ in
          for entry in Entry.batch(batch) { try await entries.save(entry) }
        }
      } else {
        try await entries.save(Entry.batch(batch))
      }
      self = .acknowledged
    } catch {
      self = (error as? RepositoryError)?.code == .timeout ? .unknown : .refused
    }
  }
}

/// What writers do, and what they were told.
final class WriterLog: Sendable {
  private let state = Mutex((next: 0, isOver: false, outcomes: [Int: Outcome]()))

  /// The number of the next batch; `nil` where there is to be none.
  func nextBatch() -> Int? {
    state.withLock { state in
      state.next += 1
      return state.isOver ? nil : state.next - 1
    }
  }

  func note(_ batch: Int, _ outcome: Outcome) { state.withLock { $0.outcomes[batch] = outcome } }
  func end() { state.withLock { $0.isOver = true } }

  /// Holds what the writers were told against what is there.
  func truth(of present: Set<Int>, rows: Int) -> Truth {
    var truth = Truth()
    truth.expect(rows == present.count * 3, "\(rows) rows of \(present.count) batches: some are torn")
    for (batch, outcome) in state.withLock(\.outcomes) {
      let isThere = present.contains(batch)
      truth.counts[outcome, default: 0] += 1
      switch outcome {
      case .acknowledged: truth.expect(isThere, "batch \(batch) was acknowledged and is lost")
      case .refused: truth.expect(!isThere, "batch \(batch) was said not to be done, and is there")
      case .unknown: truth.unknownDone += isThere ? 1 : 0
      }
    }
    truth.expect(truth.counts[.acknowledged] ?? 0 > 0, "nothing was written")
    return truth
  }
}

/// What became of writes whose outcomes were told, also of several rounds.
struct Truth {
  var counts: [Outcome: Int] = [:]
  /// How many of those whose outcome is not known were done.
  var unknownDone = 0
  private(set) var faults: [String] = []

  mutating func expect(_ isRight: Bool, _ fault: @autoclosure () -> String) { if !isRight { faults.append(fault()) } }

  mutating func add(_ other: Truth) {
    counts.merge(other.counts, uniquingKeysWith: +)
    unknownDone += other.unknownDone
    faults += other.faults
  }
}

extension Finding {
  /// Tells what became of writes.
  mutating func add(_ truth: Truth) {
    for fault in truth.faults { expect(false, fault) }
    note(
      "\(truth.counts[.acknowledged] ?? 0) commits acknowledged, \(truth.faults.isEmpty ? "none lost or torn, " : "")\(truth.counts[.refused] ?? 0) refused "
        + "and not there, \(truth.counts[.unknown] ?? 0) unknown, of which \(truth.unknownDone) are there")
  }
}

extension Role {
  /// `waitInPostgres CONNECTION`: locks a row, and asks for something that takes ten minutes.
  static let waitInPostgres = Role("waitInPostgres") { arguments in
    let store = try PostgresStore(arguments[0], notifies: false)
    try await store.transaction { transaction in
      try await transaction.sql.execute("UPDATE tally SET value = value + 1 WHERE id = 1")
      tell("begun")
      _ = try await transaction.sql.query("SELECT 1 FROM pg_sleep(600)", as: Int.self)
    }
  }
}
