import Foundation
import Query
import Testing

@Suite("The Swift expression of a table's schema")
struct TableSchemaSourceTests {
  /// Tables whose expressions are those that their schemas print: this file is searched for them.
  private static func tables() throws -> [TableSchema] {
    [
      try TableSchema("plain", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"]),
      try TableSchema("visit", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"]).distributed(.by("id")),
      try TableSchema("kind", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"]).distributed(.reference),
      try TableSchema(
        "user",
        columns: [
          ColumnSchema("tenant", .text, format: .uuid),
          ColumnSchema("id", .integer),
          ColumnSchema("email", .text, isIndexed: true),
          ColumnSchema("nick \"\\\u{a}é", .text, isNullable: true, isUnique: true, defaultValue: "a\u{0}\"b\""),
          ColumnSchema("born", .text, isNullable: true, format: .date),
          ColumnSchema("deleted_at", .text, isNullable: true, format: .date),
          ColumnSchema("size", .real, defaultValue: -1.5),
          ColumnSchema("limit", .real, defaultValue: .real(-.infinity)),
          ColumnSchema("count", .integer, defaultValue: -9223372036854775808),
          ColumnSchema("data", .blob, defaultValue: .blob([1, 255])),
        ],
        primaryKey: ["tenant", "id"],
        unique: [["size", "count"], ["size", "limit"]],
        partialUnique: [
          PartialUniqueRule(["tenant", "email"], where: try AnyQuery(parsing: "deleted_at is null"))
        ],
        checks: [
          CheckRule("not \"empty\"", try AnyQuery(parsing: "email != '' and size < 5.5"))
        ],
        references: [
          ReferenceRule(["tenant"], to: "tenant", key: ["id"]),
          ReferenceRule(["tenant", "count"], to: "other", key: ["a", "b"], onDelete: .cascade, isDeferred: true),
        ]),
    ]
  }

  @Test("makes the same schema again")
  func source() throws {
    func compact(_ text: String) -> String {
      text.filter { !$0.isWhitespace }.replacing(",]", with: "]").replacing(",)", with: ")")
    }
    let file = compact(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
    for table in try Self.tables() {
      #expect(file.contains(compact(table.swiftSource)), "\(table.swiftSource)")
    }
  }
}
