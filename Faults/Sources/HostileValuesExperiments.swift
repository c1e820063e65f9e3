import Query
import Repository
import SQLiteStore

extension Experiment {
  /// A value is never SQL, and neither is a key.
  static let injection = Experiment("injection", "hostile keys and values through every call, in both stores") { _ in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    let file = try SQLiteStore(path: path)
    let other = try OtherProgram(path)
    try other.run(
      "CREATE TABLE bystander (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO bystander VALUES (1, 'x'), (2, 'y')")
    var finding = Finding()
    var calls = 0
    for (name, store) in [("SQLite", file as any Store), ("memory", MemoryStore())] {
      var trial = InjectionTrial(store: store)
      try await trial.run()
      for fault in trial.faults { finding.expect(false, "\(name): \(fault)") }
      calls += trial.calls
      if store is SQLiteStore {
        let schema = try other.texts("SELECT name FROM sqlite_schema WHERE name NOT LIKE '%hostile%' ORDER BY name")
        finding.expect(schema == ["bystander", "entry", "entry.batch"], "the schema is \(schema)")
        let rows = try other.texts("SELECT id || name FROM bystander ORDER BY id")
        finding.expect(rows == ["1x", "2y"], "the other rows are \(rows)")
        finding.expect(try other.isWhole(), "the database is damaged")
      }
    }
    finding.note("\(Hostile.texts.count) texts, \(calls) calls, schema and other rows unchanged")
    return finding
  }
}

/// The hostile texts, in every place where a caller can put a text.
struct InjectionTrial {
  let store: any Store
  private(set) var faults: [String] = []
  private(set) var calls = 0

  init(store: any Store) { self.store = store }

  mutating func run() async throws {
    let entries = try store.repository(of: Entry.self)
    try await entries.save(Entry.batch(0, note: "plain"))
    for (number, text) in Hostile.texts.enumerated() {
      try await useAsValue(text, number, entries)
      try await useAsKey(text, number, entries)
      try await useAsNames(text, number)
    }
    expect(try await entries.findAll().map(\.note) == ["plain", "plain", "plain"], "the rows have changed")
  }

  private mutating func expect(_ isRight: Bool, _ fault: String) {
    calls += 1
    if !isRight, faults.count < 5 { faults.append(fault) }
  }

  private mutating func useAsValue(_ text: String, _ number: Int, _ entries: AnyRepository<Entry>) async throws {
    let entry = Entry(id: 1_000 + number, batch: 1_000 + number, note: text)
    try await entries.save(entry)
    expect(try await entries.find(entry.id) == entry, "text \(number) is saved as another")
    let queries: [AnyQuery] = [
      .equal(key: "note", value: text), .in(key: "note", values: [text, "zzz"]), .contains(key: "note", value: text),
      .hasPrefix(key: "note", value: text), .hasSuffix(key: "note", value: text),
      .contains(key: "note", value: text, ignoringCase: true), .between(key: "note", lhs: text, rhs: text),
    ]
    for query in queries {
      let found = try await entries.findAll(FetchRequest(query && .greaterThanOrEqual(key: "id", value: 1_000)))
      expect(found == [entry], "text \(number) is not found by \(query.description.prefix(60))")
      let parsed = try AnyQuery(parsing: query.description)
      expect(parsed == query, "text \(number) is read as another query")
    }
    // A pattern that is too long or too deep is refused, with an error.
    do throws(RepositoryError) {
      expect(try await entries.count(.like(key: "note", value: text)) >= 0, "")
    } catch {
      expect(error.code == .invalidQuery, "a pattern of text \(number) fails with \(error.code.rawValue)")
    }
    expect(try await entries.delete(entry.id) == 1, "text \(number) is not deleted")
  }

  private mutating func useAsKey(_ text: String, _ number: Int, _ entries: AnyRepository<Entry>) async throws {
    let requests: [FetchRequest] = [
      FetchRequest(.equal(key: text, value: 1)), FetchRequest(.isNull(key: text)),
      FetchRequest(.in(key: text, values: [1, 2])), FetchRequest(.contains(key: text, value: "x")),
      FetchRequest(.true, sortedBy: .ascending(key: text)), FetchRequest(!AnyQuery.lessThan(key: text, value: 1)),
    ]
    for request in requests {
      do throws(RepositoryError) {
        _ = try await entries.findAll(request)
        expect(false, "key \(number) is taken for a column")
      } catch {
        expect(error.code == .invalidQuery && error.sql == nil, "key \(number) comes as far as \(error.code.rawValue)")
      }
    }
  }

