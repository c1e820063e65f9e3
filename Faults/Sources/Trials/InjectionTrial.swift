import Query
import Repository
import SQLiteStore

/// The hostile texts, in every place where a caller can put a text.
struct InjectionTrial {
  let store: any Store
  private(set) var faults: [String] = []
  private(set) var calls = 0

  init(store: any Store) { self.store = store }

  mutating func run() async throws {
    let entries: AnyRepository<Entry> = try store.repository()
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
      expect(try await entries.count(where: .like(key: "note", value: text)) >= 0, "")
    } catch {
      expect(error.code == .invalidQuery, "a pattern of text \(number) fails with \(error.code.rawValue)")
    }
    expect(try await entries.delete(entry.id), "text \(number) is not deleted")
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
      let codes: [RepositoryError.Code] = [.invalidSchema, .invalidQuery, .storeFailure, .unsupported, .schemaMismatch]
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
