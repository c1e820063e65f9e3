import Foundation
import Testing

/// Quotes as other programs write them, and files that gzip compresses.
@Suite("Quotes of other programs, and compressed files")
struct QuoteSpellingTests {
  @Test(
    "Blanks may be around a field in quotes, and --backslash reads escaped quotes",
    arguments: [
      ("a,b\n1, \"x, y\"\n", [], ["1|x, y"]), ("a,b\n\"1\" ,  \"x\"  \n2, y \n", [], ["1|x", "2| y "]),
      ("a;b\n1;   \"x;y\" \n", [], ["1|x;y"]), ("a, \"b\"\n1,2\n", [], ["1|2"]),
      ("a,b\n1, \"x \"\"y\"\"\"\n", [], ["1|x \"y\""]),
      ("a,b\n1,\"say \\\"hi\\\", now\"\n", ["--backslash"], ["1|say \"hi\", now"]),
      ("a,b\n1,\"C:\\\\dir\\\\\"\n2,\"a\\b\"\n3,\"\\\"\"\n", ["--backslash"], ["1|C:\\dir\\", "2|a\\b", "3|\""]),
      ("a,b\n1,\"C:\\\"\n2,\"x\"\"y\"\n", [], ["1|C:\\", "2|x\"y"]),
      ("a,b\n1,\"x\"\"y\"\n", ["--backslash"], ["1|x\"y"]),
      ("a b\n1 \"x y\"\n", ["--delimiter", " "], ["1|x y"]),
    ])
  func fields(text: String, options: [String], rows: [String]) async throws {
    let workshop = try Workshop()
    try workshop.write(text, to: "f.csv")
    let read = try await workshop.run(["query", "f.csv", "--columns", "a,b", "--format", "json"] + options)
    let values = try JSONDecoder().decode([[String: JSONValue]].self, from: Data(read.output.utf8))
    #expect(values.map { "\($0["a"]?.text ?? "")|\($0["b"]?.text ?? "")" } == rows, "\(read)")
  }

  /// A number or a text.
  private struct JSONValue: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = try (try? container.decode(Int.self)).map(String.init) ?? container.decode(String.self)
    }
  }

  @Test(
    "Text beside a quote is an error that names the option",
    arguments: [
      ("a,b\n1,\"say \\\"hi\\\"\"\n", "--backslash reads \\\" within quotes as a quote"),
      ("a,b\n1,\"x\" y\n", "line 2, column 6"), ("a,b\n1,x \"y\"\n", "line 2, column 5"),
    ])
  func mistakes(text: String, message: String) async throws {
    let workshop = try Workshop()
    try workshop.write(text, to: "f.csv")
    let read = try await workshop.run(["query", "f.csv"])
    #expect(read.status == 1 && read.messages.contains(message), "\(read)")
  }

  @Test(
    "A file whose name ends with .gz is compressed, and read back",
    arguments: ["t.csv.gz", "t.ndjson.gz", "t.tsv.gz", "t.json.gz"])
  func compressed(name: String) async throws {
    let workshop = try Workshop()
    let rows = (1...5_000).map { "\($0),row \($0)" }
    try workshop.write((["id,name"] + rows).joined(separator: "\n") + "\n", to: "t.csv")
    #expect(try await workshop.run(["import", "p.sqlite", "t.csv"]).status == 0)
    let written = try await workshop.run(["export", "p.sqlite", "t", name])
    #expect(written.messages == "exported 5000 rows of t to \(name)\n", "\(written)")
    #expect(try workshop.read(name).prefix(2) == Data([0x1F, 0x8B]).prefix(2))
    #expect(try workshop.read(name).count < 60_000)
    #expect(try await workshop.run(["count", name, "name = 'row 4999'"]).output == "1\n")
    let taken = try await workshop.run(["export", "p.sqlite", "t", name])
    #expect(taken.status == 1 && taken.messages.contains("--force replaces the file"))
    let some = try await workshop.run(["export", "p.sqlite", "t", name, "id < 3", "--force"])
    #expect(some.messages == "exported 2 rows of t to \(name)\n", "\(some)")
    let dump = try await workshop.run(["dump", "p.sqlite", "p.sql.gz"])
    #expect(dump.status == 0, "\(dump)")
    #expect(try await workshop.shell("gzip -dc p.sql.gz | grep -c 'INSERT\\|row 4999'").output != "0\n")
    #expect(try workshop.files().filter { $0.hasSuffix(".tmp") } == [])
  }
}
