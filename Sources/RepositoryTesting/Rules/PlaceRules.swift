import Query
import Repository

/// Keys that are texts.
enum PlaceRules {
  static let all: [ConformanceRule<AnyRepository<Place>>] = [
    ConformanceRule("a key may be any text, and keys are told apart by their bytes") { context in
      for (index, name) in names.enumerated() {
        await context.expectRoundTrip(of: Place(name: name, country: "country \(index)"))
      }
      await context.expect("count", names.count) { try await context.subject.count() }
      for (index, name) in names.enumerated() {
        await context.expect(find: name, Place(name: name, country: "country \(index)"))
      }
      await context.expect(find: "E", nil)
    },
    ConformanceRule("keys that are texts are in the order of their bytes", among: places) { context in
      await context.expect(
        .true, finds: "", "\0", "Berlin", "a", "a\0", "a ", "e\u{301}", "straße", "é", "東京")
      await context.expect(
        sortedBy: .descending(key: "name"), "東京", "é", "straße", "e\u{301}", "a ", "a\0", "a", "Berlin", "\0", "")
      await context.expect(
        sortedBy: .ascending(key: "country"), "", "\0", "Berlin", "a", "a\0", "a ", "e\u{301}", "straße", "é", "東京")
    },
    ConformanceRule("a text key is replaced and deleted by its bytes", among: places) { context in
      try await context.subject.save(Place(name: "é", country: "France"))
      await context.expect(find: "é", Place(name: "é", country: "France"))
      await context.expect(find: "e\u{301}", Place(name: "e\u{301}", country: nil))
      await context.expect("delete a NUL", 1) { try await context.subject.delete(["a\0"]) }
      await context.expect("delete é, E", 1) { try await context.subject.delete(["é", "E"]) }
      await context.expect(.true, finds: "", "\0", "Berlin", "a", "a ", "e\u{301}", "straße", "東京")
    },
    ConformanceRule("a query finds by a text key", among: places) { context in
      await context.expect(.equal(key: "name", value: "a"), finds: "a")
      await context.expect(.hasPrefix(key: "name", value: "a"), finds: "a", "a\0", "a ")
      await context.expect(.greaterThan(key: "name", value: "é"), finds: "東京")
      await context.expect(.isNull(key: "name"), findsAll: [])
      await context.expect(.in(key: "name", values: ["é", "x"]), finds: "é")
    },
  ]

  private static let names = ["", "\0", "a", "a\0", "a ", "é", "e\u{301}", "straße", "Berlin", "東京"]
  private static let places = names.map { Place(name: $0, country: nil) }
}
