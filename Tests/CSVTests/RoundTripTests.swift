import CSV
import Testing
import TestSupport

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
    // One seed that changes with each run, so that the runs together see more; a failure names it.
    let seed = UInt64.random(in: 0...(.max / 2)) + round
    var random = SplitMix64(seed: seed)
    expectRoundTrip(&random, "seed \(seed)")
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
