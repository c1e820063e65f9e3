import Query
import Repository
@testable import SQLStore
@testable import SQLInspection
@testable import SQLiteInspection
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("Requests that lead to other tables")
struct RelatedPlanTests {
  @Test("take the indexes of these tables, and one join for each path")
  func plans() throws {
    let store = try SQLiteStore.inMemory()
    for schema in try RelatedPlans.schemas() { _ = try store.sqlRepository(Schema(schema)) }
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for sql in RelatedPlans.rows(makers: 200) { try connection.execute(sql) }
    }
    for (table, query, sort, joins, indexes) in RelatedPlans.cases {
      let explanation = try store.explanation(
        of: FetchRequest(try AnyQuery(parsing: query), sortedBy: try AnySort(parsing: sort)), inTable: table)
      let plan = explanation.plan
      let lines = plan.steps.map(\.detail).joined(separator: "\n")
      #expect(RelatedPlans.count(" JOIN ", in: explanation.sql) == joins, "\(explanation.sql)")
      #expect(Set(plan.indexes) == Set(indexes), "\(query)\n\(explanation.sql)\n\(lines)")
      let scans = plan.steps.contains { if case .scan = $0.action { true } else { false } }
      #expect(!scans, "\(query)\n\(lines)")
    }
  }
}
