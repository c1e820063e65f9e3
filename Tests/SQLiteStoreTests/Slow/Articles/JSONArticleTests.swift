import Foundation
import Query
import Repository
import SQLiteStore
import Testing

@Suite("Semantics: JSON")
struct JSONArticleTests {
  private struct Example: Sendable, CustomTestStringConvertible {
    let json: String, path: String, value: String
    var testDescription: String { "\(path) of \(json)" }
  }

  private static let examples: [Example] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..").standardized
    let article = try? String(
      contentsOf: root.appending(path: "Sources/Query/Query.docc/Semantics.md"), encoding: .utf8)
    let section = article?.components(separatedBy: "\n## JSON\n").last?.components(separatedBy: "\n## ").first ?? ""
    return section.split(separator: "\n").compactMap { line in
      let cells = line.components(separatedBy: " | ").suffix(3).map { $0.trimmingCharacters(in: ["|", " ", "`"]) }
      return cells.count == 3 && cells[1].hasPrefix("data")
        ? Example(json: cells[0], path: cells[1], value: cells[2]) : nil
    }
  }()

  private static func table() throws -> TableSchema {
    let columns = [ColumnSchema("id", .integer), ColumnSchema("data", .text).holdingJSON()]
    return try TableSchema("note", columns: columns, primaryKey: ["id"])
  }

  @Test("has its examples")
  func count() { #expect(Self.examples.count == 15) }

  @Test("has pages after a cursor in an order by a path")
  func pages() async throws {
    let table = try Self.table()
    let values: [Value] = [#"{"a": 2}"#, #"{"a": "x"}"#, "{}", #"{"a": 1.5}"#, #"{"a": 2}"#]
    let rows = values.enumerated().map { Record(values: [.integer(Int64($0)), $1], in: table) }
    let store = try SQLiteStore.inMemory()
    for repository: AnyRepository<Record> in [
      AnyRepository(try MemoryRepository(rows, schema: Schema(table))),
      AnyRepository(try store.sqlRepository(Schema(table))),
    ] {
      try await repository.save(rows)
      var request = FetchRequest(sortedBy: try AnySort(parsing: "data.a"), limit: 2)
      var found: [Value] = []
      while let last = try await repository.findAll(request).map(\.values).last, found.count < 9 {
        found += try await repository.findAll(request).map { $0.values[0] }
        request.after = try Cursor(at: last, in: table, sortedBy: request.sort)
      }
      #expect(found == [2, 3, 0, 4, 1])
    }
  }

  @Test("means the same in memory and in SQLite", arguments: examples)
  private func example(_ example: Example) async throws {
    let table = try Self.table()
    let row = Record(values: [1, .text(example.json)], in: table)
    let store = try SQLiteStore.inMemory()
    for repository: AnyRepository<Record> in [
      AnyRepository(try MemoryRepository(schema: Schema(table))),
      AnyRepository(try store.sqlRepository(Schema(table))),
    ] {
      try await repository.insert(row)
      let path = try AnyExpression(parsing: example.path)
      let rows = try await repository.findRows(ProjectionRequest([ProjectedColumn(path)]))
      let value = try #require(rows.first?.first)
      #expect(value.description == example.value)
      // Conditions, orders, groups and aggregates work it out as well.
      let query = try AnyQuery(parsing: example.value == "null" ? "\(path) is null" : "\(path) = \(example.value)")
      #expect(try await repository.count(query) == 1)
      #expect(try await repository.findAll(FetchRequest(query, sortedBy: .descending(path))).count == 1)
      let groups = try await repository.aggregate(
        AggregateRequest([.count, AnyAggregate(.max, of: path)], groupedBy: [path]))
      #expect(groups.map { $0.keys + $0.aggregates } == [[value, 1, value]])
    }
  }

  private struct Album: Entity {
    struct Label: Codable, Hashable { var city: String }

    let id: Int
    var title: String
    var label: Label
    static let schema = Schema<Album>(table: "album") {
      Parameters(of: Album.init)
      Column("id", \.id)
      Column("title", \.title)
      Column("label", json: \.label)
    }.unique(\.label)
  }

  private struct Track: Entity {
    let id: Int
    var album: Int
    static let record = ToOne(\Track.album, to: Album.self)
    static let schema = Schema<Track>(table: "track") {
      Parameters(of: Track.init)
      Column("id", \.id)
      Column("album", \.album)
    }.references(record)
  }

  @Test("leads on from a reference into what is declared as JSON, and into no other text, in memory and in SQLite")
  func related() async throws {
    for store: any Store in [MemoryStore(), try SQLiteStore.inMemory()] {
      let (albums, tracks) = (try store.repository(of: Album.self), try store.repository(of: Track.self))
      try await albums.save(Album(id: 1, title: "A", label: Album.Label(city: "Rome")))
      try await tracks.save(Track(id: 1, album: 1))
      #expect(try await albums.count(AnyQuery(parsing: "label.city = 'Rome'")) == 1)
      #expect(try await tracks.count(AnyQuery(parsing: "album.label.city = 'Rome'")) == 1)
      let error = await #expect(throws: RepositoryError.self) {
        try await tracks.count(AnyQuery(parsing: "album.title.x is null"))
      }
      #expect((error?.underlying as? QueryError)?.code == .unknownRelation, "\(store)")
    }
  }
}
