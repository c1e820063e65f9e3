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

  @Test("an experiment that does not end in time has failed, and what it has started is ended")
  func endless() async throws {
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    try OtherProgram(path).run("CREATE TABLE t (a)")
    let helper = try Helper("waitForEver", [path])
    #expect(await helper.line() == "held")
    let finding = await helper.finding(within: .milliseconds(100))
    #expect(finding.faults == ["the process ended by signal 9 after nothing", "it did not end within 100.0 ms"])
    // Waits for the lock for ten seconds.
    try OtherProgram(path).run("BEGIN IMMEDIATE")
  }
}
