import Foundation
import PostgresStore
import Query
import Repository
import SQL
import SQLStore
import Synchronization
import TestSupport
import Testing

/// A primary and a server that follows it, both of the tests' own.
@Suite("A store reads from a replica", .tags(.slow), .requiresOwnServers, .serialized)
struct ReplicaTests {
  /// Whether a transaction is one of the replica's.
  private static func isReplica(_ transaction: PostgresTransaction) async throws -> Bool {
    try await transaction.sql.query("SELECT pg_is_in_recovery()::int", as: Int.self) == [1]
  }

  @Test("snapshots come from the replica, and hold what the store has written")
  func reading() async throws {
    try await ServerPair.with { primary, follower in
      let store = try PostgresStore(primary.connection, replica: follower.connection, connections: 2)
      let notes = try store.sqlRepository(of: Note.self)
      var replicaCount = 0
      for number in 1...200 {
        try await notes.save(Note(id: number, text: "\(number)"))
        let (isReplica, found) = try await store.read { snapshot in
          (try await Self.isReplica(snapshot), try await notes.find(number))
        }
        if isReplica { replicaCount += 1 }
        #expect(found != nil, "\(number)")
        #expect(try Self.countBlocking(notes, in: store) == number)
      }
      // One that is late on a busy machine is left to the primary for a while.
      #expect(replicaCount > 0)
      // Everything else goes to the primary.
      #expect(try await store.sql.query("SELECT pg_is_in_recovery()::int", as: Int.self) == [0])
      try await store.transaction { transaction in
        let isReplica = try await transaction.read { try await Self.isReplica($0) }
        #expect(!isReplica)
      }
    }
  }

  /// The number of notes, read without suspending.
  private static func countBlocking(_ notes: PostgresRepository<Note>, in store: PostgresStore) throws -> Int {
    try store.blocking.read { _ in try notes.blocking.count(.true) }
  }

