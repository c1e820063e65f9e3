import PostgresStore
import Query
import Repository
import SQLStore
import TestSupport
import Testing

@Suite("Deferred references are checked by a server at the end", .tags(.slow), .requiresServer)
struct DeferredReferenceTests {
  @Test("of a write, and of a transaction, which is undone")
  func writes() async throws {
    try await TestServer.withStore { store in
      let faults = try await store.faultsOfDeferredReferences(
        DeferredReferences.writes + DeferredReferences.transactions)
      #expect(faults == [])
    }
  }

  private static func table(isDeferred: Bool, _ more: [ColumnSchema] = []) throws -> TableSchema {
    try TableSchema(
      "node",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("parent", .integer, isNullable: true, isIndexed: true),
      ] + more, primaryKey: ["id"],
      references: [ReferenceRule(["parent"], to: "node", key: ["id"], isDeferred: isDeferred)])
  }

  @Test("and compared with the schema, in both directions", arguments: [false, true])
  func comparison(isDeferred: Bool) async throws {
    try await TestServer.withStore { store in
      _ = try store.repository(Schema<Record>(Self.table(isDeferred: isDeferred)))
      _ = try store.repository(Schema<Record>(Self.table(isDeferred: isDeferred)))
      let error = #expect(throws: RepositoryError.self) {
        try store.repository(Schema<Record>(Self.table(isDeferred: !isDeferred)))
      }
      #expect(error?.reason == "the reference of parent to node is \(isDeferred ? "" : "not ")deferred")
    }
  }

  @Test("and a table is rebuilt with its rows, although they are still to be checked")
  func rebuild() async throws {
    try await TestServer.withStore { store in
      let create = Migration("create") { try $0.create(Self.table(isDeferred: true)) }
      let fill = Migration("fill") { try $0.execute("INSERT INTO node VALUES (1, 2), (2, NULL)") }
      let larger = try Self.table(isDeferred: true, [ColumnSchema("name", .text, isNullable: true, isIndexed: true)])
      let rebuild = Migration("rebuild") { try $0.rebuild("node", as: larger) }
      try await store.migrate([create, fill, rebuild])
      #expect(try await store.repository(Schema<Record>(larger)).count(.true) == 2)
    }
  }
}
