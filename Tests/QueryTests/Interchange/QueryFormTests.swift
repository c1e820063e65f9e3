import Foundation
import Query
import Testing

@Suite("The JSON form of a query")
struct QueryFormTests {
  @Test(
    "A query has one form, which is read back as the same query",
    arguments: FormExamples.conditions + FormExamples.joins)
  func forms(query: AnyQuery, form: String) throws {
    let json = #"{"version":1,"query":\#(form)}"#
    #expect(try query.json == json)
    for read in [try AnyQuery(json: json), try AnyQuery(json: Data(json.utf8))] {
      #expect(read == query)
      #expect(read.description == query.description)
    }
  }

  @Test("A value keeps its kind and its bytes", arguments: FormExamples.values)
  func values(value: Value, form: String) throws {
    let query = AnyQuery.in(key: "a", values: [value])
    let json = #"{"version":1,"query":{"key":"a","op":"in","values":[\#(form)]}}"#
    #expect(Array(try query.json.utf8) == Array(json.utf8))
    let read = try AnyQuery(json: json)
    guard case .condition(.membership(let membership)) = read.form else {
      Issue.record("\(read) is no list")
      return
    }
    #expect(membership.values.map(\.spelling) == [value.spelling])
    #expect(membership.values.first?.sign == value.sign)
  }

  @Test("A key keeps its bytes", arguments: ["", "\0", "key", "\u{E9}", "e\u{301}", "a\"b\\", "\u{301}", "火"])
  func keys(key: String) throws {
    for query in [AnyQuery.equal(key: key, otherKey: key), .between(key: key, lower: .key(key), upper: .key(key))] {
      #expect(try AnyQuery(json: query.json) == query)
    }
  }

  @Test(
    "What people and other languages write is read, too",
    arguments: [
      (#" { "query" : true , "version" : 1.0 } "#, AnyQuery.true),
      ("\u{FEFF}{\r\n\t\"version\": 1e0,\n\"query\": false}\n", .false),
      (#"{"version":1,"query":{"value":5.0,"op":"=","key":"a"}}"#, .equal(key: "a", value: 5.0)),
      (#"{"version":1,"query":{"key":"a","op":"=","value":1E2}}"#, .equal(key: "a", value: 100.0)),
      (#"{"version":1,"query":{"key":"a","op":"=","value":-0}}"#, .equal(key: "a", value: 0)),
      (#"{"version":1,"query":{"key":"a","op":"=","value":true}}"#, .equal(key: "a", value: 1)),
      (#"{"version":1,"query":{"key":"a","op":"in","values":[false]}}"#, .in(key: "a", values: [0])),
      (#"{"version":1,"query":{"key":"a","op":"=","value":{"real":5}}}"#, .equal(key: "a", value: 5.0)),
      (
        #"{"version":1,"query":{"k\u0065y":"\ud83d\udd25\/\b\f","op":"=","value":1}}"#,
        .equal(key: "🔥/\u{8}\u{C}", value: 1)
      ),
      (#"{"version":1,"query":{"and":[]}}"#, .true),
      (#"{"version":1,"query":{"or":[]}}"#, .false),
      (#"{"version":1,"query":{"or":[{"and":[false]}]}}"#, .false),
      (#"{"version":1,"query":{"not":{"and":[]}}}"#, !.true),
      (#"{"version":1,"query":{"and":[{"and":[true,false]},true]}}"#, .true && .false && .true),
    ])
  func readings(json: String, query: AnyQuery) throws {
    #expect(try AnyQuery(json: json) == query)
    // Foundation reads no byte order mark in a text that it is given as UTF-8 bytes, on some systems.
    let data = Data(json.utf8.drop { $0 >= 0x80 })
    #expect(try JSONDecoder().decode(AnyQuery.self, from: data) == query)
  }

  @Test("A number with a point is read as a real")
  func points() throws {
    let query = try AnyQuery(json: #"{"version":1,"query":{"key":"a","op":"in","values":[5.0,5,5e0,-0]}}"#)
    #expect(query.description == "a in (5.0, 5, 5.0, -0.0)")
  }

  @Test("What can't be stored can't be sent")
  func unstorable() {
    let good = FormExamples.a
    let queries: [(AnyQuery, String)] = [
      (.equal(key: "a", value: Double.nan), "/query"),
      (good && (good || .equal(key: "a", value: UInt.max)), "/query/and/1/or/1"),
      (!(good && good && .compare(key: "a", .equal, value: Value.real(.nan))), "/query/not/and/2"),
      (AnyQuery.between(key: "a", lower: .value(1), upper: .value(.real(.nan))), "/query/upper"),
    ]
    for (query, path) in queries {
      let error = #expect(throws: InterchangeError.self) { try query.json }
      #expect(error?.code == .invalidValue)
      #expect(error?.path == path)
      #expect(error?.suggestion != nil)
      #expect(throws: InterchangeError.self) { try query.dictionary }
      #expect(throws: InterchangeError.self) { try FetchRequest(query).queryItems }
      let encoding = #expect(throws: EncodingError.self) { try JSONEncoder().encode(query) }
      guard case .invalidValue(_, let context) = encoding else { continue }
      #expect(context.underlyingError as? InterchangeError == error)
    }
  }
}

extension Value {
  /// Tells the zero below zero from the other one.
  var sign: FloatingPointSign? {
    if case .real(let real) = self { real.sign } else { nil }
  }
}