  /// A table and columns may be called like this, and nothing else is touched.
  private mutating func useAsNames(_ text: String, _ number: Int) async throws {
    let name = "hostile \(number) \(text)"
    do {
      let table = try TableSchema(
        name, columns: [ColumnSchema("id", .integer), ColumnSchema(text, .text, isIndexed: true)], primaryKey: ["id"])
      let records: AnyRepository<Record> = try store.repository(Schema(table))
      let record = Record(values: [1, .text(text)], in: table)
      try await records.save(record)
      let found = try await records.findAll(
        FetchRequest(.equal(key: text, value: text), sortedBy: .descending(key: text)))
      expect(found == [record], "a column of name \(number) does not keep its value")
    } catch let error as QueryError {
      expect(!error.summary.isEmpty, "a name is refused without a reason")
    } catch let error as RepositoryError {
      let codes: [RepositoryError.Code] = [.invalidSchema, .invalidQuery, .unsupported, .schemaMismatch]
      expect(codes.contains(error.code), "name \(number) fails with \(error)")
    }
    if let store = store as? SQLiteStore, !["entry", "bystander"].contains(text) {
      do throws(RepositoryError) {
        _ = try store.schema(ofTable: text)
        expect(text.hasPrefix("sqlite_"), "there is a table of name \(number)")
      } catch {
        expect(error.code == .missingTable, "a table of name \(number) fails with \(error.code.rawValue)")
      }
    }
  }
}

/// Texts that break programs which build SQL by hand.
enum Hostile {
  static let texts: [String] = [
    "'", "''", "\"", "\"\"", "`", "[", "]", "[entry]", "\\", "\\'", "%", "_", "?", "?1", ":id", "@id", "$id",
    "a\0b", "\0", "a\0'; DROP TABLE entry;--", "'; DROP TABLE entry;--", "\"; DROP TABLE entry;--", ";--", "--", "/*",
    "*/",
    "' OR '1'='1", "\" OR \"\"=\"", "1; DELETE FROM entry", "x' UNION SELECT sql FROM sqlite_schema --", ");", "(", ")",
    "select", "SELECT", "from", "order", "null", "NULL", "true", "rowid", "_rowid_", "oid", "sqlite_schema",
    "sqlite_sequence", "main", "temp", "entry", "entry.id", "main.entry", "COLLATE NOCASE", "ASC", "desc", "in", "like",
    "x'00'", "0x10", "1e5", "-1", "+1", " ", "", "\t", "\n", "\r\n", " id", "id ", "ID ", "id\0", "id--", "id;", "id\"",
    "ıd",
    "😀", "👩‍👩‍👧‍👦", "🇨🇭", "é", "e\u{301}", "\u{202E}txet", "שלום", "مرحبا", "\u{FEFF}id", "\u{200B}", "\u{FFFF}", "\u{10FFFF}",
    "İ", "ß",
    String(repeating: "x", count: 10_000), String(repeating: "'", count: 10_000),
    String(repeating: "\"", count: 10_000),
    String(repeating: "(", count: 10_000), String(repeating: "😀", count: 2_500),
  ]
}

