import Foundation
import Query
import Repository
import SQLiteStore
import TestSupport

extension Experiment {
  /// A file that is no database, or was one, is an error and no crash.
  static let damagedFiles = Experiment("damage", "1,000 files with flipped bytes, cut off, empty, of other formats") {
    scale in
    let folder = try Folder()
    let seed = SplitMix64.newSeed()
    let count = scale.pick(quick: 60, full: 1_000)
    var finding = try await Helper("damagedFiles", [folder.path, "\(seed)", "\(count)"]).finding()
    finding.note("seed \(seed)")
    return finding
  }
}

/// A database file after something has happened to it.
struct DamagedFile {
  /// A database as it should be.
  struct Source {
    let database: [UInt8]
    let log: [UInt8]?
    let entries: [Entry]
  }

  private(set) var database: [UInt8]
  private(set) var log: [UInt8]?
  private let entries: [Entry]
  let damage: String

  /// Two databases: one as a file alone, one of which the half is still in the log.
  static func sources(in folder: String) throws -> [Source] {
    let path = "\(folder)/source.sqlite"
    let store = try SQLiteStore(path: path)
    let entries = try store.sqlRepository(of: Entry.self)
    let tallies = try store.sqlRepository(of: Tally.self)
    func bytes(_ end: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + end))) }
    for batch in 0..<60 {
      try entries.blocking.save(Entry.batch(batch, note: String(repeating: "n\(batch)", count: batch)))
    }
    try tallies.blocking.save((0..<50).map { Tally(id: $0, value: $0) })
    try OtherProgram(path).run("CREATE VIEW seen AS SELECT * FROM entry; PRAGMA wal_checkpoint(TRUNCATE)")
    let whole = Source(database: try bytes(""), log: nil, entries: try entries.blocking.findAll(FetchRequest()))
    for batch in 60..<80 { try entries.blocking.save(Entry.batch(batch, note: "more")) }
    let half = Source(
      database: try bytes(""), log: try bytes("-wal"), entries: try entries.blocking.findAll(FetchRequest()))
    return [whole, half]
  }

  init(of source: Source, _ random: inout SplitMix64) {
    (database, log, entries) = (source.database, source.log, source.entries)
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      database = Array(database.prefix(.random(in: 0..<database.count, using: &random)))
      damage = "cut off after \(database.count) bytes"
    case 1:
      database = [[], [0], Array(repeating: 0, count: 4_096)][.random(in: 0..<3, using: &random)]
      damage = "\(database.count) zeros"
    case 2:
      let formats: [[UInt8]] = [
        Array("id,name\n1,Bulbasaur\n".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D],
        [0x50, 0x4B, 0x03, 0x04, 0x14, 0, 0, 0], [0x1F, 0x8B, 8, 0], Array("%PDF-1.7\n".utf8),
        Array("SQLite format 2".utf8) + [0], Array("SQLite format 3".utf8) + [0], [0x37, 0x7F, 6, 0x82],
      ]
      let start = formats[.random(in: 0..<formats.count, using: &random)]
      database =
        start + (0..<Int.random(in: 0..<9_000, using: &random)).map { _ in .random(in: 0...255, using: &random) }
      damage = "another format: \(start)"
    case 3:
      for position in 0..<100 where Int.random(in: 0..<10, using: &random) == 0 {
        database[position] = .random(in: 0...255, using: &random)
      }
      damage = "another header"
    case 4 where log != nil:
      Self.flip(&log, .random(in: 1...50, using: &random), &random)
      damage = "bytes of the log flipped"
    case 5:
      // A page as a whole, as a disk loses it.
      let page = Int.random(in: 0..<database.count / 4_096, using: &random)
      let other = Int.random(in: 0..<database.count / 4_096, using: &random)
      let isLost = Bool.random(using: &random)
      for offset in 0..<4_096 { database[page * 4_096 + offset] = isLost ? 0 : database[other * 4_096 + offset] }
      damage = "page \(page) \(isLost ? "lost" : "written over by page \(other)")"
    default:
      var bytes: [UInt8]? = database
      let count = Int.random(in: 1...200, using: &random)
      Self.flip(&bytes, count, &random)
      database = bytes ?? []
      damage = "\(count) bytes flipped"
    }
  }

  private static func flip(_ bytes: inout [UInt8]?, _ count: Int, _ random: inout SplitMix64) {
    guard var changed = bytes, !changed.isEmpty else { return }
    for _ in 0..<count {
      changed[.random(in: 0..<changed.count, using: &random)] ^= .random(in: 1...255, using: &random)
    }
    bytes = changed
  }

  /// The errors that tell that a file is no database, or a damaged one.
  static let tellingCodes: [RepositoryError.Code] = [.corrupt, .notADatabase, .unreadableRow, .missingTable]

  /// What came of the use of a file.
  struct Outcome {
    /// In a word or two.
    let text: String
    /// The first one.
    var error: RepositoryError.Code?
    /// Whether the check found problems.
    var isReported = false
  }

  /// Does everything that can be done with the file.
  func use(_ path: String, _ mode: OpenMode) throws -> Outcome {
    let store: SQLiteStore
    do throws(RepositoryError) {
      store = try SQLiteStore(path: path, mode: mode, timeout: .milliseconds(10))
    } catch {
      return Outcome(text: "\(error.code.rawValue) at opening", error: error.code)
    }
    var errors: [RepositoryError.Code] = []
    func attempt<Result>(_ body: () throws(RepositoryError) -> Result) -> Result? {
      do throws(RepositoryError) {
        return try body()
      } catch {
        errors.append(error.code)
        return nil
      }
    }
    var found: [Entry]?
    for name in attempt({ () throws(RepositoryError) in try store.tableNames() }) ?? [] {
      guard let table = attempt({ () throws(RepositoryError) in try store.schema(ofTable: name) }) else { continue }
      _ = attempt { () throws(RepositoryError) in
        try store.blocking.repository(Schema(table)).findAll(FetchRequest())
      }
    }
    if let entries = attempt({ () throws(RepositoryError) in try store.sqlRepository(of: Entry.self) }) {
      found = attempt { () throws(RepositoryError) in
        try entries.blocking.findAll(FetchRequest(sortedBy: .ascending(key: "id")))
      }
      _ = attempt { () throws(RepositoryError) in
        try entries.blocking.count(.contains(key: "note", value: "N3", ignoringCase: true))
      }
      for batch in [0, 30, 59] { _ = attempt { () throws(RepositoryError) in try entries.blocking.find(batch * 3) } }
    }
    let problems = attempt { () throws(RepositoryError) in try store.blocking.integrityCheck() }
    if mode != .readOnly, let entries = try? store.sqlRepository(of: Entry.self) {
      _ = attempt { () throws(RepositoryError) in try entries.blocking.save(Entry.batch(1_000)) }
      _ = attempt { () throws(RepositoryError) in try entries.blocking.delete([0, 100, 200]) }
    }
    if let first = errors.first { return Outcome(text: first.rawValue, error: first) }
    if problems?.isEmpty == false { return Outcome(text: "found by the check alone", isReported: true) }
    return Outcome(text: found == entries ? "unharmed" : "silently other rows")
  }
}

