import Foundation
import PostgresStore
import Query
import Repository
import Synchronization
import TestSupport

extension Experiment {
  /// Wherever a connection is cut, what is told of the write is true.
  static let postgresCut = Experiment(
    "postgres-cut", "connections to PostgreSQL cut at a random byte, to the server or from it"
  ) { scale in
    try await withServer { server, finding in
      let seed = SplitMix64.newSeed()
      let scissors = Mutex(Scissors(seed: seed))
      let folder = try TemporaryFolder()
      let name = ".s.PGSQL.5432"
      let proxy = try SocketProxy(at: folder.path(name), to: "\(server.place)/\(name)") { direction, bytes in
        scissors.withLock { $0.decide(direction, bytes.count) }
      }
      defer { proxy.stop() }
      let direct = try server.store().sqlRepository(of: Entry.self)
      let store = try PostgresStore(
        "host=\(folder.path) user=repokit dbname=postgres", connections: 2, timeout: .seconds(10), notifies: false)
      let entries = try store.sqlRepository(of: Entry.self)
      let log = WriterLog()
      for round in 0..<scale.pick(quick: 20, full: 1_000) {
        scissors.withLock { $0.arm() }
        guard let batch = log.nextBatch() else { break }
        log.note(batch, await Outcome(of: batch, in: store, entries, inTransaction: round.isMultiple(of: 2)))
        scissors.withLock { $0.disarm() }
      }
      finding.expect(scissors.withLock(\.cuts) > 0, "nothing was cut")
      // A session that was cut off may be about to commit.
      try await Task.sleep(for: .seconds(1))
      let there = Set(try await direct.findAll().map(\.batch))
      finding.add(log.truth(of: there, rows: try await direct.count()))
      finding.note("\(scissors.withLock(\.cuts)) cuts, seed \(seed)")
    }
  }

  /// A server that follows takes the place of one that is killed.
  static let postgresFailover = Experiment(
    "postgres-failover", "a PostgreSQL primary killed under 4 writers, and its standby promoted"
  ) { scale in
    var finding = Finding()
    var truth = Truth()
    var slowest = Duration.zero
    guard PostgresServerProcess.isInstalled else {
      finding.leaveOut(because: Finding.noServer)
      return finding
    }
    let seed = SplitMix64.newSeed()
    var random = SplitMix64(seed: seed)
    for _ in 0..<scale.pick(quick: 1, full: 10) {
      let primary = try PostgresServerProcess.started()
      let follower = try PostgresServerProcess.started(following: primary)
      try await primary.set("synchronous_standby_names = '*'")
      try await primary.set("synchronous_commit = on")
      let store = try PostgresStore(
        PostgresServerProcess.connection(to: [primary, follower], "target_session_attrs=read-write"), connections: 4,
        timeout: .seconds(30), notifies: false)
      let entries = try store.sqlRepository(of: Entry.self)
      let log = WriterLog()
      let pause = Int.random(in: 200...600, using: &random)
      let acknowledged = Journal<ContinuousClock.Instant>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            while let batch = log.nextBatch() {
              let outcome = await Outcome(of: batch, in: store, entries, inTransaction: writer.isMultiple(of: 2))
              log.note(batch, outcome)
              if outcome == .acknowledged { acknowledged.note(.now) }
            }
          }
        }
        try await Task.sleep(for: .milliseconds(pause))
        primary.kill(SIGQUIT)
        let promoted = try follower.store(connections: 1)
        _ = try await promoted.sql.query("SELECT pg_promote()::int", as: Int.self)
        // No server follows it yet.
        try await follower.set("synchronous_standby_names = ''")
        try await Task.sleep(for: .milliseconds(500))
        log.end()
        try await group.waitForAll()
      }
      let direct = try follower.store().sqlRepository(of: Entry.self)
      let there = Set(try await direct.findAll().map(\.batch))
      truth.add(log.truth(of: there, rows: try await direct.count()))
      let times = acknowledged.entries
      slowest = zip(times, times.dropFirst()).reduce(slowest) { max($0, $1.1 - $1.0) }
    }
    finding.add(truth)
    finding.note("writers went on after \(slowest.text) at most, seed \(seed)")
    return finding
  }

  /// A full disk is an error, and the server and the store go on.
  static let postgresFull = Experiment("postgres-full", "a file system of PostgreSQL's tables that is full") { _ in
    try await withServer { server, finding in
      guard let disk = try SmallDisk(for: server, megabytes: 8) else {
        finding.leaveOut(because: "a small file system can't be mounted, as root alone may do")
        return
      }
      let store = try server.store()
      try await store.sql.execute(
        SQLStatement(verbatim: "CREATE TABLESPACE small LOCATION '\(disk.path)'"))
      try disk.fill()
      let small = try PostgresStore(
        server.connection + " options=-cdefault_tablespace=small", connections: 2, notifies: false)
      let entries = try small.sqlRepository(of: Entry.self)
      let note = String((0..<100_000).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() ?? "x" })
      var saved = 0
      var code: RepositoryError.Code?
      while code == nil, saved < 1_000 {
        do throws(RepositoryError) {
          try await entries.save(Entry.batch(saved, note: note + "\(saved)"))
          saved += 1
        } catch {
          code = error.code
        }
      }
      finding.expect(code == .full, "the error is \(String(describing: code))")
      for batch in 2_000..<2_003 {
        do throws(RepositoryError) {
          try await entries.insert(Entry.batch(batch, note: note))
          finding.expect(false, "there was room after all")
        } catch {
          finding.expect(error.code == .full, "\(error)")
        }
      }
      let count = try await entries.count()
      finding.expect(count == saved * 3, "\(count) rows of \(saved) batches")
      try disk.makeRoom()
      try await entries.save(Entry.batch(saved, note: note))
      finding.note("\(saved) batches of 300 kB, then full; all of them readable, and room again for a further one")
    }
  }

  /// What takes too long is stopped, and leaves nothing.
  static let postgresTimeout = Experiment("postgres-timeout", "statements and locks that last longer than they may") {
    scale in
    try await withServer { server, finding in
      let store = try PostgresStore(
        server.connection, connections: 4, timeout: .seconds(60), statementTimeout: .milliseconds(200),
        notifies: false)
      let tasks = scale.pick(quick: 8, full: 100)
      let codes = Journal<RepositoryError.Code>()
      let watch = Stopwatch()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<tasks {
          group.addTask {
            do throws(RepositoryError) {
              _ = try await store.sql.query("SELECT 1 FROM pg_sleep(600)", as: Int.self)
            } catch {
              codes.note(error.code)
            }
          }
        }
      }
      finding.expect(codes.entries == Array(repeating: .timeout, count: tasks), "\(codes.entries)")
      let tallies = try store.sqlRepository(of: Tally.self)
      try await tallies.save([Tally(id: 1, value: 0)])
      // A lock of another session.
      let holder = try server.store(connections: 1)
      let impatient = try PostgresStore(
        server.connection, connections: 4, timeout: .milliseconds(200), notifies: false)
      let waiting = try impatient.sqlRepository(of: Tally.self)
      try await holder.transaction { transaction in
        try await transaction.sql.execute("UPDATE tally SET value = 7 WHERE id = 1")
        do throws(RepositoryError) {
          try await waiting.save([Tally(id: 1, value: 8)])
          finding.expect(false, "a lock that another one holds was passed")
        } catch {
          finding.expect(error.code == .busy, "\(error)")
        }
      }
      let running = try await holder.sql.query(
        """
        SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600%' AND state = 'active' \
        AND pid <> pg_backend_pid()
        """, as: Int.self)
      finding.expect(running == [0], "\(running) statements go on")
      finding.expect(try await tallies.get(1).value == 7, "a write that was refused is there")
      finding.note(
        "\(tasks) statements of 10 minutes on 4 connections stopped after 200 ms each, in \(watch.elapsed.text)")
    }
  }
}

