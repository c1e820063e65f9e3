import CSV
import Testing

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
