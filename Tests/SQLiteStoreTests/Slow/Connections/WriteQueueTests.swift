import Dispatch
import Foundation
import Repository
@testable import SQLStore
@testable import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("The queue of writers")
struct WriteQueueTests {
  private let folder: TemporaryFolder
  private let database: String
  private let queue: WriteQueue

  init() throws {
    folder = try TemporaryFolder()
    database = folder.path("a.sqlite")
    try folder.write([], to: "a.sqlite")
    queue = WriteQueue(ofDatabase: database)
  }

  private var path: String { database + "-queue" }
  /// The bytes by which a file is recognised.
  private static let header = Array("repokit queue 1\0".utf8)
  /// Another process would have a queue of its own.
  private var other: WriteQueue { WriteQueue(ofDatabase: database) }

  @Test("an entry is seen, and the file is gone when it leaves")
  func taking() throws {
    #expect(!queue.tidyAndCheckTaken())
    try withExtendedLifetime(#require(queue.join())) { ticket in
      #expect(other.tidyAndCheckTaken())
      #expect(WriteQueue.status(ofDatabase: database) == .inUse)
      #expect(ticket.beatAndCheckFirst())
    }
    #expect(!other.tidyAndCheckTaken())
    #expect(try folder.names == ["a.sqlite"])
  }

