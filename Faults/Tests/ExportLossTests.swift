import CFaultVFS
import Foundation
import TestSupport
import Testing

@testable import faults
@testable import repokit

/// `power-full` and others do so with a backup, which SQLite writes.
@Suite("An export and a loss of power", .serialized)
struct ExportLossTests {
  private static let disks: Int32 = 12
  private static let (old, new) = ("id\n1\n", "id\n" + String(repeating: "2\n", count: 2_000))

  @Test(
    "the name leads to what was there or to all that is new, and to that once it is done", arguments: [true, false])
  func states(replaces: Bool) throws {
    let seed = SplitMix64.newSeed()
    var (number, isDone) = (0, false)
    while !isDone, number < 100 {
      number += 1
      let folder = try TemporaryFolder()
      let path = folder.path("rows.csv")
      if replaces { try folder.write(Self.old.utf8, to: "rows.csv") }
      power_vfs_begin(number, seed &+ UInt64(number), Self.disks, folder.path)
      power_calls_watch(1)
      isDone = export(to: path, replaces: replaces)
      power_vfs_lose(Self.disks)
      power_calls_watch(0)
      for disk in 0..<Self.disks {
        let found = try? String(contentsOfFile: folder.path("\(disk)-rows.csv"), encoding: .utf8)
        // What has not been renamed is not known to the disk.
        let isOld = found == nil || replaces && found == Self.old
        #expect(found == Self.new || isOld && !isDone, "change \(number), seed \(seed): \(found ?? "no file")")
      }
    }
    #expect(isDone && number > 3, "\(number) changes")
  }

  /// - Returns: whether it ended while there was power.
  private func export(to path: String, replaces: Bool) -> Bool {
    do {
      let file = try OutputFile(path, replaces: replaces, from: DatabaseLocation(path + ".sqlite"))
      try file.write { buffer in
        var output = buffer
        output.append(Self.new)
        try output.flush()
      }
    } catch {
      return false
    }
    return power_vfs_is_lost() == 0
  }
}
