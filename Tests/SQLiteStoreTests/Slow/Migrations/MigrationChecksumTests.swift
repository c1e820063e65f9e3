import Query
import Repository
import TestSupport
import Testing

@testable import SQLStore
@testable import SQLiteStore

@Suite("The checksum of a migration")
struct MigrationChecksumTests {
  private static func table(
    _ columns: [ColumnSchema]? = nil, unique: [[String]] = [], checks: [CheckRule] = [],
    references: [ReferenceRule] = []
  ) throws -> TableSchema {
    let usual = [ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("owner", .integer)]
    return try TableSchema(
      "pet", columns: columns ?? usual, primaryKey: ["id"], unique: unique, checks: checks, references: references)
  }

  private static func checksum(_ table: TableSchema) throws -> String {
    try Migration("m") { try $0.create(table) }.checksum
  }

  @Test("differs by all of a table that a statement makes")
  func tables() throws {
    let id = ColumnSchema("id", .integer)
    let rest = [ColumnSchema("name", .text), ColumnSchema("owner", .integer)]
    let owner = ReferenceRule(["owner"], to: "owner", key: ["id"])
    let tables: [TableSchema] = [
      try Self.table(), try Self.table(unique: [["name", "owner"]]), try Self.table(unique: [["owner", "name"]]),
      try Self.table(unique: [["name", "owner"], ["owner", "name"]]),
      try Self.table(checks: [CheckRule("long", .greaterThan(key: "owner", value: 1))]),
      try Self.table(checks: [CheckRule("long", .greaterThan(key: "owner", value: 2))]),
      try Self.table(checks: [CheckRule("other", .greaterThan(key: "owner", value: 2))]),
      try Self.table(checks: [
        CheckRule("long", .greaterThan(key: "owner", value: 1)), CheckRule("named", .notEqual(key: "name", value: "")),
      ]),
      try Self.table(references: [owner]),
      try Self.table(references: [ReferenceRule(["owner"], to: "owner", key: ["id"], onDelete: .cascade)]),
      try Self.table(references: [ReferenceRule(["owner"], to: "owners", key: ["id"])]),
      try Self.table(references: [ReferenceRule(["owner"], to: "owner", key: ["number"])]),
      try Self.table(references: [ReferenceRule(["id"], to: "owner", key: ["id"])]),
      try Self.table([ColumnSchema("id", .integer, isGenerated: true)] + rest),
      try Self.table([id, ColumnSchema("name", .text, declaredType: "VARCHAR"), rest[1]]),
      try Self.table([id, ColumnSchema("name", .text, declaredType: ""), rest[1]]),
    ]
    let checksums = try tables.map(Self.checksum)
    #expect(Set(checksums).count == tables.count, "\(checksums)")
  }

  /// Databases keep it.
  @Test("stays the same in later versions, also that of a table with rules")
  func stable() throws {
    let table = try Self.table(
      [
        ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("name", .text, declaredType: "VARCHAR"),
        ColumnSchema("owner", .integer),
      ], unique: [["name", "owner"]], checks: [CheckRule("long", .greaterThan(key: "owner", value: 1))],
      references: [ReferenceRule(["owner"], to: "owner", key: ["id"], onDelete: .cascade)])
    #expect(try Self.checksum(table) == "479f684b55c29aec")
  }

  @Test("of a table with a new rule is noticed where the table has been made")
  func newRule() async throws {
    let store = try SQLiteStore.inMemory()
    func create(_ table: TableSchema) -> [Migration] { [Migration("create pet") { try $0.create(table) }] }
    try await store.migrate(create(Self.table()))
    let changed = [
      try Self.table(checks: [CheckRule("named", .notEqual(key: "name", value: ""))]),
      try Self.table(references: [ReferenceRule(["owner"], to: "pet", key: ["id"])]),
      try Self.table(unique: [["name", "owner"]]),
    ]
    for table in changed {
      await expectError(.migrationChanged, "create pet") { try await store.migrate(create(table)) }
    }
    #expect(try await store.migrate(create(Self.table())) == [])
  }
}
