import Foundation
import Repository
import SQLStore
import TestSupport
import Testing

@testable import SQLiteStore

/// A call that reads the one tally of a store.
enum WayOfReading: String, CaseIterable, CustomTestStringConvertible {
  case find, findAll, count, read, sql
  case blockingFind, blockingFindAll, blockingCount, blockingRead, blockingSQL

  var testDescription: String { rawValue }

  /// The tally's value.
  func value(in store: SQLiteStore) async throws -> Int? {
    let tallies = try store.sqlRepository(of: CommonTally.self)
    switch self {
    case .find: return try await tallies.find(1)?.value
    case .findAll: return try await tallies.findAll(FetchRequest()).first?.value
    case .count: return try await tallies.count(.equal(key: "value", value: 2)) + 1
    case .read: return try await store.read { try await $0.repository(of: CommonTally.self).find(1)?.value }
    case .sql: return try await store.sql.query("SELECT value FROM tally", as: Int.self).first
    case .blockingFind, .blockingFindAll, .blockingCount, .blockingRead, .blockingSQL:
      return try await OwnThread.run { try blockingValue(in: store) }
    }
  }

  private func blockingValue(in store: SQLiteStore) throws -> Int? {
    let tallies = try store.sqlRepository(of: CommonTally.self)
    return switch self {
    case .blockingFindAll: try tallies.blocking.findAll(FetchRequest()).first?.value
    case .blockingCount: try tallies.blocking.count(.equal(key: "value", value: 2)) + 1
    case .blockingRead: try store.blocking.read { try $0.repository(of: CommonTally.self).find(1)?.value }
    case .blockingSQL: try store.blocking.sql.query("SELECT value FROM tally", as: Int.self).first
    default: try tallies.blocking.find(1)?.value
    }
  }
}

/// What readers and writers of these tests have in common.
struct CommonTally: Entity, Hashable {
  let id: Int
  var value: Int
  static let schema = Schema("tally", CommonTally.init, Column("id", \.id), Column("value", \.value))
}

@Suite("Readers and a writer of a database with a write-ahead log")
struct ReadersAndWriterTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.sqlite")
  }

  /// A store of the tally 1, whose value is 1.
  ///
  /// - Parameter timeout: as a rule none, so that whatever has to wait fails.
  private func open(timeout: Duration = .zero) async throws -> SQLiteStore {
    let store = try SQLiteStore(path: path, timeout: timeout)
    try await store.repository(of: CommonTally.self).save(CommonTally(id: 1, value: 1))
    return store
  }

  @Test("a read beside a transaction that has written sees the state before", arguments: WayOfReading.allCases)
  func readBesideTransaction(way: WayOfReading) async throws {
    let (store, other) = (try await open(), try SQLiteStore(path: path, timeout: .zero))
    try await store.transaction { transaction in
      try await transaction.repository(of: CommonTally.self).save(CommonTally(id: 1, value: 2))
      // Not a part of the transaction, as a task of its own would be.
      for reader in [store, other] {
        let value = try await Task.detached { try await way.value(in: reader) }.value
        #expect(value == 1)
      }
    }
    #expect(try await way.value(in: store) == 2)
    #expect(try await way.value(in: other) == 2)
  }

  @Test("a write beside a read of one state does not wait for it", arguments: [true, false])
  func writeBesideRead(isBlocking: Bool) async throws {
    let store = try await open()
    let tallies = try store.sqlRepository(of: CommonTally.self)
    try await store.read { state in
      let seen = try state.repository(of: CommonTally.self)
      #expect(try await seen.find(1)?.value == 1)
      try await Task.detached {
        if isBlocking {
          try await OwnThread.run { try tallies.blocking.save([CommonTally(id: 1, value: 2)]) }
        } else {
          try await tallies.save(CommonTally(id: 1, value: 2))
        }
      }.value
      #expect(try await seen.find(1)?.value == 1)
    }
    #expect(try await tallies.find(1)?.value == 2)
  }

  @Test("a read goes before the writers in line", arguments: WayOfReading.allCases)
  func readBesideQueue(way: WayOfReading) async throws {
    // A read that waits for the writers in line does so until its time is over.
    let store = try await open(timeout: .seconds(30))
    nonisolated(unsafe) let writer = try #require(WriteQueue(ofDatabase: path).join())
    let late = Journal<Bool>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // A writer that does not show that it still runs is passed over.
        for _ in 0..<1_000 {
          _ = writer.beatAndCheckFirst()
          try await Task.sleep(for: .milliseconds(20))
        }
        late.note(true)
      }
      let value = try await way.value(in: store)
      #expect(value == 1)
      #expect(late.entries.isEmpty)
      group.cancelAll()
    }
  }
}
