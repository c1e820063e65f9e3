import Foundation
import Query
import Repository
import SQLiteStore
import Testing

/// Runs what the article *Semantics* says: its rows, and each example in it.
@Suite("The article Semantics tells the truth")
struct SemanticsArticleTests {
  private static let article: [String] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    let text = try? String(
      contentsOf: root.appending(path: "Sources/Query/Query.docc/Semantics.md"), encoding: .utf8)
    return (text ?? "").components(separatedBy: "\n")
  }()

  /// What stands between the bars of a line of a table.
  private static func cells(_ line: String) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  private let repositories: [AnyRepository<Record>]

  init() throws {
    let table = try TableSchema(
      "example",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("type", .text),
        ColumnSchema("second", .text, isNullable: true), ColumnSchema("weight", .real),
        ColumnSchema("habitat", .text, isNullable: true), ColumnSchema("mark", .any, isNullable: true),
      ], primaryKey: ["id"])
    let header = "| id | " + table.columns.dropFirst().map(\.name).joined(separator: " | ") + " |"
    let start = try #require(Self.article.firstIndex(of: header))
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
          ("habitat", values[5]), ("mark", values[6])), for: table)
    }
    #expect(records.count == 7)
    let schema = Schema(table)
    let sqlite = try SQLiteStore.inMemory().repository(for: schema)
    try sqlite.save(records)
    repositories = [AnyRepository(sqlite), AnyRepository(try MemoryRepository(records, schema: schema))]
  }

  private func ids(_ text: Substring) -> [RecordKey] {
    text.split(separator: ", ").compactMap { Int64($0) }.map { RecordKey(values: [.integer($0)]) }
  }

  @Test("each example finds the rows that it names, in memory and in SQLite")
  func examples() async throws {
    // Lines are wrapped, so an arrow may stand at the start of one.
    let text = Self.article.joined(separator: " ")
    let examples = text.matches(of: #/`([^`]+)` → (none|[0-9]+(?:, [0-9]+)*)/#)
    for example in examples {
      let query = try AnyQuery(parsing: String(example.output.1))
      for repository in repositories {
        let found = try await repository.findAll(where: query)
        #expect(found.map(\.id) == ids(example.output.2), "\(query)")
      }
    }
    #expect(examples.count > 30)
  }

  @Test("each example of figures gives the groups that it names")
  func figures() async throws {
    let examples = Self.article.joined(separator: "\n").matches(of: #/`([^`]+)` ⇒ ([^|]+) \|/#)
    for example in examples {
      let request = try FigureRequest(example: example.output.1)
      for repository in repositories {
        let rows = try await repository.figures(request).map { row in
          (row.keys + row.figures).map(\.description).joined(separator: " ")
        }
        #expect(rows.joined(separator: ", ") == example.output.2, "\(example.output.1)")
      }
    }
    #expect(examples.count > 12)
  }

  @Test("each row of the table of operators has an example")
  func operators() throws {
    let start = try #require(Self.article.firstIndex { $0.hasPrefix("| Operator |") })
    for line in Self.article[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
      #expect(line.contains("→"), "\(line)")
    }
  }

  @Test("each sort gives the order that stands beside it")
  func sorts() async throws {
    let start = try #require(Self.article.firstIndex { $0.hasPrefix("| Sort |") })
    for line in Self.article[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
      let cells = Self.cells(line)
      let sort = try AnySort(parsing: cells[0].replacing("`", with: ""))
      for repository in repositories {
        #expect(try await repository.findAll(sortedBy: sort).map(\.id) == ids(cells[1][...]), "\(sort)")
      }
    }
  }
}

extension FigureRequest {
  /// Reads what the article writes: `count, sum(id) by type where weight > 50 sorted by count desc limit 2`.
  fileprivate init(example: Substring) throws {
    let form =
      #/(?<figures>.*?)(?:\bby (?<keys>.*?))?(?:\bwhere (?<query>.*?))?(?:\bsorted by (?<order>.*?) desc ?)?(?:\blimit (?<limit>\d+))?/#
    let parts = try #require(try form.wholeMatch(in: example)).output
    func list(_ text: Substring?) -> [String] {
      (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
    func figure(_ text: String) throws -> AnyFigure {
      let words = text.split { "()".contains($0) }.map(String.init)
      if words.count == 1, words[0] == "count" { return .count }
      try #require(words.count == 2)
      switch AnyFigure.Function(rawValue: words[0]) {
      case .count: return .count(key: words[1])
      case .min: return .min(key: words[1])
      case .max: return .max(key: words[1])
      case .sum: return .sum(key: words[1])
      case .average: return .average(key: words[1])
      case nil: throw RepositoryError(.invalidQuery, "no figure: \(text)")
      }
    }
    self.init(
      try list(parts.figures).map(figure), of: try parts.query.map { try AnyQuery(parsing: String($0)) } ?? .true,
      groupedBy: list(parts.keys),
      sortedBy: try parts.order.map { .descending(try figure($0.trimmingCharacters(in: .whitespaces))) } ?? .group,
      limit: parts.limit.flatMap { Int($0) })
  }
}
