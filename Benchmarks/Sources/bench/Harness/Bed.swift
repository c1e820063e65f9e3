import Foundation
import Model
import Peers
import Raw
import SQLiteStore

/// What all workloads stand on: the rows, the file that keeps them, and a connection of each contender's to it.
final class Bed {
  /// Pragmas that a library may set to be faster. What the subject has them at, the others get too.
  private static let pragmas = ["cache_size", "temp_store", "journal_size_limit", "page_size"]

  let options: Options
  let rows: [Pokemon]
  /// The statements that make the subject's table, which the others' tables are made by.
  let definitions: [String]
  /// What is set on the connections of the others, as the subject has it.
  let settings: [String]
  /// Where databases are: in memory where the system has such a place, since what a disk takes is the same for all, and
  /// much more than what differs.
  private let folder: URL
  /// Where those are that would fill the memory.
  private let diskFolder: URL
  private var fileCount = 0

  let path: String
  let raw: RawPokedex
  let peer: Peer
  let store: SQLiteStore
  /// The subject, called without suspending.
  let subject: BlockingRepository<Pokemon>

  init(_ options: Options) async throws {
    self.options = options
    let name = "repository-kit-bench-\(UUID().uuidString)"
    diskFolder = FileManager.default.temporaryDirectory.appending(path: name)
    let memory = URL(filePath: "/dev/shm")
    folder = FileManager.default.isWritableFile(atPath: memory.path) ? memory.appending(path: name) : diskFolder
    for folder in [folder, diskFolder] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    rows = Pokedex.first(options.rows)

    path = folder.appending(path: "base.sqlite").path
    store = try SQLiteStore(path: path)
    subject = try store.blocking.repository(of: Pokemon.self)
    var settings: [String] = []
    for pragma in Self.pragmas {
      if let value = try await Self.value(of: pragma, in: store) { settings.append("\(pragma) = \(value)") }
    }
    self.settings = settings
    let sql = "SELECT sql FROM sqlite_schema WHERE tbl_name = 'pokemon' AND sql IS NOT NULL ORDER BY rootpage"
    definitions = try await store.sql.query(SQLStatement(verbatim: sql), as: String.self)

    raw = try RawPokedex(path: path, pragmas: settings)
    try raw.insert(rows)
    try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    peer = try Peer(path: path, pragmas: settings)
  }

  #if canImport(RawPostgres)
    /// What the workloads of PostgreSQL stand on, made for the first of them.
    var postgres: PostgresBed {
      get throws {
        if let made = madePostgres { return made }
        let made = try PostgresBed(options.postgres ?? "", with: rows)
        madePostgres = made
        return made
      }
    }

    private var madePostgres: PostgresBed?
  #endif

  deinit {
    for folder in [folder, diskFolder] { try? FileManager.default.removeItem(at: folder) }
  }

  /// What the connections that write are set to.
  ///
  /// - Throws: ``WrongAnswer`` where the contenders differ in that.
  func commonPragmas() async throws -> [String] {
    var settings: [String] = []
    for pragma in ["journal_mode", "synchronous", "foreign_keys"] + Self.pragmas {
      guard let value = try await Self.value(of: pragma, in: store) else { continue }
      let others = [try raw.scalar(Self.question(pragma)), try peer.scalar(Self.question(pragma))]
      if others.contains(where: { $0 != value }) {
        throw WrongAnswer(workload: "the pragma \(pragma)", contenders: [value] + others.map { $0 ?? "" })
      }
      settings.append("\(pragma) \(value)")
    }
    return settings
  }

  private static func question(_ pragma: String) -> String { "SELECT CAST(\(pragma) AS TEXT) FROM pragma_\(pragma)" }

  private static func value(of pragma: String, in store: SQLiteStore) async throws -> String? {
    let statement = SQLStatement(verbatim: question(pragma))
    // Within a transaction it is the connection that writes.
    return try await store.transaction { try await $0.sql.query(statement, as: String.self) }.first
  }

  /// A path on the disk where no file is yet.
  func newDiskPath() -> String { newPath(in: diskFolder) }

  /// A path where no file is yet.
  func newPath() -> String { newPath(in: folder) }

  private func newPath(in folder: URL) -> String {
    fileCount += 1
    return folder.appending(path: "\(fileCount).sqlite").path
  }

  /// Removes a database and the files beside it.
  func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-queue"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  /// Keys of rows, each time the same ones.
  func keys(_ count: Int, seed: UInt64 = 1) -> [Int] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in 1 + Int(random.next() % UInt64(rows.count)) }
  }
}