  @Test("earlier entries go first")
  func order() throws {
    var tickets: [WriteQueue.Ticket] = []
    for _ in 0..<4 { tickets.append(try #require(other.join())) }
    #expect(tickets.map { $0.beatAndCheckFirst() } == [true, false, false, false])
    // One that gives up in the middle is in no other's way.
    tickets.remove(at: 1)
    #expect(tickets.map { $0.beatAndCheckFirst() } == [true, false, false])
    tickets.removeFirst()
    #expect(tickets.map { $0.beatAndCheckFirst() } == [true, false])
    tickets.append(try #require(other.join()))
    tickets.removeFirst()
    #expect(tickets.map { $0.beatAndCheckFirst() } == [true, false])
    #expect(try folder.names == ["a.sqlite", "a.sqlite-queue"])
    tickets = []
    #expect(try folder.names == ["a.sqlite"])
  }

  @Test("a file that was left behind is gone after the next look", arguments: [0, 7])
  func leftBehind(size: Int) throws {
    let bytes = Self.header + Array(repeating: 0, count: size)
    try folder.write(bytes, to: "a.sqlite-queue")
    #expect(!queue.tidyAndCheckTaken())
    #expect(try folder.names == ["a.sqlite"])
    try folder.write(bytes, to: "a.sqlite-queue")
    #expect(try #require(queue.join()).beatAndCheckFirst())
    #expect(try folder.names == ["a.sqlite"])
  }

  /// Files of other programs: texts, files without any bytes yet, and what begins with NUL.
  @Test(
    "a file of another program is left alone",
    arguments: [
      Array("a text".utf8), [], [0], Array(repeating: 0, count: 4_096), Array(header.dropLast()),
      Array(header.reversed()),
    ])
  func othersContent(bytes: [UInt8]) throws {
    try folder.write(bytes, to: "a.sqlite-queue")
    #expect(!queue.tidyAndCheckTaken())
    #expect(queue.join() == nil)
    #expect(WriteQueue.status(ofDatabase: database) == .obstructed)
    #expect(try folder.names == ["a.sqlite", "a.sqlite-queue"])
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == bytes)
  }

  /// A file system in memory has files of any size; others refuse this one.
  @Test("a file without room for an entry is left alone", .enabled(if: FileKind(ofPath: "/dev/shm") == .directory))
  func fullFile() throws {
    let database = "/dev/shm/repository-kit-\(UUID().uuidString)"
    let (path, queue) = (database + "-queue", WriteQueue(ofDatabase: database))
    defer { for file in [database, path] { unlink(file) } }
    for size in [.max, .max - 1, (1 << 62) + 1] as [Int64] {
      try Data().write(to: URL(filePath: database))
      try Data(Self.header).write(to: URL(filePath: path))
      #expect(chmod(path, 0o600) == 0)
      guard truncate(path, off_t(size)) == 0 else { return }
      #expect(!queue.tidyAndCheckTaken())
      #expect(queue.join() == nil)
      #expect(WriteQueue.status(ofDatabase: database) == .obstructed)
      #expect(FileKind(ofPath: path) == .regular)
    }
  }

  @Test("a pipe or a link is left alone")
  func othersFile() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(!queue.tidyAndCheckTaken())
    #expect(queue.join() == nil)
    // A link that another user of the folder has made leads nowhere, be there a file or not.
    try FileManager.default.removeItem(atPath: path)
    for target in ["other", "missing"] {
      try folder.write(Self.header, to: "other")
      #expect(symlink(folder.path(target), path) == 0)
      #expect(!queue.tidyAndCheckTaken())
      #expect(queue.join() == nil)
      #expect(try folder.names == ["a.sqlite", "a.sqlite-queue", "other"])
      #expect(unlink(path) == 0)
    }
    // One that leads to the queue of another database does not make the writers of this one wait for that one's.
    try folder.write([], to: "b.sqlite")
    let ticket = try #require(WriteQueue(ofDatabase: folder.path("b.sqlite")).join())
    #expect(symlink(folder.path("b.sqlite-queue"), path) == 0)
    withExtendedLifetime(ticket) { #expect(!queue.tidyAndCheckTaken()) }
  }

  @Test("an entry that does not move is passed over by all, until it moves again")
  func stalled() async throws {
    let stopped = try #require(other.join())
    let waiting = try #require(other.join())
    #expect(!waiting.beatAndCheckFirst())
    #expect(queue.tidyAndCheckTaken())
    try await Task.sleep(for: .milliseconds(160))
    #expect(waiting.beatAndCheckFirst())
    // The first that finds it tells all others: the one that waits moves, and hides nothing from a look at the other.
    withExtendedLifetime(waiting) { #expect(other.tidyAndCheckTaken()) }
    #expect(stopped.beatAndCheckFirst())
    #expect(!waiting.beatAndCheckFirst())
  }

  @Test("one look by any process is enough for all others to pass a stopped entry over")
  func stalledForAll() async throws {
    let stopped = try #require(other.join())
    #expect(queue.tidyAndCheckTaken())
    try await Task.sleep(for: .milliseconds(160))
    #expect(!queue.tidyAndCheckTaken())
    #expect(!other.tidyAndCheckTaken())
    withExtendedLifetime(stopped) { #expect(WriteQueue.status(ofDatabase: database) == .inUse) }
  }

  /// Locks bytes of the file as a program does that does not go by its end. Linux tells of the locks of several open files in
  /// the order in which each file got its first one (`posix_lock_inode` in
  /// https://github.com/torvalds/linux/blob/v6.12/fs/locks.c), which is the order of the entries where each writer joins at the
  /// end; other systems and network file systems need not.
  private func lock(_ type: Int32, from start: Int, _ count: Int, by descriptor: Int32) -> Bool {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(type), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (off_t(start), off_t(count))
    #if canImport(Darwin)
      return fcntl(descriptor, 90, &lock) == 0
    #else
      return fcntl(descriptor, 37, &lock) == 0
    #endif
  }

  @Test("an entry is seen on either side of a stopped one, of which the system tells first")
  func bothSides() async throws {
    var first = queue.join()
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    // The entries are 16, 17 and 18, of which the stopped one is locked before the one that precedes it.
    #expect(lock(Int32(F_WRLCK), from: 18, 1, by: descriptor))
    let before = try #require(other.join())
    withExtendedLifetime(first) {}
    first = nil
    #expect(queue.tidyAndCheckTaken())
    try await Task.sleep(for: .milliseconds(160))
    _ = before.beatAndCheckFirst()
    #expect(queue.tidyAndCheckTaken())
    // A new entry behind the stopped one waits for the one before it.
    let behind = try #require(other.join())
    #expect([before, behind].map { $0.beatAndCheckFirst() } == [true, false])
  }

  @Test("a lock that needs no right to write holds no writer up")
  func readersLock() throws {
    var ticket = queue.join()
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    // First the bytes of all later entries, then the one that is locked while an entry is added.
    for (start, count) in [(17, 0), (0, 1)] {
      #expect(lock(Int32(F_RDLCK), from: start, count, by: descriptor))
      #expect(other.join() == nil)
    }
    #expect(try #require(ticket).beatAndCheckFirst())
    ticket = nil
    #expect(!other.tidyAndCheckTaken())
  }

  @Test(
    "the file is for those who may write to the database, and no others",
    arguments: [(0o644, 0o600), (0o600, 0o600), (0o640, 0o600), (0o660, 0o660), (0o666, 0o666), (0o622, 0o666)])
  func permissions(ofDatabase mode: Int, ofQueue expected: Int) throws {
    #expect(chmod(database, mode_t(mode)) == 0)
    try withExtendedLifetime(#require(queue.join())) { _ in
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == expected)
    }
  }

  /// The owner and the group of the database are 1.
  @Test(
    "a file counts only if its owner may write to the database, and no others may write to it",
    arguments: [
      // The user may be another one that writes, such as the administrator.
      (0o644, 1, 1, 0o600, 0o777, 1, true), (0o644, 1, 1, 0o600, 0o777, 0, true), (0o600, 0, 0, 0o600, 0o777, 0, true),
      (0o644, 2, 1, 0o600, 0o777, 1, false), (0o644, 2, 2, 0o600, 0o755, 1, false),
      (0o644, 0, 0, 0o600, 0o755, 1, false),
      (0o644, 2, 1, 0o600, 0o777, 0, false), (0o644, 1, 1, 0o620, 0o755, 1, false),
      (0o644, 1, 1, 0o602, 0o755, 1, false),
      // The members of a group write to a database.
      (0o660, 1, 1, 0o660, 0o775, 2, true), (0o660, 2, 1, 0o660, 0o775, 1, true), (0o660, 2, 1, 0o660, 0o775, 3, true),
      (0o660, 2, 2, 0o600, 0o775, 1, false), (0o660, 1, 2, 0o660, 0o775, 1, false),
      (0o660, 1, 2, 0o600, 0o775, 1, true),
      (0o660, 2, 1, 0o662, 0o775, 1, false), (0o660, 2, 1, 0o660, 0o777, 1, false),
      (0o660, 2, 1, 0o660, 0o777, 2, true),
      // Everyone does.
      (0o666, 2, 2, 0o666, 0o777, 1, true), (0o666, 2, 2, 0o600, 0o777, 1, true), (0o646, 2, 2, 0o620, 0o777, 1, false),
    ] as [(mode_t, uid_t, gid_t, mode_t, mode_t, uid_t, Bool)])
  func owners(
    database mode: mode_t, owner: uid_t, group: gid_t, file: mode_t, folder: mode_t, user: uid_t, isTrusted: Bool
  ) {
    func status(_ mode: mode_t, _ owner: uid_t, _ group: gid_t) -> stat {
      var status = stat()
      (status.st_mode, status.st_uid, status.st_gid) = (mode, owner, group)
      return status
    }
    let result = WriteQueue.isTrusted(
      status(S_IFREG | file, owner, group), database: status(S_IFREG | mode, 1, 1),
      folder: status(S_IFDIR | folder, 0, 0), user: user)
    #expect(result == isTrusted)
  }

  @Test("a file that others may write to, though not to the database, is left alone", arguments: [0o602, 0o620, 0o666])
  func openFile(mode: Int) throws {
    let ticket = try #require(queue.join())
    #expect(other.tidyAndCheckTaken())
    #expect(chmod(path, mode_t(mode)) == 0)
    #expect(!other.tidyAndCheckTaken())
    #expect(other.join() == nil)
    #expect(try folder.names == ["a.sqlite", "a.sqlite-queue"])
    withExtendedLifetime(ticket) {}
  }

  /// Only the administrator may give a file away.
  @Test("an entry in a file of another user holds no writer up", .enabled(if: geteuid() == 0))
  func othersLock() throws {
    let ticket = try #require(queue.join())
    #expect(chown(path, 65_534, 65_534) == 0)
    #expect(!other.tidyAndCheckTaken())
    #expect(other.join() == nil)
    #expect(try folder.names == ["a.sqlite", "a.sqlite-queue"])
    // It is the file of the owner of the database.
    #expect(chown(database, 65_534, 65_534) == 0)
    #expect(other.tidyAndCheckTaken())
    withExtendedLifetime(ticket) {}
  }

  @Test("the administrator's file is that of the owner of the database", .enabled(if: geteuid() == 0))
  func administrator() throws {
    #expect(chown(database, 65_534, 65_533) == 0)
    let ticket = try #require(queue.join())
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_uid == 65_534 && status.st_gid == 65_533)
    #expect(other.tidyAndCheckTaken())
    withExtendedLifetime(ticket) {}
  }

  @Test("no two entries are first, and no entry is unseen")
  func exclusion() throws {
    let first = Atomic(0)
    let crowded = Atomic(0)
    let unseen = Atomic(0)
    let taken = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let queue = WriteQueue(ofDatabase: database)
      for _ in 0..<5_000 {
        guard let ticket = queue.join() else {
          _ = queue.tidyAndCheckTaken()
          continue
        }
        taken.add(1, ordering: .relaxed)
        if WriteQueue.status(ofDatabase: database) != .inUse { unseen.add(1, ordering: .relaxed) }
        if ticket.beatAndCheckFirst() {
          if first.add(1, ordering: .sequentiallyConsistent).newValue > 1 { crowded.add(1, ordering: .relaxed) }
          first.subtract(1, ordering: .sequentiallyConsistent)
        }
        withExtendedLifetime(ticket) {}
      }
    }
    #expect(taken.load(ordering: .relaxed) > 0)
    #expect(crowded.load(ordering: .relaxed) == 0)
    #expect(unseen.load(ordering: .relaxed) == 0)
  }
}
