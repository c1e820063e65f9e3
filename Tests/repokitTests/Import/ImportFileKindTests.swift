import TestSupport
import Testing

@Suite("An import of a file of another kind than its name says")
struct ImportFileKindTests {
  /// What a file begins with, and how the message names the file and the way on.
  static let refusals: [(name: String, bytes: [UInt8], summary: String, detail: String)] = [
    ("a.xlsx", zip("[Content_Types].xml"), "a.xlsx is an Excel workbook", "save the sheet as CSV"),
    ("a.csv", zip("xl/workbook.xml"), "a.csv is an Excel workbook", "save the sheet as CSV"),
    (
      "a.ods", zip("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
      "a.ods is an OpenDocument spreadsheet",
      "save the sheet as CSV"
    ),
    ("a.zip", zip("rows.csv"), "a.zip is a ZIP archive", "unpack the archive"),
    (
      "a.xls", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0], "a.xls is an old Office file",
      "save the sheet as CSV"
    ),
    ("a.json", Array("PAR1\u{15}\0".utf8), "a.json is a Parquet file", "convert the file to CSV"),
    ("a.csv", Array("%PDF-1.7\n".utf8), "a.csv is a PDF document", "export the rows as CSV"),
    ("a.tsv", Array("BZh91AY&SY".utf8), "a.tsv is a file compressed by bzip2", "unpack the file"),
    ("a.csv", Array("\n <!DOCTYPE html>\n<html>".utf8), "a.csv is a page of HTML", "download the data file"),
    ("a.csv", Array("<html><body>404</body>".utf8), "a.csv is a page of HTML", "download the data file"),
    ("a.json", Array("<?xml version=\"1.0\"?>".utf8), "a.json is an XML file", "convert the file to CSV or JSON"),
    ("a.geojson", Array(#"{"type":"FeatureCollection"}"#.utf8), "a.geojson looks like JSON", "--from json --path NAME"),
    ("a.log", Array("[ {\"a\":1} ]".utf8), "a.log looks like JSON", "--from json reads an array of objects"),
  ]

  /// The start of a ZIP archive whose first file has a name.
  private static func zip(_ name: String, _ content: String = "") -> [UInt8] {
    [0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: 20, count: 26) + Array((name + content).utf8)
  }

  @Test("names the kind, and the way to its rows", arguments: refusals.indices)
  func refusal(_ index: Int) async throws {
    let workshop = try Workshop()
    let file = Self.refusals[index]
    try workshop.write(file.bytes, to: file.name)
    for line in [
      "$repokit import x.db t \(file.name)", "cat \(file.name) | $repokit import x.db t - \(Self.from(file.name))",
    ] {
      let outcome = try await workshop.shell(line)
      #expect(outcome.status != 0 && outcome.output.isEmpty)
      #expect(outcome.messages.hasPrefix("error: ") && outcome.messages.contains(file.detail), "\(outcome.messages)")
      if !line.hasPrefix("cat") { #expect(outcome.messages.contains(file.summary), "\(outcome.messages)") }
    }
  }

  /// The option for a file on the standard input, which has no name.
  private static func from(_ name: String) -> String {
    name.hasSuffix(".json") ? "--from json" : name.hasSuffix(".tsv") ? "--from tsv" : ""
  }

  @Test("reads texts that only resemble other kinds")
  func texts() async throws {
    let workshop = try Workshop()
    for (name, text) in [
      ("a.csv", "{\"id\"},b\n1,2\n"), ("b.csv", "<id>,b\n1,2\n"), ("c.txt", "[id],b\n1,2\n"), ("d.csv", "PK,b\n1,2\n"),
      ("e.csv", "PAR1,PAR2\n1,2\n"),
      ("f.csv", "ARROW1\n1\n"), ("g.csv", "BZh9,b\n1,2\n"),
    ] {
      try workshop.write(Array(text.utf8), to: name)
      let quote = name == "a.csv" ? ["--quote", "none"] : []
      let outcome = try await workshop.run(["import", "x.db", "t", name, "--replace"] + quote)
      #expect(outcome.status == 0, "\(name): \(outcome.messages)")
    }
  }

  @Test("finds the list of objects within an object")
  func path() async throws {
    let workshop = try Workshop()
    let text = #"{"n": 2, "data": {"s": "}]", "rows": [{"a": 1}, {"a": 2}], "z": [{"a": 9}]}, "more": [{"b": 1}]}"#
    try workshop.write(Array(text.utf8), to: "a.json")
    let whole = try await workshop.run(["import", "x.db", "whole", "a.json"])
    #expect(
      whole.messages.contains(
        "note: a.json has one object, imported as one row; --path data.rows imports each object of the list data.rows, "
          + "and --path data.z or more those of another list\n"))
    for (text, path) in [
      (#"{"data": {"items" : [ {"a": "]}"} ]}}"#, "data.items"),
      (#"{"a": {"b": {"c": [{"d": 1}, {"e": [{}]}]}}}"#, "a.b.c"),
      (#"{"data": {"s": "[{", "items": [1, {"a": 2}]}}"#, nil), (#"{"data": {"x.y": [{"a": 1}]}}"#, nil),
      (#"{"data": {"q\"q": {}, "items": [{"a": 1}]}}"#, "data.items"),
    ] {
      let outcome = try await workshop.run(["import", "x.db", "one", "-", "--from", "json", "--replace"], input: text)
      let note = path.map { "--path \($0) imports each object of the list \($0)\n" } ?? "imported 1 row"
      #expect(outcome.messages.contains(note) && (path != nil || !outcome.messages.contains("--path")), "\(outcome)")
    }
    for (path, rows) in [("data.rows", "a\n1\n2\n"), ("data.z", "a\n9\n"), ("more", "b\n1\n")] {
      let outcome = try await workshop.shell(
        "$repokit import x.db t a.json --path \(path) --replace && $repokit query x.db t && cat a.json | "
          + "$repokit import x.db t - --from json --path \(path) --replace && $repokit query x.db t")
      #expect(outcome.output == rows + rows, "\(outcome.messages)")
    }
    for (path, message) in [
      ("rows", "the object has no name rows\n  the names are n, data, more"),
      ("data.q", "the object has no name data.q\n  the names are s, rows, z"),
      ("n", "expected a list of objects"), ("n.a", "expected `{`"), ("a..b", "--path: a name is empty"),
    ] {
      let outcome = try await workshop.run(["import", "x.db", "u", "a.json", "--path", path])
      #expect(outcome.status != 0 && outcome.messages.contains(message), "\(outcome.messages)")
    }
    for (text, message) in [
      (#"{"r":[{"a":1}]} {"r":[{"a":2}]}"#, "the file has another object"),
      (#"{"r":[{"a":1}]"#, "the file ends within an object"),
      (#"{"r":[{"a":1}], 5}"#, "expected a name in double quotes"),
    ] {
      let outcome = try await workshop.run(["import", "x.db", "u", "-", "--from", "json", "--path", "r"], input: text)
      #expect(outcome.status != 0 && outcome.messages.contains(message), "\(outcome)")
    }
    let lines = try await workshop.run(["import", "x.db", "u", "-", "--from", "ndjson", "--path", "r"], input: "{}")
    #expect(lines.messages.hasPrefix("error: --path does not apply to standard input"))
    let list = try await workshop.run(["import", "x.db", "w", "-", "--from", "json"], input: #"[{"r":[{"a":1}]}]"#)
    #expect(list.messages.hasPrefix("imported 1 row"), "\(list)")
    try workshop.write(Array("a\n1\n".utf8), to: "a.csv")
    let delimited = try await workshop.run(["import", "x.db", "u", "a.csv", "--path", "n"])
    #expect(delimited.status != 0 && delimited.messages.contains("--path does not apply to a.csv"))
  }
}
