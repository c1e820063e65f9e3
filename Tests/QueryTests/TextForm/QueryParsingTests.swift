import Query
import Testing

/// A text and the query that it means.
struct QueryTextCase: CustomTestStringConvertible, Sendable {
  let text: String
  let query: AnyQuery

  init(_ text: String, _ query: AnyQuery) {
    (self.text, self.query) = (text, query)
  }

  var testDescription: String { text }
}

@Suite struct QueryTextParsingTests {
  static let comparisons = [
    QueryTextCase("weight = 90", .equal(key: "weight", value: 90)),
    QueryTextCase("weight == 90", .equal(key: "weight", value: 90)),
    QueryTextCase("weight != 90", .notEqual(key: "weight", value: 90)),
    QueryTextCase("weight <> 90", .notEqual(key: "weight", value: 90)),
    QueryTextCase("weight < 90", .lessThan(key: "weight", value: 90)),
    QueryTextCase("weight <= 90", .lessThanOrEqual(key: "weight", value: 90)),
    QueryTextCase("weight > 90", .greaterThan(key: "weight", value: 90)),
    QueryTextCase("weight >= 90", .greaterThanOrEqual(key: "weight", value: 90)),
    QueryTextCase("weight>90", .greaterThan(key: "weight", value: 90)),
    QueryTextCase("weight<-90", .lessThan(key: "weight", value: -90)),
    QueryTextCase("attack > defense", .greaterThan(key: "attack", otherKey: "defense")),
    QueryTextCase("attack=\"base attack\"", .equal(key: "attack", otherKey: "base attack")),
    QueryTextCase("type = fire", .equal(key: "type", otherKey: "fire")),
    QueryTextCase("type = \"fire\"", .equal(key: "type", otherKey: "fire")),
    QueryTextCase("type = 'fire'", .equal(key: "type", value: "fire")),
    QueryTextCase("type = null", .isNull(key: "type")),
    QueryTextCase("type != null", .isNotNull(key: "type")),
    QueryTextCase("type is null", .isNull(key: "type")),
    QueryTextCase("type is not null", .isNotNull(key: "type")),
    QueryTextCase("type < null", .lessThan(key: "type", value: Value.null)),
    QueryTextCase("isLegendary = true", .equal(key: "isLegendary", value: 1)),
    QueryTextCase("isLegendary = false", .equal(key: "isLegendary", value: 0)),
    QueryTextCase("true", .true),
    QueryTextCase("false", .false),
    QueryTextCase(" \t\r\n weight \n=\r90\t", .equal(key: "weight", value: 90)),
  ]

  static let otherConditions = [
    QueryTextCase("id between 1 and 100", .between(key: "id", lhs: 1, rhs: 100)),
    QueryTextCase(
      "id between low and \"high\"", .between(key: "id", lower: .key("low"), upper: .key("high"))),
    QueryTextCase("id between null and 5.5", .between(key: "id", lhs: Value.null, rhs: 5.5)),
    QueryTextCase("id not between 1 and 100", !.between(key: "id", lhs: 1, rhs: 100)),
    QueryTextCase("type in ()", .in(key: "type", values: [Value]())),
    QueryTextCase("type in ( )", .in(key: "type", values: [Value]())),
    QueryTextCase("type in('fire','water')", .in(key: "type", values: ["fire", "water"])),
    QueryTextCase(
      "type in (1, -2.5, 'a', x'', null, true)",
      .in(key: "type", values: [1, -2.5, "a", .blob([]), .null, 1] as [Value])),
    QueryTextCase("type not in ('fire')", !.in(key: "type", values: ["fire"])),
    QueryTextCase("name contains 'saur'", .contains(key: "name", value: "saur")),
    QueryTextCase("name starts with 'Char'", .hasPrefix(key: "name", value: "Char")),
    QueryTextCase("name starts\nwith'Char'", .hasPrefix(key: "name", value: "Char")),
    QueryTextCase("name ends with 'eon'", .hasSuffix(key: "name", value: "eon")),
    QueryTextCase("name like '%a_'", .like(key: "name", value: "%a_")),
    QueryTextCase("name not contains ''", !.contains(key: "name", value: "")),
    QueryTextCase(
      "name = 'it''s \"here\"' and \"a\"\"b\" = ''''",
      .equal(key: "name", value: "it's \"here\"") && .equal(key: "a\"b", value: "'")),
    QueryTextCase("name not starts with 'a'", !.hasPrefix(key: "name", value: "a")),
    QueryTextCase("name not ends with 'a'", !.hasSuffix(key: "name", value: "a")),
    QueryTextCase("name not like 'a'", !.like(key: "name", value: "a")),
    QueryTextCase(
      "name contains 'ß' ignoring case", .contains(key: "name", value: "ß", ignoringCase: true)),
    QueryTextCase(
      "name not like 'a%' ignoring case and true", !.like(key: "name", value: "a%", ignoringCase: true) && .true),
  ]

