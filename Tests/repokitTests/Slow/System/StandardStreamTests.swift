import Foundation
import SQLInspection
import SQLiteInspection
import SQLiteStore
import TestSupport
import Testing

@Suite("Standard streams")
struct StreamTests {
  @Test(
    "The version and the help are results",
    arguments: [["--version"], ["--help"], ["-h"], ["help"], ["help", "query"], ["query", "-h"]])
  func help(arguments: [String]) async throws {
    let outcome = try await Workshop().run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.messages == "")
    #expect(arguments == ["--version"] ? outcome.output == "repokit 0.1.0\n" : outcome.output.contains("Examples\n"))
  }

  @Test("A reader that has seen enough is no error", arguments: ["tsv", "table", "json"])
  func closedPipe(format: String) async throws {
    let workshop = try Workshop()
    let rows = (1...20_000).map { "\($0),name number \($0)\n" }.joined()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-", "--key", "id"], input: "id,name\n" + rows)
    let outcome = try await workshop.shell(
      "(\"$repokit\" query t.sqlite t --format \(format); echo $? > status) | head -n 1")
    #expect(outcome.messages == "")
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(String(decoding: try workshop.read("status"), as: UTF8.self) == "0\n")
  }

  #if os(Linux)
    @Test("A full disk is an error", arguments: ["query t.sqlite t", "count t.sqlite t", "tables t.sqlite", "help"])
    func fullDisk(command: String) async throws {
      let workshop = try Workshop()
      _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "a\n1\n")
      #expect(
        try await workshop.shell("\"$repokit\" \(command) > /dev/full")
          == Outcome(
            status: 1, output: "", messages: "error: can't write the output\n  no space left on device\n"))
    }
  #endif

  @Test("A closed output is an error, and nothing is written into another file")
  func closedOutput() async throws {
    let workshop = try await Workshop.withPokemon()
    let before = try workshop.read("p.sqlite")
    let outcome = try await workshop.shell("\"$repokit\" query p.sqlite pokemon >&-")
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: can't write the output\n"))
    let silent = try await workshop.shell("\"$repokit\" query p.sqlite nothing >&- 2>&-")
    #expect(silent == Outcome(status: 2, output: "", messages: ""))
    let spooled = try await workshop.shell("cat pokemon.csv | \"$repokit\" import q.sqlite t - >&- 2>&-")
    #expect(spooled == Outcome(status: 0, output: "", messages: ""))
    #expect(try await workshop.run(["count", "q.sqlite", "t"]).output == "5\n")
    #expect(try workshop.read("p.sqlite") == before)
  }

  @Test(
    "A process that may open too few files ends with an error", .tags(.slow),
    arguments: ["vacuum t.sqlite", "backup t.sqlite b.sqlite", "copy t.sqlite b.sqlite", "count t.sqlite t"])
  func openFiles(command: String) async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "a\n1\n")
    for limit in 5...18 {
      #expect(
        try await workshop.shell("ulimit -n \(limit); exec \"$repokit\" \(command)")
          == Outcome(
            status: 1, output: "",
            messages: """
              error: the process may open too few files
                repokit opens up to 16 files at a time
                raise the limit: ulimit -n 256

              """), "\(limit)")
    }
    #expect(try await workshop.shell("ulimit -n 128; exec \"$repokit\" \(command)").status == 0)
  }

  @Test("One tool's output is another's input")
  func pipeline() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.shell(
      """
      "$repokit" query p.sqlite pokemon "type1 = 'fire'" --format csv \
        | "$repokit" import p.sqlite fire - --key id && "$repokit" count p.sqlite fire
      """)
    #expect(outcome.output == "2\n")
  }
}

@Suite("An atomic rename")
struct AtomicRenameTests {
  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  @Test("takes one that is not in use, with names by links and without")
  func free() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("new".utf8, to: "file")
    #expect(AtomicRename.rename(file, to: folder.path + "/a", replacing: false) == .renamed)
    #expect(AtomicRename.renameByReservation(folder.path + "/a", to: folder.path + "/b") == .renamed)
    #expect(AtomicRename.rename(folder.path + "/b", to: folder.path + "/c", replacing: true) == .renamed)
    #expect(try folder.names == ["c"])
    #expect(try text(folder.path + "/c") == "new")
  }

  @Test("leaves another file its name, unless it may replace it")
  func taken() throws {
    let folder = try TemporaryFolder()
    let (file, other) = (try folder.write("new".utf8, to: "file"), try folder.write("other".utf8, to: "other"))
    #expect(AtomicRename.rename(file, to: other, replacing: false) == .taken)
    #expect(AtomicRename.renameByReservation(file, to: other) == .taken)
    #expect(try text(other) == "other")
    #expect(AtomicRename.rename(file, to: other, replacing: true) == .renamed)
    #expect(try text(other) == "new")
  }

  @Test("leaves nothing behind where it can't")
  func failure() throws {
    let folder = try TemporaryFolder()
    let missing = folder.path + "/missing"
    #expect(AtomicRename.rename(missing, to: folder.path + "/a", replacing: false) == .failed(ENOENT))
    #expect(AtomicRename.rename(missing, to: folder.path + "/a", replacing: true) == .failed(ENOENT))
    #expect(try folder.names == [])
  }
}
