import Foundation
import Query
import Testing

@Suite("The JSON form of a query")
struct QueryFormTests {
  @Test(
    "A query has one form, which is read back as the same query",
    arguments: FormExamples.conditions + FormExamples.connectives)
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
    ] as [(String, AnyQuery)])
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

  @Test("A value that no store can save can't be sent")
  func unstorable() {
    let good = FormExamples.a
    let queries: [(AnyQuery, String)] = [
      (.equal(key: "a", value: Double.nan), "/query"),
      (good && (good || .equal(key: "a", value: UInt.max)), "/query/and/1/or/1"),
      (!(good && good && .compare(key: "a", .equal, value: Value.real(.nan))), "/query/not/and/2"),
      (AnyQuery.between(key: "a", lower: .value(1), upper: .value(.real(.nan))), "/query/upper"),
    ]
    for (query, path) in queries {
      let error = #expect(throws: JSONCodingError.self) { try query.json }
      #expect(error?.code == .invalidValue)
      #expect(error?.path == path)
      #expect(error?.suggestion != nil)
      #expect(throws: JSONCodingError.self) { try query.dictionary }
      #expect(throws: JSONCodingError.self) { try FetchRequest(query).queryItems }
      let encoding = #expect(throws: EncodingError.self) { try JSONEncoder().encode(query) }
      guard case .invalidValue(_, let context) = encoding else { continue }
      #expect(context.underlyingError as? JSONCodingError == error)
    }
  }
}

extension Value {
  /// Tells the zero below zero from the other one.
  var sign: FloatingPointSign? {
    if case .real(let real) = self { real.sign } else { nil }
  }
}

@Suite("The JSON forms of sorts and requests")
struct RequestFormTests {
  @Test("A sort has one form, which is read back as the same sort", arguments: FormExamples.sorts)
  func sorts(sort: AnySort, form: String) throws {
    let json = #"{"version":1,"sort":\#(form)}"#
    #expect(try sort.json == json)
    #expect(try AnySort(json: json) == sort)
    #expect(try AnySort(dictionary: sort.dictionary) == sort)
    #expect(try JSONDecoder().decode(AnySort.self, from: JSONEncoder().encode(sort)) == sort)
  }

  @Test("Default fields may be written")
  func explicit() throws {
    let json = #"{"version":1,"sort":[{"key":"a","direction":"ascending","nulls":"first"}]}"#
    #expect(try AnySort(json: json) == .ascending(key: "a"))
  }

  static let cursor: Cursor? = try? Cursor(parsing: "GU8nTu1yYu50AAAAAAAAAALDqWkAAAAAAAAABw")

