import Foundation
import Repository
@testable import SQLStore
@testable import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("Waiting in the write queue")
struct WaitingWriterTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.sqlite-queue")
  }

  /// How many entries there were so far: each is a byte more, behind the header.
  private var count: Int {
    max(0, ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0) - 16)
  }

  /// Joins the queue as another process does, and moves in it, on a thread of its own, until it leaves.
  private func otherWriter() throws -> OtherWriter {
    OtherWriter(try #require(WriteQueue(ofDatabase: folder.path("a.sqlite")).join()))
  }

  private final class OtherWriter: Sendable {
    private let hasLeft = Atomic(false)
    private let beats = Atomic(0)
    private let longestPause = Mutex(Duration.zero)

    init(_ ticket: sending WriteQueue.Ticket) {
      nonisolated(unsafe) let ticket = ticket
      Thread.detachNewThread { [self] in
        var last = ContinuousClock.now
        while !hasLeft.load(ordering: .relaxed) {
          _ = ticket.beatAndCheckFirst()
          let now = ContinuousClock.now
          longestPause.withLock { $0 = max($0, now - last) }
          last = now
          beats.add(1, ordering: .sequentiallyConsistent)
          usleep(2_000)
        }
      }
    }

    /// Whether its thread got so little of a busy machine that others may have taken it for stopped.
    func mayHaveBeenPassed() async -> Bool {
      let count = beats.load(ordering: .sequentiallyConsistent)
      while beats.load(ordering: .sequentiallyConsistent) == count { await Task.yield() }
      return longestPause.withLock(\.self) > .milliseconds(100)
    }

    func leave() { hasLeft.store(true, ordering: .relaxed) }
  }

  @Test("a ticket comes after those that were taken before")
  func order() async throws {
    let driver = try SQLiteStore(path: folder.path("a.sqlite")).driver
    let first = try otherWriter()
    defer { first.leave() }
    var retry = BusyRetry(.write, driver, until: .never, within: .zero)
    while count < 2 { try await retry.nextWait()?.suspend() }
    let isNext = retry.nextWait() == nil
    if await !first.mayHaveBeenPassed() { #expect(!isNext) }
  }

  @Test("the first ticket comes after no other")
  func first() async throws {
    let driver = try SQLiteStore(path: folder.path("a.sqlite")).driver
    var retry = BusyRetry(.write, driver, until: .never, within: .zero)
    while count < 1 { try await retry.nextWait()?.suspend() }
    #expect(retry.nextWait() == nil)
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
    let hasWritten = !written.entries.isEmpty
    if await !first.mayHaveBeenPassed() { #expect(!hasWritten) }
    first.leave()
    try await writer.value
    #expect(try await cities.count(.true) == City.all.count)
  }
}
