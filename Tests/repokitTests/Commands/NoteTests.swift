import Testing

@Suite("What is worth telling of an answer")
struct NoteTests {
  private func workshop() throws -> Workshop {
    let workshop = try Workshop()
    for statement in [
      "CREATE TABLE t (id INTEGER PRIMARY KEY, weight INT, day DATE, name TEXT COLLATE NOCASE, code TEXT COLLATE NOCASE)",
      "INSERT INTO t VALUES (1, 60, '2021-01-01', 'ann', 'A'), (2, 7, '2010', 'Ann', 'B'), (3, 8, NULL, 'Zoe', 'C')",
    ] { try workshop.execute("t.sqlite", statement) }
    return workshop
  }

  private static let number =
    "compares numbers with a text, which stands behind all of them; did you mean the number 50, without quotes?\n"
  private static let letters =
    "note: the database itself compares name by NOCASE, and here texts are compared by their bytes, so that 'A' is not 'a' and stands before it; `name … ignoring case` takes both for the same\n"

  @Test(
    "is told on the standard error",
    arguments: [
      (["query", "t.sqlite", "t", "weight < '50'", "--columns=id"], "id\n1\n2\n3\n", "note: weight < '50' \(number)"),
      (["count", "t.sqlite", "t", "weight != '50'"], "3\n", "note: weight != '50' \(number)"),
      (["count", "t.sqlite", "t", "not weight > '50'"], "3\n", "note: weight > '50' \(number)"),
      (["count", "t.sqlite", "t", "day > '2010'"], "1\n", ""), (["count", "t.sqlite", "t", "weight < 50"], "2\n", ""),
      (["count", "t.sqlite", "t", "name = 'ann'"], "1\n", letters),
      (["count", "t.sqlite", "t", "folded(name) = 'ann'"], "2\n", ""),
      (["count", "t.sqlite", "t", "code = 'A'"], "1\n", ""),
      (["query", "t.sqlite", "t", "--sort", "name", "--columns=id"], "id\n2\n3\n1\n", letters),
      (["query", "t.sqlite", "t", "--sort", "folded(name), id", "--columns=id"], "id\n1\n2\n3\n", ""),
    ] as [([String], String, String)])
  func notes(arguments: [String], output: String, messages: String) async throws {
    let outcome = try await workshop().run(arguments)
    #expect(outcome == Outcome(status: 0, output: output, messages: messages))
  }

  @Test("All rows are changed without a question only where that is said")
  func allRows() async throws {
    let workshop = try workshop()
    for arguments in [["delete", "t.sqlite", "t", "true"], ["set", "t.sqlite", "t", "true", "weight=1"]] {
      let refused = try await workshop.run(arguments + ["--yes"])
      #expect(refused.status == 2)
      #expect(refused.messages.contains("\n  --all beside --yes says that all rows are meant\n"), "\(refused.messages)")
      #expect(try await workshop.run(["count", "t.sqlite", "t"]).output == "3\n")
      #expect(try await workshop.run(arguments + ["--dry-run", "--format", "csv"]).status == 0)
    }
    let narrow = try await workshop.run(["delete", "t.sqlite", "t", "id = 1", "--yes", "--all"])
    #expect(narrow.messages.hasPrefix("error: --all makes no sense with a condition\n"))
    #expect(
      try await workshop.run(["delete", "t.sqlite", "t", "true", "--yes", "--all"]).messages
        == "deleted 3 rows of t\n")
  }

  @Test(
    "A file with a log is read without any other beside it, where nothing changes it", .enabled(if: Workshop.hasShell))
  func immutable() async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.shell(
      """
      mkdir 'a?b#%41'; /usr/bin/sqlite3 'a?b#%41/w.sqlite' "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)" > /dev/null
      $repokit query 'a?b#%41/w.sqlite' t --immutable --format csv; ls 'a?b#%41'
      $repokit set 'a?b#%41/w.sqlite' t "a = 1" a=2 --yes --immutable
      """)
    #expect(outcome.output == "a\n1\nw.sqlite\n")
    #expect(outcome.messages.hasPrefix("error: there is no option --immutable\n"), "\(outcome.messages)")
  }
}
