import Foundation
import Repository
import SQLiteStore
import TestSupport
import Testing

@Suite("A backup never takes the place of a file of the database")
struct BackupTargetTests {
  /// A file, and the path by which it is named in the folder of the test.
  struct Target: Sendable, CustomTestStringConvertible {
    let path: String
    /// What is made before: a link of this name to that path.
    var link: (name: String, to: String, isHard: Bool)?

    init(_ path: String, link: (String, String, Bool)? = nil) {
      self.path = path
      self.link = link
    }

    var testDescription: String { link.map { "\(path), where \($0.name) is a link to \($0.to)" } ?? path }
  }

  static let targets: [Target] =
    ["", "-wal", "-shm", "-journal", "-queue"].flatMap { end in
      [
        Target("d/a.sqlite\(end)"), Target("./d//a.sqlite\(end)"), Target("d/../d/a.sqlite\(end)"),
        Target("d/A.SQLite\(end)"), Target("link/a.sqlite\(end)", link: ("link", "d", false)),
        Target("link", link: ("link", "d/a.sqlite\(end)", false)),
        Target("d/link", link: ("d/link", "a.sqlite\(end)", false)),
      ]
    } + ["", "-wal", "-shm"].map { Target("hard", link: ("hard", "d/a.sqlite\($0)", true)) }
    + ["hard-wal", "d/../hard-SHM", "hard-journal", "hard-queue"].map {
      // Another program may open the database by its other name.
      Target($0, link: ("hard", "d/a.sqlite", true))
    } + [Target("d/hard.db-journal", link: ("d/hard.db", "d/a.sqlite", true))]

  @Test("however it is named, and whether it is there or not", arguments: targets)
  func refused(_ target: Target) async throws {
    let folder = try TemporaryFolder()
    try folder.write([], to: "d/keep")
    let store = try SQLiteStore(path: folder.path("d/a.sqlite"))
    let cities = try store.repository(of: City.self)
    try await cities.save(City.all)
    if let link = target.link {
      if link.isHard {
        try FileManager.default.linkItem(atPath: folder.path(link.to), toPath: folder.path(link.name))
      } else {
        try FileManager.default.createSymbolicLink(atPath: folder.path(link.name), withDestinationPath: link.to)
      }
    }
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path("d")).sorted()
    // A name in other letters is another file, unless there is none yet.
    let isOther = target.path.contains("A.SQ")
    await expectError(.cannotOpen, target.path.hasSuffix("sqlite") && !isOther ? "the database itself" : "the database")
    {
      try await store.backup(to: folder.path(target.path))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("d")).sorted() == before)
    #expect(try await cities.findAll() == City.all)
  }

  @Test("also where the database is opened by a link, or by a path in the folder of the program")
  func linkedDatabase() async throws {
    let folder = try TemporaryFolder()
    try await SQLiteStore(path: folder.path("a.sqlite")).repository(of: City.self).save(City.all)
    try FileManager.default.createSymbolicLink(atPath: folder.path("b.sqlite"), withDestinationPath: "a.sqlite")
    let store = try SQLiteStore(path: folder.path("b.sqlite"))
    await expectError(.cannotOpen, "belongs to the database") {
      try await store.backup(to: folder.path("a.sqlite-wal"))
    }
    await expectError(.cannotOpen, "is the database itself") { try await store.backup(to: folder.path("a.sqlite")) }
  }

  @Test("nor a name that a file of another database has", arguments: ["-wal", "-shm", "-journal", "-queue", "-WAL"])
  func otherDatabase(end: String) async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("a.sqlite"))
    let other = try SQLiteStore(path: folder.path("b.sqlite"))
    try await other.repository(of: City.self).save(City.all)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "b.sqlite\(end)")
    let names = try folder.names
    for name in ["b.sqlite\(end)", "link"] {
      await expectError(.cannotOpen, "\(name) is the name of a file of the database") {
        try await store.backup(to: folder.path(name))
      }
    }
    #expect(try folder.names == names)
    #expect(try await other.repository(of: City.self).findAll() == City.all)
  }

  @Test("nor of a database that is in use, be it named by a link", arguments: [[], ["link"], ["chain", "link"]])
  func usedDatabase(links: [String]) async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("a.sqlite"))
    try folder.write([], to: "d/b.sqlite")
    let other = try SQLiteStore(path: folder.path("d/b.sqlite"))
    try await other.repository(of: City.self).save(City.all)
    var target = "d/b.sqlite"
    for link in links.reversed() {
      try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
      target = link
    }
    await expectError(.cannotOpen, "in use") { try await store.backup(to: folder.path(target)) }
    #expect(try await SQLiteStore(path: folder.path("d/b.sqlite")).repository(of: City.self).findAll() == City.all)
  }

  @Test("nor of a database whose last changes are in a journal beside it", arguments: ["-journal", "-wal"])
  func unfinishedDatabase(suffix: String) async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("a.sqlite"))
    try await store.repository(of: City.self).save(City.all)
    try folder.write("database".utf8, to: "b.sqlite")
    try folder.write("journal".utf8, to: "b.sqlite\(suffix)")
    await expectError(.cannotOpen, "was not closed") { try await store.backup(to: folder.path("b.sqlite")) }
    #expect(try folder.names.filter { $0.hasPrefix("b.") }.sorted() == ["b.sqlite", "b.sqlite\(suffix)"])
  }

  @Test("a path that the system would take for another is refused or meant as it is")
  func oddPaths() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("a.sqlite"))
    try await store.repository(of: City.self).save(City.all)
    await expectError(.cannotOpen, "contains a NUL") { try await store.backup(to: folder.path("a.sqlite-wal\0.copy")) }
    try await store.backup(to: folder.path("b.sqlite"))
    #expect(try await SQLiteStore(path: folder.path("b.sqlite")).repository(of: City.self).findAll() == City.all)
  }
}
