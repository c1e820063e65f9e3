import CSV
import Testing

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
