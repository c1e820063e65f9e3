import Query
import Testing

@Suite("A key that the table does not have is refused before anything runs")
struct UnknownKeyTests {
  static func error(of query: AnyQuery, in table: TableSchema) -> QueryError? {
    #expect(throws: QueryError.self) { try query.resolved(in: table) }
  }

  @Test(
    "Wherever the key stands",
    arguments: [
      .equal(key: "wieght", value: 1), .isNull(key: "wieght"), .lessThan(key: "wieght", value: 1),
      .greaterThan(key: "wieght", otherKey: "attack"), .greaterThan(key: "attack", otherKey: "wieght"),
      .between(key: "wieght", lhs: 1, rhs: 2), .between(key: "attack", lower: .key("wieght"), upper: .value(1)),
      .between(key: "attack", lower: .value(1), upper: .key("wieght")), .in(key: "wieght", values: [1]),
      .in(key: "wieght", values: [Int]()), .contains(key: "wieght", value: ""), .hasPrefix(key: "wieght", value: ""),
      .hasSuffix(key: "wieght", value: ""), .like(key: "wieght", value: "%", ignoringCase: true),
      !.isNull(key: "wieght"), .isNull(key: "attack") && .isNull(key: "wieght"),
      .isNull(key: "wieght") || .isNull(key: "attack"),
      // Even where it could not matter: a typo in a query does not depend on what stands beside it.
      .false && .isNull(key: "wieght"), .true || .isNull(key: "wieght"), .isNull(key: "wieght") && .false,
    ] as [AnyQuery])
  func everyPlace(query: AnyQuery) throws {
    let error = try Self.error(of: query, in: .pokemon())
    #expect(error?.code == .unknownKey)
    #expect(error?.summary == "no column wieght in pokemon")
    #expect(error?.suggestion == "did you mean weight?")
    #expect(error?.description == "no column wieght in pokemon; did you mean weight?")
  }

  @Test(
    "A word behind an operator may be a text that lacks its quotes",
    arguments: [
      ("name = Pikachu", "did you mean 'Pikachu'?"), ("name != Pikachu", "did you mean 'Pikachu'?"),
      ("name between Abra and Mewtwo", "did you mean 'Abra'?"), ("note < Pikachu", "did you mean 'Pikachu'?"),
      ("name = \"Mr. Mime\"", "did you mean 'Mr. Mime'?"), ("name = \"Farfetch'd\"", "did you mean 'Farfetch''d'?"),
      ("name = nam", "did you mean name, or the text 'nam'?"), ("weight = wieght", "did you mean weight?"),
      ("weight = Pikachu", Self.columnList),
      ("nme = Pikachu", "did you mean name?"), ("name is not null and Pikachu = name", Self.columnList),
      ("name = \"\u{1B}[1m\"", Self.columnList), ("name = " + String(repeating: "x", count: 33), Self.columnList),
    ])
  func missingQuotes(text: String, suggestion: String) throws {
    let error = try Self.error(of: AnyQuery(parsing: text), in: .pokemon())
    #expect(error?.code == .unknownKey)
    #expect(error?.suggestion == suggestion)
  }

  private static let columnList = "its columns are id, name, weight, attack, defense, image, note"

  @Test("Where no name is near, the columns are listed")
  func noNearName() throws {
    let error = try Self.error(of: .isNull(key: "strength"), in: .pokemon())
    #expect(error?.suggestion == "its columns are id, name, weight, attack, defense, image, note")
  }

  @Test(
    "A name that differs in case alone is another name, and is suggested", arguments: ["Weight", "WEIGHT", "weighT"])
  func otherCase(key: String) throws {
    let error = try Self.error(of: .isNull(key: key), in: .pokemon())
    #expect(error?.code == .unknownKey)
    #expect(error?.suggestion == "did you mean weight?")
  }

  @Test("A composed and a decomposed name are different keys, in the query and in the sort")
  func composedNames() throws {
    let (composed, decomposed) = ("pok\u{E9}mon", "poke\u{301}mon")
    let table = try TableSchema.anything(composed, decomposed)
    #expect(try AnyQuery.isNull(key: composed).matches([.null, 1], in: table))
    #expect(try !AnyQuery.isNull(key: decomposed).matches([.null, 1], in: table))
    #expect(try AnyQuery.lessThan(key: composed, otherKey: decomposed).matches([1, 2], in: table))
    #expect(try !AnyQuery.lessThan(key: decomposed, otherKey: composed).matches([1, 2], in: table))
    let sort = try FetchRequest(sortedBy: .ascending(key: decomposed)).resolved(in: table).sort
    #expect(sort.terms.map(\.column) == [1, 0])
    #expect(try Self.error(of: .isNull(key: decomposed), in: .anything(composed))?.code == .unknownKey)
    #expect(try Self.error(of: .isNull(key: composed), in: .anything(decomposed))?.code == .unknownKey)
  }

  @Test("The first unknown key of a query, read from the left, is the one that is named")
  func severalKeys() throws {
    let query = AnyQuery.isNull(key: "x1") && (.isNull(key: "x2") || !.isNull(key: "x3"))
    #expect(try Self.error(of: query, in: .pokemon())?.summary == "no column x1 in pokemon")
  }
}
