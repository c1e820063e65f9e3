import Testing

@testable import Query

/// What `NSPredicate`s are made with; these are on Apple platforms alone.
@Suite("A query is folded from its conditions up")
struct FoldingTests {
  private func outline(_ query: AnyQuery) throws -> String {
    try query.folded(
      condition: { AnyQuery(.condition($0)).description }, not: { "!\($0)" },
      join: { members, matchingAll in "(" + members.joined(separator: matchingAll ? " & " : " | ") + ")" })
  }

  @Test("Joins of one kind are one, and negations that cancel out are left out")
  func shapes() throws {
    let (a, b, c) = (FormExamples.a, FormExamples.b, FormExamples.c)
    let shapes: [(AnyQuery, String)] = [
      (.true, "true"), (a, "a is null"), (!a, "!a is null"), (!(!a), "a is null"), (!(!(!a)), "!a is null"),
      (a && b && c, "(a is null & b is null & c is null)"), (a && (b && c), "(a is null & b is null & c is null)"),
      (a || (b || !c), "(a is null | b is null | !c is null)"),
      (a && (b || c) && a, "(a is null & (b is null | c is null) & a is null)"),
      (a && !(b && c), "(a is null & !(b is null & c is null))"),
    ]
    for (query, shape) in shapes { #expect(try outline(query) == shape) }
  }

  @Test("What is too deep, too large or can't be stored is refused")
  func refusals() throws {
    let a = FormExamples.a
    func nested(_ levels: Int) -> AnyQuery {
      (0..<levels).reduce(a) { query, level in level.isMultiple(of: 2) ? a && query : a || query }
    }
    #expect(try outline(nested(ResolvedQuery.maximumDepth)).utf8.count > 64)
    for query in [
      nested(ResolvedQuery.maximumDepth + 1), nested(100_000), DeepQueryTests.joinedWithItself(a),
      .equal(key: "a", value: Double.nan),
    ] {
      #expect(throws: InterchangeError.self) { try outline(query) }
    }
  }
}
