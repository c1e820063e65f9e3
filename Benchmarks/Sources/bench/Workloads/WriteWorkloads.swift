import Model
import Peers
import Raw
import SQLiteStore

/// Rows that are written, each round into a new file; what is in it afterwards is compared.
enum WriteWorkloads {
  static let all = [bulkInsert, singleSaves, upsert, streamed]

  private static let bulkInsert = Workload(
    "bulk-insert", unit: "row",
    [.init(to: "raw", most: 1.3), .init(to: "grdb", most: 0.25), .init(to: "grdb-usual", most: 0.25)], warmsUp: false
  ) { bed in
    let rows = Pokedex.first(bed.options.writtenRows)
    return [
      subject(bed, rows.count) { try $0.insert(rows) }, raw(bed, rows.count) { try $0.insert(rows) },
      grdb("grdb", bed, rows.count) { try $0.insert(rows) },
      grdb("grdb-usual", bed, rows.count) { try $0.usualInsert(rows) },
    ]
  }

  private static let singleSaves = Workload(
    "single-saves", unit: "save",
    [.init(to: "raw", most: 1.15), .init(to: "grdb", most: 1.0), .init(to: "grdb-usual", most: 1.0)], warmsUp: false
  ) { bed in
    let rows = Pokedex.first(bed.options.singleSaves)
    return [
      subject(bed, rows.count) { repository in for row in rows { try repository.save([row]) } },
      raw(bed, rows.count) { raw in for row in rows { try raw.save(row) } },
      grdb("grdb", bed, rows.count) { peer in for row in rows { try peer.save(row) } },
      grdb("grdb-usual", bed, rows.count) { peer in for row in rows { try peer.usualSave(row) } },
    ]
  }

  /// Every other row exists already.
  private static let upsert = Workload(
    "upsert", unit: "row",
    [.init(to: "raw", most: 1.3), .init(to: "grdb", most: 1.0), .init(to: "grdb-usual", most: 1.0)], warmsUp: false
  ) { bed in
    let rows = Pokedex.first(bed.options.writtenRows, edition: 1)
    let existing = Pokedex.first(bed.options.writtenRows).filter { $0.id % 2 == 0 }
    return [
      subject(bed, rows.count, after: existing) { try $0.save(rows) },
      raw(bed, rows.count, after: existing) { try $0.save(rows) },
      grdb("grdb", bed, rows.count, after: existing) { try $0.save(rows) },
      grdb("grdb-usual", bed, rows.count, after: existing) { try $0.usualSave(rows) },
    ]
  }

  /// Rows that are made while they are written, by the call that takes any sequence in constant memory.
  private static let streamed = Workload(
    "streamed-insert", unit: "row", [.init(to: "raw")], warmsUp: false, stopwatch: .wall
  ) { bed in
    let rows = Pokedex.first(bed.options.writtenRows)
    let subject = Contender("subject", operations: rows.count) {
      let file = try File(bed)
      let repository = try SQLiteStore(path: file.path).repository(of: Pokemon.self)
      return .suspending {
        _ = try await repository.insert(contentsOf: rows)
        return file.content()
      }
    }
    return [subject, raw(bed, rows.count) { try $0.insert(rows) }]
  }

  /// A file for one round.
  private final class File {
    let path: String
    private let bed: Bed

    init(_ bed: Bed, with existing: [Pokemon] = []) throws {
      self.bed = bed
      path = bed.newPath()
      let raw = try RawPokedex(path: path, pragmas: bed.settings, creating: bed.definitions)
      if existing.isEmpty { return }
      try raw.insert(existing)
      try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    deinit { bed.remove(path) }

    /// What is in it afterwards, read outside the time that is measured.
    func content() -> Answer {
      Answer { digest in
        for pokemon in try RawPokedex(path: self.path).all() { digest.feed(pokemon) }
      }
    }
  }

  private static func subject(
    _ bed: Bed, _ count: Int, after existing: [Pokemon] = [],
    _ write: @escaping (BlockingRepository<Pokemon>) throws -> Void
  ) -> Contender {
    Contender("subject", operations: count) {
      let file = try File(bed, with: existing)
      let repository = try SQLiteStore(path: file.path).blocking.repository(of: Pokemon.self)
      return .blocking {
        try write(repository)
        return file.content()
      }
    }
  }

  private static func raw(
    _ bed: Bed, _ count: Int, after existing: [Pokemon] = [], _ write: @escaping (RawPokedex) throws -> Void
  ) -> Contender {
    Contender("raw", operations: count) {
      let file = try File(bed, with: existing)
      let raw = try RawPokedex(path: file.path, pragmas: bed.settings)
      return .blocking {
        try write(raw)
        return file.content()
      }
    }
  }

  private static func grdb(
    _ name: String, _ bed: Bed, _ count: Int, after existing: [Pokemon] = [], _ write: @escaping (Peer) throws -> Void
  ) -> Contender {
    Contender(name, operations: count) {
      let file = try File(bed, with: existing)
      let peer = try Peer(path: file.path, pragmas: bed.settings)
      return .blocking {
        try write(peer)
        return file.content()
      }
    }
  }
}
