import Query
import Repository
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("Rules of tables that SQLite keeps")
struct TableRuleTests {
  private let store: SQLiteStore

  init() throws { store = try SQLiteStore.inMemory() }

  private func run(_ statements: String...) throws {
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for sql in statements { try connection.execute(sql) }
    }
  }

  struct Trainer: Entity {
    let id: Int?
    var name: String
    static let schema = Schema("trainer", Trainer.init, Column("id", \.id, .generated), Column("name", \.name))
  }

  struct Pet: Entity {
    let id: Int?
    var name: String
    var home: String
    var weight: Double
    var trainerID: Int?
    static let trainer = ToOne(\Pet.trainerID, to: Trainer.self, onDelete: .setNull)
    static let schema = Schema(
      "pet", Pet.init, Column("id", \.id, .generated), Column("name", \.name), Column("home", \.home),
      Column("weight", \.weight), Column("trainer_id", \.trainerID)
    ).references(trainer).unique(\.name, \.home).check("has weight") { $0.weight > 0 }
  }

  @Test(
    "a conflict names the columns of the rule that is broken, whatever they are called, and tells what is known otherwise",
    arguments: [
      (
        ["CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, \"a, t.b\", UNIQUE (a, b))"], "t",
        "another row of t has the same a (number) and b (number)", "a and b are unique together"
      ),
      (
        ["CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, \"a, t.b\" UNIQUE)"], "t",
        "another row of t has the same a, t.b (number)", "a, t.b is unique"
      ),
      (
        ["CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)", "CREATE UNIQUE INDEX i ON t (a + b)"], "t",
        "another row of t has the same unique values",
        "SQLite says: UNIQUE constraint failed: index 'i'"
      ),
      (
        [
          "CREATE TABLE o (x UNIQUE)", "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)",
          "CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO o VALUES (new.a); END",
        ], "t", "another row of o has the same x", "x is unique"
      ),
      (
        [
          "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)",
          "CREATE TRIGGER g BEFORE INSERT ON t WHEN new.id = 2 BEGIN SELECT RAISE(ABORT, 'two, t.a'); END",
        ], "t", "the operation breaks a rule of the table", "SQLite says: two, t.a"
      ),
    ])
  func conflicts(statements: [String], table: String, summary: String, reason: String) throws {
    for sql in statements { try store.blocking.sql.execute(SQLStatement(verbatim: sql)) }
    let schema = try store.schema(ofTable: table)
    func write(_ id: Int64) throws {
      try store.blocking.transaction(.writing) { transaction in
        try transaction.writer(for: schema, replacing: false).write([.integer(id), 1, 2, 3])
      }
    }
    try write(1)
    expectError(summary: summary, reason: reason) { try write(2) }
  }

  @Test("a virtual table's conflict, which names no column, is one all the same")
  func virtualTable() throws {
    try store.blocking.sql.execute("CREATE VIRTUAL TABLE f USING fts5(a)")
    try store.blocking.sql.execute("INSERT INTO f (rowid, a) VALUES (1, 'x')")
    let error = #expect(throws: RepositoryError.self) {
      try store.blocking.sql.execute("INSERT INTO f (rowid, a) VALUES (1, 'y')")
    }
    #expect([.conflict, .constraint].contains(error?.code))
    #expect(error?.reason == "SQLite says: constraint failed")
  }

  @Test("rules are read back from the database as they were declared, but for checks")
  func described() throws {
    _ = try store.repository(of: Pet.self)
    let declared = try Pet.schema.table()
    let found = try store.schema(ofTable: "pet")
    #expect(found.columns.map(\.isGenerated) == declared.columns.map(\.isGenerated))
    #expect(found.uniqueSets == declared.uniqueSets)
    #expect(found.references == declared.references)
    #expect(found.checks == [])
    // A file that has the rules is opened with them again.
    _ = try store.repository(of: Pet.self)
  }

  @Test(
    "a table that another program made without a rule is a difference that is named",
    arguments: [
      (
        "CHECK (weight > 0)", "UNIQUE (name, home)", "REFERENCES trainer (id) ON DELETE SET NULL",
        "the rule has weight is missing or different"
      ),
      (
        #"CONSTRAINT "has weight" CHECK (("weight" > 0.0) IS 1)"#, "UNIQUE (name)",
        "REFERENCES trainer ON DELETE SET NULL", "name and home are not unique together"
      ),
      (
        #"CONSTRAINT "has weight" CHECK (("weight" > 0.0) IS 1)"#, "UNIQUE (home, name)", "",
        "trainer_id does not refer to trainer"
      ),
      (
        #"CONSTRAINT "has weight" CHECK (("weight" > 0.0) IS 1)"#, "UNIQUE (name, home)",
        "REFERENCES trainer (id) ON DELETE CASCADE",
        "trainer_id refers to trainer with another key or deletion rule"
      ),
      (
        #"CONSTRAINT "has weight" CHECK (("weight" > 0.0) IS 1)"#, "UNIQUE (home, name)",
        "REFERENCES trainer ON DELETE SET NULL", nil
      ),
    ] as [(String, String, String, String?)])
  func mismatch(check: String, unique: String, reference: String, reason: String?) throws {
    try run(
      "CREATE TABLE trainer (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
      """
      CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT NOT NULL, home TEXT NOT NULL, weight REAL NOT NULL, \
      trainer_id INTEGER \(reference), \(unique), \(check)) STRICT
      """)
    guard let reason else {
      _ = try store.repository(of: Pet.self)
      return
    }
    expectError(.schemaMismatch, reason: reason) { _ = try store.repository(of: Pet.self) }
  }

  @Test("rules of other programs are kept, and named as far as SQLite tells them")
  func foreignRules() throws {
    try run(
      "CREATE TABLE parent (id INTEGER PRIMARY KEY, size INT CHECK (size < 10))",
      "CREATE TABLE Child (id INTEGER PRIMARY KEY, p INT REFERENCES PARENT ON DELETE RESTRICT, n TEXT NOT NULL DEFAULT 'x')",
      "INSERT INTO parent VALUES (1, 1), (2, 2)", "INSERT INTO child VALUES (1, 1, 'a')")
    let parents = try store.sqlRepository(Schema(try store.schema(ofTable: "parent")))
    let children = try store.sqlRepository(Schema(try store.schema(ofTable: "Child")))
    let table = try store.schema(ofTable: "parent")
    expectError(.constraint, summary: "a row of parent breaks the rule size < 10") {
      try parents.blocking.save([Record(["id": 3, "size": 10], for: table)])
    }
    expectError(.restrictViolation, summary: "can't delete a row of PARENT, because p of Child refers to the row") {
      try parents.blocking.delete([[1]])
    }
    let stray = #expect(throws: RepositoryError.self) {
      try children.blocking.save([Record(["id": 2, "p": 9, "n": "b"], for: store.schema(ofTable: "Child"))])
    }
    #expect(stray?.storeCode == 787)
    #expect(try parents.blocking.delete(where: .equal(key: "id", value: 2)) == 1)
    #expect(try parents.blocking.count(.true) == 1)
  }

  @Test("what other programs have left behind is not blamed on a deletion")
  func leftBehind() throws {
    let pets: SQLiteRepository<Pet> = try store.sqlRepository(of: Pet.self)
    let table = try TableSchema(
      "badge", columns: [ColumnSchema("id", .integer), ColumnSchema("pet", .integer)], primaryKey: ["id"],
      references: [ReferenceRule(["pet"], to: "pet", key: ["id"])])
    let badges = try store.sqlRepository(Schema(table))
    try pets.blocking.insert([Pet(id: 1, name: "a", home: "", weight: 1, trainerID: nil)])
    try badges.blocking.insert([Record(["id": 1, "pet": 1], for: table)])
    try run(
      "CREATE TABLE aaa (id INTEGER PRIMARY KEY, pet INT REFERENCES pet)", "PRAGMA foreign_keys = OFF",
      "INSERT INTO aaa VALUES (1, 99)", "PRAGMA foreign_keys = ON")
    expectError(summary: "can't delete a row of pet, because pet of badge refers to the row") {
      try pets.blocking.delete([1])
    }
    #expect(try pets.blocking.count(.true) == 1)
  }

  @Test("a deletion names the reference that restricts it, of several to the same table, and defers no other")
  func severalReferences() throws {
    try run(
      "CREATE TABLE parent (id INTEGER PRIMARY KEY)", "INSERT INTO parent VALUES (1), (2)",
      """
      CREATE TABLE child (id INTEGER PRIMARY KEY, a INT REFERENCES parent, b INT REFERENCES parent, \
      c INT REFERENCES parent)
      """, "INSERT INTO child VALUES (1, 1, NULL, NULL), (2, NULL, NULL, 2)")
    let parents = try store.sqlRepository(Schema(try store.schema(ofTable: "parent")))
    for (id, column) in [(1, "a"), (2, "c")] {
      try store.blocking.transaction { transaction in
        expectError(summary: "can't delete a row of parent, because \(column) of child refers to the row") {
          try parents.blocking.delete([[.integer(Int64(id))]])
        }
        #expect(throws: RepositoryError.self) { try transaction.sql.execute("INSERT INTO child VALUES (3, 9, 1, 1)") }
      }
    }
    #expect(try parents.blocking.count(.true) == 2)
  }

  @Test("what is unique among some rows is not unique")
  func partialIndex() throws {
    try run(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT)", "CREATE UNIQUE INDEX i ON t (a) WHERE b = 'x'",
      "CREATE UNIQUE INDEX j ON t (a, b) WHERE c = 'x'", "CREATE UNIQUE INDEX k ON t (c)")
    let table = try store.schema(ofTable: "t")
    #expect(table.columns.filter(\.isUnique).map(\.name) == ["c"])
    #expect(table.columns.filter(\.isIndexed).map(\.name) == ["c"] && table.uniqueSets.isEmpty)
  }

  @Test("an update that fails is explained by its first row, and undone, within a transaction too")
  func explainedUpdate() throws {
    let pets = try store.sqlRepository(of: Pet.self)
    try pets.blocking.insert(
      (1...5).map { (id: Int) in Pet(id: id, name: "\(id)", home: "", weight: 1, trainerID: nil) })
    try store.blocking.transaction { transaction in
      expectError(summary: "another row of pet has the same name (text) and home (text)") {
        try pets.blocking.update(where: .true, set: [Assignment("name", "x")])
      }
      try pets.blocking.update(where: .equal(key: "id", value: 1), set: [Assignment("weight", 2)])
    }
    let names = try pets.blocking.findAll(FetchRequest()).map(\.name)
    #expect(names == ["1", "2", "3", "4", "5"])
    #expect(try pets.blocking.find(1)?.weight == 2)
  }

  @Test("a reference that leads nowhere is named, also where it spells its target in another case")
  func targetInAnotherCase() async throws {
    try run(
      "CREATE TABLE Trainer (id INTEGER PRIMARY KEY NOT NULL)",
      "CREATE TABLE badge (id INTEGER PRIMARY KEY NOT NULL, trainer INT REFERENCES TRAINER (id))")
    let table = try TableSchema(
      "badge", columns: [.init("id", .integer), .init("trainer", .integer, isNullable: true)], primaryKey: ["id"])
    let badges = try store.repository(Schema(table))
    await expectError(summary: "trainer (number) of badge refers to a row of TRAINER that does not exist") {
      try await badges.save(Record(["id": 1, "trainer": 9], for: table))
    }
  }
}
