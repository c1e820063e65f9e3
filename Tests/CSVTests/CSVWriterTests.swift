import CSV
import TestSupport
import Testing

@Suite("A writer")
struct CSVWriterTests {
  @Test(
    "puts quotes only where they are needed",
    arguments: [
      (["name", "note"], "name,note\n"),
      (["Mr. Mime", "a \"mime\""], "Mr. Mime,\"a \"\"mime\"\"\"\n"),
      (["Ditto", nil], "Ditto,\n"),
      (["Ditto", ""], "Ditto,\"\"\n"),
      (["a b", "é", "-1.5", "a;b"], "a b,é,-1.5,a;b\n"),
      ([nil, nil], ",\n"),
      (["", nil, ""], "\"\",,\"\"\n"),
      ([nil], "\n"),
      ([""], "\"\"\n"),
      (["a,b"], "\"a,b\"\n"),
      (["\""], "\"\"\"\"\n"),
      (["a\"b\"c"], "\"a\"\"b\"\"c\"\n"),
      (["a\nb"], "\"a\nb\"\n"),
      (["a\rb"], "\"a\rb\"\n"),
      (["a\r\nb"], "\"a\r\nb\"\n"),
      ([" a", "b ", " "], "\" a\",\"b \",\" \"\n"),
      (["\u{FEFF}a", "b\u{FEFF}"], "\"\u{FEFF}a\",b\u{FEFF}\n"),
      (["a\0b"], "a\0b\n"),
    ] as [([String?], String)])
  func quotes(fields: [String?], line: String) {
    #expect(Array(CSVWriter().line(fields).utf8) == Array(line.utf8))
  }

  @Test("puts quotes around its own delimiter")
  func delimiter() {
    let writer = CSVWriter(delimiter: .semicolon)
    #expect(writer.line(["a,b", "c;d", nil]) == "a,b;\"c;d\";\n")
  }

  @Test("ends lines as it is told")
  func lineEnd() {
    let writer = CSVWriter(lineEnd: .carriageReturnLineFeed)
    #expect(Array(writer.line(["a", "b\nc"]).utf8) == Array("a,\"b\nc\"\r\n".utf8))
  }

  @Test("writes behind what a buffer holds")
  func buffer() {
    var buffer = Array("a\n".utf8)
    CSVWriter().append(["b", nil], to: &buffer)
    #expect(buffer == Array("a\nb,\n".utf8))
  }

  @Test("gives back the fields of a record")
  func rewrites() throws {
    let text = "a,b,c\n1,,\"\"\n"
    let reader = try CSVReader(bytes: Array(text.utf8))
    let writer = CSVWriter()
    let record = try #require(try reader.next())
    #expect(writer.line(reader.header) + writer.line(record.fields.map(\.value)) == text)
  }
}

@Suite("A writer of tab-separated lines")
struct TSVWriterTests {
  @Test(
    "escapes instead of quoting",
    arguments: [
      (["a", "b c", "\"d\"", "e,f"], "a\tb c\t\"d\"\te,f\n"),
      ([nil, "", nil], "\\N\t\t\\N\n"),
      ([nil], "\\N\n"),
      (["name", "note"], "name\tnote\n"),
      (["Ditto", nil], "Ditto\t\\N\n"),
      (["a\tb", "c\nd\\"], "a\\tb\tc\\nd\\\\\n"),
      ([""], "\n"),
      (["\\N"], "\\\\N\n"),
      (["a\tb", "c\nd", "e\rf", "g\\h"], "a\\tb\tc\\nd\te\\rf\tg\\\\h\n"),
      (["\r\n"], "\\r\\n\n"),
      ([" é\0ポ "], " é\0ポ \n"),
    ] as [([String?], String)])
  func escapes(fields: [String?], line: String) {
    #expect(Array(TSVWriter().line(fields).utf8) == Array(line.utf8))
  }

  @Test("writes one line a record and one tab a border")
  func oneLine() {
    let line = TSVWriter().line(["a\tb\r\nc", nil, "\t"])
    #expect(line.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(line.utf8.count { $0 == UInt8(ascii: "\t") } == 2)
  }
}

@Suite("What a writer writes, a reader reads back")
struct RoundTripTests {
  @Test("when there is one column", arguments: [CSVLineEnd.lineFeed, .carriageReturnLineFeed])
  func oneColumn(lineEnd: CSVLineEnd) throws {
    let records: [[String?]] = [[nil], ["a"], [nil], [nil], [""], ["\n"], [nil]]
    let writer = CSVWriter(lineEnd: lineEnd)
    let text = writer.line(["name"]) + records.map(writer.line).joined()
    let reader = try CSVReader(bytes: Array(text.utf8))
    #expect(try rest(of: reader) == records)
  }

  @Test("when a text starts the file with a byte order mark")
  func byteOrderMark() throws {
    let text = CSVWriter().line(["\u{FEFF}a"])
    let outcome = Outcome(parsing: text)
    #expect(exact(outcome.values) == exact([["\u{FEFF}a"]]))
  }

  @Test("for random records in random chunks", arguments: 0..<40)
  func random(round: UInt64) {
    // A seed that changes with each run, so that the runs together see more.
    let seed = SplitMix64.newSeed() &+ round
    var random = SplitMix64(seed: seed)
    expectRoundTrip(&random, "REPOKIT_SEED=\(seed)")
  }

  @Test("for random records of the same seeds in every run", arguments: 0..<40)
  func repeated(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    expectRoundTrip(&random, "seed \(seed)")
  }

  private func expectRoundTrip(_ random: inout SplitMix64, _ comment: Comment) {
    let delimiter = [CSVDelimiter.comma, .semicolon, .tab, .pipe].randomElement(using: &random) ?? .comma
    let lineEnd: CSVLineEnd = Bool.random(using: &random) ? .lineFeed : .carriageReturnLineFeed
    let columnCount = Int.random(in: 1...5, using: &random)
    let writer = CSVWriter(delimiter: delimiter, lineEnd: lineEnd)

    // A header first: it is what tells a reader that a blank line of one column is a record.
    var records = [(1...columnCount).map { Optional("column \($0)") }]
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      records.append((1...columnCount).map { _ in value(&random) })
    }
    var bytes: [UInt8] = []
    for record in records { writer.append(record, to: &bytes) }

    var chunks: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...40, using: &random)
      chunks.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    let outcome = Outcome(parsing: chunks, with: CSVParser(delimiter: delimiter))
    #expect(outcome.error == nil, comment)
    #expect(exact(outcome.values) == exact(records), comment)
  }

  private func value(_ random: inout SplitMix64) -> String? {
    // What means something in CSV, what looks like it, and characters of every length.
    let pieces = [
      ",", ";", "\t", "|", "\"", "\"\"", "\n", "\r", "\r\n", " ", "a", "7", "\0", "\u{FEFF}", "\u{E9}", "e\u{301}",
      "\u{301}", "ポケモン", "🐉", "\u{2028}", "\u{85}", "\\", "'", "null", "\u{10FFFF}",
    ]
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1: return nil
    case 2: return ""
    default:
      return (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
        .joined()
    }
  }
}
