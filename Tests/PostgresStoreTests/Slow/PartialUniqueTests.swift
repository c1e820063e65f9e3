import PostgresStore
import Query
import Repository
import SQLStore
import SQLiteStore
import TestSupport
import Testing

@Suite("Columns are unique among the rows that match a condition", .tags(.slow))
struct PartialUniqueTests {
  @Test("in every kind of write to a server", .requiresServer)
  func writes() async throws {
    try await TestServer.withStore { store in
      let faults = try await store.faultsOfPartialUniqueness()
      #expect(faults == [])
    }
  }

  private static func table(
    _ rules: [PartialUniqueRule], mail: String = "mail", name: String = "user"
  ) throws -> TableSchema {
    try TableSchema(
      name,
      columns: [
        ColumnSchema("id", .integer, isGenerated: true), ColumnSchema(mail, .text), ColumnSchema("weight", .real),
        ColumnSchema("gone", .integer, isNullable: true),
      ], primaryKey: ["id"], partialUnique: rules)
  }

  private static let rule = PartialUniqueRule(["mail"], where: .isNull(key: "gone"))
  private static let other = PartialUniqueRule(["mail"], where: .equal(key: "gone", value: 0))

  @Test("of an existing table are compared, and added by an adoption", arguments: TestDatabase.available)
  func comparison(_ database: TestDatabase) async throws {
    try await database.withStore { store in
      _ = try store.repository(Schema<Record>(Self.table([])))
      let users = try Schema<Record>(Self.table([Self.rule]))
      expectError(.schemaMismatch, reason: "mail is not unique where gone is null") { try store.repository(users) }
      #expect(try store.adopt(users).map(\.kind) == [.missingUniqueness])
      _ = try store.repository(users)
      let others = try Schema<Record>(Self.table([Self.other]))
      #expect(throws: RepositoryError.self) { try store.repository(others) }
      #expect(try store.adopt(others).map(\.kind) == [.missingUniqueness])
      // An adoption removes nothing.
      _ = try store.repository(users)
      // An additional rule is no difference.
      _ = try store.repository(Schema<Record>(Self.table([])))
      let all = try TableSchema(
        "team", columns: [ColumnSchema("id", .integer), ColumnSchema("mail", .text, isUnique: true)], primaryKey: ["id"]
      )
      _ = try store.repository(Schema<Record>(all))
      let some = Schema<Record>(
        try TableSchema(
          "team", columns: [ColumnSchema("id", .integer), ColumnSchema("mail", .text)], primaryKey: ["id"],
          partialUnique: [PartialUniqueRule(["mail"], where: .greaterThan(key: "id", value: 5))]))
      for open in [{ try store.repository(some) }, { try store.repository(some, adding: .all) }] {
        expectError(.schemaMismatch, reason: "mail is unique in all rows, not only where id > 5") { try open() }
      }
    }
  }

  @Test(
    "which follow a renamed column, and are those of the new schema after a rebuild", arguments: TestDatabase.available)
  func migrations(_ database: TestDatabase) async throws {
    try await database.withStore { store in
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
      func user(_ gone: Value) throws -> Record { try Record(values: [.null, "a", 1.0, gone], in: Self.table([])) }
      try await users.insert([try user(.null), try user(.null), try user(0)])
      await #expect(throws: RepositoryError.self) { try await users.insert(try user(0)) }
    }
  }

  @Test("by every form of condition that a check may have, which an index accepts", arguments: TestDatabase.available)
  func conditions(_ database: TestDatabase) async throws {
    try await database.withStore { store in
      let texts = [
        "mail starts with 'a' and not mail contains 'b'", "mail ends with 'c' or length(mail) > 3", "weight * 2 < 10.5",
        "weight between 1 and 2 or weight / 3 > 1", "gone in (1, 2, 3)", "gone % 2 = 1 and -gone < abs(gone)",
        "mail || 'x' > 'm'", "coalesce(gone, 7) = 7", "if(gone > 3, weight, 1.5) > 1",
        "mail != 'x' and gone is not null",
        "gone + 1 > gone * 2", "weight = gone",
      ]
      for (number, text) in texts.enumerated() {
        let columns = try Self.table([]).columns
        let rule = PartialUniqueRule(["mail"], where: try AnyQuery(parsing: text))
        let table = try TableSchema("t\(number)", columns: columns, primaryKey: ["id"], partialUnique: [rule])
        let rows = try store.repository(Schema<Record>(table))
        let row = Record(values: [.null, "abc", 1.0, 7], in: table)
        _ = try await rows.insert(row)
        let isRefused = try await rows.count(try AnyQuery(parsing: text)) > 0
        if isRefused {
          await #expect(throws: RepositoryError.self, "\(text)") { try await rows.insert(row) }
        } else {
          _ = try await rows.insert(row)
        }
      }
    }
  }
}
