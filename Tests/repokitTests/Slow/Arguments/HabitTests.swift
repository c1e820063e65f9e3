import Testing
@testable import repokit

@Suite("Words of other tools")
struct HabitTests {
  @Test(
    "lead to the command that does it",
    arguments: [
      ("select", "repokit query"), ("where", "repokit query"), ("ls", "repokit tables"), (".tables", nil),
      (".schema", nil),
      ("update", "repokit set"), ("sql", "no SQL here"), ("remove", "repokit delete"),
      ("stats", "repokit describe"),
      ("alter", "repokit column"), ("drop", "repokit table drop"), ("clone", "repokit copy"),
      ("tabels", "did you mean tables?"),
    ] as [(String, String?)])
  func commands(word: String, advice: String?) async throws {
    guard let advice else { return }
    let outcome = try await Workshop().run([word, "x.sqlite"])
    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("error: unknown command \"\(word)\"\n  \(advice)"), "\(outcome.messages)")
  }

  @Test(
    "lead to the option that does it",
    arguments: [
      (["query", "--json"], "write --format json"), (["query", "-n"], "write --limit N"),
      (["count", "-v"], "write --verbose"),
      (["query", "--order-by"], "write --sort KEY"), (["group", "--group-by"], "write --by KEY"),
      (["query", "--where"], "write the condition after the table"), (["import", "--pk"], "write --key COLUMN"),
      (["import", "--alter"], "write --widen"), (["delete", "--force"], "write --yes"),
      (["backup", "-y"], "write --force"),
      (["count", "--colums"], "did you mean --columns?"),
    ])
  func options(words: [String], advice: String) async throws {
    let outcome = try await Workshop().run(words)
    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("error: unknown option \(words[1])\n  \(advice)"), "\(outcome.messages)")
  }

  @Test("lead to commands and options that there are")
  func targets() {
    let names = Set(CommandList.repokit.descriptions.map(\.call))
    for word in [
      "select", "ls", "sql", "update", "rm", "add", "upsert", "save", "stats", "desc", "sum", "plan", "create", "mv",
      "drop",
      "alter", "indexes", "clone", "compare", "compact", "fsck", "restore", "version", "man",
    ] {
      let advice = ToolSynonyms.command(for: word) ?? ""
      let called = advice.split(separator: "repokit ").dropFirst(advice.hasPrefix("repokit") ? 0 : 1).map(String.init)
      #expect(called.allSatisfy { call in call.hasPrefix("--") || names.contains { call.hasPrefix($0) } }, "\(advice)")
    }
  }

  @Test(
    "A call that begins with the database is told with the command in front",
    arguments: [
      (["t.sqlite"], "repokit tables t.sqlite lists the tables"),
      (["t.sqlite", ".tables"], "repokit tables t.sqlite lists"),
      (["t.sqlite", "\\d"], "repokit tables t.sqlite lists"),
      (
        ["t.sqlite", "select a from t where a <> 5 and a != \"<>\" limit 3"],
        "write the command first: repokit query t.sqlite t 'a != 5 and a != \"<>\"' --columns a --limit 3"
      ),
      (["t.sqlite", "update t set a = 1"], "repokit set t.sqlite TABLE"), (["none.sqlite"], nil),
    ] as [([String], String?)])
  func databaseFirst(arguments: [String], advice: String?) async throws {
    let workshop = try Workshop()
    try workshop.execute("t.sqlite", "CREATE TABLE t (a INTEGER)")
    let outcome = try await workshop.run(arguments)
    #expect(outcome.status == 2 && outcome.messages.hasPrefix("error: unknown command"))
    #expect(outcome.messages.contains("write the command first") == (advice != nil), "\(outcome.messages)")
    if let advice { #expect(outcome.messages.contains(advice), "\(outcome.messages)") }
  }
}
