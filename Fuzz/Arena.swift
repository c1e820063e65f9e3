import CSQLite
import Foundation
import Query
import Repository
import SQLiteStore

/// Fixed tables with a few rows each, in SQLite and in memory.
struct Arena: Sendable {
  static let shared = Law.mustSucceed("there are tables to ask") { try Arena() }
  /// The sort for which the seeds hold a cursor.
  static let cursorSort = AnySort.descending(key: "t") + .ascending(key: "r", nulls: .last)

  private static let sql = """
    CREATE TABLE strict (id INTEGER PRIMARY KEY, n INTEGER, r REAL, t TEXT, b BLOB, x ANY) STRICT;
    CREATE INDEX n ON strict (n); CREATE INDEX r ON strict (r); CREATE INDEX t ON strict (t);
    INSERT INTO strict VALUES (1, 1, 1.0, 'a', x'00', 1), (2, null, null, null, null, null), (3, 0, -0.0, '', x'', '1'),
      (4, 9223372036854775807, 9e999, 'A%', x'ff', 1.5), (5, -9223372036854775808, 9007199254740992, 'ß', x'61', x'61'),
      (6, 9007199254740993, 0.1, 'é', null, 'a');
    CREATE TABLE loose (id INTEGER PRIMARY KEY, n INT, r DOUBLE, t VARCHAR(9) COLLATE NOCASE, b BLOB, x);
    CREATE INDEX looseN ON loose (n); CREATE INDEX looseT ON loose (t);
    INSERT INTO loose VALUES (1, 1, 1, 'a', 1, 1), (2, null, null, null, null, null), (3, '1', '1', 'A', '1', '1'),
      (4, 'a', 'a', 'b ', 'a', 'a'), (5, x'61', x'61', x'61', x'61', x'61'), (6, 1.5, 9e999, '', '', 1.0),
      (7, 9007199254740993, 9007199254740993, 'ß', 9007199254740993, 9007199254740993.0);
    CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES strict (id), next INTEGER REFERENCES child (id),
      k INTEGER NOT NULL, s TEXT NOT NULL) STRICT;
    CREATE INDEX childParent ON child (parent);
    INSERT INTO child VALUES (1, 1, null, 3, 'a'), (2, 1, 1, -3, '2024-02-29'), (3, 2, 2, 0, ''), (4, null, 3, 7, 'ß'),
      (5, 4, 5, 9223372036854775807, '2024-02-29 23:59'), (6, 4, 1, 1, 'é');
    """

  private let tables: [ArenaTable]

  private init() throws {
    let path = NSTemporaryDirectory() + "repokit-fuzz-\(ProcessInfo.processInfo.processIdentifier).sqlite"
    // Open files live on without their name.
    defer { try? FileManager.default.removeItem(atPath: path) }
    var database: OpaquePointer?
    sqlite3_open(path, &database)
    let made = sqlite3_exec(database, Self.sql, nil, nil, nil)
    sqlite3_close(database)
    Law.require(made == SQLITE_OK, "the tables are made")
    let store = try SQLiteStore(path: path, mode: .existing, journal: .unchanged) { connection in
      // Nothing else has the file open, and each lock is a call of the system.
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    }
    let other = MemoryStore()
    tables = try ["strict", "loose", "child"].map { name in
      let schema = try store.schema(ofTable: name)
      let sqlite = try store.blocking.repository(Schema(schema))
      let memory = try other.memoryRepository(Schema(schema), in: nil).blocking
      try memory.save(try sqlite.findAll(FetchRequest()))
      return ArenaTable(schema: schema, sqlite: sqlite, memory: memory)
    }
  }

  /// Asks both engines, which have to find the same rows or refuse for the same reason.
  func ask(_ request: FetchRequest) {
    for table in tables { _ = table.ask(request) }
  }

  /// Asks for a query, for its opposite, and for how many rows there are of both.
  func ask(_ query: AnyQuery) {
    for table in tables {
      guard let found = table.ask(FetchRequest(query)) else { continue }
      let all = Law.mustSucceed("all rows are found") { try table.memory.count(.true) }
      for (query, count) in [(query, found.count), (!query, all - found.count)] {
        var text: String { query.description }
        let stored = Law.mustSucceed("what resolves is counted by SQLite", [text]) { try table.sqlite.count(query) }
        let inMemory = Law.mustSucceed("what resolves is counted in memory", [text]) { try table.memory.count(query) }
        Law.require(stored == count && inMemory == count, "a query and its opposite share all rows", [text])
      }
    }
  }

  /// Goes on after each row, by a cursor, which has to give the rows that follow it.
  func page(_ sort: AnySort) {
    // A row alone does not tell its place among others where the order depends on rows of other tables.
    if sort.terms.contains(where: \.key.needsOtherTables) { return }
    for table in tables {
      guard let rows = table.ask(FetchRequest(sortedBy: sort)) else { continue }
      for (position, row) in rows.enumerated() {
        let cursor = Law.mustSucceed("a row has a cursor", [sort.description]) {
          try Cursor(at: row, in: table.schema, sortedBy: sort)
        }
        let following = table.ask(FetchRequest(sortedBy: sort, after: cursor))
        Law.require(
          following == Array(rows.dropFirst(position + 1)), "a cursor gives the rows after it",
          [sort.description, cursor.description])
      }
    }
  }
}
