import Dispatch
import Foundation
import Model
import Peers
import Raw
import SQLiteStore
import Synchronization

/// Eight who read at once, beside one who writes, until all of them are done.
enum CrowdWorkloads {
  static let all = [threads, tasks]

  private static let readers = 8
  private static let reads = 1_000
  private static let writes = 200

  private static let budgets: [Comparison] = [
    .init(to: "raw", most: 1.3), .init(to: "grdb", most: 1.0), .init(to: "grdb-usual", most: 1.0),
  ]

  /// Threads, which block where they have to wait.
  private static let threads = Workload("crowd", unit: "call", budgets, warmsUp: false, stopwatch: .wall) { bed in
    [
      Contender("subject", operations: readers * reads + writes) {
        let path = try path(bed)
        let repository = try store(path).blocking.repository(of: Pokemon.self)
        return onThreads(bed, path, find: { _, key in try repository.find(key) }, save: { try repository.save([$0]) })
      },
      raw(bed),
      Contender("grdb", operations: readers * reads + writes) {
        let path = try path(bed)
        let peer = try Peer(path: path, pragmas: bed.settings)
        return onThreads(bed, path, find: { _, key in try peer.find(key) }, save: { try peer.save($0) })
      },
      Contender("grdb-usual", operations: readers * reads + writes) {
        let path = try path(bed)
        let peer = try Peer(path: path, pragmas: bed.settings)
        return onThreads(bed, path, find: { _, key in try peer.usualFind(key) }, save: { try peer.usualSave($0) })
      },
    ]
  }

  /// Tasks, which are suspended where they have to wait; `raw` has threads here too.
  private static let tasks = Workload("crowd-async", unit: "call", budgets, warmsUp: false, stopwatch: .wall) { bed in
    [
      Contender("subject", operations: readers * reads + writes) {
        let path = try path(bed)
        let repository = try store(path).repository(of: Pokemon.self)
        return inTasks(bed, path, find: { try await repository.find($0) }, save: { try await repository.save($0) })
      },
      raw(bed),
      Contender("grdb", operations: readers * reads + writes) {
        let path = try path(bed)
        let peer = try Peer(path: path, pragmas: bed.settings)
        return inTasks(bed, path, find: { try await peer.findAsync($0) }, save: { try await peer.saveAsync($0) })
      },
      Contender("grdb-usual", operations: readers * reads + writes) {
        let path = try path(bed)
        let peer = try Peer(path: path, pragmas: bed.settings)
        return inTasks(
          bed, path, find: { try await peer.usualFindAsync($0) }, save: { try await peer.usualSaveAsync($0) })
      },
    ]
  }

  private static func raw(_ bed: Bed) -> Contender {
    Contender("raw", operations: readers * reads + writes) {
      let path = try path(bed)
      let connections = try (0...readers).map { _ in try RawPokedex(path: path, pragmas: bed.settings) }
      return onThreads(
        bed, path, find: { reader, key in try connections[reader].find(key) },
        save: { try connections[readers].save($0) })
    }
  }

  private static func store(_ path: String) throws -> SQLiteStore { try SQLiteStore(path: path, readers: readers) }

  /// A new file with rows that are read; those that are written come beside them.
  private static func path(_ bed: Bed) throws -> String {
    let path = bed.newPath()
    try RawPokedex(path: path, pragmas: bed.settings, creating: bed.definitions).insert(Pokedex.first(bed.readRows))
    return path
  }

  private static func onThreads(
    _ bed: Bed, _ path: String, find: @escaping @Sendable (_ reader: Int, _ key: Int) throws -> Pokemon?,
    save: @escaping @Sendable (Pokemon) throws -> Void
  ) -> Contender.Work {
    let (keys, written) = (lists(bed), newRows(bed))
    return .blocking {
      let digests = Mutex([Digest](repeating: Digest(), count: readers))
      let failure = Mutex<(any Error)?>(nil)
      let group = DispatchGroup()
      func start(_ body: @escaping @Sendable () throws -> Void) {
        group.enter()
        Thread {
          do { try body() } catch { failure.withLock { $0 = error } }
          group.leave()
        }.start()
      }
      for (reader, list) in keys.enumerated() {
        start {
          var digest = Digest()
          for key in list { digest.feed(try find(reader, key)?.id ?? 0) }
          digests.withLock { [digest] in $0[reader] = digest }
        }
      }
      start {
        for pokemon in written { try save(pokemon) }
      }
      group.wait()
      if let failure = failure.withLock(\.self) { throw failure }
      let found = digests.withLock(\.self)
      return answer(found, path)
    }
  }

  private static func inTasks(
    _ bed: Bed, _ path: String, find: @escaping @Sendable (Int) async throws -> Pokemon?,
    save: @escaping @Sendable (Pokemon) async throws -> Void
  ) -> Contender.Work {
    let (keys, written) = (lists(bed), newRows(bed))
    return .suspending {
      let found = try await withThrowingTaskGroup(of: (Int, Digest)?.self) { group in
        for (reader, list) in keys.enumerated() {
          group.addTask {
            var digest = Digest()
            for key in list { digest.feed(try await find(key)?.id ?? 0) }
            return (reader, digest)
          }
        }
        group.addTask {
          for pokemon in written { try await save(pokemon) }
          return nil
        }
        var digests = [Digest](repeating: Digest(), count: readers)
        for try await case let (reader, digest)? in group { digests[reader] = digest }
        return digests
      }
      return answer(found, path)
    }
  }

  /// What was read, and what was written.
  private static func answer(_ found: [Digest], _ path: String) -> Answer {
    Answer { digest in
      for one in found { digest.feed(one.value) }
      for pokemon in try RawPokedex(path: path).all() { digest.feed(pokemon) }
    }
  }

  private static func lists(_ bed: Bed) -> [[Int]] {
    (0..<readers).map { reader in bed.keys(reads, seed: UInt64(reader)).map { 1 + $0 % bed.readRows } }
  }

  private static func newRows(_ bed: Bed) -> [Pokemon] {
    (1...writes).map { Pokedex.pokemon(bed.readRows + $0) }
  }
}

extension Bed {
  fileprivate var readRows: Int { min(rows.count, 20_000) }
}
