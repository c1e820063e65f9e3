import Foundation
import Query
import Repository
import SQLiteStore
import Testing

/// Runs what the article *Semantics* says: its rows, and each example in it.
@Suite("The article Semantics tells the truth")
struct SemanticsArticleTests {
  private static let article: [String] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..").standardized
    let text = try? String(
      contentsOf: root.appending(path: "Sources/Query/Query.docc/Semantics.md"), encoding: .utf8)
    return (text ?? "").components(separatedBy: "\n")
  }()

  /// The article as one line: lines are wrapped, so an arrow may stand at the start of one.
  private static let text = article.joined(separator: " ")

  /// What stands between the bars of a line of a table.
  private static func cells(_ line: String) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  private let table: TableSchema
  private let repositories: [AnyRepository<Record>]

  init() throws {
    table = try TableSchema(
      "example",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("type", .text),
        ColumnSchema("second", .text, isNullable: true), ColumnSchema("weight", .real),
        ColumnSchema("habitat", .text, isNullable: true), ColumnSchema("mark", .any, isNullable: true),
        ColumnSchema("caught", .text, isNullable: true, format: .date),
        ColumnSchema("tag", .text, isNullable: true, format: .uuid),
        ColumnSchema("price", .text, isNullable: true, format: .decimal),
      ], primaryKey: ["id"])
    let header = "| id | " + table.columns.dropFirst().map(\.name).joined(separator: " | ") + " |"
    let start = try #require(Self.article.firstIndex(of: header))
    let table = table
    let records = try Self.article[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      var values: [Value] = []
      for cell in Self.cells(line) {
        // A cell is a literal of the text form.
        guard case .condition(.membership(let list)) = try AnyQuery(parsing: "x in (\(cell))").form else { continue }
        values += list.values
      }
      return try Record(
        KeyValuePairs(
          dictionaryLiteral: ("id", values[0]), ("name", values[1]), ("type", values[2]), ("second", values[3]),
          ("weight", values[4]),
          ("habitat", values[5]), ("mark", values[6]), ("caught", values[7]), ("tag", values[8]), ("price", values[9])),
        for: table)
    }
    #expect(records.count == 7)
    let schema = Schema(table)
    let sqlite = try SQLiteStore.inMemory().sqlRepository(schema)
    try sqlite.blocking.save(records)
    repositories = [AnyRepository(sqlite), AnyRepository(try MemoryRepository(records, schema: schema))]
  }

  private func ids(_ text: Substring) -> [RecordKey] {
    text.split(separator: ", ").compactMap { Int64($0) }.map { RecordKey(values: [.integer($0)]) }
  }

  @Test("each example finds the rows that it names, in memory and in SQLite")
  func examples() async throws {
    let examples = Self.text.matches(of: #/`([^`]+)` → (none|[0-9]+(?:, [0-9]+)*)/#)
    for example in examples {
      for repository in repositories {
        let request = try await request(example.output.1, in: repository)
        let found = try await repository.findAll(request)
        #expect(found.map(\.id) == ids(example.output.2), "\(example.output.1)")
      }
    }
    #expect(examples.count > 35)
  }

  @Test("each example that is refused is so with its code, in memory and in SQLite")
  func refusals() async throws {
    let examples = Self.text.matches(of: #/`([^`]+)` → refused \(`(\w+)`\)/#)
    for example in examples {
      for repository in repositories {
        let request = try await request(example.output.1, in: repository)
        let error = await #expect(throws: RepositoryError.self, "\(example.output.1)") {
          try await repository.findAll(request)
        }
        #expect((error?.underlying as? QueryError)?.code.rawValue == String(example.output.2), "\(example.output.1)")
      }
    }
    #expect(examples.count > 7)
  }

  /// Reads what the article asks: `weight > 5 sorted by name limit 2 offset 1 after 3`, or Swift.
  private func request(_ example: Substring, in repository: AnyRepository<Record>) async throws -> FetchRequest {
    if example.hasPrefix("AnyQuery.") {
      return FetchRequest(try #require(Self.swift[String(example)], "no test knows \(example)"))
    }
    let form =
      #/(?<query>.*?)(?: sorted by (?<sort>.*?))?(?: limit (?<limit>-?\d+))?(?: offset (?<offset>-?\d+))?(?: after (?<after>\d+))?(?: before (?<before>\d+))?(?: by (?<other>\w+))?/#
    let parts = try #require(try form.wholeMatch(in: example)).output
    let sort = try parts.sort.map { try AnySort(parsing: String($0)) } ?? .primaryKey
    // The cursor of another sort, where one is named.
    let other = try parts.other.map { try AnySort(parsing: String($0)) } ?? sort
    func cursor(_ id: Substring?) async throws -> Cursor? {
      guard let id, let key = ids(id).first else { return nil }
      let row = try #require(try await repository.find(key))
      return try Cursor(at: row.values, in: table, sortedBy: other)
    }
    return FetchRequest(
      try AnyQuery(parsing: String(parts.query)), sortedBy: sort, limit: parts.limit.flatMap { Int($0) },
      offset: parts.offset.flatMap { Int($0) } ?? 0, after: try await cursor(parts.after),
      before: try await cursor(parts.before))
  }

  /// What the article writes in Swift, because the text form of queries can't say it.
  private static let swift: [String: AnyQuery] = [
    #"AnyQuery.equal(key: "mark", value: UInt64.max)"#: .equal(key: "mark", value: UInt64.max),
    #"AnyQuery.equal(key: "weight", value: Double.nan)"#: .equal(key: "weight", value: Double.nan),
    #"AnyQuery.notEqual(key: "weight", value: Double.nan)"#: .notEqual(key: "weight", value: Double.nan),
    "AnyQuery.deep(64)": .deep(64), "AnyQuery.deep(65)": .deep(65),
  ]

  @Test("each update makes what it says of a row, or fails as it says, in memory and in SQLite")
  func updates() async throws {
    let text = Self.text.replacingOccurrences(of: "\\|", with: "|")
    let made = text.matches(of: #/`([^`]+) where ([^`]+)` makes `(\w+)` ([\w.']+)/#)
    for example in made {
      for repository in repositories {
        let before = try await repository.findAll()
        let query = try AnyQuery(parsing: String(example.output.2))
        #expect(try await repository.update(where: query, set: Assignment.list(parsing: String(example.output.1))) == 1)
        let found = try await repository.filter(query).all().first?[String(example.output.3)]
        #expect(found?.description == String(example.output.4).trimmingCharacters(in: ["."]), "\(example.output.0)")
        try await repository.save(before)
      }
    }
    let failing = text.matches(of: #/`([^`]+) where ([^`]+)` (?:fails )?as `(\w+)`/#)
    for example in failing {
      for repository in repositories {
        let error = await #expect(throws: RepositoryError.self, "\(example.output.0)") {
          try await repository.update(
            where: AnyQuery(parsing: String(example.output.2)), set: Assignment.list(parsing: String(example.output.1)))
        }
        #expect(error?.code.rawValue == String(example.output.3), "\(example.output.0)")
      }
    }
    #expect(made.count == 3 && failing.count == 3)
  }

  @Test("a strict column keeps and refuses what the article says")
  func columns() async throws {
    func value(_ text: Substring) throws -> Value {
      guard case .condition(.membership(let list)) = try AnyQuery(parsing: "x in (\(text))").form else { return .null }
      return try #require(list.values.first)
    }
    /// Saves a row with the value, and reads it again.
    func kept(_ column: Substring, _ value: Value, in repository: AnyRepository<Record>) async throws -> Value? {
      let id: Value = column == "id" ? value : 50
      func field(_ key: String, _ usual: Value) -> (String, Value) { (key, key == column ? value : usual) }
      let record = try Record(
        KeyValuePairs(
          dictionaryLiteral: ("id", id), ("name", ""), ("type", ""), ("second", .null), field("weight", 0.5),
          ("habitat", .null), field("mark", .null)), for: table)
      try await repository.save(record)
      return try await repository.filter(.equal(key: "id", value: 50)).all().first?[String(column)]
    }
    let keeping = Self.text.matches(of: #/`(\w+)`[^`]* keeps `([^`]+)` as `([^`]+)`/#)
    let refusing = Self.text.matches(of: #/`(\w+)` refuses `([^`]+)`/#)
    for repository in repositories {
      for example in keeping {
        let found = try await kept(example.output.1, value(example.output.2), in: repository)
        #expect(found?.description == String(example.output.3), "\(example.output.0)")
      }
      for example in refusing {
        await #expect(throws: RepositoryError.self, "\(example.output.0)") {
          try await kept(example.output.1, value(example.output.2), in: repository)
        }
      }
    }
    #expect(keeping.count == 3)
    #expect(refusing.count == 1)
  }

  @Test("a property is kept as the JSON that the article shows")
  func json() async throws {
    let examples = Self.text.matches(of: #/`([^`]+)` is kept as `([^`]+)`/#)
    for example in examples {
      let content = try JSONDecoder().decode([String: Int].self, from: Data(example.output.1.utf8))
      let text = AnyQuery.equal(key: "content", value: String(example.output.2))
      let sqlite = try SQLiteStore.inMemory().sqlRepository(of: Box.self)
      for boxes in [AnyRepository(sqlite), AnyRepository(try MemoryRepository<Box>())] {
        try await boxes.save(Box(id: 1, content: content))
        #expect(try await boxes.count(text) == 1)
      }
    }
    #expect(examples.count == 1)
  }

  @Test("the limits are those of the code")
  func limits() throws {
    let start = try #require(Self.article.firstIndex { $0.hasPrefix("| Limit |") })
    let aggregates = Self.article[(start + 2)...].prefix { $0.hasPrefix("|") }.map {
      Int(Self.cells($0)[1].replacing(",", with: ""))
    }
    #expect(
      aggregates == [
        ResolvedQuery.maximumDepth, ResolvedQuery.maximumDistinctConditionCount, ResolvedQuery.maximumConditionCount,
        AnySort.maximumExpressionCount, AnySort.maximumTermCount,
      ])
  }

  @Test("each example of aggregates gives the groups that it names")
  func aggregate() async throws {
    let examples = Self.article.joined(separator: "\n").matches(of: #/`([^`]+)` ⇒ ([^|]+) \|/#)
    for example in examples {
      let request = try AggregateRequest(example: example.output.1)
      for repository in repositories {
        let rows = try await repository.aggregate(request).map { row in
          (row.keys + row.aggregates).map(\.description).joined(separator: " ")
        }
        #expect(rows.joined(separator: ", ") == example.output.2, "\(example.output.1)")
      }
    }
    #expect(examples.count > 12)
  }

  @Test("each example of projections gives the rows that it names")
  func project() async throws {
    let examples = Self.article.joined(separator: "\n").matches(of: #/`([^`]+)` ⇛ ([^|]+) \|/#)
    for example in examples {
      let request = try ProjectionRequest(example: example.output.1)
      for repository in repositories {
        let rows = try await repository.findRows(request).map { $0.map(\.description).joined(separator: " ") }
        #expect(rows.joined(separator: ", ") == example.output.2, "\(example.output.1)")
      }
    }
    #expect(examples.count == 5)
  }

  @Test("each row of a table of examples has one")
  func rows() throws {
    let headers = Self.article.indices.filter { Self.article[$0].hasSuffix("| Example |") }
    // All tables but those of the rows, the sorts, the limits and the writes.
    #expect(headers.count == 11)
    for start in headers {
      for line in Self.article[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
        let example = Self.cells(line).last ?? ""
        #expect(example.contains(#/` (→|⇒|⇛|is kept as) /#), "\(line)")
      }
    }
  }

  @Test("each sort gives the order that stands beside it")
  func sorts() async throws {
    let start = try #require(Self.article.firstIndex { $0.hasPrefix("| Sort |") })
    for line in Self.article[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
      let cells = Self.cells(line)
      let sort = try AnySort(parsing: cells[0].replacing("`", with: ""))
      for repository in repositories {
        #expect(try await repository.findAll(FetchRequest(sortedBy: sort)).map(\.id) == ids(cells[1][...]), "\(sort)")
      }
    }
  }
}

/// A model that keeps a property as JSON.
private struct Box: Entity {
  let id: Int
  var content: [String: Int]

  static let schema = Schema<Box>(table: "box") {
    Parameters(of: Box.init)
    Column("id", \.id)
    Column("content", json: \.content)
  }
}

extension AnyQuery {
  /// A query that is true for every row, with so many levels of `and` and `or` in turn.
  fileprivate static func deep(_ depth: Int) -> AnyQuery {
    (1...depth).reduce(.isNotNull(key: "id")) { query, level in
      level.isMultiple(of: 2) ? query && .notEqual(key: "id", value: 0) : query || .equal(key: "id", value: level)
    }
  }
}

extension AggregateRequest {
  /// Reads what the article writes: `count, sum(id) by type having count() > 1 where weight > 50 sorted by count desc limit 2`.
  fileprivate init(example: Substring) throws {
    let form =
      #/(?<aggregates>(?:[^()]|\([^()]*\))*?)(?:\bby (?<keys>.*?))?(?:\bhaving (?<having>(?:[^()]|\([^()]*\))*?))?(?:\bwhere (?<query>.*?))?(?:\bsorted by (?<order>.*?) desc ?)?(?:\blimit (?<limit>\d+))?/#
    let parts = try #require(try form.wholeMatch(in: example)).output
    func list(_ text: Substring?) -> [String] {
      (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
    func aggregate(_ text: String) throws -> AnyAggregate {
      text == "count" ? .count : try AnyAggregate(parsing: text)
    }
    self.init(
      try list(parts.aggregates).map(aggregate), of: try parts.query.map { try AnyQuery(parsing: String($0)) } ?? .true,
      groupedBy: list(parts.keys), having: try parts.having.map { try AnyQuery(parsingHaving: String($0)) } ?? .true,
      sortedBy: try parts.order.map { .descending(try aggregate($0.trimmingCharacters(in: .whitespaces))) } ?? .group,
      limit: parts.limit.flatMap { Int($0) })
  }
}

extension ProjectionRequest {
  /// Reads what the article writes: `distinct name, id + 1 as n first 1 of type by -id where id > 1 sorted by n limit 2`.
  fileprivate init(example: Substring) throws {
    let form =
      #/(?<distinct>distinct )?(?<columns>.*?)(?: first (?<count>\d+) of (?<keys>.*?) by (?<first>.*?))?(?: where (?<query>.*?))?(?: sorted by (?<order>.*?))?(?: limit (?<limit>\d+))?/#
    let parts = try #require(try form.wholeMatch(in: example)).output
    self.init(
      try [ProjectedColumn](parsing: String(parts.columns)),
      of: FetchRequest(
        try AnyQuery(parsing: String(parts.query ?? "true")), sortedBy: try AnySort(parsing: String(parts.order ?? "")),
        limit: parts.limit.flatMap { Int($0) }), isDistinct: parts.distinct != nil)
    guard let count = parts.count.flatMap({ Int($0) }), let keys = parts.keys, let first = parts.first else { return }
    groupLimit = GroupLimit(
      count, of: try [ProjectedColumn](parsing: String(keys)).map(\.expression),
      sortedBy: try AnySort(parsing: String(first)))
  }
}