extension Experiment {
  /// Bytes that another program wrote as a text: the row is refused, never shown as something else; all others are read.
  static let invalidText = Experiment("utf-8", "texts of another program that are not UTF-8") { _ in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    let store = try SQLiteStore(path: path)
    let entries = try store.sqlRepository(of: Entry.self)
    try await entries.save(Entry.batch(0, note: "plain"))
    let other = try OtherProgram(path)
    let invalid = ["ff", "c3", "c0af", "eda080", "f4908080", "41ff42", "80", "e2982861", "00ff"]
    for (number, bytes) in invalid.enumerated() {
      try other.run("INSERT INTO entry VALUES (\(100 + number), 9, CAST(x'\(bytes)' AS TEXT))")
    }
    var finding = Finding()
    func code(_ body: () async throws(RepositoryError) -> Void) async -> RepositoryError.Code? {
      do throws(RepositoryError) {
        try await body()
        return nil
      } catch {
        return error.code
      }
    }
    for number in invalid.indices {
      let id = 100 + number
      let found = await code { () async throws(RepositoryError) in _ = try await entries.find(id) }
      finding.expect(found == .unreadableRow, "text \(number): \(found?.rawValue ?? "no error")")
    }
    let all = await code { () async throws(RepositoryError) in _ = try await entries.findAll() }
    finding.expect(all == .unreadableRow, "all rows: \(all?.rawValue ?? "no error")")
    let others = try await entries.findAll(FetchRequest(.equal(key: "batch", value: 0)))
    finding.expect(others == Entry.batch(0, note: "plain"), "the other rows are \(others)")
    finding.expect(try await entries.count(.true) == invalid.count + 3, "they are not counted")
    for query in [
      AnyQuery.contains(key: "note", value: "a", ignoringCase: true), .like(key: "note", value: "%a%"),
      .equal(key: "note", value: "plain"), .in(key: "note", values: ["plain", "x"]),
    ] {
      let count = try await entries.count(query && .equal(key: "batch", value: 0))
      finding.expect(count == 3, "\(query) finds \(count)")
    }
    let problems = try await store.integrityCheck()
    finding.expect(problems.map(\.kind) == [.invalidText], "the check finds \(problems)")
    try await entries.save(Entry(id: 100, batch: 9, note: "corrected"))
    finding.expect(try await entries.find(100)?.note == "corrected", "a row can't be corrected")
    finding.expect(try await entries.delete(invalid.indices.map { 100 + $0 }) == invalid.count, "rows can't be deleted")
    finding.expect(try await entries.findAll() == Entry.batch(0, note: "plain"), "they are not gone")
    finding.note("\(invalid.count) texts: an error at each, all other rows read, the check names the column")
    return finding
  }
}

extension Experiment {
  /// A value comes back as it was saved.
  static let oddValues = Experiment("values", "NUL in texts, infinities, the bounds of integers, empty and odd values")
  { _ in
    let folder = try Folder()
    let values: [Value] = [
      .text("a\0b"), .text("\0"), .text(""), .text("\u{10FFFF}"), .integer(.min), .integer(.max), .integer(0),
      .real(.infinity), .real(-.infinity), .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), .real(-0.0),
      .real(9_007_199_254_740_992), .blob([]), .blob([0]), .blob(Array(0...255)), .null,
    ]
    var finding = Finding()
    let stores: [(String, any Store)] = [
      ("file", try SQLiteStore(path: folder.file("a.sqlite"))), ("SQLite's memory", try SQLiteStore.inMemory()),
      ("memory", MemoryStore()),
    ]
    let table = try TableSchema(
      "odd", columns: [ColumnSchema("id", .integer), ColumnSchema("value", .any, isNullable: true, isIndexed: true)],
      primaryKey: ["id"])
    for (name, store) in stores {
      let records: AnyRepository<Record> = try store.repository(Schema(table))
      for (id, value) in values.enumerated() {
        let record = Record(values: [.integer(Int64(id)), value], in: table)
        try await records.save(record)
        let found = try await records.findAll(FetchRequest(.equal(key: "id", value: id))).first?.values[1]
        finding.expect(found == value, "\(name): \(value) comes back as \(found.map { "\($0)" } ?? "nothing")")
      }
      do throws(RepositoryError) {
        let record = Record(values: [1_000, .real(.nan)], in: table)
        try await records.save(record)
        finding.expect(false, "\(name): what is no number is saved")
      } catch {
        finding.expect(error.code == .invalidValue, "\(name): what is no number fails with \(error)")
      }
    }
    finding.note("\(values.count) values in 3 stores, unchanged; what is no number is refused")
    return finding
  }

  /// Bytes, as many as there may be.
  static let bigBlobs = Experiment("blobs", "0 bytes to 100 MB in a file") { scale in
    let folder = try Folder()
    let table = try TableSchema(
      "blob", columns: [ColumnSchema("id", .integer), ColumnSchema("bytes", .blob)], primaryKey: ["id"])
    let store = try SQLiteStore(path: folder.file("a.sqlite"))
    let records: AnyRepository<Record> = try store.repository(Schema(table))
    var finding = Finding()
    let sizes = [0, 1, 4_096, 1_000_000] + scale.pick(quick: [], full: [100_000_000])
    for (id, size) in sizes.enumerated() {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
      let watch = Stopwatch()
      try await records.save(Record(values: [.integer(Int64(id)), .blob(bytes)], in: table))
      let (saved, found) = (watch.elapsed, try await records.findAll(FetchRequest(.equal(key: "id", value: id))).first)
      finding.expect(found?.values[1] == .blob(bytes), "\(size) bytes come back as others")
      if size >= 1_000_000 {
        finding.note("\(size / 1_000_000) MB saved in \(saved.text), read in \((watch.elapsed - saved).text)")
      }
    }
    return finding
  }
}
