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
    for (text, uses) in Self.uses {
      var found: [Int: String] = [:]
      let parameters = QueryParameters([Name("x")]) { occurrence in
        let use =
          switch occurrence.use {
          case .compared(let expression): "\(expression)"
          case .text: "text"
          case .number: "number"
          case .any: "any"
          }
        found[occurrence.offset] = (occurrence.tables + [use]).joined(separator: ": ")
        return "x"
      }
      _ = try ParsedText(query: text, parameters)
      #expect(found.sorted { $0.key < $1.key }.map(\.value) == uses, "\(text)")
    }
  }

  /// Texts, and what is done with their parameters.
  static let uses: [(text: String, uses: [String])] = [
    ("a = :x and b in (:x, 1, :x) or c like :x", ["a", "b", "b", "text"]),
    ("a.b = :x and c + 1 > :x and a.b between :x and :x", ["a.b", "c + 1", "a.b", "a.b"]),
    (":x = a.b and :x in ('a') and :x > 1 and not :x contains 'a'", ["a.b", "text", "number", "text"]),
    (":x || a = 'x' and a = 'x' || :x", ["text", "text"]),
    ("a = :x * 2 and -:x > 1 and 2 - :x < a", Array(repeating: "number", count: 3)),
    ("coalesce(a, :x) = 1 and b = coalesce(:x, a)", ["a", "b"]), ("if(a = :x, b, :x) = 1", ["a", "b"]),
    ("length(:x) = 1 and year(:x) = 2 and abs(:x) = 3", ["text", "text", "number"]),
    ("any t (a = :x and no u by b (c.d = :x))", ["t: a", "t: u: c.d"]),
    ("count(t where a = :x) > :x", ["t: a", "count(t where a = 'x')"]),
    ("sum(if(a = :x, 1, 0) of t) > 1", ["t: a"]), ("(a) = (:x)", ["a"]), ("a = -:x", ["number"]),
  ]

  @Test("A parameter stands in every text in which a value may")
  func otherTexts() throws {
    let values: [String: Value] = ["n": 2, "t": "x"]
    #expect(try AnySort(parsing: "-(a * :n), b || :t", parameters: values) == AnySort(parsing: "-(a * 2), b || 'x'"))
    #expect(try AnyExpression(parsing: "a * :n || :t", parameters: values) == AnyExpression(parsing: "a * 2 || 'x'"))
    #expect(
      try [ProjectedColumn](parsing: "a * :n as b, :t as c", parameters: values)
        == [ProjectedColumn](parsing: "a * 2 as b, 'x' as c"))
    #expect(
      try AnyQuery(parsingHaving: "count() > :n and max(a where b = :t) > 1", parameters: values)
        == AnyQuery(parsingHaving: "count() > 2 and max(a where b = 'x') > 1"))
    #expect(
      try Assignment(parsing: "a = if(b = :t, :n, a)", parameters: values)
        == Assignment(parsing: "a = if(b = 'x', 2, a)"))
    let texts: [(String, (String, [String: Value]) throws -> Void)] = [
      ("a", { _ = try AnySort(parsing: $0, parameters: $1) }), ("", { _ = try AnySort(parsing: $0, parameters: $1) }),
      ("a", { _ = try AnyExpression(parsing: $0, parameters: $1) }),
      ("a", { _ = try [ProjectedColumn](parsing: $0, parameters: $1) }),
      ("a > 1", { _ = try AnyQuery(parsingHaving: $0, parameters: $1) }),
      ("a = 1", { _ = try Assignment(parsing: $0, parameters: $1) }),
    ]
    for (text, read) in texts {
      let unused = #expect(throws: ParseError.self) { try read(text, ["n": 1]) }
      #expect(unused?.expected == "the parameter `:n` in the query")
      let missing = #expect(throws: ParseError.self) {
        try read(text.isEmpty ? "if(a = :m, 1, 2)" : "\(text) + :m", [:])
      }
      #expect(missing?.reason == "the parameter has no value", "\(text)")
    }
    #expect(throws: ParseError.self) { try AnySort(parsing: ":n", parameters: ["n": 1]) }
  }

  @Test(
    "Errors say which parameter is meant, and where",
    arguments: [
      ParseErrorCase("a = :m", 4, "a value", "`:m`", "did you mean :n?", reason: "the parameter has no value"),
      ParseErrorCase("a = 1 and b = :zzzz", 14, "a value", "`:zzzz`", nil, reason: "the parameter has no value"),
      ParseErrorCase("a in (1, :m)", 9, "a value", "`:m`", "did you mean :n?", reason: "the parameter has no value"),
      ParseErrorCase("a like :m", 7, "text", "`:m`", "did you mean :n?", reason: "the parameter has no value"),
      ParseErrorCase("a like :n", 7, "text", "`:n`", nil, reason: "the value of the parameter is missing"),
      ParseErrorCase(
        "a = 1", 5, "the parameter `:n` in the query", "the end of the text", nil,
        reason: "the parameter has a value, but does not occur in the text"),
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
