import Testing
@testable import CSV

@Suite("Delimited text as other programs write it")
struct DelimitedLayoutTests {
  /// A file, how it is written, and its header and records, `-` for a field without a value.
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let layout: DelimitedLayout
    let records: [String]

    init(_ text: String, _ records: [String], _ change: (inout DelimitedLayout) -> Void) {
      var layout = DelimitedLayout()
      change(&layout)
      (self.text, self.layout, self.records) = (text, layout, records)
    }

    var testDescription: String { text.debugDescription }
  }

  static let cases = [
    Case("title\r\n\r\nid,name\r\n1,a\r\n", ["id name", "1 a"]) { $0.skippedLineCount = 2 },
    Case("\u{FEFF}title\nid\n1\n", ["id", "1"]) { $0.skippedLineCount = 1 },
    Case("a\nb\nc", ["c"]) { $0.skippedLineCount = 2 },
    Case("# by Ann\nid,name\n# more\n1,\"a\n# b\"\n#2,b\n3,#c\n", ["id name", "1 a\n# b", "3 #c"]) { $0.comment = 35 },
    Case("id\n1\n\n#x\r\n2\n", ["id", "1", "-", "2"]) { $0.comment = 35 },
    Case("1,a\n2,b\n", ["column1 column2", "1 a", "2 b"]) { $0.hasHeader = false },
    Case("#x\n1,a", ["column1 column2", "1 a"]) {
      $0.hasHeader = false
      $0.comment = 35
    },
    Case("a,b,c\n1\n1,2\n1,2,3,,\n1,2,3\n", ["a b c", "1 - -", "1 2 -", "1 2 3", "1 2 3"]) { $0.padsRecords = true },
    Case("id,ID,Name\n1,2,3\n", ["id ID_2 Name", "1 2 3"]) { $0.renamesColumns = true },
    Case("id,,id,id,column2,id_2\n1,2,3,4,5,6\n", ["id column3 id_3 id_4 column2 id_2", "1 2 3 4 5 6"]) {
      $0.renamesColumns = true
    },
  ]

  private func records(_ text: String, _ layout: DelimitedLayout, pieces size: Int) throws -> [String] {
    var rest = Array(text.utf8)[...]
    let window = ByteWindow { buffer in
      let piece = rest.prefix(min(size, buffer.count))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
    let reader = try RawRecordReader(window, .csv(), layout)
    var records = [reader.header.joined(separator: " ")]
    while try reader.next() {
      records.append(reader.fields.map { $0.isAbsent ? "-" : $0.field.text }.joined(separator: " "))
    }
    return records
  }

  @Test("is read as it is said to be written, in pieces of any size", arguments: cases)
  func layouts(_ example: Case) throws {
    for size in 1...max(1, example.text.utf8.count) {
      #expect(try records(example.text, example.layout, pieces: size) == example.records, "in pieces of \(size)")
    }
  }

  @Test("and no text is lost where records are too long")
  func tooLong() throws {
    var layout = DelimitedLayout()
    layout.padsRecords = true
    for text in ["a,b\n1,2,3\n", "a,b\n1,2,,3\n", "a,b\n1,2,,,3\n"] {
      let error = #expect(throws: CSVError.self) { try records(text, layout, pieces: 64) }
      #expect(error?.code == .wrongFieldCount)
    }
  }

  @Test("also where records may end early")
  func padded() {
    var layout = DelimitedLayout()
    layout.padsRecords = true
    Array("a;b;c\n1\n1;2\n".utf8).withUnsafeBufferPointer { bytes in
      #expect(CSVDelimiter.guess(from: bytes, isWhole: true, layout) == .found(.semicolon))
      #expect(CSVDelimiter.guess(from: bytes, isWhole: true) == .unclear(.semicolon))
    }
    Array("1;1,5\n2;2,5\n".utf8).withUnsafeBufferPointer { bytes in
      #expect(CSVDelimiter.guess(from: bytes, isWhole: true, hasDecimalComma: true) == .found(.semicolon))
    }
  }

  @Test(
    "has the delimiter that parts its records alike",
    arguments: [
      ("id,name\n1,a\n", .found(.comma)), ("id;price\n1;1,5\n2;2,5\n", .found(.semicolon)),
      ("id|name\n1|a;b\n", .found(.pipe)), ("id\tname\n1\ta, b\n2\tc\n", .found(.tab)),
      ("id,note\n1,\"a;b;c\"\n2,\"d;e;f\"\n", .found(.comma)), ("name\na;b\n", .oneColumn), ("", .oneColumn),
      ("a;b", .found(.semicolon)), ("a;b\n1\n2;3;4\n", .unclear(.semicolon)), ("a,b;c,d\n1,2;3,4\n", .found(.comma)),
      ("1;1,5\n2;2,5\n", .unclear(.semicolon)), ("Preis;Menge,Stk\n1,5;2\n2,5;3\n", .unclear(.semicolon)),
      // The last record may go on behind the bytes that are looked at.
      ("a;b\n1;2\n3;", .found(.semicolon)),
    ] as [(String, CSVDelimiter.Guess)])
  func guesses(text: String, guess: CSVDelimiter.Guess) {
    let isWhole = !text.hasSuffix(";")
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      #expect(CSVDelimiter.guess(from: bytes, isWhole: isWhole) == guess)
    }
  }
}
