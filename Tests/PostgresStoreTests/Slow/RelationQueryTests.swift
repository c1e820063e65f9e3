import PostgresStore
import Query
import Repository
import SQL
import SQLStore
import TestSupport
import Testing

@Suite("Queries lead to the rows of other tables of a server", .tags(.slow), .requiresServer)
struct RelationQueryTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  @Test("in every way that a table refers to another")
  func cases() async throws {
    try await TestServer.withStore { store in
      let tables = try await store.saving(RelatedTables.rows)
      for (table, text, keys) in RelatedTables.cases {
        let repository = try #require(tables[table])
        let found = try await repository.findAll(FetchRequest(AnyQuery(parsing: text))).map { $0.values[0] }
        #expect(found == keys, "\(text)")
      }
      for (table, text, message) in RelatedTables.refused {
        let repository = try #require(tables[table])
        let error = await #expect(throws: RepositoryError.self) {
          try await repository.findAll(FetchRequest(AnyQuery(parsing: text)))
        }
        let words = error.map { "\($0)" } ?? ""
        #expect(words.contains(message), "\(text): \(words)")
      }
      let tracks = try #require(tables["track"])
      let long = try AnyQuery(parsing: "album.artist.name = 'Ann' and length > 100")
      #expect(try await tracks.update(where: long, set: [Assignment("name", "Long")]) == 2)
      #expect(try await tracks.delete(where: try AnyQuery(parsing: "album.owner.name = 'Rae'")) == 2)
    }
  }

  @Test("and sums and averages of reals are exact, whatever the reals are")
  func exactTotals() async throws {
    var random = SplitMix64(seed: Self.seed)
    let usual: [Double] = [
      0.1, 0.2, -0.3, -0.0, 1e16, -1e16, 1.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0x1p969, 0x1p970, -0x1p969, .infinity, -.infinity,
    ]
    var (albums, tracks): ([[Value]], [[Value]]) = ([], [])
    for album in 1...Effort.rounds(300) {
      albums.append([.integer(Int64(album)), "", 1, .null, .null, .null, .null, .null])
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let any = Double(bitPattern: random.next())
        let price = random.chance(0.3) || any.isNaN ? random.pick(usual.dropLast(random.chance(0.8) ? 2 : 0)) : any
        tracks.append([
          .integer(Int64(tracks.count)), "", .integer(Int64(album)), 1, random.chance(0.1) ? .null : .real(price),
        ])
      }
    }
    // Without a sum.
    albums.append([.integer(Int64(albums.count + 1)), "", 1, .null, .null, .null, .null, .null])
    for price in [Double.infinity, -.infinity] {
      tracks.append([.integer(Int64(tracks.count)), "", .integer(Int64(albums.count)), 1, .real(price)])
    }
    let rows: [(table: String, rows: [[Value]])] = [("artist", [[1, "Ann"]]), ("album", albums), ("track", tracks)]
    let columns = try [ProjectedColumn](
      parsing: "id, sum(price of track) as s, average(price of track) as a, average(price / 2 of track) as h, "
        + "sum(null of track) as n, sum(1.5 of track) as c")
    try await TestServer.withStore { store in
      let (memory, server) = (try await MemoryStore().saving(rows), try await store.saving(rows))
      let expected = try await #require(memory["album"]).findRows(ProjectionRequest(columns))
      let found = try await #require(server["album"]).findRows(ProjectionRequest(columns))
      for (lhs, rhs) in zip(expected, found) { #expect(lhs == rhs, "seed \(Self.seed)") }
      #expect(expected.count == found.count)
    }
  }

  @Test("and updates work values out of rows, as they were before")
  func computedUpdates() async throws {
    try await TestServer.withStore { store in
      let faults = try await store.faultsOfComputedUpdates()
      #expect(faults == [])
    }
  }

  @Test("and to UUIDs, dates and decimals as their columns hold them")
  func formats() async throws {
    try await TestServer.withStore { store in
      let faults = try await store.faultsOfRelatedFormats()
      #expect(faults == [])
    }
  }

  @Test("and deletions find their rows before the first one is gone")
  func deletionsByOwnRows() async throws {
    try await TestServer.withStore { store in
      let faults = try await store.faultsOfDeletionsByOwnRows()
      #expect(faults == [])
    }
  }

  @Test("and to what is worked out at the ends of values")
  func edges() async throws {
    try await TestServer.withStore { store in
      let repository = try store.repository(Schema(EdgeCases.schema()))
      try await repository.save([Record(values: EdgeCases.row, in: EdgeCases.schema())])
      for condition in EdgeCases.conditions {
        let query = try AnyQuery(parsing: condition)
        #expect(try await repository.count(query) == 1, "\(condition)")
        #expect(try await repository.count(!query) == 0, "not \(condition)")
      }
    }
  }

  @Test("by the laws that hold whatever is in the tables")
  func laws() async throws {
    var random = SplitMix64(seed: Self.seed)
    var asked = 0
    for _ in 0..<Effort.rounds(5) {
      let breach = try await TestServer.withStore { store in
        try await store.saving(RelatedTables.randomRows(using: &random))
          .breach(ofLawsDrawnFrom: &random, asked: &asked)
      }
      if let breach {
        Issue.record("\(breach), seed \(Self.seed)")
        return
      }
    }
    #expect(asked > RelationLaw.all.count, "\(asked) asked, seed \(Self.seed)")
  }

  @Test("with the same answer as in memory")
  func random() async throws {
    var random = SplitMix64(seed: Self.seed)
    var comparison = RelatedComparison()
    for _ in 0..<Effort.rounds(40) where comparison.difference == nil {
      var rows = try RelatedTables.randomRows(using: &random)
      let hasSmallIntegers = random.chance(0.5)
      if hasSmallIntegers { rows = rows.map { ($0.table, $0.table == "track" ? $0.rows.map(Self.fitting) : $0.rows) } }
      try await TestServer.withStore { store in
        if hasSmallIntegers {
          for sql in Compiler(for: PostgresDialect()).create(try RelatedTables.schemas()) {
            let small = sql.replacing(#""length" bigint"#, with: #""length" smallint"#)
            try await store.sql.execute(SQLStatement(verbatim: small))
          }
        }
        try await comparison.ask(
          try await MemoryStore().saving(rows), try await store.saving(rows), using: &random, storesNUL: false,
          jsonRate: 0)
      }
    }
    #expect(comparison.difference == nil, "seed \(Self.seed)")
    // Of two databases with random rows, one may answer little.
    #expect(comparison.answered > comparison.asked / 5, "\(comparison), seed \(Self.seed)")
  }

  /// A track whose length is one that 16 bits hold.
  private static func fitting(_ track: [Value]) -> [Value] {
    var track = track
    if case .integer(let length) = track[3] { track[3] = .integer(Int64(Int16(truncatingIfNeeded: length))) }
    return track
  }
}