/// When a connection is cut.
private struct Scissors {
  private var random: SplitMix64
  private var target: (direction: SocketProxy.Direction, bytes: Int)?
  private(set) var cuts = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Has the connection cut within the next bytes: a write sends and is sent some hundreds.
  mutating func arm() {
    target = (Bool.random(using: &random) ? .toServer : .toClient, Int.random(in: 0..<800, using: &random))
  }

  mutating func disarm() { target = nil }

  mutating func decide(_ direction: SocketProxy.Direction, _ count: Int) -> SocketProxy.Action {
    guard let (wanted, bytes) = target, wanted == direction else { return .forward }
    if bytes >= count {
      target = (wanted, bytes - count)
      return .forward
    }
    target = nil
    cuts += 1
    return .cut(after: bytes)
  }
}

/// A file system of a few megabytes, in memory, for the tables of a server.
private final class SmallDisk {
  let path: String
  /// What takes room, and is no table.
  private var ballast: String { "\(path)/ballast" }

  /// - Returns: `nil` where none may be mounted.
  init?(for server: PostgresServerProcess, megabytes: Int) throws {
    path = "\(server.place)-disk"
    guard getuid() == 0, mkdir(path, 0o700) == 0 else { return nil }
    guard system("mount -t tmpfs -o size=\(megabytes)m tmpfs '\(path)' 2> /dev/null") == 0 else {
      rmdir(path)
      return nil
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(server.place)/data")
    let kept = attributes.filter { [.ownerAccountID, .groupOwnerAccountID].contains($0.key) }
    try FileManager.default.setAttributes(kept, ofItemAtPath: path)
  }

  func fill() throws { try Data(count: 1 << 20).write(to: URL(filePath: ballast)) }
  func makeRoom() throws { try FileManager.default.removeItem(atPath: ballast) }

  deinit {
    _ = system("umount -l '\(path)' && rmdir '\(path)'")
  }
}
