import Foundation
import TestSupport
import Testing

@testable import faults

@Suite("What is broken on purpose", .tags(.slow), .serialized)
struct FaultTests {
  @Test("each experiment of `make faults`, with fewer repetitions", arguments: Experiment.all.map(\.name))
  func experiment(name: String) async throws {
    let experiment = try #require(Experiment.all.first { $0.name == name })
    let finding = await experiment.run(.quick)
    #expect(finding.faults == [], "\(finding.figures.joined(separator: ", "))")
    // As with the tests of PostgreSQL: CI has a server, but on Apple's systems.
    #if !canImport(Darwin)
      if !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty {
        #expect(finding.omission != Finding.noServer)
      }
    #endif
  }
}
