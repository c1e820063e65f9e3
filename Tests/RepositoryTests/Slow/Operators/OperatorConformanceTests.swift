import ErrorHandling
import Repository
import RepositoryTesting
import TestSupport
import Testing

@Suite("Repositories with operators follow the contract", .tags(.slow))
struct OperatorConformanceTests {
  /// Each operator, and several at once.
  enum Chain: String, CaseIterable {
    case retrying, catching, mappingErrors, replacingErrors, assertingNoFailure, reporting, reportingToCurrent, logging
    case all

    func apply<Element: Entity>(to base: some Repository<Element>) throws -> AnyRepository<Element> {
      let base = AnyRepository(base)
      // The contract asks for errors too. What is asked instead must answer alike, and the store itself does.
      return switch self {
      case .retrying: AnyRepository(base.retrying(on: .any, backoff: .none))
      case .catching: AnyRepository(base.catching { _ in base })
      case .mappingErrors: AnyRepository(base.mappingErrors { $0 })
      case .replacingErrors: AnyRepository(base.replacingErrors(with: base))
      case .assertingNoFailure: AnyRepository(base.assertingNoFailure { _ in })
      case .reporting: AnyRepository(base.reporting(to: ErrorHandler()))
      case .reportingToCurrent: AnyRepository(base.reporting())
      case .logging: AnyRepository(base.logging { _ in })
      case .all:
        AnyRepository(
          base.logging { _ in }.retrying(1, on: .any, backoff: .none).catching { _ in nil }.mappingErrors { $0 }
            .replacingErrors(with: base).reporting())
      }
    }
  }

  @Test("each operator over a repository in memory", arguments: Chain.allCases)
  func memory(chain: Chain) async throws {
    let rules = chain == .all && !Effort.isFull ? Specimen.shortRules : Effort.sample(Specimen.rules)
    try await RepositoryConformance.verify(rules) { try chain.apply(to: try MemoryRepository<Specimen>()) }
  }

  @Test("all operators at once, for the other models")
  func models() async throws {
    try await RepositoryConformance.verify { try Chain.all.apply(to: try MemoryRepository<Station>()) }
    try await RepositoryConformance.verify { try Chain.all.apply(to: try MemoryRepository<Loan>()) }
    try await RepositoryConformance.verify { try Chain.all.apply(to: try MemoryRepository<Drawer>()) }
  }
}
