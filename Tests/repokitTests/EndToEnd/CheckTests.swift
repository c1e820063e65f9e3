import Foundation
import Testing

@Suite("repokit check")
struct CheckTests {
  @Test("says nothing of a database that is whole")
  func whole() async throws {
    let workshop = try await Workshop.withPokemon()
    #expect(try await workshop.run(["check", "p.sqlite"]) == Outcome(status: 0, output: "", messages: ""))
  }

  @Test("says so to a person at a terminal")
  func person() async throws {
    let terminal = try await Workshop.withPokemon().terminal(["check", "p.sqlite"])
    #expect(try await terminal.finish() == 0)
    #expect(terminal.transcript == "checking p.sqlite…\r\u{1B}[Kp.sqlite has no problems\r\n")
  }

  @Test("finds views and triggers that name what is gone")
  func definitions() async throws {
    let workshop = try await Workshop.withPokemon()
    try workshop.execute(
      "p.sqlite", "CREATE TABLE gone (id INTEGER PRIMARY KEY)", "CREATE VIEW v AS SELECT * FROM gone",
      "CREATE VIEW w AS SELECT absent FROM pokemon",
      "CREATE TRIGGER g AFTER DELETE ON pokemon BEGIN INSERT INTO gone VALUES (1); END", "DROP TABLE gone")
    let outcome = try await workshop.run(["check", "p.sqlite"])
    #expect(
      outcome
        == Outcome(
          status: 1,
          output: """
            the trigger on delete of pokemon can't be used: no such table: main.gone
            the view v can't be used: no such table: main.gone
            the view w can't be used: no such column: absent

            """,
          messages:
            "error: p.sqlite has 3 problems\n  restore it from a copy, or mend it with SQLite's own shell\n"))
  }

  @Test("tells of files that were left behind, which is no problem of the database")
  func files() async throws {
    let workshop = try await Workshop.withPokemon()
    for name in ["p.sqlite-queue", "p.sqlite.0A1B2C3D.part", "p.sqlite.notes.part", "q.sqlite.0A1B2C3D.part"] {
      try workshop.write("", to: name)
    }
    #expect(
      try await workshop.run(["check", "p.sqlite"])
        == Outcome(
          status: 0, output: "",
          messages: """
            note: there is p.sqlite-queue: nobody waits for the database any more, so it does no harm
            note: there is p.sqlite.0A1B2C3D.part: a backup of this name that was not finished, or is being made

            """))
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
