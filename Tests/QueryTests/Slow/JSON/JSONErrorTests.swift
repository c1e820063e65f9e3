import Foundation
import Query
import Testing

@Suite("A form that goes wrong says where, and what to write instead")
struct JSONErrorTests {
  @Test("A great number with an exponent is refused, because decoders take it for another number")
  func greatNumbers() throws {
    let json = #"{"version":1,"query":{"key":"a","op":"=","value":1.0301675361507702e+17}}"#
    let error = #expect(throws: JSONCodingError.self) { try AnyQuery(json: json) }
    #expect(error?.code == .invalidValue)
  }

  @Test("in a query", arguments: documents + queries + conditions + values)
  func errors(_ example: Example) throws {
    check(example) { json throws(JSONCodingError) in _ = try AnyQuery(json: json) }
    guard example.code != .repeatedField else { return }
    // By a decoder, the same; it may read the fields in another order.
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(AnyQuery.self, from: Data(example.json.utf8))
    }
    guard case .dataCorrupted(let context) = error else { return }
    #expect((context.underlyingError as? JSONCodingError)?.code == example.code)
    #expect((context.underlyingError as? JSONCodingError)?.path == example.path)
  }

  @Test("in a value that a program made")
  func madeValues() {
    let values: [(JSONValue, String)] = [
      (JSONValue(.real(.nan)), "/query/value"), (["real": JSONValue(.real(.nan))], "/query/value/real"),
      (JSONValue(.real(.infinity)), "/query/value"),
    ]
    for (value, path) in values {
      let error = #expect(throws: JSONCodingError.self) {
        try AnyQuery(dictionary: ["version": 1, "query": ["key": "a", "op": "=", "value": value]])
      }
      #expect(error?.code == .invalidValue)
      #expect(error?.path == path)
      #expect(error?.suggestion != nil)
    }
  }

  static let sorts = [
    Example(
      #"{"version":1,"sort":"name"}"#, .typeMismatch, "/sort", "expected a list of keys to sort by, found text"),
    Example(#"{"version":1,"sort":["name"]}"#, .typeMismatch, "/sort/0", "expected a term of a sort, found text"),
    Example(#"{"version":1,"sort":[{"nulls":"last"}]}"#, .missingField, "/sort/0", "the term has no key"),
    Example(
      #"{"version":1,"sort":[{"key":"a"},{"key":"a","direction":"desc"}]}"#, .invalidValue, "/sort/1/direction",
      #"expected "ascending" or "descending""#),
    Example(
      #"{"version":1,"sort":[{"key":"a","direction":"decsending"}]}"#, .invalidValue, "/sort/0/direction",
      #"expected "ascending" or "descending""#, #"did you mean "descending"?"#),
    Example(
      #"{"version":1,"sort":[{"key":"a","nulls":null}]}"#, .typeMismatch, "/sort/0/nulls",
      #"expected "first" or "last", found null"#),
    Example(
      #"{"version":1}"#, .missingField, "", "the document has no sort",
      #"write "sort": [] for the order of the primary key"#),
  ]

  @Test("in a sort", arguments: sorts)
  func sortErrors(_ example: Example) {
    check(example) { json throws(JSONCodingError) in _ = try AnySort(json: json) }
  }

  static let requests = [
    Example(#"{"version":1,"limit":"5"}"#, .typeMismatch, "/limit", "expected a whole number, found text"),
    Example(#"{"version":1,"limit":null}"#, .typeMismatch, "/limit", "expected a whole number, found null"),
    Example(#"{"version":1,"offset":0.5}"#, .typeMismatch, "/offset", "expected a whole number, found a number"),
    Example(#"{"version":1,"offset":1e30}"#, .typeMismatch, "/offset", "expected a whole number, found a number"),
    Example(
      #"{"version":1,"after":"!"}"#, .invalidValue, "/after", "this is not a cursor",
      "pass the cursor unchanged and complete"),
    Example(#"{"version":1,"before":5}"#, .typeMismatch, "/before", "expected the text of a cursor, found a number"),
    Example(
      #"{"version":1,"ofset":1}"#, .unexpectedField, "", "the document has no field ofset", "did you mean offset?"),
  ]

  @Test("in a request", arguments: requests)
  func requestErrors(_ example: Example) {
    check(example) { json throws(JSONCodingError) in _ = try FetchRequest(json: json) }
  }

  private func check(_ example: Example, _ read: (String) throws(JSONCodingError) -> Void) {
    do throws(JSONCodingError) {
      try read(example.json)
      Issue.record("\(example.json) was read")
    } catch {
      #expect(error.code == example.code)
      #expect(error.path == example.path)
      #expect(error.summary == example.summary)
      #expect(error.suggestion == example.suggestion)
    }
  }

  @Test(
    "An operator that is not known is taken for the nearest one",
    arguments: [
      ("==", #"write "=""#), ("eq", #"write "=""#), ("$eq", #"write "=""#), ("<>", #"write "!=""#),
      ("≠", #"write "!=""#), ("$gte", #"write ">=""#), ("LESS_THAN", #"write "<""#), ("=>", #"write ">=""#),
      ("startsWith", #"write "starts with""#), ("starts_with", #"write "starts with""#),
      ("ENDS WITH", #"write "ends with""#), ("hasPrefix", #"write "starts with""#), ("In", #"write "in""#),
      ("betwen", #"did you mean "between"?"#), ("lke", #"did you mean "like"?"#),
      ("is null", #"write "op": "=" and "value": null"#), ("isNotNull", #"write "op": "!=" and "value": null"#),
      ("not in", #"put the condition into {"not": …}"#), ("$nin", #"put the condition into {"not": …}"#),
      ("and", #"write {"and": […]}"#), ("ilike", #"write "op": "like" and "ignoring": "case""#),
      (
        "xyzzy",
        "the operators are =, !=, <, <=, >, >=, between, in, contains, starts with, ends with, like"
      ),
      ("", "the operators are =, !=, <, <=, >, >=, between, in, contains, starts with, ends with, like"),
    ] as [(String, String)])
  func operators(name: String, suggestion: String) {
    let error = #expect(throws: JSONCodingError.self) {
      try AnyQuery(json: #"{"version":1,"query":{"and":[{"key":"a","op":"\#(name)","value":1}]}}"#)
    }
    #expect(error?.code == .unknownOperator)
    #expect(error?.path == "/query/and/0/op")
    #expect(error?.suggestion == suggestion)
  }

  @Test("The quotation of an error is short, and safe to show")
  func quotes() {
    let long = String(repeating: "x", count: 100_000)
    for json in [
      #"{"version":1,"\#(long)":1}"#, #"{"version":1,"query":{"key":"a","op":"\#(long)"}}"#, long,
      #"{"version":1,"query":{"key":"a","op":"\u001b[31m\u202e"}}"#, "{\"version\":1,\u{1B}[31m",
      #"{"version":1,"\u001b[31m/~":{"a":[nul]}}"#,
    ] {
      let error = #expect(throws: JSONCodingError.self) { try AnyQuery(json: json) }
      #expect((error?.description.utf8.count ?? .max) < 300)
      #expect(error?.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" } == true)
    }
  }

  @Test("A type of your own travels with two members")
  func conformance() throws {
    struct Named: JSONCodable, Equatable {
      var name: String
      var query: AnyQuery

      init(name: String, query: AnyQuery) { (self.name, self.query) = (name, query) }

      var jsonValue: JSONValue {
        get throws(JSONCodingError) { ["name": JSONValue(.text(name)), "query": try query.jsonValue] }
      }

      init(jsonValue: JSONValue) throws(JSONCodingError) {
        guard case .object(let fields) = jsonValue.form, case .text(let name)? = fields["name"]?.form,
          let query = fields["query"]
        else { throw JSONCodingError(.missingField, "a saved search has a name and a query") }
        self.init(name: name, query: try AnyQuery(jsonValue: query))
      }
    }
    let named = Named(name: "heavy", query: FormExamples.weight)
    #expect(try Named(json: named.json) == named)
    #expect(try JSONDecoder().decode([Named].self, from: JSONEncoder().encode([named])) == [named])
    let error = #expect(throws: JSONCodingError.self) { try Named(json: "{}") }
    #expect(error?.description == "a saved search has a name and a query")
  }
}
