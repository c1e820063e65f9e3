import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rules of keys that are texts.
enum TextKeyRules {
  static let all: [ConformanceRule<AnyRepository<Station>>] = [
    ConformanceRule("a key may be any text, and keys differ by their bytes") { context in
      for (index, name) in names.enumerated() {
        await context.expectRoundTrip(of: Station(name: name, country: "country \(index)"))
      }
      await context.expect("count", names.count) { try await context.subject.count() }
      for (index, name) in names.enumerated() {
        await context.expect(find: name, Station(name: name, country: "country \(index)"))
      }
      await context.expect(find: "E", nil)
    },
    ConformanceRule("text keys are in the order of their bytes", among: stations) { context in
      await context.expect(
        .true, finds: "", "\u{1}", "Berlin", "a", "a\u{1}", "a ", "e\u{301}", "straße", "é", "東京")
      await context.expect(
        sortedBy: .descending(key: "name"), "東京", "é", "straße", "e\u{301}", "a ", "a\u{1}", "a", "Berlin", "\u{1}", "")
      await context.expect(
        sortedBy: .ascending(key: "country"), "", "\u{1}", "Berlin", "a", "a\u{1}", "a ", "e\u{301}", "straße", "é",
        "東京")
    },
    ConformanceRule("a text key is replaced and deleted by its bytes", among: stations) { context in
      try await context.subject.save(Station(name: "é", country: "France"))
      await context.expect(find: "é", Station(name: "é", country: "France"))
      await context.expect(find: "e\u{301}", Station(name: "e\u{301}", country: nil))
      await context.expect("delete a NUL", 1) { try await context.subject.delete(["a\u{1}"]) }
      await context.expect("delete é, E", 1) { try await context.subject.delete(["é", "E"]) }
      await context.expect(.true, finds: "", "\u{1}", "Berlin", "a", "a ", "e\u{301}", "straße", "東京")
    },
    ConformanceRule("a query finds by a text key", among: stations) { context in
      await context.expect(.equal(key: "name", value: "a"), finds: "a")
      await context.expect(.hasPrefix(key: "name", value: "a"), finds: "a", "a\u{1}", "a ")
      await context.expect(.greaterThan(key: "name", value: "é"), finds: "東京")
      await context.expect(.isNull(key: "name"), findsAll: [])
      await context.expect(.in(key: "name", values: ["é", "x"]), finds: "é")
    },
  ]

  private static let names = ["", "\u{1}", "a", "a\u{1}", "a ", "é", "e\u{301}", "straße", "Berlin", "東京"]
  private static let stations = names.map { Station(name: $0, country: nil) }
}

/// Rules of keys that are UUIDs.
enum UUIDKeyRules {
  static let all: [ConformanceRule<AnyRepository<Loan>>] = [
    ConformanceRule("an element is found, replaced and deleted by its UUID", among: loans) { context in
      await context.expect(find: id(0xAB), Loan(id: id(0xAB), until: nil))
      await context.expect(find: id(0xAC), nil)
      let changed = Loan(id: id(0xAB), until: Date(timeIntervalSinceReferenceDate: 800_000_000.5))
      await context.expectRoundTrip(of: changed)
      await context.expect("delete ab…, ac…", 1) { try await context.subject.delete([id(0xAB), id(0xAC)]) }
      await context.expect(.true, finds: id(0), id(0x10), id(0x9F), id(0xFF))
    },
    ConformanceRule(
      "UUIDs are in the order of their texts", among: loans,
      [
        "true → 00 10 9f ab ff", "true | id desc → ff ab 9f 10 00", "true | until desc → 00 10 9f ab ff",
        "id > '9f010203-0405-0607-0809-0a0b0c0d0e0f' → ab ff",
        "id in ('ff010203-0405-0607-0809-0a0b0c0d0e0f', '01010203-0405-0607-0809-0a0b0c0d0e0f') → ff",
      ]
    ) { UInt8($0, radix: 16).map(id) },
  ]

  private static let loans = [0xFF, 0, 0xAB, 0x10, 0x9F].map { Loan(id: id($0), until: nil) }

  private static func id(_ first: UInt8) -> UUID {
    UUID(uuid: (first, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  }
}

/// Rules of keys of several columns.
enum CompositeKeyRules {
  static let all: [ConformanceRule<AnyRepository<Drawer>>] = [
    ConformanceRule("an element is found by all columns of its key", among: drawers) { context in
      await context.expect(find: .init("a", 2), Drawer(content: nil, cabinet: "a", number: 2))
      await context.expect(find: .init("b", 2), nil)
      await context.expect(find: .init("a", 3), nil)
      await context.expect(find: .init("e\u{301}", 1), nil)
    },
    ConformanceRule("an element replaces the element with the same values in all columns of the key", among: drawers) {
      context in
      let changed = Drawer(content: "beetles", cabinet: "a", number: 2)
      try await context.subject.save([changed, Drawer(content: "moths", cabinet: "b", number: 2)])
      await context.expect(find: .init("a", 2), changed)
      await context.expect(find: .init("a", 1), Drawer(content: nil, cabinet: "a", number: 1))
      await context.expect("count", 7) { try await context.subject.count() }
    },
    ConformanceRule(
      "elements are in the order of the key's columns, from the first column on", among: drawers,
      [
        "true → /0 a/1 a/2 a/10 b/1 é/1", "true | cabinet desc → é/1 b/1 a/1 a/2 a/10 /0",
        "true | number desc → a/10 a/2 a/1 b/1 é/1 /0", "true | content → /0 a/1 a/2 a/10 b/1 é/1",
      ], key: key),
    ConformanceRule("elements are deleted by all columns of their key", among: drawers) { context in
      await context.expect("delete a 1, b 2, é 1, a 1", 2) {
        try await context.subject.delete([.init("a", 1), .init("b", 2), .init("é", 1), .init("a", 1)])
      }
      await context.expect(.true, finds: .init("", 0), .init("a", 2), .init("a", 10), .init("b", 1))
    },
    ConformanceRule(
      "a query finds by a part of the key", among: drawers,
      ["cabinet = 'a' → a/1 a/2 a/10", "number > 1 and cabinet = 'a' → a/2 a/10"], key: key),
  ]

  /// Returns the key that is written as its cabinet and its number: `a/10`.
  @Sendable private static func key(_ word: Substring) -> Drawer.Key? {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    return Int(parts[parts.count - 1]).map { Drawer.Key(String(parts[0]), $0) }
  }

  private static let drawers = [
    Drawer(content: nil, cabinet: "b", number: 1), Drawer(content: nil, cabinet: "a", number: 10),
    Drawer(content: nil, cabinet: "é", number: 1), Drawer(content: nil, cabinet: "a", number: 2),
    Drawer(content: nil, cabinet: "", number: 0), Drawer(content: nil, cabinet: "a", number: 1),
  ]
}
