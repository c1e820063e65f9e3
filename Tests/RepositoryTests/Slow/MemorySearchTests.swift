import Query
import Repository
import TestSupport
import Testing

@Suite("The search in memory finds the same rows in every way")
struct MemorySearchTests {
  /// Values that are equal without being the same, that differ by less than a real can tell, that stand at the ends, and
  /// that agree in their first eight bytes.
  static let values: [Value] = [
    .null, 0, -0.0, 1, 1.0, 2, 2.5, -1, -1.5, 7.0, 9_007_199_254_740_992, 9_007_199_254_740_993,
    9_007_199_254_740_992.0, 9_007_199_254_740_994.0,
    .integer(.max), .integer(.min), .real(0x1p63), .real(-0x1p63), .real(0x1p63.nextDown),
    .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude), .real(-.leastNonzeroMagnitude),
    .real(.greatestFiniteMagnitude), "", "a", "a\0", "K", "\u{212A}", "\u{E9}", "e\u{301}", "a text of many bytes",
    "a text of many others", "a text", .blob([]), .blob([0x61]), .blob([0x61, 0]), .blob([0xFF, 0xFF, 0xFF]),
  ]

  static func table() throws -> TableSchema {
    try TableSchema(
      "t",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("code", .any, isNullable: true, isUnique: true),
        ColumnSchema("a", .any, isNullable: true), ColumnSchema("b", .integer), ColumnSchema("c", .integer),
      ], primaryKey: ["id"], unique: [["b", "c"]])
  }

  /// More rows than are looked at at a time.
  static func rows(_ random: inout SplitMix64) -> [[Value]] {
    let codes = Array(Set(values)).shuffled(using: &random)
    return (0..<1_300).map { number in
      [
        .integer(Int64(number)), number < codes.count ? codes[number] : .null, random.pick(values),
        .integer(Int64(number % 13)), .integer(Int64(number / 13)),
      ]
    }
  }

  static func condition(_ random: inout SplitMix64) -> AnyQuery {
    switch random.below(8) {
    case 0: .equal(key: "id", value: random.below(1_400))
    case 1: .equal(key: "code", value: random.pick(values))
    case 2: .in(key: "id", values: [random.below(1_400), random.below(1_400), 1, 1])
    case 3: .in(key: "code", values: [random.pick(values), random.pick(values), 1, 1.0])
    case 4: .equal(key: "b", value: random.below(14)) && .equal(key: "c", value: random.below(101))
    case 5: .between(key: "a", lower: .value(random.pick(values)), upper: .value(random.pick(values)))
    case 6: .isNull(key: "a")
    default: .compare(key: "a", random.pick(ComparisonOperator.allCases), value: random.pick(values))
    }
  }

  static func query(_ random: inout SplitMix64) -> AnyQuery {
    let condition = random.chance(0.3) ? !condition(&random) : condition(&random)
    return switch random.below(4) {
    case 0: condition
    case 1: condition || query(&random)
    default: condition && query(&random)
    }
  }

  @Test(
    "A search gives what a look at each row and a sort of all would give", .tags(.slow), arguments: SplitMix64.seeds)
  func search(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let table = try Self.table()
    let rows = Self.rows(&random)
    let repository = try MemoryRepository(
      rows.map { try Record(fields($0), for: table) }, schema: Schema(table))
    for _ in 0..<400 {
      let sort = AnySort(
        (0..<random.below(3)).map { _ in
          SortTerm(
            key: random.pick(["id", "code", "a", "b"]), direction: random.chance(0.5) ? .ascending : .descending,
            nulls: random.chance(0.5) ? .first : .last)
        })
      let request = FetchRequest(
        Self.query(&random), sortedBy: sort, limit: random.pick([nil, 0, 1, 20, 5_000, .max]),
        offset: random.pick([0, 0, 3, 2_000]))
      let resolved = try request.resolved(in: table)
      let matching = rows.filter(resolved.query.matches)
      let expected = matching.sorted(by: resolved.sort.areInIncreasingOrder)
        .dropFirst(request.offset).prefix(request.limit ?? .max)
      #expect(
        try repository.blocking.findAll(request).map(\.values) == Array(expected), "\(request.query), \(request.sort)")
      #expect(try repository.blocking.count(request.query) == matching.count, "\(request.query)")
    }
  }

  private func fields(_ row: [Value]) -> KeyValuePairs<String, Value> {
    ["id": row[0], "code": row[1], "a": row[2], "b": row[3], "c": row[4]]
  }

  @Test("A row that takes the place of another, or of a gap, is found as it is now", arguments: SplitMix64.seeds)
  func changes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let table = try Self.table()
    let repository = try MemoryRepository<Record>(schema: Schema(table))
    var rows: [Int64: [Value]] = [:]
    for number in 0..<600 {
      let id = Int64(random.below(40))
      if random.chance(0.3) {
        let deleted = rows.removeValue(forKey: id)
        #expect(try repository.blocking.delete([RecordKey(values: [.integer(id)])]) == (deleted == nil ? 0 : 1))
      } else {
        let row: [Value] = [.integer(id), .integer(Int64(number)), random.pick(Self.values), .integer(id), 0]
        try repository.blocking.save([try Record(fields(row), for: table)])
        rows[id] = row
      }
      let sought = Int64(random.below(40))
      #expect(try repository.blocking.find(RecordKey(values: [.integer(sought)]))?.values == rows[sought])
      let code = rows[sought]?[1] ?? -1
      #expect(
        try repository.blocking.findAll(FetchRequest(.equal(key: "code", value: code))).map(\.values)
          == (rows[sought].map { [$0] } ?? []))
      let row = rows.values.first { $0[1] == .integer(Int64(number - 5)) }
      #expect(
        try repository.blocking.findAll(FetchRequest(.equal(key: "code", value: number - 5))).map(\.values)
          == (row.map { [$0] } ?? []))
    }
    #expect(try repository.blocking.findAll(FetchRequest()).map(\.values) == rows.values.sorted { $0[0] < $1[0] })
  }

  @Test("Each schema gets its own elements of a row, however many schemas there are")
  func schemas() async throws {
    struct Named: Storable, Equatable {
      let id: Int
      let name: String
    }
    func schema(_ prefix: String) -> Schema<Named> {
      Schema("named", { Named(id: $0, name: prefix + $1) }, Column("id", \.id), Column("name", \.name))
    }
    let store = MemoryStore()
    let records = try store.repository(Schema(try schema("").table()))
    let prefixes = ["", "a ", "b ", "c "]
    let repositories = try prefixes.map { try store.repository(schema($0)) }
    try await repositories[0].save([Named(id: 1, name: "mew")])
    for _ in 0..<2 {
      for (prefix, repository) in zip(prefixes, repositories) {
        #expect(try await repository.find(1) == Named(id: 1, name: prefix + "mew"))
        #expect(try await repository.findAll(FetchRequest()) == [Named(id: 1, name: prefix + "mew")])
      }
      #expect(try await records.find(1)?.values == [1, "mew"])
    }
    try await repositories[0].save([Named(id: 1, name: "mewtwo")])
    #expect(try await repositories[1].find(1)?.name == "a mewtwo")
    #expect(try await records.find(1)?.values == [1, "mewtwo"])
  }
}
