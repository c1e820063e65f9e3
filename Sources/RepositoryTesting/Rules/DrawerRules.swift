import Query
import Repository

/// Keys of several columns.
enum DrawerRules {
  static let all: [ConformanceRule<AnyRepository<Drawer>>] = [
    ConformanceRule("an element is found by all columns of its key", among: drawers) { context in
      await context.expect(find: .init("a", 2), Drawer(content: nil, cabinet: "a", number: 2))
      await context.expect(find: .init("b", 2), nil)
      await context.expect(find: .init("a", 3), nil)
      await context.expect(find: .init("e\u{301}", 1), nil)
    },
    ConformanceRule("an element takes the place of one with the same values in all columns of the key", among: drawers)
    {
      context in
      let changed = Drawer(content: "beetles", cabinet: "a", number: 2)
      try await context.subject.save([changed, Drawer(content: "moths", cabinet: "b", number: 2)])
      await context.expect(find: .init("a", 2), changed)
      await context.expect(find: .init("a", 1), Drawer(content: nil, cabinet: "a", number: 1))
      await context.expect("count", 7) { try await context.subject.count() }
    },
    ConformanceRule("elements are in the order of the key's columns, the first one first", among: drawers) { context in
      await context.expect(
        .true, finds: .init("", 0), .init("a", 1), .init("a", 2), .init("a", 10), .init("b", 1), .init("é", 1))
      await context.expect(
        sortedBy: .descending(key: "cabinet"), .init("é", 1), .init("b", 1), .init("a", 1), .init("a", 2),
        .init("a", 10),
        .init("", 0))
      await context.expect(
        sortedBy: .descending(key: "number"), .init("a", 10), .init("a", 2), .init("a", 1), .init("b", 1),
        .init("é", 1),
        .init("", 0))
      await context.expect(
        sortedBy: .ascending(key: "content"), .init("", 0), .init("a", 1), .init("a", 2), .init("a", 10), .init("b", 1),
        .init("é", 1))
    },
    ConformanceRule("elements are deleted by all columns of their key", among: drawers) { context in
      await context.expect("delete a 1, b 2, é 1, a 1", 2) {
        try await context.subject.delete([.init("a", 1), .init("b", 2), .init("é", 1), .init("a", 1)])
      }
      await context.expect(.true, finds: .init("", 0), .init("a", 2), .init("a", 10), .init("b", 1))
    },
    ConformanceRule("a query finds by a part of the key", among: drawers) { context in
      await context.expect(.equal(key: "cabinet", value: "a"), finds: .init("a", 1), .init("a", 2), .init("a", 10))
      await context.expect(
        .greaterThan(key: "number", value: 1) && .equal(key: "cabinet", value: "a"), finds: .init("a", 2),
        .init("a", 10))
    },
  ]

  private static let drawers = [
    Drawer(content: nil, cabinet: "b", number: 1), Drawer(content: nil, cabinet: "a", number: 10),
    Drawer(content: nil, cabinet: "é", number: 1), Drawer(content: nil, cabinet: "a", number: 2),
    Drawer(content: nil, cabinet: "", number: 0), Drawer(content: nil, cabinet: "a", number: 1),
  ]
}
