import CSV
import Testing

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
