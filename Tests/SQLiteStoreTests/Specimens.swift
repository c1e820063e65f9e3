#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import CSQLite
import Query
import Repository
import SQLiteStore
import Testing

/// Rows in which stores are known to differ, in memory and in SQLite.
struct Specimens {
  static let composed = "caf\u{E9}"
  static let decomposed = "cafe\u{301}"

  let sqlite: SQLiteRepository<Record>
  let memory: MemoryRepository<Record>
  let table: TableSchema

  init() throws {
    table = try TableSchema(
      "specimen",
      columns: [
        ColumnSchema("id", .integer),
        ColumnSchema("whole", .integer, isNullable: true, isIndexed: true),
        ColumnSchema("real", .real, isNullable: true, isIndexed: true),
        ColumnSchema("text", .text, isNullable: true, isIndexed: true),
        ColumnSchema("other", .text),
        ColumnSchema("blob", .blob, isNullable: true),
        ColumnSchema("any", .any, isNullable: true, isIndexed: true),
      ], primaryKey: ["id"])
    let rows: [[Value]] = [
      [1, 9_007_199_254_740_993, 9_007_199_254_740_992.0, .text(Self.composed), .text(Self.composed), .blob([]), 5],
      [2, 9_007_199_254_740_992, .real(.infinity), .text(Self.decomposed), .text(Self.composed), .blob([0]), 5.0],
      [3, -1, .real(-.infinity), "a\0b", "a", .blob([0, 255]), "5"],
      [4, 0, -0.0, "", "", .blob([255]), .blob([53])],
      [5, .null, .null, .null, "null", .null, .null],
      [6, .integer(.max), 9_223_372_036_854_775_807.0, "100%_\\ STRASSE", "%", .blob([1]), .integer(.max)],
      [7, .integer(.min), 0.1, "100%_\\ straße", "_", .blob([1, 0]), "straße"],
      [8, 1, 1.0, "a", "a\0b", .null, .real(-.infinity)],
    ]
    let schema = Schema(table)
    sqlite = try SQLiteStore.inMemory().sqlRepository(schema)
    memory = try MemoryRepository(schema: schema)
    let records = rows.map { row in
      Record(values: row, in: table)
    }
    try sqlite.blocking.save(records)
    try memory.blocking.save(records)
  }
}

/// Runs statements as a program does that has SQLite's own settings, and may write the schema's table.
func runAsOtherProgram(_ statements: String..., on path: String) {
  var database: OpaquePointer?
  defer { sqlite3_close(database) }
  #expect(sqlite3_open(path, &database) == SQLITE_OK)
  for statement in statements { #expect(sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK) }
}
