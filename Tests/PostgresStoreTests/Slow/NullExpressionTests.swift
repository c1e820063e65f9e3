import PostgresStore
import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

/// Expressions that are null whatever the row: what is left of them has no type of its own.
@Suite("Expressions that have no value", .requiresServer)
struct NullExpressionTests {
  private static let expressions = [
    "hp / 0", "hp % 0", "1e308 * 10", "9223372036854775807 + 1", "day('2024-02-30')", "if(hp > 50, null, null)",
    "coalesce(null, null)", "-(hp / 0)", "abs(1e308 * 10)", "length(null)", "hp / 0 + weight",
    "if(hp > 50, hp / 0, weight)",
    "floor(weight / 0)", "coalesce(hp / 0, weight)", "hp / (hp - hp)",
  ]

  @Test("are aggregated, sorted and compared as in memory, in SQLite and over HTTP")
  func answers() async throws {
    try await TestServer.withStore { store in
      let table = try TableSchema(
        "pokemon",
        columns: [
          ColumnSchema("id", .integer), ColumnSchema("hp", .integer), ColumnSchema("weight", .real, isNullable: true),
          ColumnSchema("name", .text),
        ], primaryKey: ["id"])
      let rows: [[Value]] = [[1, 10, 1.5, "a"], [2, 60, .null, "b"], [3, 60, 2.5, "b"]]
      let stores: [any Store] = [MemoryStore(), try SQLiteStore.inMemory(timeout: TestServer.timeout), store]
      let arena = Arena(
        table: table,
        stores: try stores.map { store in ("\(type(of: store))", try store.repository(Schema(table))) },
        web: try ServedStore(store).repository(Schema(table)))
      for (_, repository) in arena.stores { try await repository.save(rows.map { Record(values: $0, in: table) }) }
      for text in Self.expressions {
        let expression = try AnyExpression(parsing: text)
        let aggregates = AnyAggregate.Function.allCases.map { AnyAggregate($0, of: expression) }
        let sort = AnySort([SortTerm(expression, direction: .descending, nulls: .last)])
        let questions: [Question] = [
          .aggregate(AggregateRequest(aggregates)), .aggregate(AggregateRequest(aggregates, groupedBy: ["name"])),
          .find(FetchRequest(sortedBy: sort)), .count(.isNull(expression)), .count(.compare(expression, .lessThan, 5)),
        ]
        for question in questions {
          let answers = await arena.answers(to: question)
          let isAnswered = if case .rows = answers[0] { true } else { false }
          #expect(isAnswered && answers.areAlike, "\(text): \(question)\n\(answers)")
        }
      }
    }
  }
}
