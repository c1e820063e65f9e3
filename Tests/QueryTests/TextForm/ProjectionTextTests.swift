import Query
import Testing

@Suite("Columns of a projection have a text form")
struct ProjectionTextTests {
  static let lists: [(text: String, columns: [ProjectedColumn])] = [
    ("name", [.key("name")]),
    ("Name, AlbumId.Title", [.key("Name"), ProjectedColumn(.path("AlbumId", "Title"))]),
    ("Milliseconds / 60000 as minutes", [ProjectedColumn(.key("Milliseconds") / 60_000, as: "minutes")]),
    ("a as \"base attack\", \"b c\"", [ProjectedColumn(.key("a"), as: "base attack"), .key("b c")]),
    (
      "if(a > 1, 'x', 'y') as size",
      [
        ProjectedColumn(
          AnyExpression(
            .conditional(
              .greaterThan(key: "a", value: 1), then: AnyExpression(.value("x")), else: AnyExpression(.value("y")))),
          as: "size")
      ]
    ),
    ("as", [.key("as")]), ("as as as", [ProjectedColumn(.key("as"), as: "as")]),
  ]

  @Test("which is read back as it is printed", arguments: lists.indices)
  func roundTrip(_ index: Int) throws {
    let (text, columns) = Self.lists[index]
    #expect(try [ProjectedColumn](parsing: text) == columns)
    let printed = columns.map(\.description).joined(separator: ", ")
    #expect(try [ProjectedColumn](parsing: printed) == columns, "\(printed)")
    let request = ProjectionRequest(
      columns, of: FetchRequest(.isNotNull(key: "a"), sortedBy: .descending(key: "a"), limit: 1, offset: 2),
      isDistinct: true,
      groupLimit: GroupLimit(3, of: [.key("a") % 2, .key("b")], sortedBy: .ascending(key: "c")))
    #expect(try ProjectionRequest(json: request.json) == request)
  }

  @Test("A name tells what an expression gives")
  func names() throws {
    let columns = try [ProjectedColumn](parsing: "a, b.c, n + 1, n + 1 as y")
    #expect(columns.map(\.name) == ["a", "b.c", "n + 1", "y"])
  }

  static let mistakes: [(text: String, expected: String)] = [
    ("", "a column or an expression"), ("a,", "a column or an expression"), ("a b", "`as`"), ("a as 'b'", "a name"),
    ("a as b c", "`,`"),
    ("a +", "a value or a key"),
  ]

  @Test("Invalid text is an error at its position", arguments: mistakes.indices)
  func refused(_ index: Int) {
    let error = #expect(throws: ParseError.self) { try [ProjectedColumn](parsing: Self.mistakes[index].text) }
    #expect(error?.expected.contains(Self.mistakes[index].expected) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("A client may see some columns alone")
  func restricted() throws {
    let request = ProjectionRequest(
      try [ProjectedColumn](parsing: "name, weight + 1 as more"),
      of: FetchRequest(.equal(key: "type", value: "x"), sortedBy: .descending(key: "more")))
    #expect(try request.restricted(to: ["name", "weight", "type"]) == request)
    for columns in [["name", "type"], ["weight", "type"], ["name", "weight"]] {
      #expect(throws: QueryError.self) { try request.restricted(to: columns) }
    }
    let groups = AggregateRequest(
      [.count.where(.equal(key: "secret", value: 1))], groupedBy: ["type"],
      having: .compare(.group(.max(key: "weight")), .greaterThan, 1))
    #expect(try groups.restricted(to: ["secret", "type", "weight"]) == groups)
    let choice = ProjectionRequest(
      try [ProjectedColumn](parsing: "if(secret > 1, name, type) as x"), of: FetchRequest(.true))
    #expect(throws: QueryError.self) { try choice.restricted(to: ["name", "type"]) }
    for columns in [["secret", "type"], ["type", "weight"], ["secret", "weight"]] {
      #expect(throws: QueryError.self) { try groups.restricted(to: columns) }
    }
  }
}
