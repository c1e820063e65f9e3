#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import CSV
import TestSupport
import Testing

/// A well-formed input and what it means: `nil` is an absent field, `""` one that is quoted and empty.
struct Document: CustomTestStringConvertible, Sendable {
  var name: String
  var text: String
  var records: [[String?]]
  var lines: [Int]
  var delimiter = CSVDelimiter.comma

  var testDescription: String { name }

  static let all = [
    Document(name: "nothing at all", text: "", records: [], lines: []),
    Document(name: "blank lines alone", text: "\n\r\n\r", records: [], lines: []),
    Document(name: "one field", text: "a", records: [["a"]], lines: [1]),
    Document(name: "line feeds", text: "a,b\nc,d\n", records: [["a", "b"], ["c", "d"]], lines: [1, 2]),
    Document(name: "CRLF", text: "a,b\r\nc,d\r\n", records: [["a", "b"], ["c", "d"]], lines: [1, 2]),
    Document(name: "lone carriage returns", text: "a,b\rc,d\r", records: [["a", "b"], ["c", "d"]], lines: [1, 2]),
    Document(
      name: "all line ends in one file", text: "a,1\rb,2\nc,3\r\nd,4",
      records: [["a", "1"], ["b", "2"], ["c", "3"], ["d", "4"]], lines: [1, 2, 3, 4]),
    Document(
      name: "a last record without line end", text: "a,b\nc,d", records: [["a", "b"], ["c", "d"]], lines: [1, 2]),
    Document(
      name: "blank lines between records", text: "\na,b\n\n\r\n\rc,d\n\n", records: [["a", "b"], ["c", "d"]],
      lines: [2, 6]),
    Document(
      name: "line feed before carriage return is two line ends", text: "a,b\n\rc,d",
      records: [["a", "b"], ["c", "d"]], lines: [1, 3]),
    Document(name: "a line with spaces is a record", text: "a\n \n", records: [["a"], [" "]], lines: [1, 2]),
    Document(
      name: "absent fields", text: ",a,,b,\n,\n", records: [[nil, "a", nil, "b", nil], [nil, nil]], lines: [1, 2]),
    Document(name: "a delimiter at the end of the input", text: "a,", records: [["a", nil]], lines: [1]),
    Document(name: "a quoted empty field is empty text", text: "\"\",a,\"\"\n", records: [["", "a", ""]], lines: [1]),
    Document(name: "a quoted empty field alone", text: "\"\"", records: [[""]], lines: [1]),
    Document(name: "nothing is trimmed", text: " a , b\t,\u{A0}\n", records: [[" a ", " b\t", "\u{A0}"]], lines: [1]),
    Document(name: "delimiters in quotes", text: "\"a,b\",\",\"\n", records: [["a,b", ","]], lines: [1]),
    Document(
      name: "doubled quotes", text: "\"\"\"\",\"a\"\"\",\"\"\"b\",\"c\"\"\"\"d\"",
      records: [["\"", "a\"", "\"b", "c\"\"d"]], lines: [1]),
    Document(
      name: "line ends in quotes stay as they are", text: "\"a\nb\r\nc\rd\",x\n\"e\n\r\n\",y",
      records: [["a\nb\r\nc\rd", "x"], ["e\n\r\n", "y"]], lines: [1, 5]),
    Document(
      name: "a quoted line end before the closing quote", text: "\"a\r\"\n\"b\r\"\r\nc",
      records: [["a\r"], ["b\r"], ["c"]], lines: [1, 3, 5]),
    Document(
      name: "with one column a blank line is an absent field", text: "a\n\nb\r\n\r\n\rc\n\n",
      records: [["a"], [nil], ["b"], [nil], [nil], ["c"], [nil]], lines: [1, 2, 3, 4, 5, 6, 7]),
    Document(
      name: "records of different lengths", text: "a,b\nc\n\nd,e,f\n", records: [["a", "b"], ["c"], ["d", "e", "f"]],
      lines: [1, 2, 4]),
    Document(name: "a byte order mark", text: "\u{FEFF}a,b\n", records: [["a", "b"]], lines: [1]),
    Document(name: "a byte order mark before quotes", text: "\u{FEFF}\"a\"", records: [["a"]], lines: [1]),
    Document(name: "a byte order mark and nothing else", text: "\u{FEFF}", records: [], lines: []),
    Document(name: "a second byte order mark is text", text: "\u{FEFF}\u{FEFF}a", records: [["\u{FEFF}a"]], lines: [1]),
    Document(name: "a byte order mark in quotes is text", text: "\"\u{FEFF}a\"", records: [["\u{FEFF}a"]], lines: [1]),
    Document(
      name: "a byte order mark further on is text", text: "a\n\u{FEFF}b", records: [["a"], ["\u{FEFF}b"]],
      lines: [1, 2]),
    // U+FEC0 and U+FF01 share their first one and first byte with the mark, EF BB BF.
    Document(
      name: "characters that begin like the mark", text: "\u{FEC0},\u{FF01}\n", records: [["\u{FEC0}", "\u{FF01}"]],
      lines: [1]),
    Document(
      name: "a character that begins like the mark", text: "\u{FF01},a", records: [["\u{FF01}", "a"]], lines: [1]),
    Document(
      name: "characters of two to four bytes", text: "é,ポ,🐉\n\"é\",\"ポ\",\"🐉\"",
      records: [["é", "ポ", "🐉"], ["é", "ポ", "🐉"]], lines: [1, 2]),
    Document(
      name: "composed and decomposed stay apart", text: "\u{E9},e\u{301}", records: [["\u{E9}", "e\u{301}"]], lines: [1]
    ),
    Document(
      name: "a combining mark after a delimiter", text: "a,\u{301}b\n\u{301}c",
      records: [["a", "\u{301}b"], ["\u{301}c"]], lines: [1, 2]),
    Document(name: "NUL is text", text: "a\0b,\"\0\"\n\0", records: [["a\0b", "\0"], ["\0"]], lines: [1, 2]),
    Document(
      name: "semicolons", text: "a,b;\"c;d\"\n", records: [["a,b", "c;d"]], lines: [1], delimiter: .semicolon),
    Document(name: "tabs", text: "a b\t\tc\n", records: [["a b", nil, "c"]], lines: [1], delimiter: .tab),
    Document(name: "bars", text: "a|b,c|{d}\n", records: [["a", "b,c", "{d}"]], lines: [1], delimiter: .pipe),
  ]
}

