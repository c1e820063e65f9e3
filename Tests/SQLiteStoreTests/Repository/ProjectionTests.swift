import Query
import Repository
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("Projections return some columns of rows, and computed values")
struct ProjectionTests {
  static let stores: [@Sendable () throws -> any Store] = [{ MemoryStore() }, { try SQLiteStore.inMemory() }]

  struct Case: CustomTestStringConvertible {
    let table: String
    let columns: String
    var query = "true"
    var sort = ""
    var limit: Int?
    var offset = 0
    var isDistinct = false
    var first: (count: Int, keys: [String], sort: String)?
    let rows: [[Value]]
    var testDescription: String { "\(table): \(columns)" }

    func request() throws -> ProjectionRequest {
      ProjectionRequest(
        try [ProjectedColumn](parsing: columns),
        of: FetchRequest(
          try AnyQuery(parsing: query), sortedBy: try AnySort(parsing: sort), limit: limit, offset: offset),
        isDistinct: isDistinct,
        groupLimit: try first.map { limit in
          GroupLimit(
            limit.count, of: try limit.keys.map { try AnyExpression(parsing: $0) },
            sortedBy: try AnySort(parsing: limit.sort))
        })
    }
  }

  static let cases: [Case] = [
    Case(table: "track", columns: "name", rows: [["One"], ["Two"], ["Three"], ["Four"], ["Five"]]),
    Case(
      table: "track", columns: "album.title as album, name, length / 60 as minutes", query: "length > 100",
      sort: "-minutes",
      rows: [["Noon", "Four", 6], ["Dawn", "Two", 5], ["Dusk", "Three", 3]]),
    Case(table: "track", columns: "1 as one, null as nothing, 'x'", query: "id = 1", rows: [[1, .null, "x"]]),
    Case(table: "track", columns: "id, id", limit: 1, offset: 1, rows: [[2, 2]]),
    // Columns alone have a plan, and rows of a key are read where they are asked for.
    Case(table: "track", columns: "name, id", query: "id = 2", limit: 1, rows: [["Two", 2]]),
    Case(table: "track", columns: "name, id", query: "id = 2 and length < 0", limit: 1, rows: []),
    Case(table: "track", columns: "name, id", query: "id = 2 or id = 3", rows: [["Two", 2], ["Three", 3]]),
    Case(table: "track", columns: "name", query: "id = id and id > 4", limit: 1, rows: [["Five"]]),
    Case(table: "track", columns: "name", query: "length > 0", sort: "-length", limit: 2, rows: [["Four"], ["Two"]]),
    Case(table: "track", columns: "name as id", query: "id = 2", rows: [["Two"]]),
    Case(
      table: "album", columns: "title, count(track by album) as tracks",
      rows: [["Dawn", 2], ["Dusk", 1], ["Noon", 1]]),
    // Rows that are equal are one, and are sorted by their columns.
    Case(
      table: "track", columns: "album.artist.name as artist", isDistinct: true, rows: [[.null], ["Ann"], ["Ben"]]),
    Case(
      table: "track", columns: "album.artist.name as artist", sort: "-artist", limit: 1, offset: 1, isDistinct: true,
      rows: [["Ann"]]),
    Case(table: "track", columns: "length % 200 as rest", sort: "-rest", isDistinct: true, rows: [[100], [50], [0]]),
    // The first of each group, in the order of the result.
    Case(
      table: "track", columns: "album, name", first: (1, ["album"], "-length"),
      rows: [[1, "Two"], [2, "Three"], [3, "Four"], [.null, "Five"]]),
    Case(
      table: "track", columns: "name", query: "id != 4", sort: "-length", limit: 2,
      first: (1, ["album.artist.name"], "length"), rows: [["One"], ["Five"]]),
    Case(table: "track", columns: "name", first: (2, [], "-length"), rows: [["Two"], ["Four"]]),
    Case(table: "track", columns: "name", first: (0, ["album"], ""), rows: []),
    Case(
      table: "track", columns: "album", isDistinct: true, first: (2, ["album"], ""), rows: [[.null], [1], [2], [3]]),
    Case(
      table: "track", columns: "name, length % 200 as rest", sort: "rest, name", first: (1, ["rest"], "-name"),
      rows: [["Three", 0], ["Five", 50], ["Two", 100]]),
  ]