  static let folded: [(text: String, meaning: String)] = [
    ("name = 'Straße' ignoring case", "folded(name) = 'strasse'"),
    ("name != 'ANN' ignoring case and true", "folded(name) != 'ann' and true"),
    ("'ANN' < name ignoring case", "'ann' < folded(name)"),
    ("name = other.name ignoring case", "folded(name) = folded(other.name)"),
    ("name not in ('A', null) ignoring case", "folded(name) not in ('a', null)"),
    ("name between 'A' and other ignoring case", "folded(name) between 'a' and folded(other)"),
    ("if(name = 'A' ignoring case, 1, 2) = 1", "if(folded(name) = 'a', 1, 2) = 1"),
  ]

  @Test("`ignoring case` behind a comparison folds its sides", arguments: folded)
  func folding(text: String, meaning: String) throws {
    #expect(try AnyQuery(parsing: text) == AnyQuery(parsing: meaning))
    #expect(try AnyQuery(parsing: text).description == meaning)
  }

  @Test("What is equal but for its case has operators, and keys of sorts a word, of their own")
  func foldedKeys() throws {
    #expect(try AnyQuery(parsing: "a = 'É' ignoring case") == .equal(key: "a", value: "É", ignoringCase: true))
    #expect(AnyQuery.equal(key: "a", value: "É", ignoringCase: false) == .equal(key: "a", value: "É"))
    #expect(
      try AnySort(parsing: "-a ignoring case, b || c ignoring case desc nulls first").description
        == "folded(a) desc, folded(b || c) desc nulls first")
    #expect(try AnyExpression(parsing: "a.b ignoring case").description == "folded(a.b)")
    #expect(throws: ParseError.self) { try AnySort(parsing: "a desc ignoring case") }
  }

  @Test("A text means the query that it says", arguments: comparisons + otherConditions)
  func parsing(_ example: QueryTextCase) throws {
    let query = try AnyQuery(parsing: example.text)
    #expect(query == example.query)
    #expect(query.description == example.query.description)
  }

  @Test(
    "Keywords may be in any case",
    arguments: [
      ("NOT id = 1 AND id Between 1 AND 2 Or TRUE", "not id = 1 and id between 1 and 2 or true"),
      ("a IS NULL and b Is Not Null", "a is null and b is not null"),
      ("a NOT IN (NULL, True, FALSE, X'AF')", "a not in (null, 1, 0, x'af')"),
      ("a CONTAINS '' Ignoring CASE", "a contains '' ignoring case"),
      ("a STARTS With '' or a eNDS wITH '' or a LIKE ''", "a starts with '' or a ends with '' or a like ''"),
    ])
  func keywordCase(text: String, description: String) throws {
    #expect(try AnyQuery(parsing: text).description == description)
  }

  @Test("The example of the design reads as it does there")
  func example() throws {
    let query = AnyQuery.between(key: "id", lhs: 1, rhs: 100) && .notEqual(key: "type", value: "fire")
    #expect(query.description == "id between 1 and 100 and type != 'fire'")
    #expect(try AnyQuery(parsing: query.description) == query)
  }

  @Test("The example of the documentation is true")
  func documentedExample() throws {
    let query = try AnyQuery(parsing: "weight > 90 and not type in ('fire', 'water')")
    #expect(query == (.greaterThan(key: "weight", value: 90) && !.in(key: "type", values: ["fire", "water"])))
  }
}

