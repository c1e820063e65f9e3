import CSV
import Testing

@Suite("A parser")
struct CSVParserTests {
  @Test("reads", arguments: Document.all)
  func reads(_ document: Document) {
    let outcome = Outcome(parsing: document.text, with: CSVParser(delimiter: document.delimiter))
    #expect(exact(outcome.values) == exact(document.records))
    #expect(outcome.lines == document.lines)
    #expect(outcome.error == nil)
  }

  @Test("names the place of", arguments: Mistake.all)
  func names(_ mistake: Mistake) {
    let outcome = Outcome(parsing: [mistake.bytes[...]], with: CSVParser(maximumFieldSize: 20))
    #expect(outcome.error?.code == mistake.code)
    #expect(outcome.error?.line == mistake.line)
    #expect(outcome.error?.column == mistake.column)
    #expect(outcome.records.count == mistake.records)
  }

  @Test("does not mind where a chunk ends in", arguments: Document.all)
  func chunks(_ document: Document) {
    expectSameOutcome(Array(document.text.utf8), CSVParser(delimiter: document.delimiter))
  }

  @Test("finds the same mistake wherever a chunk ends in", arguments: Mistake.all)
  func chunks(_ mistake: Mistake) {
    expectSameOutcome(mistake.bytes, CSVParser(maximumFieldSize: 20))
  }

  /// Cuts the bytes in two and in three at every place, and into single bytes.
  private func expectSameOutcome(_ bytes: [UInt8], _ parser: CSVParser) {
    let whole = Outcome(parsing: [bytes[...]], with: parser)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]]
        #expect(Outcome(parsing: chunks, with: parser) == whole, "cut at \(first) and \(second)")
      }
    }
    let single = bytes.indices.map { bytes[$0...$0] }
    #expect(Outcome(parsing: single, with: parser) == whole, "byte by byte")
  }

  @Test("tells quoted fields from others")
  func quoted() {
    let outcome = Outcome(parsing: "a,\"a\",,\"\"\n")
    #expect(outcome.records.first?.fields.map(\.isQuoted) == [false, true, false, true])
    #expect(outcome.values == [["a", "a", nil, ""]])
  }

  @Test("takes a field of exactly the limit", arguments: ["abcde", "\"abcde\"", "\"a\"\"bcd\"", "ééa"])
  func limit(text: String) {
    #expect(Outcome(parsing: text, with: CSVParser(maximumFieldSize: 5)).error == nil)
    #expect(Outcome(parsing: text, with: CSVParser(maximumFieldSize: 4)).error?.code == .fieldTooLarge)
  }

  @Test("repeats its error rather than go on behind it")
  func repeatsError() {
    var parser = CSVParser()
    for _ in 1...2 {
      let error = #expect(throws: CSVError.self) {
        try parser.consume(Array("a\"\nb\n".utf8).span) { _ in Issue.record("no record is behind an error") }
      }
      #expect(error?.code == .quoteInUnquotedField)
    }
    let error = #expect(throws: CSVError.self) {
      try parser.finish { _ in Issue.record("no record is behind an error") }
    }
    #expect(error?.code == .quoteInUnquotedField)
  }

  @Test("passes on what its caller throws")
  func callerThrows() {
    struct Stop: Error {}
    var parser = CSVParser()
    #expect(throws: Stop.self) {
      try parser.consume(Array("a\nb\n".utf8).span) { _ in throw Stop() }
    }
  }

  @Test("starts anew after the end of an input")
  func startsAnew() throws {
    var parser = CSVParser()
    var records: [CSVRecord] = []
    for _ in 1...2 {
      try parser.consume(Array("\u{FEFF}a\n\nb".utf8).span) { records.append($0) }
      try parser.finish { records.append($0) }
    }
    #expect(records.map(\.line) == [1, 2, 3, 1, 2, 3])
    #expect(records.map { $0.fields.map(\.value) } == [["a"], [nil], ["b"], ["a"], [nil], ["b"]])
  }
}

@Suite("A delimiter")
struct CSVDelimiterTests {
  @Test("can be any ASCII character", arguments: [",", ";", "\t", "|", " ", ":", "\u{1F}"] as [Character])
  func accepts(_ character: Character) throws {
    let delimiter = try #require(CSVDelimiter(character))
    #expect(delimiter.character == character)
    let outcome = Outcome(parsing: "a\(character)b", with: CSVParser(delimiter: delimiter))
    #expect(outcome.values == [["a", "b"]])
  }

  @Test("cannot be", arguments: ["\"", "\r", "\n", "\r\n", "é", "，", "🐉"] as [Character])
  func rejects(_ character: Character) {
    #expect(CSVDelimiter(character) == nil)
  }
}
