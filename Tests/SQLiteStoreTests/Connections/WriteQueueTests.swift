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
  /// Another process would have a queue of its own.
  private var other: WriteQueue { WriteQueue(ofDatabase: database) }

  @Test("an entry is seen, and the file is gone when it leaves")
  func taking() throws {
    #expect(!queue.isTaken)
    try withExtendedLifetime(#require(queue.join())) { place in
      #expect(other.isTaken)
      #expect(WriteQueue.isInUse(path: path))
      #expect(place.isFirst)
    }
    #expect(!other.isTaken)
    #expect(try folder.names == ["a.sqlite"])
  }

  @Test("earlier entries go first")
  func order() throws {
    var places: [WriteQueue.Place] = []
    for _ in 0..<4 { places.append(try #require(other.join())) }
    #expect(places.map(\.isFirst) == [true, false, false, false])
    // One that gives up in the middle is in no other's way.
    places.remove(at: 1)
    #expect(places.map(\.isFirst) == [true, false, false])
    places.removeFirst()
    #expect(places.map(\.isFirst) == [true, false])
    places.append(try #require(other.join()))
    places.removeFirst()
    #expect(places.map(\.isFirst) == [true, false])
    #expect(try folder.names == ["a.sqlite", "a.sqlite-queue"])
    places = []
    #expect(try folder.names == ["a.sqlite"])
  }

  @Test("a file that was left behind is gone after the next look", arguments: [0, 7])
  func leftBehind(size: Int) throws {
    try folder.write(Array(repeating: 0, count: size), to: "a.sqlite-queue")
    #expect(!queue.isTaken)
    #expect(try folder.names == ["a.sqlite"])
    try folder.write(Array(repeating: 0, count: size), to: "a.sqlite-queue")
    #expect(try #require(queue.join()).isFirst)
    #expect(try folder.names == ["a.sqlite"])
  }

  @Test("a file of another program is left alone")
  func othersFile() throws {
    try folder.write("a text".utf8, to: "a.sqlite-queue")
    #expect(!queue.isTaken)
    #expect(queue.join() == nil)
    #expect(try folder.names == ["a.sqlite", "a.sqlite-queue"])
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(!queue.isTaken)
    #expect(queue.join() == nil)
    // A link that another user of the folder has made leads nowhere, be there a file or not.
    try FileManager.default.removeItem(atPath: path)
    for target in ["other", "missing"] {
      try folder.write([0], to: "other")
      #expect(symlink(folder.path(target), path) == 0)
      #expect(!queue.isTaken)
      #expect(queue.join() == nil)
      #expect(try folder.names == ["a.sqlite", "a.sqlite-queue", "other"])
      #expect(unlink(path) == 0)
    }
  }

  @Test("an entry that does not move is passed over by all, until it moves again")
  func stalled() async throws {
    let stopped = try #require(other.join())
    let waiting = try #require(other.join())
    #expect(!waiting.isFirst)
    #expect(queue.isTaken)
    try await Task.sleep(for: .milliseconds(160))
    #expect(waiting.isFirst)
    // The first that finds it tells all others: the one that waits moves, and hides nothing from a look at the other.
    withExtendedLifetime(waiting) { #expect(other.isTaken) }
    #expect(stopped.isFirst)
    #expect(!waiting.isFirst)
  }

  @Test("one look by any process is enough for all others to pass a stopped entry over")
  func stalledForAll() async throws {
    let stopped = try #require(other.join())
    #expect(queue.isTaken)
    try await Task.sleep(for: .milliseconds(160))
    #expect(!queue.isTaken)
    #expect(!other.isTaken)
    withExtendedLifetime(stopped) { #expect(WriteQueue.isInUse(path: path)) }
  }

  @Test("a lock that needs no right to write holds no writer up")
  func readersLock() throws {
    var place = queue.join()
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    // First the bytes of all later entries, then the one that is locked while an entry is added.
    for (start, count) in [(2, 0), (0, 1)] {
      var lock = flock()
      (lock.l_type, lock.l_whence) = (Int16(F_RDLCK), Int16(SEEK_SET))
      (lock.l_start, lock.l_len) = (off_t(start), off_t(count))
      #if canImport(Darwin)
        #expect(fcntl(descriptor, 90, &lock) == 0)
      #else
        #expect(fcntl(descriptor, 37, &lock) == 0)
      #endif
      #expect(other.join() == nil)
    }
    #expect(try #require(place).isFirst)
    place = nil
    #expect(!other.isTaken)
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

  @Test("no two entries are first, and no entry is unseen")
  func exclusion() throws {
    let first = Atomic(0)
    let crowded = Atomic(0)
    let unseen = Atomic(0)
    let taken = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let queue = WriteQueue(ofDatabase: database)
      for _ in 0..<5_000 {
        guard let place = queue.join() else {
          _ = queue.isTaken
          continue
        }
        taken.add(1, ordering: .relaxed)
        if !WriteQueue.isInUse(path: path) { unseen.add(1, ordering: .relaxed) }
        if place.isFirst {
          if first.add(1, ordering: .sequentiallyConsistent).newValue > 1 { crowded.add(1, ordering: .relaxed) }
          first.subtract(1, ordering: .sequentiallyConsistent)
        }
        withExtendedLifetime(place) {}
      }
    }
    #expect(taken.load(ordering: .relaxed) > 0)
    #expect(crowded.load(ordering: .relaxed) == 0)
    #expect(unseen.load(ordering: .relaxed) == 0)
  }
}

@Suite("Waiting in the write queue")
struct WaitingWriterTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.sqlite-queue")
  }

  /// How many entries there were so far: each is a byte more, behind the first one.
  private var count: Int {
    max(0, ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0) - 1)
  }

  /// Joins the queue as another process does, and moves in it, on a thread of its own, until it leaves.
  private func otherWriter() throws -> OtherWriter {
    OtherWriter(try #require(WriteQueue(ofDatabase: folder.path("a.sqlite")).join()))
  }

  private final class OtherWriter: Sendable {
    private let hasLeft = Atomic(false)

    init(_ place: sending WriteQueue.Place) {
      nonisolated(unsafe) let place = place
      Thread.detachNewThread { [self] in
        while !hasLeft.load(ordering: .relaxed) {
          _ = place.isFirst
          usleep(2_000)
        }
      }
    }

    func leave() { hasLeft.store(true, ordering: .relaxed) }
  }

  @Test("a place in the line is behind those that were taken before")
  func order() async throws {
    let driver = try SQLiteStore(path: folder.path("a.sqlite")).driver
    let first = try otherWriter()
    defer { first.leave() }
    var line = BusyRetry.Waiting(BusyRetry(.write, driver, until: .never, within: .zero))
    while count < 2 { _ = try await line.step() }
    #expect(!line.isNext)
  }

  @Test("the first place in the line comes after no other")
  func first() async throws {
    let driver = try SQLiteStore(path: folder.path("a.sqlite")).driver
    var line = BusyRetry.Waiting(BusyRetry(.write, driver, until: .never, within: .zero))
    while count < 1 { _ = try await line.step() }
    #expect(line.isNext)
  }

  @Test("a store writes after those who came before it", arguments: WayOfWriting.allCases)
  func waiting(way: WayOfWriting) async throws {
    let store = try SQLiteStore(path: folder.path("a.sqlite"), timeout: .seconds(600))
    let cities = try store.repository(of: City.self)
    let first = try otherWriter()
    let written = Journal<WayOfWriting>()
    let writer = Task {
      try await way.write(City.all, to: store)
      written.note(way)
    }
    while count < 2, written.entries.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    // Some more looks at those who are before, which come every 5 ms.
    try await Task.sleep(for: .milliseconds(15))
    #expect(written.entries.isEmpty)
    first.leave()
    try await writer.value
    #expect(try await cities.count(.true) == City.all.count)
  }
}