@Suite struct QueryTextPrecedenceTests {
  private static let (a, b, c, d) = (key("a"), key("b"), key("c"), key("d"))

  private static func key(_ key: String) -> AnyQuery { .equal(key: key, value: 1) }

  /// The letters a to d stand for the conditions `a = 1` to `d = 1`.
  static let connectives = [
    QueryTextCase("a and b and c", .init(.and(.init(.and(a, b)), c))),
    QueryTextCase("a or b or c", .init(.or(.init(.or(a, b)), c))),
    QueryTextCase("a or b and c", .init(.or(a, .init(.and(b, c))))),
    QueryTextCase("a and b or c", .init(.or(.init(.and(a, b)), c))),
    QueryTextCase("a and b or c and d", (a && b) || (c && d)),
    QueryTextCase("a or b and c or d", (a || (b && c)) || d),
    QueryTextCase("not a and b", !a && b),
    QueryTextCase("not a or not b", !a || !b),
    QueryTextCase("not not a", .init(.not(.init(.not(a))))),
    QueryTextCase("a and not b and c", (a && !b) && c),
    QueryTextCase("not (a and b)", !(a && b)),
    QueryTextCase("not (a or b) and c", !(a || b) && c),
    QueryTextCase("a and (b and c)", a && (b && c)),
    QueryTextCase("a or (b or c)", a || (b || c)),
    QueryTextCase("(a or b) and c", (a || b) && c),
    QueryTextCase("a and (b or c) and d", (a && (b || c)) && d),
    QueryTextCase("a and (b or c and (d or a))", a && (b || (c && (d || a)))),
    QueryTextCase("not not (a or not (b and c))", !(!(a || !(b && c)))),
  ]

  private static func spellOut(_ text: String) -> String {
    text.split(separator: " ").map { word in
      guard let letter = word.first(where: \.isLetter), word.count(where: \.isLetter) == 1 else { return String(word) }
      return String(word).replacing(String(letter), with: "\(letter) = 1")
    }.joined(separator: " ")
  }

  @Test(
    "Connectives bind as they do in Swift, and are printed with no more parentheses than needed", arguments: connectives
  )
  func binding(_ example: QueryTextCase) throws {
    let text = Self.spellOut(example.text)
    #expect(try AnyQuery(parsing: text) == example.query)
    #expect(example.query.description == text)
  }

  @Test(
    "Parentheses that change nothing are not kept",
    arguments: [
      ("((a = 1))", "a = 1"), ("(a = 1 and b = 1) and c = 1", "a = 1 and b = 1 and c = 1"),
      ("(a = 1 and b = 1) or c = 1", "a = 1 and b = 1 or c = 1"), ("not (a = 1)", "not a = 1"),
      ("not(not(a = 1))", "not not a = 1"), ("(true)and(false)", "true and false"),
      ("not (a in (1))", "a not in (1)"), ("not (a not in (1))", "not a not in (1)"),
    ] as [(String, String)])
  func redundantParentheses(text: String, description: String) throws {
    #expect(try AnyQuery(parsing: text).description == description)
  }

  @Test("The `and` of `between` joins nothing")
  func betweenBindsItsAnd() throws {
    let query = try AnyQuery(parsing: "a between 1 and 2 and b between 3 and 4 or not c between 5 and 6")
    let (a, b) = (AnyQuery.between(key: "a", lhs: 1, rhs: 2), AnyQuery.between(key: "b", lhs: 3, rhs: 4))
    #expect(query == ((a && b) || !.between(key: "c", lhs: 5, rhs: 6)))
  }
}

