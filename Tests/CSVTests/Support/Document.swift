import CSV
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