  @Test("in every store alike", arguments: cases, stores.indices)
  func answers(_ example: Case, _ store: Int) async throws {
    let tables = try await Self.stores[store]().saving(RelatedTables.rows)
    let repository = try #require(tables[example.table])
    let request = try example.request()
    #expect(try await repository.findRows(request) == example.rows)
    // Again, by a plan where there is one.
    #expect(try await repository.findRows(request) == example.rows)
    #expect(try ProjectionRequest(json: request.json) == request)
    #expect(
      try request.columns == [ProjectedColumn](parsing: request.columns.map(\.description).joined(separator: ", ")))
  }

  @Test("Columns alone have cursors, forwards and backwards", arguments: stores.indices)
  func cursors(_ store: Int) async throws {
    let tables = try await Self.stores[store]().saving(RelatedTables.rows)
    let tracks = try #require(tables["track"])
    func cursor(_ key: Int) throws -> Cursor {
      try Cursor(
        at: [.integer(Int64(key)), "One", 1, 100, 0.5], in: RelatedTables.schemas()[4], sortedBy: .primaryKey)
    }
    for _ in 1...2 {
      for (key, names) in [(2, ["Three", "Four"]), (4, ["Five"])] {
        let rows = FetchRequest(limit: 2, after: try cursor(key))
        #expect(try await tracks.findRows(ProjectionRequest([.key("name")], of: rows)) == names.map { [.text($0)] })
      }
      for (key, names) in [(4, ["Two", "Three"]), (2, ["One"])] {
        let rows = FetchRequest(limit: 2, before: try cursor(key))
        #expect(try await tracks.findRows(ProjectionRequest([.key("name")], of: rows)) == names.map { [.text($0)] })
      }
    }
  }

  @Test("Invalid requests are refused", arguments: stores.indices)
  func refusals(_ store: Int) async throws {
    let tables = try await Self.stores[store]().saving(RelatedTables.rows)
    let tracks = try #require(tables["track"])
    let cursor = try Cursor(at: [1, "One", 1, 100, 0.5], in: RelatedTables.schemas()[4], sortedBy: .primaryKey)
    let cases: [(ProjectionRequest, QueryError.Code)] = [
      (ProjectionRequest([]), .invalidProjection), (ProjectionRequest([.key("nam")]), .unknownKey),
      (ProjectionRequest(Array(repeating: .key("id"), count: 501)), .tooComplex),
      (ProjectionRequest([.key("id")], groupLimit: GroupLimit(-1, of: ["album"])), .negativeRange),
      (ProjectionRequest([.key("id")], groupLimit: GroupLimit(1, of: ["albm"])), .unknownKey),
      (
        ProjectionRequest([.key("name")], of: FetchRequest(sortedBy: .ascending(key: "id")), isDistinct: true),
        .unknownKey
      ),
      (ProjectionRequest([.key("name")], of: FetchRequest(after: cursor), isDistinct: true), .invalidCursor),
      (ProjectionRequest([.key("name")], of: FetchRequest(limit: -1)), .negativeRange),
      (ProjectionRequest([ProjectedColumn(.key("name") + 1)]), .kindMismatch),
      (ProjectionRequest([ProjectedColumn(.group(.count))]), .invalidAggregate),
    ]
    for (request, code) in cases {
      let error = await #expect(throws: RepositoryError.self) { try await tracks.findRows(request) }
      #expect((error?.underlying as? QueryError)?.code == code, "\(request)")
    }
    #expect(try await tracks.findRows(ProjectionRequest([.key("id")], of: FetchRequest(before: cursor))) == [])
    #expect(
      try await tracks.findRows(ProjectionRequest([.key("id")], of: FetchRequest(limit: 1, after: cursor))) == [[2]])
  }

  @Test("Nothing but their columns is read")
  func blobs() throws {
    let statements = Mutex<[String]>([])
    let observer = StatementObserver { event in statements.withLock { $0.append(event.sql) } }
    let store = try SQLiteStore.inMemory(observer: observer)
    let table = try TableSchema(
      "file", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("content", .blob)],
      primaryKey: ["id"])
    let memory = try MemoryRepository(schema: Schema(table))
    let files = try store.sqlRepository(Schema(table))
    let records = (1...4).map { number in
      Record(
        values: [.integer(Int64(number)), .text("\(number)"), .blob([UInt8](repeating: 7, count: 1 << 20))], in: table)
    }
    try files.blocking.save(records)
    try memory.blocking.save(records)
    let request = ProjectionRequest([.key("name"), ProjectedColumn(.function(.length, of: .key("name")), as: "n")])
    #expect(try files.blocking.findRows(request).count == 4)
    #expect(statements.withLock(\.last)?.hasPrefix(#"SELECT "name", "#) == true)
    #expect(statements.withLock(\.last)?.contains("content") == false)
    // In memory, what is read is not copied.
    let addresses = try [
      memory.blocking.findRows(ProjectionRequest([.key("content")])),
      memory.blocking.findAll(FetchRequest()).map(\.values),
    ].map { rows in
      rows.map { row in
        guard case .blob(let bytes)? = row.last else { return UnsafeRawPointer?.none }
        return bytes.withUnsafeBytes(\.baseAddress)
      }
    }
    #expect(addresses[0] == addresses[1])
  }
}