@Suite struct QueryTextKeyTests {
  @Test(
    "A key is written as it is where that can only be a key, and else in double quotes",
    arguments: [
      ("weight", "weight"), ("_", "_"), ("_private", "_private"), ("x", "x"), ("X1", "X1"), ("été", "été"),
      ("タイプ", "タイプ"), ("체중", "체중"), ("वज़न", "वज़न"), ("a·b", "a·b"),
      ("contains", "contains"), ("starts", "starts"), ("ends", "ends"), ("with", "with"), ("ignoring", "ignoring"),
      ("case", "case"), ("asc", "asc"), ("desc", "desc"), ("nulls", "nulls"), ("first", "first"), ("Last", "Last"),
      ("", "\"\""), (" ", "\" \""), ("base attack", "\"base attack\""), ("1st", "\"1st\""),
      ("stats.hp", "\"stats.hp\""),
      ("a-b", "\"a-b\""), ("a\"b", "\"a\"\"b\""), ("\"", "\"\"\"\""), ("it's", "\"it's\""), ("🔥", "\"🔥\""),
      ("重さ(kg)", "\"重さ(kg)\""), ("\u{301}a", "\"\u{301}a\""), ("\"\u{301}", "\"\"\"\u{301}\""),
      ("a\nb\0", "\"a\nb\0\""), ("１st", "\"１st\""),
      ("and", "\"and\""), ("OR", "\"OR\""), ("Not", "\"Not\""), ("true", "\"true\""), ("FALSE", "\"FALSE\""),
      ("null", "\"null\""), ("between", "\"between\""), ("in", "\"in\""), ("is", "\"is\""), ("like", "\"like\""),
      ("li\u{212A}e", "li\u{212A}e"), ("ınd", "ınd"),
    ] as [(String, String)])
  func spelling(key: String, spelling: String) throws {
    let queries: [AnyQuery] = [
      .equal(key: key, value: 1), .equal(key: "a", otherKey: key), .isNull(key: key),
      .between(key: key, lower: .key(key), upper: .key(key)), !.in(key: key, values: [1]),
      .contains(key: key, value: "x", ignoringCase: true),
    ]
    for query in queries {
      let text = query.description
      #expect(text.utf8.elementsEqual(try AnyQuery(parsing: text).description.utf8))
      #expect(try AnyQuery(parsing: text) == query)
    }
    #expect(queries[0].description.utf8.elementsEqual("\(spelling) = 1".utf8))
    let sort = AnySort.descending(key: key, nulls: .first) + .ascending(key: key)
    #expect(sort.description.utf8.elementsEqual("\(spelling) desc nulls first, \(spelling)".utf8))
    #expect(try AnySort(parsing: sort.description).description.utf8.elementsEqual(sort.description.utf8))
  }

  @Test("Words that mean something only elsewhere are keys where a key stands")
  func wordsAsKeys() throws {
    let text = "case = 1 and starts starts with 'a' and contains contains 'b' ignoring case and with = ends or x = x"
    #expect(try AnyQuery(parsing: text).description == text)
    let quoted = "\"in\" in (1) and \"is\" is null and \"not\" not between \"and\" and \"or\" and \"like\" like 'a'"
    #expect(try AnyQuery(parsing: quoted).description == quoted)
    #expect(
      try AnySort(parsing: "asc asc, -desc, nulls nulls last, first").description
        == "asc, desc desc, nulls nulls last, first")
  }

  @Test("Keys that differ only in composition stay apart")
  func composition() throws {
    for key in ["caf\u{E9}", "cafe\u{301}"] {
      let query = try AnyQuery(parsing: "\(key) = 1")
      guard case .condition(.comparison(let comparison)) = query.form else {
        Issue.record("no comparison: \(query)")
        continue
      }
      #expect(comparison.key == .key(key))
    }
  }

  @Test(
    "A text is cut at its tokens, and nothing of it gets lost",
    arguments: [
      ("age > -1 and name = 'it''s'", ["-1", "'it''s'"]), (" \"a b\"=x'00' ", ["x'00'"]), ("a = 'open", []),
      ("a && 2.5e3 — ü", ["2.5e3"]), (":v in (1, null)", ["1"]), ("", []), ("  ", []),
    ])
  func pieces(text: String, literals: [String]) {
    let pieces = TokenText.pieces(of: text)
    #expect(pieces.map(\.text).joined() == text)
    #expect(pieces.filter(\.isLiteral).map(\.text) == literals)
  }
}