  @Test("one that is late, or gone, is left to the primary, and is taken up again")
  func fallingBack() async throws {
    try await ServerPair.with { primary, follower in
      let store = try PostgresStore(primary.connection, replica: follower.connection, connections: 2)
      let notes = try store.sqlRepository(of: Note.self)
      let other = try PostgresStore(follower.connection, connections: 1)
      func read(_ number: Int) async throws -> Bool {
        try await notes.save(Note(id: number, text: "\(number)"))
        return try await store.read { snapshot in
          #expect(try await notes.find(number) != nil)
          return try await Self.isReplica(snapshot)
        }
      }
      func awaitReplica(from number: Int) async throws {
        for next in number..<number + 1_000 {
          if try await read(next) { return }
          try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("the replica is not taken up again")
      }
      // On a busy machine it may be late at first.
      try await awaitReplica(from: 5_000)
      _ = try await other.sql.query("SELECT 1 FROM pg_wal_replay_pause()", as: Int.self)
      #expect(try await !read(2))
      #expect(try await !read(3))
      _ = try await other.sql.query("SELECT 1 FROM pg_wal_replay_resume()", as: Int.self)
      try await awaitReplica(from: 1_000)
      follower.kill(SIGKILL)
      #expect(try await !read(4))
      // A store opens, too.
      let late = try PostgresStore(primary.connection, replica: follower.connection, connections: 2)
      #expect(try await late.read { try await !Self.isReplica($0) })
      try follower.startAgain()
      try await awaitReplica(from: 3_000)
    }
  }

  @Test("a session that ends once it has been asked how far its server is leaves the snapshot to the primary")
  func otherSession() async throws {
    try await ServerPair.with { primary, follower in
      let label = "repokit_replica"
      let administrator = try PostgresStore(follower.connection, connections: 1, notifies: false)
      // Between the question and the beginning of the snapshot.
      let questions = Atomic(0)
      let observer = StatementObserver { event in
        guard event.sql.contains("pg_last_wal_replay_lsn") else { return }
        questions.add(1, ordering: .sequentiallyConsistent)
        _ = try? administrator.blocking.sql.query(
          "SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity WHERE application_name = \(label)",
          as: Int.self)
        // Until a connection has been idle for a moment, it is not looked at before it is used.
        Thread.sleep(forTimeInterval: 0.2)
      }
      let store = try PostgresStore(
        primary.connection, replica: ConnectionString.extended(follower.connection, by: ["application_name": label]),
        connections: 2, observer: observer)
      let notes = try store.sqlRepository(of: Note.self)
      // A replica that is late is asked again, in another session, or not asked for a while.
      for number in 1...1_000 {
        questions.store(0, ordering: .sequentiallyConsistent)
        try await notes.save(Note(id: number, text: "\(number)"))
        let isReplica = try await store.read { snapshot in
          #expect(try await notes.find(number) != nil)
          return try await Self.isReplica(snapshot)
        }
        if questions.load(ordering: .sequentiallyConsistent) == 1 { return #expect(!isReplica) }
        try await Task.sleep(for: .milliseconds(20))
      }
      Issue.record("the replica is not asked")
    }
  }

  @Test("a commit beside the question for the end of the primary's log is waited for by the next read")
  func committedMeanwhile() async throws {
    try await ServerPair.with { primary, follower in
      let administrator = try PostgresStore(follower.connection, connections: 1, notifies: false)
      let socket = try await SocketProxy.serverSocket(of: PostgresStore(primary.connection, notifies: false))
      let folder = try TemporaryFolder()
      // What happens once before the answer to the next question arrives.
      let before = Mutex<(@Sendable () throws -> Void)?>(nil)
      let isAsked = Atomic(false)
      let proxy = try SocketProxy(at: folder.path(socket.lastPathComponent), to: socket.path) { direction, bytes in
        switch direction {
        case .toServer:
          if bytes.firstRange(of: Array("pg_current_wal_flush_lsn".utf8)) != nil {
            isAsked.store(true, ordering: .sequentiallyConsistent)
          }
        case .toClient:
          guard isAsked.exchange(false, ordering: .sequentiallyConsistent) else { break }
          let event = before.withLock { event in
            defer { event = nil }
            return event
          }
          do { try event?() } catch { Issue.record(error) }
        }
        return .forward
      }
      defer { proxy.stop() }
      let store = try PostgresStore(
        ConnectionString.extended(primary.connection, by: ["host": folder.path]), replica: follower.connection,
        connections: 2, notifies: false)
      let notes = try store.sqlRepository(of: Note.self)
      while try administrator.tableNames().isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      // The server may write to its log by itself, which leaves the first read to the primary, and the replica alone for a while.
      for number in stride(from: 1, to: 2_000, by: 2) {
        try await notes.save(Note(id: number, text: "before"))
        before.withLock { event in
          event = {
            let arrived: SQLStatement = "SELECT count(*) FROM note WHERE id = \(number)"
            while try administrator.blocking.sql.query(arrived, as: Int.self) == [0] { OwnThread.pause() }
            _ = try administrator.blocking.sql.query("SELECT 1 FROM pg_wal_replay_pause()", as: Int.self)
            try notes.blocking.save([Note(id: number + 1, text: "meanwhile")])
          }
        }
        let isReplica = try await store.read { try await Self.isReplica($0) }
        let found = try await store.read { _ in try await notes.find(number + 1) }
        _ = try await administrator.sql.query("SELECT 1 FROM pg_wal_replay_resume()", as: Int.self)
        if before.withLock({ $0 != nil }) { continue }
        #expect(found != nil)
        if isReplica { return }
        try await Task.sleep(for: .milliseconds(20))
      }
      Issue.record("the replica is not asked")
    }
  }

  @Test("a server that follows another one takes no writes, and a replica of something else is refused")
  func refused() async throws {
    try await ServerPair.with { primary, follower in
      let store = try PostgresStore(primary.connection)
      let notes = try store.sqlRepository(of: Note.self)
      try await notes.save(Note(id: 1, text: "a"))
      let standby = try PostgresStore(follower.connection, connections: 2)
      while try standby.tableNames().isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      let copies = try standby.repository(of: Note.self)
      func refuses(_ write: @Sendable () async throws -> Void) async {
        do {
          try await write()
          Issue.record("it is written")
        } catch {
          #expect((error as? RepositoryError)?.code == .readOnly, "\(error)")
        }
      }
      await refuses { try await copies.save(Note(id: 2, text: "b")) }
      await refuses { try await copies.insert([Note(id: 2, text: "b")]) }
      await refuses { try await copies.save((2...20).map { Note(id: $0, text: "b") }) }
      await refuses { try await copies.update(where: .true, set: [Assignment("text", "b")]) }
      await refuses { _ = try await copies.delete(where: .true) }
      await refuses { try await standby.transaction { _ in try await copies.save(Note(id: 2, text: "b")) } }
      await refuses { try await standby.migrate([Migration("x") { try $0.create(Note.schema) }]) }
      await refuses { try await standby.sql.execute("DELETE FROM note") }
      #expect(try await copies.findAll() == [Note(id: 1, text: "a")])

      let error = #expect(throws: RepositoryError.self) {
        try PostgresStore(primary.connection, replica: follower.connection + " dbname=template1")
      }
      #expect(error?.code == .cannotOpen && error?.reason?.contains("follow") == true, "\(String(describing: error))")
    }
  }

  @Test("a search that ignores case waits for its function, which the primary makes")
  func folding() async throws {
    try await ServerPair.with { primary, follower in
      let administrator = try PostgresStore(primary.connection, connections: 1, notifies: false)
      let replica = try PostgresStore(follower.connection, connections: 1, notifies: false)
      let store = try PostgresStore(primary.connection, replica: follower.connection, connections: 2, notifies: false)
      let notes = try store.sqlRepository(of: Note.self)
      try await notes.save(Note(id: 1, text: "STRASSE"))
      for _ in 0..<100 {
        let isDone = try await store.read { snapshot in
          if try await !Self.isReplica(snapshot) { return false }
          // The function can't arrive before the log is replayed again.
          _ = try await replica.sql.query("SELECT 1 FROM pg_wal_replay_pause()", as: Int.self)
          let resumption = Task {
            func isMade() async throws -> Bool {
              try await administrator.sql.query(
                "SELECT 1 FROM pg_namespace WHERE nspname = \(PostgresFolding.schema)", as: Int.self) == [1]
            }
            while try await !isMade() { try await Task.sleep(for: .milliseconds(20)) }
            try await Task.sleep(for: .milliseconds(200))
            _ = try await replica.sql.query("SELECT 1 FROM pg_wal_replay_resume()", as: Int.self)
          }
          #expect(try await notes.filter { $0.text.hasPrefix("straße", ignoringCase: true) }.count() == 1)
          try await resumption.value
          return true
        }
        if isDone { return }
      }
      Issue.record("the replica is not asked")
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Leaves tests out where no server of their own can be started.
  static var requiresOwnServers: Self {
    .enabled(if: PostgresServerProcess.isInstalled, "no PostgreSQL server is installed")
  }
}
