import Repository
import RepositoryTesting
import TestSupport
import Testing

@Suite("The conformance suite finds faults", .tags(.slow))
struct FaultTests {
  @Test(
    "Each fault is reported under the rules that it breaks, and no others",
    arguments: Effort.sample(Fault<Specimen>.all))
  func fault(fault: Fault<Specimen>) async throws {
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(Specimen.shortRules) { try fault.makeRepository() }
    }
    #expect(error?.failedRules.map(\.name) == fault.rules)
    #expect(error?.ruleCount == Specimen.shortRules.count)
  }

  @Test("The report names each broken rule, with the request, the expected answer and the actual answer")
  func report() async throws {
    let fault = try #require(
      Fault<Specimen>.all.first { $0.testDescription == "takes the bounds of `between` in either order" })
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(Specimen.shortRules) { try fault.makeRepository() }
    }
    #expect(
      error?.description == """
        a repository of Specimen breaks 1 of \(Specimen.shortRules.count) rules

        `between` with reversed bounds finds nothing
          where age between 3 and 2
            expected: no element
            found:    1, 2
          count where age between 3 and 2
            expected: 0
            found:    2
          where age not between 3 and 2
            expected: 1, 2, 3
            found:    3
          count where age not between 3 and 2
            expected: 3
            found:    1
        """)
  }

  @Test("A repository that fails always breaks every rule that asks for an answer")
  func failure() async throws {
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify { FailingRepository() }
    }
    #expect(error?.failedRules.count == Specimen.rules.count)
    let found = error?.failedRules.first?.failures.first?.found
    #expect(found == "the error busy: another writer is at it; please wait")
  }

  @Test("An error of the closure that makes a repository is rethrown")
  func failureToOpen() async throws {
    await expectError(.cannotOpen) {
      try await RepositoryConformance.verify { () throws(RepositoryError) -> FailingRepository in
        throw RepositoryError(.cannotOpen, "the door is locked")
      }
    }
  }

  @Test("No rule is given twice")
  func names() {
    let names =
      Specimen.rules.map(\.name) + Station.rules.map(\.name) + Loan.rules.map(\.name) + Drawer.rules.map(\.name)
    #expect(Set(names).count == names.count)
  }
}

/// A repository that answers nothing.
private struct FailingRepository: Repository {
  private let error = RepositoryError(.busy, "another writer is at it", suggestion: "please wait")

  func find(_ id: Int) throws(RepositoryError) -> Specimen? { throw error }
  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Specimen] { throw error }
  func count(_ query: AnyQuery) throws(RepositoryError) -> Int { throw error }
  func save(_ elements: [Specimen]) throws(RepositoryError) { throw error }
  func delete(_ ids: [Int]) throws(RepositoryError) -> Int { throw error }
}
