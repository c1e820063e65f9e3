import Foundation
import Testing

@Suite("Messages of repokit show long texts of a file shortly")
struct ExcerptTests {
  private static let secret = String(repeating: "SECRET\u{1B}", count: 2_000)
  private static let name = String(repeating: "c", count: 60_000)

  /// Files whose last row is wrong for a table, or makes a column of texts.
  static let files: [(file: String, content: String, options: [String])] = [
    ("a.csv", "id,n\n2,\(secret)\n", ["--append"]), ("a.tsv", "id\tn\n2\t\(secret)\n", ["--append"]),
    ("a.ndjson", "{\"id\":2,\"n\":\(secret)}\n", ["--append"]),
    ("b.ndjson", "{\"id\":2,\"n\":\"\(secret.replacing("\u{1B}", with: ""))\"}\n", ["--append"]),
    ("c.ndjson", "{\"id\":2,\"\(secret.replacing("\u{1B}", with: ""))\":5}\n", ["--append"]),
    ("b.csv", "id,n\n1,2\n2,\(secret)\n", ["--replace"]),
    ("c.csv", "id,n\n2,\(secret)\n", ["--types", "n=real", "--replace"]),
    ("d.csv", "id,n\n2,\(secret)\n", ["--numbers", "n", "--replace"]),
    ("e.csv", "id,n\n1,02/01/2024\n2,\(secret)\n", ["--date-order", "dmy", "--replace"]),
  ]

  @Test("of a field, the first 32 characters at most, made visible", arguments: files)
  func field(file: String, content: String, options: [String]) async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "id,n\n1,2\n")
    try workshop.write(content, to: file)
    let messages = try await workshop.run(["import", "t.sqlite", "t", file] + options).messages
    #expect(messages.contains("SECRET"), "\(messages)")
    #expect(!messages.contains("\u{1B}"))
    for part in messages.matches(of: #/[SECRT␛]*SECRET[SECRT␛]*/#) { #expect(part.output.count <= 32, "\(messages)") }
    #expect(messages.utf8.count < 1_000)
  }

  @Test(
    "of a name, the first 64",
    arguments: [
      ["query", "l.sqlite", "t", "nn = 3"], ["query", "l.sqlite", "t", "--sort", "nn"],
      ["query", "l.sqlite", "t", "--columns", "nn"], ["group", "l.sqlite", "t", "nn"],
      ["set", "l.sqlite", "t", "id = 1", "nn=3", "--yes"], ["set", "l.sqlite", "t", "id = 1", "\(name)=x", "--yes"],
      ["query", "l.sqlite", "t", "\(name) = 'x'"],
      ["import", "l.sqlite", "t", "z.csv", "--append"], ["import", "l.sqlite", "t", "l.csv", "--append"],
      ["import", "l.sqlite", "u", "l.csv", "--types", "\(name)=integer"],
      ["import", "l.sqlite", "u", "l.csv", "--types", "\(name)x=integer"],
      ["import", "l.sqlite", "u", "l.csv", "--key=zz"],
      ["import", "l.sqlite", "u", "l.csv"], ["import", "l.sqlite", "u", "twice.csv"],
      ["query", "l.csv", "nn = 3"], ["insert", "l.sqlite", "t", "nn=3", "--yes"],
    ])
  func names(arguments: [String]) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "l.sqlite", "CREATE TABLE t (id INTEGER, \(Self.name) INTEGER) STRICT", "INSERT INTO t VALUES (1, 2)")
    try workshop.write("id,\(Self.name)\n1,2\n2,x\n", to: "l.csv")
    try workshop.write("id,z\n1,2\n", to: "z.csv")
    try workshop.write("\(Self.name),\(Self.name)\n1,2\n", to: "twice.csv")
    let messages = try await workshop.run(arguments).messages
    #expect(!messages.isEmpty)
    #expect(messages.utf8.count < 1_000, "\(messages.prefix(300))")
  }

  @Test("of many names, the first 50, and how many there are more")
  func manyNames() async throws {
    let workshop = try Workshop()
    let names = (0..<100).map { "c\($0)" }.joined(separator: ", ")
    try workshop.execute("l.sqlite", "CREATE TABLE t (\(names))")
    let outcome = try await workshop.run(["query", "l.sqlite", "t", "zzzz = 3"])
    #expect(outcome.messages.contains("the columns are c0, c1, "), "\(outcome.messages)")
    #expect(outcome.messages.hasSuffix(", c48, c49 and 50 more\n"), "\(outcome.messages)")
  }
}