  static let examples: [(FetchRequest, String)] = [
    (FetchRequest(), #"{"version":1,"query":true}"#),
    (FetchRequest(limit: 0), #"{"version":1,"query":true,"limit":0}"#),
    (FetchRequest(limit: .max, offset: 7), #"{"version":1,"query":true,"limit":9223372036854775807,"offset":7}"#),
    // Refused when it is carried out, by every store and in the same words.
    (FetchRequest(limit: -1, offset: -2), #"{"version":1,"query":true,"limit":-1,"offset":-2}"#),
    (
      FetchRequest(FormExamples.weight, sortedBy: .descending(key: "weight"), limit: 20, offset: 40),
      #"{"version":1,"query":{"key":"weight","op":">","value":90},"sort":[{"key":"weight","direction":"descending"}],"#
        + #""limit":20,"offset":40}"#
    ),
    (
      FetchRequest(after: cursor, before: cursor),
      #"{"version":1,"query":true,"after":"GU8nTu1yYu50AAAAAAAAAALDqWkAAAAAAAAABw","#
        + #""before":"GU8nTu1yYu50AAAAAAAAAALDqWkAAAAAAAAABw"}"#
    ),
  ]

  @Test("A request has one form, which is read back as the same request", arguments: Self.examples)
  func requests(request: FetchRequest, json: String) throws {
    #expect(try request.json == json)
    #expect(try FetchRequest(json: json) == request)
    #expect(try FetchRequest(dictionary: request.dictionary) == request)
    #expect(try JSONDecoder().decode(FetchRequest.self, from: JSONEncoder().encode(request)) == request)
  }

  @Test("The form of a query or a sort is one of a request")
  func parts() throws {
    #expect(try FetchRequest(json: FormExamples.weight.json) == FetchRequest(FormExamples.weight))
    let sort = AnySort.descending(key: "weight")
    #expect(try FetchRequest(json: sort.json) == FetchRequest(sortedBy: sort))
    #expect(try FetchRequest(json: #"{"version":1}"#) == FetchRequest())
  }

  @Test("A dictionary takes other fields, and gives them back")
  func dictionaries() throws {
    let request = FetchRequest(FormExamples.weight, limit: 5)
    var body = try request.dictionary
    #expect(body.keys.sorted() == ["limit", "query", "version"])
    #expect(body["limit"] == 5)
    body["token"] = "secret"
    let data = try JSONEncoder().encode(body)
    var received = try JSONDecoder().decode([String: JSONValue].self, from: data)
    #expect(received.removeValue(forKey: "token") == "secret")
    #expect(try FetchRequest(dictionary: received) == request)
    #expect(throws: JSONCodingError.self) { try FetchRequest(dictionary: body) }
  }
}

/// Queries, sorts, requests and values beside their JSON forms, letter for letter.
enum FormExamples {
  static let weight = AnyQuery.greaterThan(key: "weight", value: 90)
  static let (a, b, c) = (AnyQuery.isNull(key: "a"), AnyQuery.isNull(key: "b"), AnyQuery.isNull(key: "c"))
  private static let (formA, formB, formC) = (formOfNull("a"), formOfNull("b"), formOfNull("c"))

  private static func formOfNull(_ key: String) -> String { #"{"key":"\#(key)","op":"=","value":null}"# }

  static let conditions: [(AnyQuery, String)] = [
    (.true, "true"),
    (.false, "false"),
    (.equal(key: "type", value: "fire"), #"{"key":"type","op":"=","value":"fire"}"#),
    (.notEqual(key: "type", value: "fire"), #"{"key":"type","op":"!=","value":"fire"}"#),
    (.lessThan(key: "id", value: 5), #"{"key":"id","op":"<","value":5}"#),
    (.lessThanOrEqual(key: "id", value: 5), #"{"key":"id","op":"<=","value":5}"#),
    (.greaterThan(key: "id", value: 5), #"{"key":"id","op":">","value":5}"#),
    (.greaterThanOrEqual(key: "id", value: 5), #"{"key":"id","op":">=","value":5}"#),
    (.isNull(key: "habitat"), #"{"key":"habitat","op":"=","value":null}"#),
    (.isNotNull(key: "habitat"), #"{"key":"habitat","op":"!=","value":null}"#),
    (.equal(key: "attack", otherKey: "defense"), #"{"key":"attack","op":"=","value":{"key":"defense"}}"#),
    (.equal(key: "attack", value: "defense"), #"{"key":"attack","op":"=","value":"defense"}"#),
    (.between(key: "id", lhs: 1, rhs: 100), #"{"key":"id","op":"between","lower":1,"upper":100}"#),
    (
      .between(key: "id", lower: .key("least"), upper: .value(2.5)),
      #"{"key":"id","op":"between","lower":{"key":"least"},"upper":2.5}"#
    ),
    (
      .in(key: "type", values: ["fire", nil, "water"]),
      #"{"key":"type","op":"in","values":["fire",null,"water"]}"#
    ),
    (.in(key: "type", values: [Int]()), #"{"key":"type","op":"in","values":[]}"#),
    (.contains(key: "name", value: "char"), #"{"key":"name","op":"contains","value":"char"}"#),
    (.hasPrefix(key: "name", value: "Ch"), #"{"key":"name","op":"starts with","value":"Ch"}"#),
    (.hasSuffix(key: "name", value: ""), #"{"key":"name","op":"ends with","value":""}"#),
    (.like(key: "name", value: #"_\%%"#), #"{"key":"name","op":"like","value":"_\\%%"}"#),
    (
      .contains(key: "name", value: "char", ignoringCase: true),
      #"{"key":"name","op":"contains","value":"char","ignoring":"case"}"#
    ),
    (
      .like(key: "name", value: "%", ignoringCase: true),
      #"{"key":"name","op":"like","value":"%","ignoring":"case"}"#
    ),
  ]

  static let connectives: [(AnyQuery, String)] = [
    (!a, #"{"not":\#(formA)}"#),
    (!(!a), #"{"not":{"not":\#(formA)}}"#),
    (!AnyQuery.true, #"{"not":true}"#),
    (a && b, #"{"and":[\#(formA),\#(formB)]}"#),
    (a || b, #"{"or":[\#(formA),\#(formB)]}"#),
    (a && b && c, #"{"and":[\#(formA),\#(formB),\#(formC)]}"#),
    (a && (b && c), #"{"and":[\#(formA),{"and":[\#(formB),\#(formC)]}]}"#),
    (a && b && (c && a), #"{"and":[\#(formA),\#(formB),{"and":[\#(formC),\#(formA)]}]}"#),
    (a && b || c, #"{"or":[{"and":[\#(formA),\#(formB)]},\#(formC)]}"#),
    ((a || b) && c, #"{"and":[{"or":[\#(formA),\#(formB)]},\#(formC)]}"#),
    (!(a && b) || c, #"{"or":[{"not":{"and":[\#(formA),\#(formB)]}},\#(formC)]}"#),
    (AnyQuery.true && .false, #"{"and":[true,false]}"#),
  ]

  static let values: [(Value, String)] = [
    (.null, "null"), (0, "0"), (-1, "-1"),
    (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
    (9_007_199_254_740_993, "9007199254740993"),
    (1.5, "1.5"), (0.1, "0.1"), (.real(.leastNonzeroMagnitude), "5e-324"),
    (5.0, #"{"real":5.0}"#), (-0.0, #"{"real":-0.0}"#), (1e300, #"{"real":1e+300}"#),
    (9_007_199_254_740_992.0, #"{"real":9007199254740992.0}"#),
    (.real(.infinity), #"{"real":"infinity"}"#), (.real(-.infinity), #"{"real":"-infinity"}"#),
    ("", #""""#), ("null", #""null""#), ("\0\u{1}\n\t\r\u{1F}\u{7F}", #""\u0000\u0001\n\u0009\u000d\u001f\#u{7F}""#),
    (#""\/"#, #""\"\\/""#), ("\u{E9}", "\"\u{E9}\""), ("e\u{301}", "\"e\u{301}\""),
    ("👩‍🚀\u{10FFFF}\u{FEFF}", "\"👩‍🚀\u{10FFFF}\u{FEFF}\""), ("\u{301}", "\"\u{301}\""),
    (.blob([]), #"{"blob":""}"#), (.blob([1, 2]), #"{"blob":"AQI="}"#),
    (.blob([0xFB, 0xFF]), #"{"blob":"+/8="}"#),
  ]

  static let sorts: [(AnySort, String)] = [
    (.primaryKey, "[]"),
    (.ascending(key: "name"), #"[{"key":"name"}]"#),
    (.descending(key: "name"), #"[{"key":"name","direction":"descending"}]"#),
    (.ascending(key: "name", nulls: .last), #"[{"key":"name","nulls":"last"}]"#),
    (
      .descending(key: "name", nulls: .first) + .ascending(key: "e\u{301}"),
      "[{\"key\":\"name\",\"direction\":\"descending\",\"nulls\":\"first\"},{\"key\":\"e\u{301}\"}]"
    ),
  ]
}
