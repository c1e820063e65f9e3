import Foundation
import Testing

@Suite("repokit check")
struct CheckTests {
  @Test("says nothing of a database that is whole")
  func whole() async throws {
    let workshop = try await Workshop.withPokemon()
    #expect(try await workshop.run(["check", "p.sqlite"]) == Outcome(status: 0, output: "", messages: ""))
  }

  @Test("tells what is wrong, a line each, and fails")
  func damaged() async throws {
    let workshop = try await Workshop.withPokemon()
    var bytes = [UInt8](try workshop.read("p.sqlite"))
    try #require(bytes.count >= 8_192)
    // The content of the second page, but not its header.
    for position in (bytes.count - 300)..<bytes.count { bytes[position] = 0xFF }
    try workshop.write(bytes, to: "p.sqlite")
    let outcome = try await workshop.run(["check", "p.sqlite"])
    #expect(outcome.status == 1)
    #expect(!outcome.output.isEmpty)
    #expect(outcome.messages.hasPrefix("error: p.sqlite has "))
  }

  @Test("refuses what is no database")
  func noDatabase() async throws {
    let workshop = try Workshop()
    try workshop.write("id,name\n1,Bulbasaur\n", to: "a.csv")
    let outcome = try await workshop.run(["check", "a.csv"])
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: a.csv: the file is no SQLite database"))
  }
}
