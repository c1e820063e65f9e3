import Foundation
import Query
import Testing

@Suite("The article about JSON coding tells the truth")
struct JSONCodingArticleTests {
  /// A block of code, and the line before it.
  struct Block {
    let language: String
    let text: String
    let caption: String
  }

  static func blocks() throws -> [Block] {
    let article = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Sources/Query/Query.docc/JSONCoding.md").standardized
    var blocks: [Block] = []
    var caption = ""
    var open: (language: String, lines: [String])?
    for line in try String(contentsOf: article, encoding: .utf8).components(separatedBy: "\n") {
      if let block = open {
        if line == "```" {
          blocks.append(Block(language: block.language, text: block.lines.joined(separator: "\n"), caption: caption))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [])
      } else {
        caption = line
      }
    }
    return blocks
  }

  @Test("Every example of JSON is read and written again, and is the query above it")
  func examples() throws {
    let blocks = try Self.blocks().filter { $0.language == "json" }
    var operators: Set<String> = []
    for block in blocks {
      let data = Data(block.text.utf8)
      if block.text.contains(#""aggregates""#) {
        try Self.check(try AggregateRequest(json: data), data)
        continue
      }
      if block.text.contains(#""columns""#) {
        try Self.check(try ProjectionRequest(json: data), data)
        continue
      }
      if block.text.hasPrefix(#"{"version": 1, "key""#) {
        let assignment = try Assignment(json: data)
        try Self.check(assignment, data)
        #expect(try Assignment(parsing: String(block.caption.dropFirst().dropLast())) == assignment)
        continue
      }
      let request = try FetchRequest(json: data)
      #expect(try JSONDecoder().decode(FetchRequest.self, from: data) == request)
      let value = try JSONDecoder().decode(JSONValue.self, from: data)
      for written in [Data(try request.json.utf8), try JSONEncoder().encode(request)] {
        #expect(try JSONDecoder().decode(JSONValue.self, from: written) == value)
      }
      if block.caption.hasPrefix("`"), block.caption.hasSuffix("`") {
        #expect("`\(request.query)`" == block.caption)
        #expect(try AnyQuery(json: data) == request.query)
      }
      for match in block.text.matches(of: /"op": "([^"]*)"/) { operators.insert(String(match.1)) }
    }
    #expect(blocks.count > 20)
    let known =
      ComparisonOperator.allCases.map(\.rawValue) + TextOperation.allCases.map(\.rawValue) + ["between", "in"]
    #expect(operators == Set(known))
  }

  private static func check(_ request: some JSONCodable, _ data: Data) throws {
    let value = try JSONDecoder().decode(JSONValue.self, from: data)
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(request.json.utf8)) == value)
  }

  @Test("The URL is that of the request beside it")
  func urls() throws {
    let request = FetchRequest(
      .greaterThan(key: "weight", value: 90) && .notEqual(key: "type", value: "fire"),
      sortedBy: .descending(key: "weight") + .ascending(key: "name"), limit: 20)
    let urls = try Self.blocks().filter { $0.language == "text" }.map(\.text)
    #expect(urls == [try URLItemTests.url(of: request)])
  }

  @Test("The error is the one that is shown")
  func error() {
    let error = #expect(throws: JSONCodingError.self) {
      try AnyQuery(json: #"{"version": 1, "query": {"and": [{"key": "name", "op": "startsWith", "value": "Ch"}]}}"#)
    }
    #expect(error?.path == "/query/and/0/op")
    #expect(error?.summary == "unknown operator startsWith")
    #expect(error?.suggestion == #"write "starts with""#)
  }
}
