import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

@Suite("Queries lead to the rows of other tables", .tags(.slow))
struct RelationQueryTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  @Test("in every way that a table refers to another", arguments: ProjectionTests.stores.indices)
  func cases(_ index: Int) async throws {
    let store = try ProjectionTests.stores[index]()
    let tables = try await store.saving(RelatedTables.rows)
    for (table, text, keys) in RelatedTables.cases {
      let repository = try #require(tables[table])
      let query = try AnyQuery(parsing: text)
      #expect(try AnyQuery(parsing: query.description) == query, "\(text)")
      #expect(try AnyQuery(json: query.json) == query, "\(text)")
      let found = try await repository.findAll(FetchRequest(query)).map { $0.values[0] }
      #expect(found == keys, "\(text)")
      #expect(try await repository.count(query) == keys.count, "\(text)")
    }
    for (table, text, message) in RelatedTables.refused {
      let repository = try #require(tables[table])
      let query = try AnyQuery(parsing: text)
      let error = await #expect(throws: RepositoryError.self) { try await repository.findAll(FetchRequest(query)) }
      #expect("\(error.map { "\($0)" } ?? "")".contains(message), "\(text): \(error.map { "\($0)" } ?? "")")
    }
  }

  @Test("and updates work values out of rows, as they were before", arguments: ProjectionTests.stores.indices)
  func computedUpdates(_ index: Int) async throws {
    let faults = try await ProjectionTests.stores[index]().faultsOfComputedUpdates()
    #expect(faults == [])
  }

  @Test("and deletions find their rows before the first one is gone", arguments: ProjectionTests.stores.indices)
  func deletionsByOwnRows(_ index: Int) async throws {
    let faults = try await ProjectionTests.stores[index]().faultsOfDeletionsByOwnRows()
    #expect(faults == [])
  }

  @Test("and to UUIDs, dates and decimals as their columns hold them", arguments: ProjectionTests.stores.indices)
  func formats(_ index: Int) async throws {
    let faults = try await ProjectionTests.stores[index]().faultsOfRelatedFormats()
    #expect(faults == [])
  }

  @Test("and names the table that was meant in another case", arguments: ProjectionTests.stores.indices)
  func otherCase(_ index: Int) async throws {
    let store = try ProjectionTests.stores[index]()
    let parent = try TableSchema("parent", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"])
    let child = try TableSchema(
      "child", columns: [ColumnSchema("id", .integer), ColumnSchema("parent", .integer, isNullable: true)],
      primaryKey: ["id"], references: [ReferenceRule(["parent"], to: "parent", key: ["id"])])
    let parents = try store.repository(Schema(parent))
    _ = try store.repository(Schema(child))
    for text in ["no chilD", "no child and count(chilD by parent) < 2", "count(CHILD) = 1"] {
      await expectError(suggestion: "did you mean child?", comment: text) {
        try await parents.count(AnyQuery(parsing: text))
      }
    }
  }

  @Test("and an update by a path that breaks a reference says which")
  func brokenReference() async throws {
    let store = try SQLiteStore.inMemory()
    try await store.sql.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT")
    try await store.sql.execute(
      "CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parent (id)) STRICT")
    try await store.sql.execute("INSERT INTO parent VALUES (1, 7)")
    try await store.sql.execute("INSERT INTO child VALUES (2, 1)")
    let children = try store.sqlRepository(Schema(try store.schema(ofTable: "child")))
    let assignment = Assignment("parent_id", try AnyExpression(parsing: "parent_id.n"))
    await expectError(
      .foreignKeyViolation, summary: "parent_id (number) of child refers to a row of parent that does not exist"
    ) {
      try await children.update(where: .true, set: [assignment])
    }
  }

  @Test("and to what is worked out at the ends of values", arguments: ProjectionTests.stores.indices)
  func edges(_ index: Int) async throws {
    let repository = try ProjectionTests.stores[index]().repository(Schema(EdgeCases.schema()))
    for (row, conditions) in [(EdgeCases.row, EdgeCases.conditions), (EdgeCases.zeroRow, EdgeCases.zeroConditions)] {
      try await repository.save([Record(values: row, in: EdgeCases.schema())])
      for condition in conditions {
        let query = try AnyQuery(parsing: condition)
        #expect(try await repository.count(query) == 1, "\(condition)")
        #expect(try await repository.count(!query) == 0, "not \(condition)")
      }
    }
  }

  @Test("also to sort, to group, to update and to delete", arguments: ProjectionTests.stores.indices)
  func otherRequests(_ index: Int) async throws {
    let tables = try await ProjectionTests.stores[index]().saving(RelatedTables.rows)
    let (tracks, albums) = (try #require(tables["track"]), try #require(tables["album"]))
    func keys(_ request: FetchRequest) async throws -> [Value] {
      try await tracks.findAll(request).map { $0.values[0] }
    }
    #expect(
      try await keys(FetchRequest(sortedBy: try AnySort(parsing: "album.title desc, -length"))) == [4, 3, 2, 1, 5])
    let groups = try await tracks.aggregate(
      AggregateRequest(
        [.count, AnyAggregate(.sum, of: try AnyExpression(parsing: "length / 100"))],
        of: .isNotNull(.path("album", "id")), groupedBy: [.path("album", "artist", "name")]))
    #expect(groups.map(\.keys) == [["Ann"], ["Ben"]])
    #expect(groups.map(\.aggregates) == [[3, 6], [1, 4]])
    let long = try AnyQuery(parsing: "album.artist.name = 'Ann' and length > 100")
    #expect(try await tracks.update(where: long, set: [Assignment("name", "Long")]) == 2)
    #expect(try await keys(FetchRequest(.equal(key: "name", value: "Long"))) == [2, 3])
    #expect(try await tracks.delete(where: try AnyQuery(parsing: "album.owner.name = 'Rae'")) == 2)
    #expect(try await keys(FetchRequest()) == [3, 4, 5])
    #expect(try await albums.delete(where: try AnyQuery(parsing: "no track by album")) == 1)
  }

  @Test("by the laws that hold whatever is in the tables", arguments: ProjectionTests.stores.indices)
  func laws(_ index: Int) async throws {
    var random = SplitMix64(seed: Self.seed)
    var asked = 0
    for _ in 0..<Effort.rounds(40) {
      let tables = try await ProjectionTests.stores[index]().saving(RelatedTables.randomRows(using: &random))
      if let breach = try await tables.breach(ofLawsDrawnFrom: &random, asked: &asked) {
        Issue.record("\(breach), seed \(Self.seed)")
        return
      }
    }
    #expect(asked > 5 * RelationLaw.all.count, "\(asked) asked, seed \(Self.seed)")
  }

  @Test("with the same answer in memory and in SQLite")
  func random() async throws {
    var random = SplitMix64(seed: Self.seed)
    var comparison = RelatedComparison()
    for _ in 0..<Effort.rounds(500, oneIn: 25) where comparison.difference == nil {
      let rows = try RelatedTables.randomRows(using: &random)
      try await comparison.ask(
        try await MemoryStore().saving(rows), try await SQLiteStore.inMemory().saving(rows), using: &random)
    }
    #expect(comparison.difference == nil, "seed \(Self.seed)")
    // Of two databases with random rows, one may answer little.
    #expect(comparison.answered > comparison.asked / 5, "\(comparison), seed \(Self.seed)")
  }
}
