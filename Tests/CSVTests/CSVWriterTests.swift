import CSV
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
