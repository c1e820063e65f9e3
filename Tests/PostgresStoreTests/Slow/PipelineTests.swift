import Foundation
import PostgresStore
import Query
import Synchronization
import TestSupport
import Testing

@Suite("Finding by key takes no connection, and is right whatever happens", .requiresServer)
struct PipelineTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  private static func notes(in store: PostgresStore, count: Int) async throws -> AnyRepository<Note> {
    let notes = try store.repository(of: Note.self)
    try await notes.save((0..<count).map { Note(id: $0, text: "note \($0)") })
    return AnyRepository(notes)
  }

  /// Has many tasks find notes by their keys, and some that are not there.
  private static func find(_ notes: AnyRepository<Note>, tasks: Int, rounds: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          for round in 0..<rounds {
            let key = (task * 31 + round * 17) % 300
            let note = try await notes.find(key)
            #expect(note == (key < 200 ? Note(id: key, text: "note \(key)") : nil))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("A hundred tasks find what they ask for while the only connection is in use")
  func tasks() async throws {
    try await TestServer.withStore(connections: 1) { store in
      let label = try await store.label()
      let notes = try await Self.notes(in: store, count: 200)
      try await store.transaction { transaction in
        try await notes.save(Note(id: 5, text: "changed"))
        // The transaction sees what it has written, and others do not.
        #expect(try await notes.find(5)?.text == "changed")
        try await Task.detached { try await Self.find(notes, tasks: 100, rounds: 10) }.value
        #expect(try await TestServer.sessions(of: label) <= 3)
      }
      #expect(try await notes.find(5)?.text == "changed")
    }
  }

  @Test("Each sees what it has written itself")
  func ownWrites() async throws {
    try await TestServer.withStore(connections: 4) { store in
      let notes = try store.repository(of: Note.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<20 {
          group.addTask {
            for round in 0..<20 {
              let note = Note(id: task, text: "round \(round)")
              try await notes.save(note)
              #expect(try await notes.find(task) == note)
            }
            try await notes.delete(task)
            #expect(try await notes.find(task) == nil)
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("A lock that is in the way of one holds no other up, and is waited for")
  func lock() async throws {
    try await TestServer.withStore(connections: 4) { store in
      let notes = try await Self.notes(in: store, count: 200)
      let counters = try store.repository(of: Counter.self)
      try await counters.save(Counter(id: "a", count: 1))
      #expect(try await notes.find(1) != nil)
      let order = Journal<String>()
      let reader = try await store.transaction { transaction in
        try await transaction.sql.execute("LOCK TABLE note IN ACCESS EXCLUSIVE MODE")
        let reader = Task.detached {
          let note = try await notes.find(1)
          order.note("found \(note?.text ?? "nothing")")
        }
        let others = Task.detached {
          for _ in 0..<50 {
            let counter = try await counters.find("a")
            #expect(counter?.count == 1)
          }
        }
        try await others.value
        order.note("unlocked")
        return reader
      }
      try await reader.value
      #expect(order.entries == ["unlocked", "found note 1"])
    }
  }

  @Test("A table that changes meanwhile is found in as it is then")
  func changedTable() async throws {
    try await TestServer.withStore { store in
      let notes = try await Self.notes(in: store, count: 200)
      let finding = Task { try await Self.find(notes, tasks: 10, rounds: 300) }
      for number in 0..<20 {
        try await store.sql.execute("ALTER TABLE note ADD COLUMN \(identifier: "extra\(number)") bigint")
        try await store.sql.execute(
          "ALTER TABLE note ALTER COLUMN text TYPE \(part: number % 2 == 0 ? "varchar" : "text")")
      }
      try await finding.value
    }
  }

  @Test("Sessions that end meanwhile are replaced", .tags(.slow), arguments: [1, 4])
  func endedSessions(tasks: Int) async throws {
    try await TestServer.withStore { store in
      let label = try await store.label()
      let notes = try await Self.notes(in: store, count: 200)
      let outcomes = Journal<Bool>()
      let finding = Task {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<tasks {
            group.addTask {
              while !Task.isCancelled {
                do {
                  let note = try await notes.find(7)
                  #expect(note?.text == "note 7")
                  outcomes.note(true)
                } catch let error as RepositoryError {
                  // The connection of its own may be ended as well.
                  #expect(error.code == .unreachable || error.code == .cancelled, "\(error)")
                  outcomes.note(false)
                }
              }
            }
          }
          try await group.waitForAll()
        }
      }
      for _ in 0..<10 {
        try await Task.sleep(for: .milliseconds(5))
        try await TestServer.endSessions(of: label)
      }
      try await Task.sleep(for: .milliseconds(5))
      finding.cancel()
      try await finding.value
      #expect(try await notes.find(7)?.text == "note 7")
      #expect(outcomes.entries.contains(true))
    }
  }

  @Test("A connection that is cut at any byte gives no wrong answer")
  func cut() async throws {
    let server = try await SocketProxy.serverSocket(of: TestServer.administrator.get())
    let folder = try TemporaryFolder()
    let left = Mutex(Int.max)
    let proxy = try SocketProxy(at: folder.path(server.lastPathComponent), to: server.path) { direction, bytes in
      guard direction == .toClient else { return .forward }
      return left.withLock { left in
        if left > bytes.count {
          left -= left == .max ? 0 : bytes.count
          return .forward
        }
        defer { left = .max }
        return .cut(after: left)
      }
    }
    defer { proxy.stop() }
    try await TestServer.withSchema { connection in
      let through = ConnectionString.extended(connection, by: ["host": folder.path])
      let store = try PostgresStore(through, connections: 4)
      let notes = try await Self.notes(in: store, count: 200)
      var random = SplitMix64(seed: Self.seed)
      for _ in 0..<Effort.rounds(200) {
        left.withLock { $0 = Int.random(in: 1...4_000, using: &random) }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for key in 0..<20 {
            group.addTask {
              do {
                let note = try await notes.find(key)
                #expect(note == Note(id: key, text: "note \(key)"), "seed \(Self.seed)")
              } catch let error as RepositoryError {
                // Also where the connection is cut as it is made.
                let codes: [RepositoryError.Code] = [.unreachable, .cannotOpen]
                #expect(codes.contains(error.code), "seed \(Self.seed): \(error)")
              }
            }
          }
          try await group.waitForAll()
        }
      }
    }
  }

  @Test("The observer is told of each")
  func observer() async throws {
    let events = Journal<String>()
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(
        connection,
        observer: StatementObserver(includingValues: true) { event in
          events.note("\(event.values ?? []) \(event.resultCount)")
        })
      let notes = try await Self.notes(in: store, count: 3)
      let before = events.entries.count
      #expect(try await notes.find(1) != nil)
      #expect(try await notes.find(9) == nil)
      #expect(Array(events.entries[before...]) == ["[1] 1", "[9] 0"])
    }
  }

  @Test("A cancelled task is told so")
  func cancelled() async throws {
    try await TestServer.withStore { store in
      let notes = try await Self.notes(in: store, count: 1)
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await notes.find(0)
      }
      task.cancel()
      await expectError(.cancelled) { try await task.value }
    }
  }
}

private struct Counter: Entity, Hashable {
  let id: String
  var count: Int

  static let schema = Schema("counter", Counter.init, Column("id", \.id), Column("count", \.count))
}
