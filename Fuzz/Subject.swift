import Query
import RowImport

/// What an input is read as.
enum Subject: Character, CaseIterable {
  case query = "q"
  case sort = "s"
  case cursor = "c"
  case jsonQuery = "j"
  case jsonSort = "k"
  case jsonRequest = "r"
  case url = "u"
  case csv = "v"
  case csvFile = "f"
  case tsvFile = "t"
  case linesFile = "n"
  case jsonFile = "a"
  case request = "h"

  init?(letter: UInt8) {
    self.init(rawValue: Character(Unicode.Scalar(letter)))
  }

  /// Reads a text, and holds what it means against the contract; what is refused in words is fine.
  func check(_ text: String) {
    switch self {
    case .query:
      if let query = parse(text, { text throws(ParseError) in try AnyQuery(parsing: text) }) { QueryLaws.check(query) }
      if let condition = try? AnyQuery(parsingHaving: text) {
        Law.require(
          (try? AnyQuery(parsingHaving: condition.description)) == condition,
          "a condition on groups is not read as it is printed", [condition.description])
      }
    case .sort:
      if let sort = parse(text, { text throws(ParseError) in try AnySort(parsing: text) }) { SortLaws.check(sort) }
    case .cursor: if let cursor = try? Cursor(parsing: text) { CursorLaws.check(cursor) }
    case .jsonQuery: if let query = JSONLaws.read(text, as: AnyQuery.self) { QueryLaws.check(query) }
    case .jsonSort: if let sort = JSONLaws.read(text, as: AnySort.self) { SortLaws.check(sort) }
    case .jsonRequest:
      if let request = JSONLaws.read(text, as: FetchRequest.self) {
        JSONLaws.check(request)
        Arena.shared.ask(request)
      }
    case .url: URLLaws.check(text)
    case .csv: CSVLaws.check(text)
    case .csvFile: ImportLaws.check(text, .csv)
    case .tsvFile: ImportLaws.check(text, .tsv)
    case .linesFile: ImportLaws.check(text, .ndjson)
    case .jsonFile: ImportLaws.check(text, .json)
    case .request: ServiceLaws.check(text)
    }
    // What may follow is worked out for every text, however it goes wrong.
    if self == .query { _ = QueryContinuation(after: text) }
    if self == .sort { _ = QueryContinuation(after: text, isExpression: true) }
  }

  /// Reads a text, or else its error, whose caret and suggestion are made only then.
  private func parse<Model>(_ text: String, _ body: (String) throws(ParseError) -> Model) -> Model? {
    do throws(ParseError) {
      return try body(text)
    } catch {
      let caret = error.caret
      let lineEnds = caret.utf8.count { $0 == UInt8(ascii: "\n") }
      Law.require(lineEnds == 1, "a caret is two lines", [caret])
      Law.require(error.position <= text.unicodeScalars.count, "an error stands within its text", [error.description])
      Law.require(!error.description.utf8.contains(0x1B), "an error is fit for a terminal")
      return nil
    }
  }
}
