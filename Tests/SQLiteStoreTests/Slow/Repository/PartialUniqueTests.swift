import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

@Suite("Columns are unique among the rows that match a condition", .tags(.slow))
struct PartialUniqueTests {
  @Test("in every kind of write", arguments: ProjectionTests.stores.indices)
  func writes(_ index: Int) async throws {
    let faults = try await ProjectionTests.stores[index]().faultsOfPartialUniqueness()
    #expect(faults == [])
  }

  @Test("and over HTTP")
  func served() async throws {
    let inMemory = try await ServedStore(MemoryStore()).faultsOfPartialUniqueness()
    #expect(inMemory == [])
    let inSQLite = try await ServedStore(SQLiteStore.inMemory()).faultsOfPartialUniqueness()
    #expect(inSQLite == [])
  }

  private static func table(
    _ rules: [PartialUniqueRule], mail: String = "mail", name: String = "user"
  ) throws -> TableSchema {
    try TableSchema(
      name,
      columns: [
        ColumnSchema("id", .integer, isGenerated: true), ColumnSchema(mail, .text),
        ColumnSchema("gone", .integer, isNullable: true),
      ], primaryKey: ["id"], partialUnique: rules)
  }

  private static let rule = PartialUniqueRule(["mail"], where: .isNull(key: "gone"))
  private static let other = PartialUniqueRule(["mail"], where: .equal(key: "gone", value: 0))

  @Test("of an existing table are compared, and added by an adoption")
  func comparison() async throws {
    let store = try SQLiteStore.inMemory()
    _ = try store.repository(Schema<Record>(Self.table([])))
    let users = try Schema<Record>(Self.table([Self.rule]))
    let error = #expect(throws: RepositoryError.self) { try store.repository(users) }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.reason == "mail is not unique where gone is null")
    #expect(try store.adopt(users).map(\.kind) == [.missingUniqueness])
    _ = try store.repository(users)
    let others = try Schema<Record>(Self.table([Self.other]))
    #expect(throws: RepositoryError.self) { try store.repository(others) }
    #expect(try store.adopt(others).map(\.kind) == [.missingUniqueness])
    // An adoption removes nothing.
    _ = try store.repository(users)
    let all = try TableSchema(
      "team", columns: [ColumnSchema("id", .integer), ColumnSchema("mail", .text, isUnique: true)], primaryKey: ["id"])
    _ = try store.repository(Schema<Record>(all))
    let some = Schema<Record>(
      try TableSchema(
        "team", columns: [ColumnSchema("id", .integer), ColumnSchema("mail", .text)], primaryKey: ["id"],
        partialUnique: [PartialUniqueRule(["mail"], where: .greaterThan(key: "id", value: 5))]))
    for open in [{ try store.repository(some) }, { try store.repository(some, adding: .all) }] {
      let error = #expect(throws: RepositoryError.self) { try open() }
      #expect(error?.code == .schemaMismatch)
      #expect(error?.reason == "mail is unique in all rows, not only where id > 5")
    }
    // An additional rule is no difference.
    _ = try store.repository(Schema<Record>(Self.table([])))
  }

  @Test("which follow a renamed column, and are those of the new schema after a rebuild")
  func migrations() async throws {
    let store = try SQLiteStore.inMemory()
    let renamed = PartialUniqueRule(["address"], where: .isNull(key: "gone"))
    let (create, rename) = (
      Migration("create") { try $0.create(Self.table([Self.rule])) },
      Migration("rename") { try $0.renameColumn("mail", to: "address", in: "user") }
    )
    try await store.migrate([create, rename])
    _ = try store.repository(Schema<Record>(Self.table([renamed], mail: "address")))
    // The index of the old rule has the old name of the table.
    let rebuild = Migration("rebuild") {
      try $0.rename(table: "user", to: "member")
      try $0.rebuild("member", as: Self.table([Self.other], name: "member"), taking: ["mail": "address"])
    }
    try await store.migrate([create, rename, rebuild])
    let users = try store.repository(Schema<Record>(Self.table([Self.other], name: "member")))
    func user(_ gone: Value) throws -> Record { try Record(values: [.null, "a", gone], in: Self.table([])) }
    try await users.insert([try user(.null), try user(.null), try user(0)])
    await #expect(throws: RepositoryError.self) { try await users.insert(try user(0)) }
  }
}
