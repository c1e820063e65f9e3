import Query
import Repository
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("Deferred references are checked at the end", .tags(.slow))
struct DeferredReferenceTests {
  @Test("of a write, and of a transaction, which is undone", arguments: ProjectionTests.stores.indices)
  func writes(_ index: Int) async throws {
    let store = try ProjectionTests.stores[index]()
    let faults = try await store.faultsOfDeferredReferences(DeferredReferences.writes + DeferredReferences.transactions)
    #expect(faults == [])
  }

  @Test("of a write over HTTP")
  func served() async throws {
    let inMemory = try await ServedStore(MemoryStore()).faultsOfDeferredReferences(DeferredReferences.writes)
    #expect(inMemory == [])
    let inSQLite = try await ServedStore(SQLiteStore.inMemory()).faultsOfDeferredReferences(DeferredReferences.writes)
    #expect(inSQLite == [])
  }

  @Test("which is not repeated, since another attempt would fail too", arguments: ProjectionTests.stores.indices)
  func attempts(_ index: Int) async throws {
    let store = try ProjectionTests.stores[index]()
    for schema in try DeferredReferences.schemas() { _ = try store.repository(Schema<Record>(schema)) }
    let leaf = try DeferredReferences.schemas()[2]
    let leaves = try store.repository(Schema<Record>(leaf))
    let count = Atomic(0)
    let error = await #expect(throws: RepositoryError.self) {
      try await store.transaction(attempts: 5) { _ in
        count.add(1, ordering: .relaxed)
        try await leaves.insert(Record(values: [1, 9], in: leaf))
      }
    }
    #expect(count.load(ordering: .relaxed) == 1)
    #expect(error?.code == .foreignKeyViolation)
    #expect(error?.summary == "node of leaf refers to a row of node that does not exist")
  }

  private static func child(isDeferred: Bool) throws -> Schema<Record> {
    Schema(
      try TableSchema(
        "child",
        columns: [
          ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("a", .integer, isNullable: true),
          ColumnSchema("b", .integer, isNullable: true),
        ], primaryKey: ["id"],
        references: [
          ReferenceRule(["a"], to: "box", key: ["id"], isDeferred: isDeferred),
          ReferenceRule(["b"], to: "box", key: ["id"]),
        ]))
  }

  @Test(
    "and are found in the definition of a table",
    arguments: [
      (
        "a INTEGER REFERENCES box /* NOT DEFERRABLE */ (id) DEFERRABLE INITIALLY DEFERRED, b INTEGER REFERENCES box (id)",
        true
      ),
      ("a INTEGER REFERENCES box (id) NULL deferrable initially deferred, b INTEGER REFERENCES box (id)", true),
      ("a INTEGER, b INTEGER REFERENCES box, FOREIGN KEY (a) REFERENCES box DEFERRABLE INITIALLY DEFERRED", true),
      ("a INTEGER REFERENCES box (id) DEFERRABLE INITIALLY IMMEDIATE, b INTEGER REFERENCES box (id)", false),
      ("a INTEGER REFERENCES box (id) NOT DEFERRABLE INITIALLY DEFERRED, b INTEGER REFERENCES box (id)", false),
      ("a INTEGER REFERENCES box (id) DEFERRABLE, b INTEGER REFERENCES box (id)", false),
      (
        "a INTEGER DEFAULT ('DEFERRABLE INITIALLY DEFERRED') REFERENCES box (id), b INTEGER REFERENCES box (id)", false
      ),
    ])
  func found(_ columns: String, isDeferred: Bool) async throws {
    let store = try SQLiteStore.inMemory()
    try await store.sql.execute("CREATE TABLE box (id INTEGER NOT NULL PRIMARY KEY) STRICT")
    try await store.sql.execute(
      SQLStatement(verbatim: "CREATE TABLE child (id INTEGER NOT NULL PRIMARY KEY, \(columns)) STRICT"))
    _ = try store.repository(Self.child(isDeferred: isDeferred))
    let error = #expect(throws: RepositoryError.self) { try store.repository(Self.child(isDeferred: !isDeferred)) }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.reason == "the reference of a to box is \(isDeferred ? "" : "not ")deferred")
  }
}
