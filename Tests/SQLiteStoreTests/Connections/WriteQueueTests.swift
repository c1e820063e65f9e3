import Dispatch
import Foundation
import Repository
@testable import SQLStore
@testable import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("The line of writers")
struct QueueFileTests {
  @Test("whoever has a place shows it, and the file is gone when he leaves")
  func taking() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite-queue")
    #expect(!QueueFile.isTaken(path: path))
    try withExtendedLifetime(#require(QueueFile(path: path))) { place in
      #expect(QueueFile.isTaken(path: path))
      #expect(place.isFirst)
    }
    #expect(!QueueFile.isTaken(path: path))
    #expect(try folder.names == [])
  }

  @Test("those who came before go first")
  func order() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite-queue")
    var places: [QueueFile] = []
    for _ in 0..<4 { places.append(try #require(QueueFile(path: path))) }
    #expect(places.map(\.isFirst) == [true, false, false, false])
    // One who gives up in the middle is in nobody's way.
    places.remove(at: 1)
    #expect(places.map(\.isFirst) == [true, false, false])
    places.removeFirst()
    #expect(places.map(\.isFirst) == [true, false])
    places.append(try #require(QueueFile(path: path)))
    places.removeFirst()
    #expect(places.map(\.isFirst) == [true, false])
    #expect(try folder.names == ["a.sqlite-queue"])
    places = []
    #expect(try folder.names == [])
  }

  @Test("a file that was left behind holds nobody up", arguments: [0, 7])
  func leftBehind(size: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(repeating: 0, count: size), to: "a.sqlite-queue")
    #expect(!QueueFile.isTaken(path: path))
    #expect(try #require(QueueFile(path: path)).isFirst)
    #expect(try folder.names == [])
  }

  @Test("nobody is first beside another, and nobody has a place unseen")
  func exclusion() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite-queue")
    let first = Atomic(0)
    let crowded = Atomic(0)
    let unseen = Atomic(0)
    let taken = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<5_000 {
        guard let place = QueueFile(path: path) else {
          _ = QueueFile.isTaken(path: path)
          continue
        }
        taken.add(1, ordering: .relaxed)
        if !QueueFile.isTaken(path: path) { unseen.add(1, ordering: .relaxed) }
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

@Suite("Waiting in the line of writers")
struct WriterLineTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.sqlite-queue")
  }

  /// How many places were taken in the line so far: each is a byte more.
  private var count: Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  @Test("a place in the line is behind those that were taken before")
  func order() async throws {
    let first = try #require(QueueFile(path: path))
    let driver = try SQLiteStore(path: folder.path("a.sqlite")).database.driver
    var line = BusyRetry.Waiting(BusyRetry(.write, driver, until: .never, within: .zero))
    while count < 2 { _ = try await line.step() }
    withExtendedLifetime(first) { #expect(!line.isNext) }
  }

  @Test("the first place in the line comes after no other")
  func first() async throws {
    let driver = try SQLiteStore(path: folder.path("a.sqlite")).database.driver
    var line = BusyRetry.Waiting(BusyRetry(.write, driver, until: .never, within: .zero))
    while count < 1 { _ = try await line.step() }
    #expect(line.isNext)
  }

  @Test("a store writes after those who came before it", arguments: WayOfWriting.allCases)
  func waiting(way: WayOfWriting) async throws {
    let store = try SQLiteStore(path: folder.path("a.sqlite"), timeout: .seconds(600))
    let cities = try store.repository(of: City.self)
    var first = QueueFile(path: path)
    #expect(first != nil)
    let written = Journal<WayOfWriting>()
    let writer = Task {
      try await way.write(City.all, to: store)
      written.note(way)
    }
    while count < 2, written.entries.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    // Some more looks at those who are before, which come every 5 ms.
    try await Task.sleep(for: .milliseconds(15))
    withExtendedLifetime(first) { #expect(written.entries.isEmpty) }
    first = nil
    try await writer.value
    #expect(try await cities.count(.true) == City.all.count)
  }
}
