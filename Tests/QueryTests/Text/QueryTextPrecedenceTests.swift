import Query
import Testing

@Suite struct QueryTextPrecedenceTests {
  private static let (a, b, c, d) = (key("a"), key("b"), key("c"), key("d"))

  private static func key(_ key: String) -> AnyQuery { .equal(key: key, value: 1) }

  /// The letters a to d stand for the conditions `a = 1` to `d = 1`.
  static let joins = [
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

  @Test("Joins bind as they do in Swift, and are printed with no more parentheses than needed", arguments: joins)
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
    ])
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
