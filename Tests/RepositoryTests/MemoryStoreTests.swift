import Query
import Repository
import TestSupport
import Testing

@Suite("Tables in memory")
struct MemoryStoreTests {
  @Test("columns keep when elements were written")
  func timestamps() async throws { try await checkTimestamps(in: MemoryStore()) }

  @Test("decimals are kept exactly, and compared as numbers")
  func decimals() async throws {
    try await checkDecimals(in: MemoryStore())
    try await checkRandomDecimals(in: MemoryStore(), rounds: Effort.rounds(3_000))
  }

  @Test("All repositories of a store share its tables, and other stores have their own")
  func sharing() async throws {
    let store = MemoryStore()
    let one = try store.repository(of: Creature.self)
    let other = try store.repository(of: Creature.self)
    try await one.save(Creature.samples)
    #expect(try await other.findAll() == Creature.samples)
    try await other.delete([1, 2])
    #expect(try await one.count() == 2)
    let elsewhere = try MemoryStore().repository(of: Creature.self)
    #expect(try await elsewhere.count() == 0)
  }

  @Test("A batch that writes a row twice and fails leaves the row as it was", arguments: [true, false])
  func undoneTwice(isInTransaction: Bool) async throws {
    let store = MemoryStore()
    let table = try TableSchema(
      "t", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .text, isUnique: true)], primaryKey: ["id"])
    let records = try store.repository(Schema(table))
    func record(_ id: Int, _ name: String) throws -> Record {
      try Record(["id": .integer(Int64(id)), "name": .text(name)], for: table)
    }
    try await records.save([record(1, "a"), record(2, "b")])
    let batch = [try record(1, "c"), try record(1, "d"), try record(3, "b")]
    if isInTransaction {
      try await store.transaction { _ in
        await #expect(throws: RepositoryError.self) { try await records.save(batch) }
      }
    } else {
      await #expect(throws: RepositoryError.self) { try await records.save(batch) }
    }
    #expect(try await records.findAll() == [record(1, "a"), record(2, "b")])
  }

  /// So that a row which is referred to is found by the index of the key.
  @Test(
    "A reference leads to a key, and neither to other columns that are unique nor to the key in another order",
    arguments: [(["a", "b"], true), (["b", "a"], false), (["c"], false), (["c", "a"], false)])
  func references(key: [String], isKey: Bool) throws {
    let columns = [
      ColumnSchema("a", .integer), ColumnSchema("b", .integer), ColumnSchema("c", .integer, isUnique: true),
    ]
    let parent = try TableSchema("parent", columns: columns, primaryKey: ["a", "b"], unique: [["c", "a"]])
    let child = try TableSchema(
      "child", columns: columns, primaryKey: ["c"], references: [ReferenceRule(key, to: "parent", key: key)])
    let store = MemoryStore()
    _ = try store.repository(Schema(parent))
    if isKey {
      _ = try store.repository(Schema(child))
    } else {
      let error = #expect(throws: RepositoryError.self) { try store.repository(Schema(child)) }
      #expect(error?.code == .invalidSchema && error?.reason?.hasSuffix("whose key is a and b") == true)
    }
  }

  @Test("A repository with a store of its own says how to open the table to which its rows refer")
  func loneReference() async throws {
    struct Region: Entity {
      let id: Int
      static let schema = Schema("region", Region.init, Column("id", \.id))
    }
    struct Town: Entity {
      let id: Int
      var regionID: Int?
      static let region = ToOne(\Town.regionID, to: Region.self)
      static let schema = Schema("town", Town.init, Column("id", \.id), Column("region_id", \.regionID)).references(
        region)
    }
    let alone = try MemoryRepository<Town>()
    try await alone.insert(Town(id: 1, regionID: nil))
    await expectError(.foreignKeyViolation, suggestion: "open the repositories of town and region from one MemoryStore")
    { try await alone.insert(Town(id: 2, regionID: 1)) }
    let store = MemoryStore()
    try await store.repository(of: Region.self).insert(Region(id: 1))
    try await store.repository(of: Town.self).insert(Town(id: 2, regionID: 1))
  }

  @Test("Two transactions within one at once lose nothing of each other")
  func nestedAtOnce() async throws {
    // Other tests may keep all threads busy for long.
    let store = MemoryStore(timeout: .seconds(120))
    let creatures = try store.repository(of: Creature.self)
    try await store.transaction { outer in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for creature in Creature.samples {
          group.addTask {
            try await outer.transaction { _ in
              try await creatures.save(creature)
              for _ in 0..<10 { await Task.yield() }
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(try await creatures.count() == Creature.samples.count)
  }

  @Test("A repository outlives the store's variable")
  func ownership() async throws {
    func makeRepository() throws -> AnyRepository<Creature> { try MemoryStore().repository(of: Creature.self) }
    let repository = try makeRepository()
    try await repository.save(Creature.samples[0])
    #expect(try await repository.count() == 1)
  }

  @Test("Its methods can be called without awaiting them")
  func synchronous() throws {
    let repository = try MemoryRepository(Creature.samples)
    #expect(try repository.blocking.find(2) == Creature.samples[1])
    #expect(try repository.blocking.count(.isNull(key: "height")) == 1)
    #expect(try repository.blocking.delete([1]) == 1)
  }

  @Test("A table is not opened with a schema that differs, and the error names each difference")
  func mismatch() throws {
    let store = MemoryStore()
    _ = try store.repository(Creature.schema)
    let table = try TableSchema(
      "creature",
      columns: [
        ColumnSchema("id", .text), ColumnSchema("name", .text, isNullable: true), ColumnSchema("colour", .text),
      ], primaryKey: ["id"])
    let error = #expect(throws: RepositoryError.self) { try store.repository(Schema(table)) }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.summary == "table creature differs from the schema")
    for difference in ["column id stores integer, not text", "column name may not be null", "column colour is missing"]
    {
      #expect(error?.reason?.contains(difference) == true, "\(error?.reason ?? "")")
    }
  }

  @Test("A table is opened with its columns in another order, too")
  func otherOrder() async throws {
    let store = MemoryStore()
    let columns = [ColumnSchema("id", .integer), ColumnSchema("a", .text), ColumnSchema("b", .text)]
    let table = try TableSchema("t", columns: columns, primaryKey: ["id"])
    let repository: AnyRepository<Record> = try store.repository(Schema(table))
    let reversed: AnyRepository<Record> = try store.repository(
      Schema(try TableSchema("t", columns: columns.reversed(), primaryKey: ["id"])))
    try await repository.save([Record(values: [1, "a", "b"], in: table)])
    #expect(try await reversed.findAll().map(\.values) == [["b", "a", 1]])
  }

  @Test("Another element's unique value is a conflict that names the column")
  func conflict() async throws {
    let repository = try MemoryRepository(Creature.samples)
    expectError(.conflict, summary: "another row of creature has the same name (text)", reason: "name is unique") {
      try repository.blocking.save([Creature(id: 9, name: "Ember", element: .water)])
    }
    #expect(try await repository.count(.true) == 4)
  }

  @Test("Many tasks use one store at once")
  func concurrency() async throws {
    // Other tests may keep all threads busy for long.
    let store = MemoryStore(timeout: .seconds(120))
    try await withThrowingTaskGroup { group in
      for task in 0..<8 {
        group.addTask { @concurrent in
          let creatures = try store.repository(of: Creature.self)
          for number in 0..<100 {
            let id = task * 100 + number
            try await creatures.save(Creature(id: id, name: "\(id)", element: .fire, attack: task))
            #expect(try await creatures.find(id)?.attack == task)
            #expect(try await creatures.filter { $0.attack == task }.count() == number + 1)
          }
        }
      }
      try await group.waitForAll()
    }
    let creatures = try store.repository(of: Creature.self)
    #expect(try await creatures.count() == 800)
  }

  @Test("Repositories are opened while others write")
  func opening() async throws {
    let store = MemoryStore(timeout: .seconds(120))
    try await withThrowingTaskGroup { group in
      for task in 0..<4 {
        group.addTask { @concurrent in
          for number in 0..<300 {
            let creatures = try store.repository(of: Creature.self)
            let creature = Creature(id: task * 300 + number, name: "\(task) \(number)", element: .fire, attack: task)
            try await creatures.save(creature)
          }
        }
      }
      try await group.waitForAll()
    }
    let creatures = try store.repository(of: Creature.self)
    #expect(try await creatures.count() == 1_200)
  }
}

@Suite("Deletions in memory go on from row to row")
struct CascadeTests {
  private static func nodes(_ rule: DeleteRule, _ count: Int) throws -> MemoryRepository<Record> {
    let table = try TableSchema(
      "node", columns: [ColumnSchema("id", .integer), ColumnSchema("parent", .integer, isNullable: true)],
      primaryKey: ["id"], references: [ReferenceRule(["parent"], to: "node", key: ["id"], onDelete: rule)])
    let repository = try MemoryRepository(schema: Schema(table))
    try repository.blocking.insert(
      (1...Int64(count)).map { number throws -> Record in
        let parent: Value = number == 1 ? .null : .integer(number - 1)
        return try Record(["id": .integer(number), "parent": parent], for: table)
      })
    return repository
  }

  @Test("a chain of 5,000 is refused as too long, and can be deleted as a whole")
  func longChain() throws {
    let nodes = try Self.nodes(.cascade, 5_000)
    expectError(.tooBig, summary: "a deletion from node cascades through more than 1000 levels of references") {
      try nodes.blocking.delete([[1]])
    }
    #expect(try nodes.blocking.count(.true) == 5_000)
    #expect(try nodes.blocking.delete(where: .greaterThan(key: "id", value: 4_500)) == 500)
  }

  @Test("a row with 5,000 that refer to it takes them along, or leaves them with nothing to refer to")
  func wide() throws {
    for rule in [DeleteRule.cascade, .setNull] {
      let nodes = try Self.nodes(rule, 5_000)
      try nodes.blocking.update(where: .greaterThan(key: "id", value: 1), set: [Assignment("parent", 1)])
      #expect(try nodes.blocking.delete([[1]]) == 1)
      #expect(try nodes.blocking.count(.isNull(key: "parent")) == (rule == .cascade ? 0 : 4_999))
    }
  }
}
