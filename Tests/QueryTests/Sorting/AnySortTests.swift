import Query
import Testing

@Suite("A sort is a list of keys")
struct AnySortTests {
  @Test("Nulls are the least values, unless something else is said")
  func defaults() {
    #expect(AnySort.ascending(key: "a").terms == [SortTerm(key: "a", direction: .ascending, nulls: .first)])
    #expect(AnySort.descending(key: "a").terms == [SortTerm(key: "a", direction: .descending, nulls: .last)])
    #expect(
      AnySort.ascending(key: "a", nulls: .last).terms == [SortTerm(key: "a", direction: .ascending, nulls: .last)])
    #expect(
      AnySort.descending(key: "a", nulls: .first).terms == [SortTerm(key: "a", direction: .descending, nulls: .first)])
    #expect(SortTerm.Direction.ascending.defaultNulls == .first)
    #expect(SortTerm.Direction.descending.defaultNulls == .last)
  }

  @Test("The order of the primary key is a sort without keys")
  func primaryKey() {
    #expect(AnySort.primaryKey.terms.isEmpty)
    #expect(AnySort.primaryKey + .ascending(key: "a") == .ascending(key: "a"))
    #expect(AnySort.ascending(key: "a") + .primaryKey == .ascending(key: "a"))
  }

  @Test("+ and > both put the left keys before the right ones")
  func joins() {
    let (a, b, c) = (
      AnySort.ascending(key: "a"), AnySort.descending(key: "b"), AnySort.ascending(key: "c", nulls: .last)
    )
    #expect((a + b).terms.map(\.key) == ["a", "b"])
    #expect((a > b).terms.map(\.key) == ["a", "b"])
    #expect((b > a) == b + a)
    #expect((a + b + c).terms == a.terms + b.terms + c.terms)
    #expect((a + b > c) == a + (b + c))
    #expect((a + a).terms.count == 2)
    var sort = a
    sort += b + c
    #expect(sort == a + b + c)
  }

  @Test("Sorts are equal whose terms are, in their order, with keys of the same bytes")
  func equality() {
    let sorts: [AnySort] = [
      .primaryKey, .ascending(key: "a"), .descending(key: "a"), .ascending(key: "a", nulls: .last),
      .descending(key: "a", nulls: .first), .ascending(key: "A"), .ascending(key: "a") + .ascending(key: "b"),
      .ascending(key: "b") + .ascending(key: "a"), .ascending(key: "\u{E9}"), .ascending(key: "e\u{301}"),
    ]
    for (index, lhs) in sorts.enumerated() {
      for (otherIndex, rhs) in sorts.enumerated() {
        #expect((lhs == rhs) == (index == otherIndex), "\(lhs.terms) and \(rhs.terms)")
      }
      #expect(lhs.hashValue == AnySort(lhs.terms).hashValue)
    }
    #expect(Set(sorts + sorts).count == sorts.count)
  }
}
