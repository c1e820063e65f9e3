import Foundation
import Query
import TestSupport
import Testing

// One after the other, because they take hundreds of megabytes each.
// `GiantTests` sends queries of other shapes.
@Suite("Queries of any size travel, or are refused", .tags(.slow), .serialized)
struct JSONCodingDepthTests {
  static let levels = Effort.rounds(100_000)

  enum Shape: CaseIterable {
    case nots, rightAnds, leftOrs, alternating, mixed

    func query(levels: Int = JSONCodingDepthTests.levels) -> AnyQuery {
      let leaf = AnyQuery.equal(key: "a", value: 2)
      return (0..<levels).reduce(leaf) { query, level in
        switch self {
        case .nots: !query
        case .rightAnds: leaf && query
        case .leftOrs: query || leaf
        case .alternating: level.isMultiple(of: 2) ? leaf && query : leaf || query
        case .mixed: level.isMultiple(of: 3) ? !query : level % 3 == 1 ? query && leaf : leaf || query
        }
      }
    }
  }

  @Test(
    "Encoders write 400 levels of JSON, which decoders read, and refuse what is deeper",
    // A negation is one level and a connective is two, its object and its list; what is nested on the left is one list.
    arguments: [(Shape.nots, 398), (.rightAnds, 199), (.alternating, 199), (.mixed, 239)])
  func coders(shape: Shape, deepest: Int) throws {
    let query = shape.query(levels: deepest)
    let isReadAgain = try JSONDecoder().decode(AnyQuery.self, from: JSONEncoder().encode(query)) == query
    #expect(isReadAgain)
    for levels in [deepest + 1, Self.levels] {
      let error = #expect(throws: EncodingError.self) { _ = try JSONEncoder().encode(shape.query(levels: levels)) }
      guard case .invalidValue(_, let context) = error else { continue }
      #expect((context.underlyingError as? JSONCodingError)?.code == .tooComplex)
    }
  }

  @Test("They need little of a thread's stack")
  func smallStack() async throws {
    let queries = [Shape.rightAnds, .alternating].map { $0.query(levels: 199) }
    let areRead = try await SmallStack.run {
      try queries.allSatisfy { query in
        let data = try JSONEncoder().encode(query)
        return try JSONDecoder().decode(AnyQuery.self, from: data) == query && AnyQuery(json: data) == query
      }
    }
    #expect(areRead)
  }

  @Test(
    "A decoder is not kept busy by what it has to guess deep within",
    arguments: [#"1,"a",0.5"#, #"{"blob":""},"a""#, "9223372036854775808"])
  func guesses(piece: String) throws {
    let values = Array(repeating: piece, count: Effort.rounds(20_000)).joined(separator: ",")
    let json =
      #"{"version":1,"query":"# + String(repeating: #"{"not":"#, count: 400)
      + #"{"key":"a","op":"in","values":[\#(values)]}"# + String(repeating: "}", count: 401)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(AnyQuery.self, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context) = error else { return }
    #expect((context.underlyingError as? JSONCodingError)?.code == .tooComplex)
  }

  @Test("A decoder refuses a text that is deeper than it reads")
  func tooDeepForDecoders() throws {
    let json = try Shape.nots.query(levels: 1_000).json
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(AnyQuery.self, from: Data(json.utf8)) }
    #expect(try AnyQuery(json: json) == Shape.nots.query(levels: 1_000))
  }

  @Test("Nesting without an end is an error")
  func unclosed() {
    for opening in ["[", #"{"not":"#, #"{"version":1,"query":{"and":["#] {
      let error = #expect(throws: JSONCodingError.self) {
        try AnyQuery(json: String(repeating: opening, count: Self.levels))
      }
      #expect(error?.code == .malformed)
      #expect((error?.description.utf8.count ?? .max) < 500)
    }
  }

  @Test("An error deep within says where")
  func deepErrors() {
    let json =
      #"{"version":1,"query":"# + String(repeating: #"{"and":[true,"#, count: Self.levels) + "7"
      + String(repeating: "]}", count: Self.levels) + "}"
    let error = #expect(throws: JSONCodingError.self) { try AnyQuery(json: json) }
    #expect(error?.code == .typeMismatch)
    let isWhole = error?.path == "/query" + String(repeating: "/and/1", count: Self.levels)
    #expect(isWhole)
    #expect((error?.description.utf8.count ?? .max) < 300)
  }

  @Test("A query that is joined with itself again and again is refused at once")
  func joinedWithItself() {
    let query = DeepQueryTests.joinedWithItself(.isNull(key: "a"))
    let ways = [
      { _ = try query.json }, { _ = try (!query).dictionary }, { _ = try FetchRequest(query).queryItems },
    ]
    for way in ways {
      let error = #expect(throws: JSONCodingError.self) { try way() }
      #expect(error?.code == .tooComplex)
    }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(query) }
  }

  @Test("Parts that are shared count each time")
  func sharedParts() {
    let parts = [
      Shape.nots.query(levels: Self.levels), .in(key: "a", values: 0..<10 * Self.levels),
      .contains(key: "a", value: String(repeating: "x", count: 10 * Self.levels)),
    ]
    for part in Effort.sample(parts) {
      let query = DeepQueryTests.joinedWithItself(part, times: 18)
      // Printing the error of an encoder does not print the query, which would not end.
      let encoding = #expect(throws: EncodingError.self) { try JSONEncoder().encode(query) }
      #expect(encoding.map { "\($0)".utf8.count < 1_000 } == true)
      guard case .invalidValue(_, let context) = encoding else { continue }
      #expect((context.underlyingError as? JSONCodingError)?.code == .tooComplex)
    }
  }

  @Test("Ten thousand conditions and more travel in a URL")
  func long() throws {
    let chain = AnyQuery.any(of: (0..<Effort.rounds(100_000)).map { AnyQuery.equal(key: "k\($0)", value: $0) })
    let isInURL = try FetchRequest(queryItems: FetchRequest(chain).queryItems).query == chain
    #expect(isInURL)
  }

  @Test("A text, a key and a number may have any length")
  func longLiterals() throws {
    let long = String(repeating: "火\"\\\0", count: Effort.rounds(100_000))
    let query = AnyQuery.equal(key: long, value: long) && .like(key: long, value: long)
    let isReadAgain = try AnyQuery(json: query.json) == query
    #expect(isReadAgain)
    let digits = String(repeating: "1", count: Effort.rounds(100_000))
    #expect(
      try AnyQuery(json: #"{"version":1,"query":{"key":"a","op":"=","value":0.\#(digits)}}"#)
        == .equal(key: "a", value: 1.0 / 9))
    #expect(throws: JSONCodingError.self) {
      try AnyQuery(json: #"{"version":1,"query":{"key":"a","op":"=","value":\#(digits)}}"#)
    }
  }
}