extension Role {
  /// `damagedFiles FOLDER SEED COUNT`: opens files that are damaged in many ways, and does with each what can be done.
  static let damagedFiles = Role("damagedFiles") { arguments in
    let folder = arguments[0]
    var random = SplitMix64(seed: UInt64(arguments[1]) ?? 0)
    let count = Int(arguments[2]) ?? 0
    let sources = try DamagedFile.sources(in: folder)
    var finding = Finding()
    var outcomes: [String: Int] = [:]
    var (errors, vague) = (0, 0)
    for number in 0..<count {
      let file = DamagedFile(of: sources[number % sources.count], &random)
      tell("file \(number): \(file.damage)")
      // A file with which the program does not come to an end ends it.
      alarm(30)
      let path = "\(folder)/\(number).sqlite"
      try Data(file.database).write(to: URL(fileURLWithPath: path))
      if let log = file.log { try Data(log).write(to: URL(fileURLWithPath: path + "-wal")) }
      let outcome = try file.use(path, number.isMultiple(of: 3) ? .readOnly : .existing)
      if outcome.error == nil, !outcome.isReported, (try? OtherProgram(path).isWhole()) == false {
        finding.expect(false, "file \(number), \(file.damage): the check finds nothing, and SQLite's own does")
      }
      if let error = outcome.error {
        errors += 1
        if !DamagedFile.tellingCodes.contains(error) { vague += 1 }
      }
      outcomes[outcome.text, default: 0] += 1
      for end in ["", "-wal", "-shm", "-journal", "-queue"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    alarm(0)
    // Some damage looks like something else, such as a file of a newer format.
    finding.expect(vague * 10 <= errors, "\(vague) errors of \(errors) do not tell of damage")
    finding.note(
      outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }.joined(
        separator: ", "))
    tell(finding)
  }
}
