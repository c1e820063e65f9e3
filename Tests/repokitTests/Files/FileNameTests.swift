import Foundation
import SQLiteStore
import TestSupport
import Testing

@Suite("A file that gets a name")
struct FileNameTests {
  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  @Test("takes one that nobody has, with names by links and without")
  func free() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("new".utf8, to: "file")
    #expect(FileName.give(folder.path + "/a", to: file, replacing: false) == .given)
    #expect(FileName.reserve(folder.path + "/b", for: folder.path + "/a") == .given)
    #expect(FileName.give(folder.path + "/c", to: folder.path + "/b", replacing: true) == .given)
    #expect(try folder.names == ["c"])
    #expect(try text(folder.path + "/c") == "new")
  }

  @Test("leaves another file its name, unless it may replace it")
  func taken() throws {
    let folder = try TemporaryFolder()
    let (file, other) = (try folder.write("new".utf8, to: "file"), try folder.write("other".utf8, to: "other"))
    #expect(FileName.give(other, to: file, replacing: false) == .taken)
    #expect(FileName.reserve(other, for: file) == .taken)
    #expect(try text(other) == "other")
    #expect(FileName.give(other, to: file, replacing: true) == .given)
    #expect(try text(other) == "new")
  }

  @Test("leaves nothing behind where it can't")
  func failure() throws {
    let folder = try TemporaryFolder()
    let missing = folder.path + "/missing"
    #expect(FileName.give(folder.path + "/a", to: missing, replacing: false) == .failed(ENOENT))
    #expect(FileName.give(folder.path + "/a", to: missing, replacing: true) == .failed(ENOENT))
    #expect(try folder.names == [])
  }
}
