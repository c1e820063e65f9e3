import Foundation
import Query
@testable import Query
import Testing

@Suite("Queries, sorts, requests and values are Codable")
struct CodableTests {
  /// A type that holds all of them.
  struct SavedSearch: Codable, Equatable {
    var userName: String
    var mainQuery: AnyQuery
    var others: [AnyQuery]
    var request: FetchRequest?
    var sort: AnySort
    var values: [Value]
  }

  static let search = SavedSearch(
    userName: "ash", mainQuery: .like(key: "baseName", value: "a%", ignoringCase: true),
    others: [.true, FormExamples.weight || !FormExamples.a],
    request: FetchRequest(FormExamples.weight, sortedBy: .descending(key: "weight", nulls: .first), limit: 5),
    sort: .ascending(key: "baseName"), values: FormExamples.values.map(\.0))

  @Test("They are part of any type, whatever the coder does with names")
  func parts() throws {
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    #expect(try decoder.decode(SavedSearch.self, from: encoder.encode(Self.search)) == Self.search)
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = .prettyPrinted
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = try encoder.encode(Self.search)
    #expect(try decoder.decode(SavedSearch.self, from: data) == Self.search)
    #expect(String(decoding: data, as: UTF8.self).contains("main_query"))
  }

  @Test("Property lists hold them, too", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func propertyLists(format: PropertyListSerialization.PropertyListFormat) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    var search = Self.search
    // XML has no control characters, and a binary list keeps the composed and the decomposed "é" as one text.
    search.values.removeAll { value in
      if case .text(let text) = value { text.utf8.contains { $0 < 0x20 } || text == "\u{E9}" } else { false }
    }
    let data = try encoder.encode(search)
    #expect(try PropertyListDecoder().decode(SavedSearch.self, from: data) == search)
  }

  @Test("JSON and property lists in XML keep texts apart that are canonically equal")
  func canonicalEquivalence() throws {
    // A binary list writes both as the first, which is Foundation's doing and said in the article.
    let query = AnyQuery.in(key: "a", values: ["e\u{301}", "\u{E9}"])
    let lists = PropertyListEncoder()
    lists.outputFormat = .xml
    let read = [
      try JSONDecoder().decode(AnyQuery.self, from: JSONEncoder().encode(query)),
      try PropertyListDecoder().decode(AnyQuery.self, from: lists.encode(query)),
    ]
    for read in read { #expect(Array(read.description.utf8) == Array(query.description.utf8)) }
  }

  @Test("Encoders write the form of `json`", arguments: FormExamples.conditions + FormExamples.connectives)
  func encoding(query: AnyQuery, form: String) throws {
    let data = try JSONEncoder().encode(query)
    let written = try JSONDecoder().decode(JSONValue.self, from: data)
    #expect(written == (try query.jsonValue))
    #expect(try AnyQuery(json: data) == query)
    let read = try JSONDecoder().decode(AnyQuery.self, from: Data(query.json.utf8))
    #expect(read == query)
    #expect(read.description == query.description)
  }

  @Test("A value keeps its kind and its bytes", arguments: FormExamples.values)
  func values(value: Value, form: String) throws {
    for data in [try JSONEncoder().encode(value), Data(form.utf8)] {
      let read = try JSONDecoder().decode(Value.self, from: data)
      #expect(read.spelling == value.spelling)
      #expect(read.sign == value.sign)
    }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Value.real(.nan)) }
  }

  @Test("A value that is none is an error", arguments: ["[1]", "{}", #"{"key":"a"}"#, #"{"real":"x"}"#, "1e300"])
  func malformedValues(json: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context) = error else { return }
    #expect(context.underlyingError is JSONCodingError)
  }

  @Test("An error says where it is in the whole")
  func errors() throws {
    let json = #"{"searches":[{"version":1,"query":true},{"version":1,"query":{"and":[true,{"key":"a","op":"=="}]}}]}"#
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([String: [AnyQuery]].self, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error)) is another error")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["searches", "Index 1", "query", "and", "1", "op"])
    #expect(context.codingPath.map(\.intValue)[4] == 1)
    let underlying = try #require(context.underlyingError as? JSONCodingError)
    #expect(underlying.code == .unknownOperator)
    #expect(underlying.path == "/query/and/1/op")
    #expect(underlying.suggestion == #"write "=""#)
    #expect(context.debugDescription == #"unknown operator ==, at /query/and/1/op; write "=""#)
  }

  @Test("JSON without a meaning is an error of the decoder", arguments: ["", "[", "nul", "{\"version\":1e999}"])
  func foreignErrors(json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(AnyQuery.self, from: Data(json.utf8)) }
  }
}
