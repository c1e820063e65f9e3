import Query
import Repository

/// Keys that are texts.
enum PlaceRules {
  static let all: [ConformanceRule<AnyRepository<Place>>] = [
    ConformanceRule("a key may be any text, and keys are told apart by their bytes") { trial in
      for (index, name) in names.enumerated() {
        await trial.expectRoundTrip(of: Place(name: name, country: "country \(index)"))
      }
      await trial.expect("count", names.count) { try await trial.subject.count() }
      for (index, name) in names.enumerated() {
        await trial.expect(find: name, Place(name: name, country: "country \(index)"))
      }
      await trial.expect(find: "E", nil)
    },
    ConformanceRule("keys that are texts are in the order of their bytes", among: places) { trial in
      await trial.expect(
        .true, finds: "", "\0", "Berlin", "a", "a\0", "a ", "e\u{301}", "straße", "é", "東京")
      await trial.expect(
        sortedBy: .descending(key: "name"), "東京", "é", "straße", "e\u{301}", "a ", "a\0", "a", "Berlin", "\0", "")
      await trial.expect(
        sortedBy: .ascending(key: "country"), "", "\0", "Berlin", "a", "a\0", "a ", "e\u{301}", "straße", "é", "東京")
    },
    ConformanceRule("a text key is replaced and deleted by its bytes", among: places) { trial in
      try await trial.subject.save(Place(name: "é", country: "France"))
      await trial.expect(find: "é", Place(name: "é", country: "France"))
      await trial.expect(find: "e\u{301}", Place(name: "e\u{301}", country: nil))
      await trial.expect("delete a NUL", 1) { try await trial.subject.delete(["a\0"]) }
      await trial.expect("delete é, E", 1) { try await trial.subject.delete(["é", "E"]) }
      await trial.expect(.true, finds: "", "\0", "Berlin", "a", "a ", "e\u{301}", "straße", "東京")
    },
    ConformanceRule("a query finds by a text key", among: places) { trial in
      await trial.expect(.equal(key: "name", value: "a"), finds: "a")
      await trial.expect(.hasPrefix(key: "name", value: "a"), finds: "a", "a\0", "a ")
      await trial.expect(.greaterThan(key: "name", value: "é"), finds: "東京")
      await trial.expect(.isNull(key: "name"), findsAll: [])
      await trial.expect(.in(key: "name", values: ["é", "x"]), finds: "é")
    },
  ]

  private static let names = ["", "\0", "a", "a\0", "a ", "é", "e\u{301}", "straße", "Berlin", "東京"]
  private static let places = names.map { Place(name: $0, country: nil) }
}
