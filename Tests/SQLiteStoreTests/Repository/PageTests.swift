import Query
import Repository
import SQL
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("Pages by cursor")
struct PageTests {
  struct Item: Entity, Hashable {
    let id: Int
    var group: String?
    var weight: Double
    var rank: Int?
    static let schema = Schema(
      "item", Item.init, Column("id", \.id), Column("group", \.group, .indexed),
      Column("weight", \.weight, .indexed), Column("rank", \.rank, .indexed))
  }

  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
  private let store: SQLiteStore
  private let repositories: [AnyRepository<Item>]

  init() throws {
    var random = SplitMix64(seed: Self.seed)
    let items = (0..<97).map { id in
      Item(
        id: id * 3, group: random.pick([nil, "a", "a\0", "b", "é", "e\u{301}"]),
        weight: random.pick([-0.0, 0, 1, 1.5, .infinity, -.infinity]), rank: random.pick([nil, 1, 2, .max]))
    }
    store = try SQLiteStore.inMemory()
    repositories = [try store.repository(of: Item.self), AnyRepository(try MemoryRepository(items))]
    try store.sqlRepository(of: Item.self).blocking.save(items)
  }

  @Test("joined, they are the whole, forwards and backwards, in every order")
  func joined() async throws {
    var random = SplitMix64(seed: Self.seed)
    for _ in 0..<40 {
      let sort = AnySort(
        (0..<random.pick([0, 1, 2, 3])).map { _ in
          SortTerm(
            key: random.pick(["id", "group", "weight", "rank"]), direction: random.pick([.ascending, .descending]),
            nulls: random.pick([.first, .last]))
        })
      let query = random.pick([AnyQuery.true, .greaterThan(key: "id", value: 50), !.equal(key: "group", value: "a")])
      let size = random.pick([1, 7, 10, 96, 97, 200])
      var wholes: [[Item]] = []
      for items in repositories {
        let whole = try await items.findAll(FetchRequest(query, sortedBy: sort))
        let comment: Comment = "seed \(Self.seed): \(query) sorted by \(sort) in pages of \(size)"
        var request = FetchRequest(query, sortedBy: sort, limit: size)
        var pages: [Item] = []
        while true {
          let page = try await items.findAll(request)
          guard let last = page.last else { break }
          pages += page
          request.after = try Item.schema.cursor(at: last, sortedBy: sort)
        }
        #expect(pages == whole, comment)
        request = FetchRequest(query, sortedBy: sort, limit: size)
        request.before = try whole.last.map { last throws(RepositoryError) in
          try Item.schema.cursor(at: last, sortedBy: sort)
        }
        pages = whole.suffix(1)
        while true {
          let page = try await items.findAll(request)
          guard let first = page.first else { break }
          pages = page + pages
          request.before = try Item.schema.cursor(at: first, sortedBy: sort)
        }
        #expect(pages == whole, comment)
        wholes.append(whole)
      }
      #expect(wholes[0] == wholes[1])
    }
  }

  @Test("a page knows the way to its neighbours")
  func neighbours() async throws {
    for items in repositories {
      let whole = try await items.findAll(sortedBy: { $0.weight.descending })
      let first = try await items.sorted { $0.weight.descending }.page(size: 40)
      #expect(first.previous == nil)
      let second = try await items.sorted { $0.weight.descending }.page(size: 40, after: #require(first.next) as Cursor)
      let third = try await items.sorted { $0.weight.descending }.page(size: 40, after: #require(second.next) as Cursor)
      #expect(third.next == nil)
      #expect(first.elements + second.elements + third.elements == whole)
      let back = try await items.sorted { $0.weight.descending }.page(
        size: 40, before: #require(third.previous) as Cursor)
      #expect(back.elements == second.elements)
      let start = try await items.sorted { $0.weight.descending }.page(
        size: 40, before: #require(back.previous) as Cursor)
      #expect(start.elements == first.elements)
      #expect(start.previous == nil && start.next != nil)
      let short = try await items.selection(FetchRequest(sortedBy: AnySort(parsing: "-weight"), limit: 3)).page(
        size: 40)
      #expect(short.elements == Array(whole.prefix(3)) && short.next != nil)
      let behind = try await items.selection(FetchRequest(sortedBy: AnySort(parsing: "-weight"), offset: 5)).page(
        size: 5)
      let ahead = try await items.sorted { $0.weight.descending }.page(
        size: 40, before: #require(behind.previous) as Cursor)
      #expect(behind.elements == Array(whole[5..<10]) && ahead.elements == Array(whole.prefix(5)))
      let some = try await items.filter { $0.rank == nil }.page(size: 1000)
      #expect(some.next == nil && some.previous == nil)
    }
  }

  @Test("a page has a size", arguments: [0, -1, Int.min])
  func size(size: Int) async {
    for items in repositories {
      await expectError(.invalidQuery) { try await items.selection().page(size: size) }
    }
  }

  @Test("a sort of many keys has cursors, also in a query of the greatest depth")
  func manyKeys() async throws {
    let keys = ["group", "weight", "rank"]
    let deepest = (0..<ResolvedQuery.maximumDepth).reduce(AnyQuery.greaterThan(key: "id", value: 5)) { query, level in
      let leaf = AnyQuery.lessThan(key: "weight", value: Double(level) / 8)
      return level.isMultiple(of: 2) ? leaf || query : leaf && query
    }
    for items in repositories {
      let sort = AnySort((0..<40).map { SortTerm(key: keys[$0 % 3], direction: .ascending, nulls: .last) })
      let first = try #require(try await items.findAll(FetchRequest(deepest, sortedBy: sort, limit: 1)).first)
      let request = FetchRequest(deepest, sortedBy: sort, after: try Item.schema.cursor(at: first, sortedBy: sort))
      let whole = try await items.findAll(FetchRequest(deepest, sortedBy: sort))
      #expect(try await items.findAll(request) == Array(whole.dropFirst()))
    }
  }

  @Test("a cursor of another sort is refused in both stores")
  func foreignCursor() async throws {
    for items in repositories {
      let page = try await items.sorted { $0.weight.descending }.page(size: 5)
      await expectError(.invalidQuery) {
        try await items.sorted { $0.weight.ascending }.page(size: 5, after: page.next)
      }
    }
  }

  @Test(
    "SQLite begins to read an index at the cursor",
    arguments: [
      (AnySort.primaryKey, "SEARCH item USING INTEGER PRIMARY KEY (rowid>?)"),
      (.descending(key: "id"), "SEARCH item USING INTEGER PRIMARY KEY (rowid<?)"),
      (.ascending(key: "weight"), "SEARCH item USING INDEX item.weight (weight>?)"),
      (.descending(key: "weight"), "SEARCH item USING INDEX item.weight (weight<?)"),
      (.ascending(key: "group"), "SEARCH item USING INDEX item.group (group>?)"),
    ])
  func plan(sort: AnySort, plan: String) throws {
    let table = try Item.schema.table()
    let item = Item(id: 30, group: "b", weight: 1, rank: 2)
    let request = FetchRequest(sortedBy: sort, limit: 10, after: try Item.schema.cursor(at: item, sortedBy: sort))
    let select = Compiler(for: SQLiteDialect()).select(try request.resolved(in: table))
    var lines: [String] = []
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      try connection.query(CompiledStatement(sql: "EXPLAIN QUERY PLAN " + select.sql, bindings: select.bindings)) {
        row in
        if let line = row.text(at: 3) { lines.append(line) }
      }
    }
    #expect(lines.first == plan)
    #expect(!lines.contains("USE TEMP B-TREE FOR ORDER BY"))
  }
}