/// A malformed input, and where exactly the mistake is.
struct Mistake: CustomTestStringConvertible, Sendable {
  var name: String
  var bytes: [UInt8]
  var code: CSVError.Code
  var line: Int
  var column: Int
  /// How many records come before it.
  var records = 0

  var testDescription: String { name }

  init(_ name: String, _ text: String, _ code: CSVError.Code, _ line: Int, _ column: Int, records: Int = 0) {
    self.init(name, bytes: Array(text.utf8), code, line, column, records: records)
  }

  init(_ name: String, bytes: [UInt8], _ code: CSVError.Code, _ line: Int, _ column: Int, records: Int = 0) {
    self.name = name
    self.bytes = bytes
    self.code = code
    self.line = line
    self.column = column
    self.records = records
  }

  /// Mistakes in the bytes, which every use of the parser finds; a field may have 20 bytes.
  static let all = [
    Mistake("an open quote alone", "\"", .unterminatedQuote, 1, 1),
    Mistake("an open quote in the third field", "a,b,\"c", .unterminatedQuote, 1, 5),
    Mistake("an open quote that swallows lines", "a,b\nc,\"d\ne,f\ng,h\n", .unterminatedQuote, 2, 3, records: 1),
    Mistake("an open quote after a quoted line break", "\"a\nb\",\"c", .unterminatedQuote, 2, 4),
    Mistake("a doubled quote does not close", "\"a\"\"", .unterminatedQuote, 1, 1),
    Mistake("text after a closing quote", "\"a\"b", .textAfterQuote, 1, 4),
    Mistake("a space after a closing quote", "x,\"a\" ,b", .textAfterQuote, 1, 6),
    Mistake("text after a quoted line break", "x\r\n\"a\r\nb\"c", .textAfterQuote, 3, 3, records: 1),
    Mistake("text after two quotes", "\"\"a", .textAfterQuote, 1, 3),
    Mistake("a quote in the middle of a field", "ab\"c", .quoteInUnquotedField, 1, 3),
    Mistake("a quote after a space", "a, \"b\"", .quoteInUnquotedField, 1, 4),
    Mistake("a quote at the end of a field", "a\nb\"\n", .quoteInUnquotedField, 2, 2, records: 1),
    Mistake("columns count scalars, not bytes", "é,ポ🐉,e\u{301}\"", .quoteInUnquotedField, 1, 8),
    Mistake("a tab is one column", "\t\t\"", .quoteInUnquotedField, 1, 3),
    Mistake("a byte order mark is no column", "\u{FEFF}a\"", .quoteInUnquotedField, 1, 2),
    Mistake("a second byte order mark is one", "\u{FEFF}\u{FEFF}\"", .quoteInUnquotedField, 1, 2),
    Mistake("lines of all kinds", "a\r\nb\rc\n\n\rd\"", .quoteInUnquotedField, 6, 2, records: 5),
    Mistake("an invalid byte", bytes: [0x61, 0xFF], .invalidUTF8, 1, 2),
    Mistake(
      "Latin-1", bytes: Array("name,note\nPok".utf8) + [0xE9] + Array("mon,x\n".utf8), .invalidUTF8, 2, 4, records: 1),
    Mistake("UTF-16", bytes: [0xFF, 0xFE, 0x61, 0x00], .invalidUTF8, 1, 1),
    Mistake("half of a byte order mark", bytes: [0xEF, 0xBB], .invalidUTF8, 1, 1),
    Mistake("half of a byte order mark before a delimiter", bytes: [0xEF, 0x2C], .invalidUTF8, 1, 1),
    Mistake("a lone continuation byte", bytes: Array("é".utf8) + [0x80], .invalidUTF8, 1, 2),
    Mistake("a character cut by a delimiter", bytes: [0x61, 0xE3, 0x83, 0x2C, 0x62], .invalidUTF8, 1, 2),
    Mistake("a character cut by the end", bytes: Array("a,b".utf8) + [0xF0, 0x9F, 0x90], .invalidUTF8, 1, 4),
    Mistake("an overlong NUL", bytes: [0x61, 0xC0, 0x80], .invalidUTF8, 1, 2),
    Mistake("a surrogate", bytes: [0xED, 0xA0, 0x80], .invalidUTF8, 1, 1),
    Mistake("beyond Unicode", bytes: [0xF4, 0x90, 0x80, 0x80], .invalidUTF8, 1, 1),
    Mistake("an invalid byte in quotes", bytes: Array("x,\"é".utf8) + [0xFF, 0x22], .invalidUTF8, 1, 5),
    Mistake("an invalid byte after a doubled quote", bytes: Array("\"a\"\"b".utf8) + [0xFF, 0x22], .invalidUTF8, 1, 6),
    Mistake(
      "an invalid byte on the third quoted line", bytes: Array("\"a\r\nb\rcd".utf8) + [0xFF, 0x22], .invalidUTF8, 3, 3),
    Mistake("an invalid byte before a misplaced quote", bytes: [0x61, 0xFF, 0x22], .invalidUTF8, 1, 2),
    Mistake("an invalid byte before text after quotes", bytes: [0x22, 0xFF, 0x22, 0x61], .invalidUTF8, 1, 2),
    Mistake("a long field", "a,b\nc,abcdefghijklmnopqrstu\n", .fieldTooLarge, 2, 3, records: 1),
    Mistake("a long field in quotes", "a,\"bcdef\nghijk\nlmnop\nqrstuv\"", .fieldTooLarge, 1, 3),
    Mistake("a long field that is not closed", "a,\"bcdef\nghijk\nlmnop\nqrstuv", .fieldTooLarge, 1, 3),
    Mistake("a misplaced quote in a long field", "abcdefghijklmnopqrstu\"", .fieldTooLarge, 1, 1),
    Mistake("a long field of doubled quotes", "\"" + String(repeating: "\"\"", count: 21) + "\"", .fieldTooLarge, 1, 1),
  ]
}

