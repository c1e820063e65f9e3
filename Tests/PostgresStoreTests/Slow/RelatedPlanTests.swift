@testable import PostgresInspection
import PostgresStore
import Query
import Repository
import TestSupport
import Testing

@Suite("Requests that lead to other tables of a server", .requiresServer)
struct RelatedPlanTests {
  @Test("take the indexes of these tables, and one join for each path")
  func plans() async throws {
    try await TestServer.withStore { store in
      for schema in try RelatedPlans.schemas() { _ = try store.repository(Schema(schema)) }
      // So many that a look through the smallest of the tables takes longer than the way by an index.
      for sql in RelatedPlans.rows(makers: 1_000) { try await store.sql.execute(SQLStatement(verbatim: sql)) }
      for (table, query, sort, joins, indexes) in RelatedPlans.cases {
        let explanation = try store.explanation(
          of: FetchRequest(try AnyQuery(parsing: query), sortedBy: try AnySort(parsing: sort)), inTable: table)
        let plan = explanation.plan.joined(separator: "\n")
        #expect(RelatedPlans.count(" JOIN ", in: explanation.sql) == joins, "\(explanation.sql)")
        #expect(!plan.contains("Seq Scan"), "\(query)\n\(explanation.sql)\n\(plan)")
        for index in indexes {
          #expect(plan.contains("\"\(index)\""), "\(query): \(index)\n\(explanation.sql)\n\(plan)")
        }
      }
    }
  }
}
