import CSQLite
import Foundation
import Query
import Repository
import SQLStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("Maintenance")
struct MaintenanceTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let cities: SQLiteRepository<City>

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(path: folder.path("cities.sqlite"))
    cities = try store.sqlRepository(of: City.self)
    try cities.blocking.save((1...20_000).map { City(id: $0, name: "city \($0)", height: nil) })
  }

  private func size(_ name: String) throws -> Int {
    try Data(contentsOf: URL(filePath: folder.path(name))).count
  }

  @Test("A checkpoint empties the log, unless a reader still sees an older state")
  func checkpoint() async throws {
    #expect(try size("cities.sqlite-wal") > 0)
    #expect(try await store.checkpoint())
    #expect(try size("cities.sqlite-wal") == 0)
    try await store.read { _ in
      #expect(try await cities.count() == 20_000)
      let isComplete = try await Task.detached { [store, cities] in
        try await cities.delete([1])
        return try await store.checkpoint()
      }.value
      #expect(!isComplete)
    }
    #expect(try await store.checkpoint())
  }

  @Test("A log that has grown is restarted after one of sixteen commits, and is short again with the next one")
  func restart() async throws {
    let writers = store.pool.connections(for: .write)
    @Sendable func restarts() async throws -> Int {
      let writer = try await writers.acquire(until: Deadline(in: .seconds(600)))
      defer { writers.release(writer) }
      let count = (0..<16).count { _ in writer.raw.needsMaintenance() }
      if count > 0 { writer.raw.maintain() }
      return count
    }
    #expect(try await restarts() == 0)
    // A single commit, however large it is, is in the log as a whole.
    try await store.sql.execute("CREATE TABLE large (bytes BLOB NOT NULL)")
    try await store.sql.execute("INSERT INTO large VALUES (zeroblob(10000000))")
    #expect(try size("cities.sqlite-wal") > 10_000_000)
    #expect(try await restarts() == 1)
    try await cities.delete([1])
    #expect(try size("cities.sqlite-wal") <= 4_194_304)
    #expect(try await restarts() == 0)
  }

  /// What is done while another connection's checkpoint waits for a reader.
  private final class AmidCheckpoint {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  @Test("A restart that another connection's checkpoint refuses at once is tried again after as many commits")
  func besideCheckpoint() async throws {
    let path = folder.path("cities.sqlite")
    let (reader, other) = (try OtherConnection(path), try OtherConnection(path))
    try await store.sql.execute("CREATE TABLE large (bytes BLOB NOT NULL)")
    // It needs the state before the large commit, which is not copied into the database therefore.
    reader.run("BEGIN; SELECT count(*) FROM city")
    try await store.sql.execute("INSERT INTO large VALUES (zeroblob(10000000))")
    // A connection that has read nothing knows of no log.
    other.run("SELECT count(*) FROM city")
    let writer = try await store.pool.connections(for: .write).acquire(until: Deadline(in: .seconds(600)))
    defer { store.pool.connections(for: .write).release(writer) }
    func looks() -> Int { (0..<16).count { _ in writer.raw.needsMaintenance() } }
    #expect(looks() == 1)
    var restarts = 0
    let amid = AmidCheckpoint {
      writer.raw.maintain()
      restarts += 1
    }
    withExtendedLifetime(amid) {
      // It waits for no reader: the checkpoint is over, and was busy.
      sqlite3_busy_handler(
        other.handle,
        { context, _ in
          if let context { Unmanaged<AmidCheckpoint>.fromOpaque(context).takeUnretainedValue().body() }
          return 0
        }, Unmanaged.passUnretained(amid).toOpaque())
      #expect(sqlite3_wal_checkpoint_v2(other.handle, "main", SQLITE_CHECKPOINT_RESTART, nil, nil) == SQLITE_BUSY)
    }
    reader.run("COMMIT")
    #expect(restarts == 1)
    #expect(looks() == 1)
  }

  private final class OtherConnection {
    private(set) var handle: OpaquePointer?
    init(_ path: String) throws { try #require(sqlite3_open(path, &handle) == SQLITE_OK) }
    func run(_ sql: String) { #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK) }
    deinit { sqlite3_close(handle) }
  }

  @Test("Vacuuming makes the file smaller, and preserves all rows")
  func vacuum() async throws {
    try await store.checkpoint()
    let before = try size("cities.sqlite")
    try await cities.delete(Array(2...20_000))
    try await store.vacuum()
    try await store.checkpoint()
    #expect(try size("cities.sqlite") < before / 10)
    #expect(try await cities.findAll().map(\.id) == [1])
  }

  @Test("Neither runs within a transaction")
  func withinTransaction() async throws {
    try await store.transaction { _ in
      try await cities.delete([1])
      await expectError(.unsupported, "within a transaction") { try await store.vacuum() }
      await expectError(.unsupported, "within a transaction") { try await store.checkpoint() }
    }
    #expect(try await cities.count() == 19_999)
  }
}

@Suite("Backups")
struct BackupTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(path: folder.path("cities.sqlite"))
    try store.sqlRepository(of: City.self).blocking.save(
      (1...20_000).map { City(id: $0, name: "city \($0)", height: nil) })
  }

  @Test("A backup is one state of the database while others write, and tells how far it is")
  func whileInUse() async throws {
    let cities = try store.sqlRepository(of: City.self)
    let path = folder.path("copy.sqlite")
    let log = Mutex<[WorkProgress]>([])
    try await store.backup(to: path) { progress in
      let count = log.withLock { reports in
        reports.append(progress)
        return reports.count
      }
      // Within the backup's own task, so that it surely comes between two parts.
      if count == 1 { _ = try? cities.blocking.delete([1]) }
    }
    let reports = log.withLock(\.self)
    let last = try #require(reports.last)
    #expect(last.done == last.total && reports.map(\.done) == reports.map(\.done).sorted())
    #expect(try await SQLiteStore(path: path).repository(of: City.self).count() == 20_000)
    #expect(try await cities.count() == 19_999)
  }

  @Test("A backup is for its user alone until it is complete", arguments: [0o644, 0o640, 0o600, 0o400])
  func privacy(mode: Int) async throws {
    let path = folder.path("cities.sqlite")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let modes = Mutex<Set<Int>>([])
    try await store.backup(to: folder.path("copy.sqlite")) { [folder] _ in
      for name in (try? folder.names) ?? [] where name.contains(".part") {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path(name))
        modes.withLock { _ = $0.insert(attributes?[.posixPermissions] as? Int ?? -1) }
      }
    }
    #expect(modes.withLock(\.self) == [0o600])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("copy.sqlite"))
    #expect(attributes[.posixPermissions] as? Int == mode)
  }

  /// Only the administrator may give a file to any group.
  @Test("A backup is readable by the group of the database, and by no other", .enabled(if: geteuid() == 0))
  func group() async throws {
    let path = folder.path("cities.sqlite")
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o640, .groupOwnerAccountID: 65_533]
    try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
    try await store.backup(to: folder.path("copy.sqlite"))
    let copy = try FileManager.default.attributesOfItem(atPath: folder.path("copy.sqlite"))
    #expect(copy[.posixPermissions] as? Int == 0o640 && copy[.groupOwnerAccountID] as? Int == 65_533)
  }

  @Test("A backup replaces the one before, whole")
  func replacing() async throws {
    let path = folder.path("copy.sqlite")
    try await store.backup(to: path)
    try await store.repository(of: City.self).delete([1, 2])
    try await store.backup(to: path)
    #expect(try await SQLiteStore(path: path, mode: .readOnly).repository(of: City.self).count() == 19_998)
    #expect(try folder.names.filter { $0.hasPrefix("copy") && $0.hasSuffix(".part") }.isEmpty)
  }

  @Test("Within a transaction that writes, there is no state to copy yet; within one that reads, there is")
  func withinTransaction() async throws {
    let cities = try store.sqlRepository(of: City.self)
    try await store.transaction { _ in
      try await cities.delete([1])
      await expectError(.unsupported, "within a transaction") { try await store.backup(to: folder.path("a.sqlite")) }
    }
    #expect(try folder.names.filter { $0.hasPrefix("a.") }.isEmpty)
    try await store.read { _ in try await store.backup(to: folder.path("b.sqlite")) }
    #expect(try await SQLiteStore(path: folder.path("b.sqlite")).repository(of: City.self).count() == 19_999)
  }

  @Test("A checked backup takes the place of nothing unless that is wanted, not even of a file that came meanwhile")
  func checked() async throws {
    let path = folder.path("copy.sqlite")
    await expectError(.cannotOpen, "the file \(path) already exists") {
      try await store.checkedBackup(
        to: path, replacing: false, check: { _ = try? folder.write("x".utf8, to: "copy.sqlite") })
    }
    #expect(try folder.names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    await expectError(.cannotOpen, "the file \(path) already exists") {
      try await store.checkedBackup(to: path, replacing: false)
    }
    #expect(try await store.checkedBackup(to: path, replacing: true) == [])
    #expect(try await SQLiteStore(path: path, mode: .readOnly).repository(of: City.self).count() == 20_000)
    let other = folder.path("other.sqlite")
    #expect(try await store.checkedBackup(to: other, replacing: false) == [])
    #expect(try folder.names.filter { $0.hasPrefix("other") } == ["other.sqlite"])
  }

  @Test("A checked backup is kept whatever the rows refer to: it is the copy that is checked, not the data")
  func unsound() async throws {
    try await store.sql.execute("CREATE VIEW v AS SELECT * FROM gone")
    #expect(try await store.integrityCheck().map(\.kind) == [.brokenDefinition])
    let path = folder.path("copy.sqlite")
    #expect(try await store.checkedBackup(to: path, replacing: false) == [])
    #expect(try folder.names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
  }

  @Test("A backup of a database in memory")
  func inMemory() async throws {
    let path = folder.path("memory.sqlite")
    try await City.store().backup(to: path)
    #expect(try await SQLiteStore(path: path).repository(of: City.self).findAll() == City.all)
  }

  @Test("A cancelled backup leaves no file")
  func cancelled() async throws {
    let path = folder.path("copy.sqlite")
    let task = Task { [store] in
      try await store.backup(to: path) { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    await expectError(.cancelled) { try await task.value }
    #expect(try folder.names.filter { $0.hasPrefix("copy") }.isEmpty)
    #expect(try await store.repository(of: City.self).count() == 20_000)
  }

  @Test("A backup never takes the place of a database in use, or its own")
  func refused() async throws {
    await expectError(.cannotOpen, "is the database itself") {
      try await store.backup(to: folder.path("cities.sqlite"))
    }
    let link = folder.path("link.sqlite")
    try FileManager.default.linkItem(atPath: folder.path("cities.sqlite"), toPath: link)
    await expectError(.cannotOpen, "is the database itself") { try await store.backup(to: link) }
    let other = try SQLiteStore(path: folder.path("other.sqlite"))
    try await other.repository(of: City.self).save(City.all)
    await expectError(.cannotOpen, "in use") { try await store.backup(to: folder.path("other.sqlite")) }
    await expectError(.cannotOpen, "can't write a backup to") { try await store.backup(to: folder.path("")) }
    await expectError(.cannotOpen) { try await store.backup(to: folder.path("nowhere/copy.sqlite")) }
    #expect(try await other.repository(of: City.self).findAll() == City.all)
  }
}
