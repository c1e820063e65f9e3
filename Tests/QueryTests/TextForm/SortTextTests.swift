import Query
import Testing

@Suite struct SortTextTests {
  @Test(
    "A text means the sort that it says",
    arguments: [
      ("", .primaryKey, ""), (" \n", .primaryKey, ""),
      ("name", .ascending(key: "name"), "name"), ("name asc", .ascending(key: "name"), "name"),
      ("name desc", .descending(key: "name"), "name desc"), ("-name", .descending(key: "name"), "name desc"),
      ("- name", .descending(key: "name"), "name desc"), ("-\"a b\"", .descending(key: "a b"), "\"a b\" desc"),
      ("name nulls first", .ascending(key: "name"), "name"),
      ("name nulls last", .ascending(key: "name", nulls: .last), "name nulls last"),
      ("name desc nulls last", .descending(key: "name"), "name desc"),
      ("name DESC Nulls FIRST", .descending(key: "name", nulls: .first), "name desc nulls first"),
      ("-name nulls first", .descending(key: "name", nulls: .first), "name desc nulls first"),
      (
        "weight desc, name nulls last", .descending(key: "weight") + .ascending(key: "name", nulls: .last),
        "weight desc, name nulls last"
      ),
      ("a,b,-c", .ascending(key: "a") + .ascending(key: "b") + .descending(key: "c"), "a, b, c desc"),
      ("a, a", .ascending(key: "a") + .ascending(key: "a"), "a, a"),
    ] as [(String, AnySort, String)])
  func parsing(text: String, sort: AnySort, description: String) throws {
    #expect(try AnySort(parsing: text) == sort)
    #expect(sort.description == description)
    #expect(try AnySort(parsing: description) == sort)
  }

  @Test("Any sort is read back from its text")
  func roundTrip() throws {
    var random = QueryTextRandom(seed: 7)
    for _ in 0..<500 {
      let sort = random.sort()
      let text = sort.description
      #expect(try AnySort(parsing: text) == sort)
      #expect(try AnySort(parsing: text).description.utf8.elementsEqual(text.utf8))
    }
  }

  @Test("A long sort takes no stack and linear time")
  func longSort() throws {
    let sort = AnySort((0..<100_000).map { SortTerm(key: "k\($0)", direction: .descending, nulls: .first) })
    #expect(try AnySort(parsing: sort.description) == sort)
  }

  static let slips = [
    ParseErrorCase(",", 0, "a key", "`,`", nil),
    ParseErrorCase("name,", 5, "a key", "the end of the text", "remove the last comma"),
    ParseErrorCase("-", 1, "a key", "the end of the text", nil),
    ParseErrorCase("--name", 1, "a key", "`-`", "write `-` once"),
    ParseErrorCase("+name", 0, "a key", "`+`", "remove the word: keys sort ascending by default"),
    ParseErrorCase("1", 0, "a key", "`1`", nil),
    ParseErrorCase("'name'", 0, "a key", "`'name'`", "put a key in double quotes, or write the key without quotes"),
    ParseErrorCase("in", 0, "a key", "`in`", "put a key of this name in double quotes: \"in\""),
    ParseErrorCase("or der desc", 0, "a key", "`or`", "put a key of this name in double quotes: \"or der\""),
    ParseErrorCase("or dsc", 0, "a key", "`or`", "put a key of this name in double quotes: \"or\""),
    ParseErrorCase(
      "-name desc", 6, "`nulls`, `,` or the end of the text", "`desc`", "write `name desc` or `-name`",
      reason: "the `-` before name already means descending"),
    ParseErrorCase(
      "a, -name asc", 9, "`nulls`, `,` or the end of the text", "`asc`", "write `name` or `-name`",
      reason: "the `-` before name already means descending"),
    ParseErrorCase(
      "name descending", 5, "`asc`, `desc`, `nulls`, `,` or the end of the text", "`descending`", "write `desc`"),
    ParseErrorCase(
      "name dsc", 5, "`asc`, `desc`, `nulls`, `,` or the end of the text", "`dsc`", "did you mean `desc`?"),
    ParseErrorCase(
      "name weight", 5, "`asc`, `desc`, `nulls`, `,` or the end of the text", "`weight`", "put a comma between keys"),
    ParseErrorCase(
      "name desc asc", 10, "`nulls`, `,` or the end of the text", "`asc`",
      "write the direction once, and before `nulls`"),
    ParseErrorCase(
      "name nulls last desc", 16, "`,` or the end of the text", "`desc`", "write the direction once, and before `nulls`"
    ),
    ParseErrorCase("name nulls", 10, "`first` or `last`", "the end of the text", "write `nulls first` or `nulls last`"),
    ParseErrorCase(
      "\"name", 0, "a closing `\"`", "the end of the text", "put text in single quotes, and keys in double quotes",
      reason: "the key that starts here has no end"),
  ]

  @Test("A malformed sort is explained", arguments: slips)
  func errors(_ example: ParseErrorCase) {
    example.check { text throws(ParseError) in _ = try AnySort(parsing: text) }
  }
}