/// What came out of an input: the records before its end or its first error, and that error.
///
/// Texts are compared by their bytes, since `é` and its decomposed form are equal as strings.
struct Outcome: Equatable {
  struct Field: Equatable {
    var bytes: [UInt8]
    var isQuoted: Bool
  }

  struct Record: Equatable {
    var fields: [Field]
    var line: Int
  }

  private(set) var records: [Record] = []
  private(set) var values: [[String?]] = []
  private(set) var lines: [Int] = []
  private(set) var error: CSVError?

  /// Parses chunks that arrive one after another.
  init(parsing chunks: [ArraySlice<UInt8>], with parser: CSVParser = CSVParser()) {
    var parser = parser
    do {
      for chunk in chunks {
        try parser.consume(chunk.span) { add($0) }
      }
      try parser.finish { add($0) }
    } catch {
      self.error = error as? CSVError
    }
  }

  /// Parses text that arrives at once.
  init(parsing text: String, with parser: CSVParser = CSVParser()) {
    self.init(parsing: [Array(text.utf8)[...]], with: parser)
  }

  private mutating func add(_ record: CSVRecord) {
    values.append(record.fields.map(\.value))
    lines.append(record.line)
    let fields = record.fields.map { Field(bytes: Array($0.text.utf8), isQuoted: $0.isQuoted) }
    records.append(Record(fields: fields, line: record.line))
  }
}

/// The bytes of each value, for a comparison that canonical equivalence does not soften.
func exact(_ records: [[String?]]) -> [[[UInt8]?]] {
  records.map { record in record.map { value in value.map { Array($0.utf8) } } }
}

extension TemporaryFolder {
  /// Writes a file.
  func file(_ text: String) throws -> String { try write(text.utf8, to: "file") }

  /// Makes a named pipe.
  func fifo() throws -> String {
    let fifo = path("fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    return fifo
  }
}
