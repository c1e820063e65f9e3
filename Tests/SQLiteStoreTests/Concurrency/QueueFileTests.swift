import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("The place in front of the line of writers")
struct QueueFileTests {
  @Test("whoever has the place shows it, and the file is gone when he leaves")
  func taking() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite-queue")
    #expect(!QueueFile.isTaken(path: path))
    try withExtendedLifetime(#require(QueueFile(path: path))) {
      #expect(QueueFile.isTaken(path: path))
      #expect(QueueFile(path: path) == nil)
    }
    #expect(!QueueFile.isTaken(path: path))
    #expect(try folder.names == [])
  }

  @Test("a file that was left behind holds nobody up")
  func leftBehind() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([], to: "a.sqlite-queue")
    #expect(!QueueFile.isTaken(path: path))
    #expect(QueueFile(path: path) != nil)
    #expect(try folder.names == [])
  }

  @Test("nobody has the place beside another, and nobody has it unseen")
  func exclusion() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite-queue")
    let holders = Atomic(0)
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
        if holders.add(1, ordering: .sequentiallyConsistent).newValue > 1 { crowded.add(1, ordering: .relaxed) }
        if !QueueFile.isTaken(path: path) { unseen.add(1, ordering: .relaxed) }
        holders.subtract(1, ordering: .sequentiallyConsistent)
        withExtendedLifetime(place) {}
      }
    }
    #expect(taken.load(ordering: .relaxed) > 0)
    #expect(crowded.load(ordering: .relaxed) == 0)
    #expect(unseen.load(ordering: .relaxed) == 0)
  }
}
