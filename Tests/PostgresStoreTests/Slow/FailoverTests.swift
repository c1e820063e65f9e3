import Foundation
import PostgresStore
import Query
import Repository
import TestSupport
import Testing

/// Two servers of the tests' own, of which either may take the writes.
@Suite("Another server takes the writes", .tags(.slow), .requiresOwnServers, .serialized)
struct FailoverTests {
  @Test("writers go on with the server that is promoted, and nothing that was acknowledged is lost")
  func failover() async throws {
    try await ServerPair.with { primary, follower in
      // What is acknowledged has arrived at both.
      try await ServerPair.set("synchronous_standby_names = '*'", on: primary)
      try await ServerPair.set("synchronous_commit = remote_apply", on: primary)
      let servers = [primary, follower]
      let store = try PostgresStore(
        PostgresServerProcess.connection(to: servers, "target_session_attrs=read-write"),
        replica: PostgresServerProcess.connection(to: servers, "target_session_attrs=prefer-standby"), connections: 4,
        timeout: .seconds(20), notifies: false)
      let notes = try store.repository(of: Note.self)
      let told = Journal<(Int, RepositoryError.Code?)>()
      let isOver = Gate()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            var number = writer
            while !isOver.isOpen {
              do throws(RepositoryError) {
                try await notes.insert([Note(id: number, text: "\(number)")])
                told.note((number, nil))
              } catch {
                told.note((number, error.code))
              }
              number += 4
            }
          }
        }
        try await Task.sleep(for: .milliseconds(300))
        primary.kill(SIGQUIT)
        try await Task.sleep(for: .milliseconds(200))
        let promoted = try PostgresStore(follower.connection, connections: 1)
        #expect(try await promoted.sql.query("SELECT pg_promote()::int", as: Int.self) == [1])
        // The one that followed the primary has no standby to wait for.
        try await ServerPair.set("synchronous_standby_names = ''", on: follower)
        let before = told.entries.count
        while told.entries.count < before + 100 { try await Task.sleep(for: .milliseconds(10)) }
        isOver.open()
        try await group.waitForAll()
      }
      let rows = try await notes.findAll()
      let present = Set(rows.map(\.id))
      for (number, code) in told.entries {
        switch code {
        case nil: #expect(present.contains(number), "\(number) is lost")
        case .timeout: break
        default: #expect(code == .unreachable && !present.contains(number), "\(number): \(String(describing: code))")
        }
      }
      // A statement of each writer was under way at most.
      #expect(told.entries.count { $0.1 != nil } <= 4, "\(told.entries.compactMap(\.1).prefix(10))")
      let isReplica = try await store.read { snapshot in
        try await snapshot.sql.query("SELECT pg_is_in_recovery()::int", as: Int.self) == [1]
      }
      #expect(!isReplica)
    }
  }

  @Test("of one that takes none any more, though it still answers")
  func readOnly() async throws {
    try await ServerPair.with { primary, follower in
      let store = try PostgresStore(
        PostgresServerProcess.connection(to: [primary, follower], "target_session_attrs=read-write"), connections: 2,
        timeout: .seconds(20), notifies: false)
      let notes = try store.repository(of: Note.self)
      try await notes.save(Note(id: 0, text: "first"))
      let promoted = try PostgresStore(follower.connection, connections: 1, notifies: false)
      // Until the follower has the row.
      while try await promoted.sql.query("SELECT 1 FROM pg_class WHERE relname = 'note'", as: Int.self).isEmpty {
        try await Task.sleep(for: .milliseconds(10))
      }
      while try await promoted.sql.query("SELECT count(*) FROM note", as: Int.self)[0] == 0 {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(try await promoted.sql.query("SELECT pg_promote()::int", as: Int.self) == [1])
      try await ServerPair.set("default_transaction_read_only = on", on: primary)
      // A session is told of the setting with the answer to its next statement.
      for number in 1...1_000 {
        do throws(RepositoryError) {
          try await notes.insert([Note(id: number, text: "\(number)")])
        } catch {
          #expect(error.code == .readOnly || error.code == .unreachable, "\(error)")
        }
        if try await promoted.repository(of: Note.self).count() > 1 { return }
        try await Task.sleep(for: .milliseconds(20))
      }
      Issue.record("no write goes to the other server")
    }
  }
}
