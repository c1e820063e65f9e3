import Model
import Peers
import Raw
import SQLiteStore

/// Rows by their keys.
enum FindWorkloads {
  static let all = [each, eachAsync, hundred, list]

  private static let each = Workload(
    "find", unit: "read",
    [.init(to: "raw", most: 1.25), .init(to: "grdb", most: 0.12), .init(to: "grdb-usual", most: 0.12)]
  ) { bed in
    let keys = bed.keys(10_000)
    return [
      blocking("subject", keys) { try bed.subject.find($0) },
      blocking("raw", keys) { try bed.raw.find($0) },
      blocking("grdb", keys) { try bed.peer.find($0) },
      blocking("grdb-usual", keys) { try bed.peer.usualFind($0) },
    ]
  }

  private static let eachAsync = Workload(
    "find-async", unit: "read",
    [.init(to: "raw", most: 1.3), .init(to: "grdb", most: 0.05), .init(to: "grdb-usual", most: 0.05)], stopwatch: .wall
  ) { bed in
    let keys = bed.keys(5_000)
    let erased = try bed.store.repository(Pokemon.schema)
    return [
      suspending("subject", keys) { try await erased.find($0) },
      blocking("raw", keys) { try bed.raw.find($0) },
      suspending("grdb", keys) { try await bed.peer.findAsync($0) },
      suspending("grdb-usual", keys) { try await bed.peer.usualFindAsync($0) },
    ]
  }

  private static let hundred = Workload(
    "find-100", unit: "call",
    [.init(to: "raw", most: 1.3), .init(to: "grdb", most: 1.0), .init(to: "grdb-usual", most: 1.0)]
  ) { bed in
    let lists = (0..<100).map { bed.keys(100, seed: $0) }
    return [
      blocking("subject", lists) { try bed.subject.findAll(FetchRequest(.in(key: "id", values: $0))) },
      blocking("raw", lists) { try bed.raw.find($0) },
      blocking("grdb", lists) { try bed.peer.find($0) },
      blocking("grdb-usual", lists) { try bed.peer.usualFind($0) },
    ]
  }

  private static let list = Workload(
    "in-list", unit: "call",
    [.init(to: "raw", most: 1.2), .init(to: "grdb", most: 1.0), .init(to: "grdb-usual", most: 1.0)]
  ) { bed in
    let lists = (0..<3).map { bed.keys(bed.options.listedKeys, seed: $0) }
    return [
      blocking("subject", lists) { try bed.subject.findAll(FetchRequest(.in(key: "id", values: $0))) },
      blocking("raw", lists) { try bed.raw.find(list: $0) },
      blocking("grdb", lists) { try bed.peer.find(list: $0) },
      blocking("grdb-usual", lists) { try bed.peer.usualFind($0) },
    ]
  }

  private static func blocking(
    _ name: String, _ keys: [Int], _ find: @escaping (Int) throws -> Pokemon?
  ) -> Contender {
    .blocking(name, operations: keys.count) {
      var found: [Pokemon] = []
      found.reserveCapacity(keys.count)
      for key in keys {
        if let pokemon = try find(key) { found.append(pokemon) }
      }
      return Answer(found)
    }
  }

  private static func suspending(
    _ name: String, _ keys: [Int], _ find: @escaping (Int) async throws -> Pokemon?
  ) -> Contender {
    .suspending(name, operations: keys.count) {
      var found: [Pokemon] = []
      found.reserveCapacity(keys.count)
      for key in keys {
        if let pokemon = try await find(key) { found.append(pokemon) }
      }
      return Answer(found)
    }
  }

  private static func blocking(
    _ name: String, _ lists: [[Int]], _ find: @escaping ([Int]) throws -> [Pokemon]
  ) -> Contender {
    .blocking(name, operations: lists.count) { Answer(try lists.map(find)) }
  }
}
