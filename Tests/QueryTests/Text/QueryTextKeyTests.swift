import Query
import Testing

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
    ])
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
      #expect(comparison.key.utf8.elementsEqual(key.utf8))
    }
  }
}
