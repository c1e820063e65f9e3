import Query
import Testing

@Suite struct QueryTextParameterTests {
  static let parameters: [String: Value] = [
    "n": 90, "r": -1.5, "t": "it's :n or true", "b": .blob([0x00, 0xFF]), "null": .null, "é_1": "x",
  ]

  static let cases = [
    QueryTextCase("weight > :n", .greaterThan(key: "weight", value: 90)),
    QueryTextCase("weight>:n and id<:n", .greaterThan(key: "weight", value: 90) && .lessThan(key: "id", value: 90)),
    QueryTextCase("name = :t", .equal(key: "name", value: "it's :n or true")),
    QueryTextCase("name = :é_1", .equal(key: "name", value: "x")),
    QueryTextCase("data != :b", .notEqual(key: "data", value: Value.blob([0x00, 0xFF]))),
    QueryTextCase("name = :null", .isNull(key: "name")),
    QueryTextCase("weight between :r and :n", .between(key: "weight", lhs: Value.real(-1.5), rhs: Value.integer(90))),
    QueryTextCase("id not in (:n, 1, :null)", !.in(key: "id", values: [90, 1, .null] as [Value])),
    QueryTextCase("name contains :t", .contains(key: "name", value: "it's :n or true")),
    QueryTextCase(
      "name not starts with :t ignoring case", !.hasPrefix(key: "name", value: "it's :n or true", ignoringCase: true)),
    QueryTextCase("name = ':r' or id = :n", .equal(key: "name", value: ":r") || .equal(key: "id", value: 90)),
    QueryTextCase("\":r\" = :n", .equal(key: ":r", value: 90)),
  ]

  @Test("A parameter is the value that is given beside the text", arguments: cases)
  func parsing(_ example: QueryTextCase) throws {
    let names = Self.parameters.keys.filter { name in
      example.text.split { " ,()<>".contains($0) }.contains(":\(name)")
    }
    let parameters = Self.parameters.filter { names.contains($0.key) }
    #expect(try AnyQuery(parsing: example.text, parameters: parameters) == example.query)
  }

  @Test("A parameter is found by the bytes of its name")
  func composedNames() throws {
    #expect(throws: ParseError.self) { try AnyQuery(parsing: "a = :\u{E9}", parameters: ["e\u{301}": 1]) }
    #expect(try AnyQuery(parsing: "a = :\u{E9}", parameters: ["\u{E9}": 1]) == .equal(key: "a", value: 1))
  }

  @Test("The example of the documentation is true")
  func documentedExample() throws {
    let query = try AnyQuery(parsing: "weight > :least and name = :name", parameters: ["least": 90, "name": "it's"])
    #expect(query == (.greaterThan(key: "weight", value: 90) && .equal(key: "name", value: "it's")))
  }

  @Test("A value may depend on where its parameter stands")
  func uses() throws {
    var uses: [ParameterOccurrence] = []
    let query = try AnyQuery(parsing: "a = :x and b in (:x) or c like :x", parameters: [Name("x")]) { use in
      uses.append(use)
      return .text((use.key ?? ""))
    }
    #expect(query.description == "a = 'a' and b in ('b') or c like 'c'")
    #expect(uses.map(\.name) == ["x", "x", "x"])
    #expect(uses.map(\.isText) == [false, false, true])
  }

  @Test(
    "Errors say which parameter is meant, and where",
    arguments: [
      ParseErrorCase("a = :m", 4, "a value", "`:m`", "did you mean :n?", reason: "the parameter has no value"),
      ParseErrorCase("a = 1 and b = :zzzz", 14, "a value", "`:zzzz`", nil, reason: "the parameter has no value"),
      ParseErrorCase("a in (1, :m)", 9, "a value", "`:m`", "did you mean :n?", reason: "the parameter has no value"),
      ParseErrorCase("a like :m", 7, "a text", "`:m`", "did you mean :n?", reason: "the parameter has no value"),
      ParseErrorCase("a like :n", 7, "a text", "`:n`", nil, reason: "the parameter's value is none"),
      ParseErrorCase(
        "a = 1", 5, "the parameter `:n` in the query", "the end of the text", nil,
        reason: "it has a value, and stands nowhere in the text"),
      ParseErrorCase("a :n 1", 2, "an operator, such as `=` or `in`", "`:n`", nil),
      ParseErrorCase("a = :", 4, "a value or a key", "`:`", nil),
      ParseErrorCase("a in :n", 5, "`(`", "`:n`", "put the values in parentheses: in (1, 2)"),
    ])
  func errors(expected: ParseErrorCase) {
    expected.check { text throws(ParseError) in _ = try AnyQuery(parsing: text, parameters: ["n": 1]) }
  }

  @Test("A text without parameters has no values")
  func none() {
    ParseErrorCase("a = :n", 4, "a value", "`:n`", nil, reason: "the parameter has no value")
      .check { text throws(ParseError) in _ = try AnyQuery(parsing: text) }
  }

  @Test(
    "A literal alone is a value",
    arguments: [
      ("12", 12), (" -1.5e3 ", -1500.0), ("'it''s'", "it's"), ("x'00ff'", .blob([0, 0xFF])), ("true", 1),
      ("null", .null), ("007", 7), ("", nil), ("fire", nil), ("1 or true", nil), ("1,2", nil), ("2026-11-20", nil),
    ] as [(String, Value?)])
  func literal(text: String, value: Value?) {
    #expect(Value(literal: text) == value)
  }
}
