import Foundation
import TestSupport
import Testing
@testable import LineEditor

@Suite("The history")
struct HistoryTests {
  private let folder: TemporaryFolder
  private let file: HistoryFile

  init() throws {
    folder = try TemporaryFolder()
    file = HistoryFile(path: folder.path + "/state/repokit/history")
  }

  @Test("keeps entries as they are, for its user alone")
  func roundTrip() throws {
    let entries = ["tables", "count p (a\n = 'x')", #"a\nb \\ \"#, "フシギダネ", "\u{1B}[31m"]
    #expect(try file.read() == [])
    for entry in entries { try file.append(entry) }
    #expect(try file.read() == entries)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let parent = try FileManager.default.attributesOfItem(atPath: folder.path + "/state/repokit")
    #expect(parent[.posixPermissions] as? Int == 0o700)
  }

  @Test("is made its user's alone where others may read it", arguments: [0o644, 0o666, 0o700])
  func openFile(mode: mode_t) throws {
    try file.append("tables")
    #expect(chmod(file.path, mode) == 0)
    _ = History(file: file) { Issue.record("\($0)") }
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == (mode & 0o077 == 0 ? Int(mode) : 0o600))
    #expect(try file.read() == ["tables"])
  }

  /// Only the administrator may give a file away.
  @Test("leaves the permissions of another user's file alone", .enabled(if: geteuid() == 0))
  func othersFile() throws {
    try file.append("tables")
    #expect(chmod(file.path, 0o644) == 0 && chown(file.path, 65_534, 65_534) == 0)
    try file.append("count p")
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o644)
  }

  @Test("loses nothing where shells write at the same time, and others shorten the file")
  func concurrency() async throws {
    for number in 0..<5_490 { try file.append("old \(number)") }
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask { [file] in
          for number in 0..<100 {
            try? file.append("\(writer).\(number)")
            if number.isMultiple(of: 10) { try? file.trim() }
          }
        }
      }
    }
    let entries = try file.read()
    for writer in 0..<4 {
      #expect(entries.filter { $0.hasPrefix("\(writer).") } == (0..<100).map { "\(writer).\($0)" })
    }
    #expect(entries.count == 5_000)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state/repokit") == ["history"])
  }

  @Test("is shortened also where a crash left what it was writing", arguments: ["new", "\(getpid())"])
  func leftover(ending: String) throws {
    for number in 0..<5_501 { try file.append("old \(number)") }
    try folder.write("half an ent".utf8, to: "state/repokit/history.\(ending)")
    try file.trim()
    #expect(try file.read() == (501..<5_501).map { "old \($0)" })
    #expect(try file.read().count == 5_000)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
    #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 5_000)
  }

  @Test("leaves out lines that start with a blank, and repetitions")
  func exclusions() throws {
    var history = History(file: file) { Issue.record("\($0)") }
    for line in ["tables", "tables", " secret", "", "count p", "tables"] { history.add(line) }
    #expect(history.entries == ["tables", "count p", "tables"])
    #expect(try file.read() == ["tables", "count p", "tables"])
  }

  @Test("says once where it can't be written, and remembers meanwhile")
  func failure() throws {
    try folder.write("".utf8, to: "file")
    var failures: [HistoryError] = []
    var history = History(file: HistoryFile(path: folder.path + "/file/history")) { failures.append($0) }
    history.add("tables")
    history.add("count p")
    #expect(history.entries == ["tables", "count p"])
    #expect(failures.count == 1)
    #expect(failures.first?.code == ENOTDIR)
  }

  @Test("skips lines that are not text")
  func damage() throws {
    try file.append("one")
    try folder.write(Array("one\n".utf8) + [0xFF, 0x0A] + Array("two".utf8), to: "damaged")
    #expect(try HistoryFile(path: folder.path + "/damaged").read() == ["one", "two"])
  }
}
